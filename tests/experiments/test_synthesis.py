"""From parallel sentences to an experiment."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.text import tokenisers
from accord.corpus.text.tokenisers import tokenise_texts
from accord.errors import AccordError, InputError
from accord.experiments.artificial import plant
from accord.experiments.synthesis import alignment
from accord.experiments.synthesis.recipe import (
    Extraction,
    Size,
    _is_word,
    extract_linked_phrases,
    find_wanted_words,
    make_experiments,
    restrict_to_frequent_words,
)
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.runners.threads import Threads
from accord.translate.phrase_extraction import (
    LinkedSentences,
    NumberedSentences,
    compute_lexical_weights,
    compute_phi,
    extract_pairs,
    number_ngrams,
    symmetrise,
)
from accord.translate.phrase_extraction_kernels import SentenceLinks
from tests.cli.test_cli import fails
from tests.conftest import Run
from tests.extraction_oracle import Link, consistent_pairs, grow_diag_final_and, lexical_weight

LONGEST = 3
sentence = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)


def as_links(links: list[set[Link]]) -> SentenceLinks:
    flat = [sorted(sentence) for sentence in links]
    sizes = [len(sentence) for sentence in flat]
    numbers = np.array([link for sentence in flat for link in sentence], np.int16).reshape(-1, 2)
    return SentenceLinks(
        numbers[:, 0].copy(), numbers[:, 1].copy(), np.concatenate([[0], np.cumsum(sizes)])
    )


def as_sets(links: SentenceLinks) -> list[set[Link]]:
    return [
        set(zip(links.i[begin:end].tolist(), links.j[begin:end].tolist(), strict=True))
        for begin, end in zip(links.offsets, links.offsets[1:], strict=False)
    ]


def draw_links(data: st.DataObject, e: list[list[str]], f: list[list[str]]) -> list[set[Link]]:
    return [
        data.draw(
            st.sets(st.tuples(st.integers(0, len(a) - 1), st.integers(0, len(b) - 1)), max_size=8)
        )
        for a, b in zip(e, f, strict=True)
    ]


def draw_text(data: st.DataObject) -> tuple[list[list[str]], list[list[str]]]:
    e = data.draw(st.lists(sentence, min_size=1, max_size=4))
    f = [data.draw(st.lists(st.sampled_from("wxyz"), min_size=1, max_size=6)) for _ in e]
    return e, f


@given(st.data())
def test_grow_diag_final_and(data: st.DataObject) -> None:
    e, f = draw_text(data)
    forward, backward = draw_links(data, e, f), draw_links(data, e, f)
    sides = (
        NumberedSentences.of([" ".join(s) for s in e]),
        NumberedSentences.of([" ".join(s) for s in f]),
    )
    found = symmetrise(*sides, as_links(forward), as_links(backward), Threads(1))
    assert as_sets(found) == [
        grow_diag_final_and(a, b, len(s), len(t))
        for a, b, s, t in zip(forward, backward, e, f, strict=True)
    ]


@given(st.data())
def test_extraction_phi_and_lexical_weights(data: st.DataObject) -> None:
    e, f = draw_text(data)
    links = draw_links(data, e, f)
    sides = (NumberedSentences.of([" ".join(s) for s in text]) for text in (e, f))
    source, target = (
        number_ngrams(side, np.ones(len(side.vocabulary), np.bool_), LONGEST) for side in sides
    )
    table = extract_pairs(source, target, as_links(links), Threads(1))
    found = list(zip(source.texts(table.source), target.texts(table.target), strict=True))
    # The same by definition, including the greatest lexical weights.
    linked = Counter((e[n][i], f[n][j]) for n, inside in enumerate(links) for i, j in inside)
    forward, backward = null(f, links, 1), null(e, links, 0)
    for (word_e, word_f), count in linked.items():
        forward[word_e, word_f] = count / sum(c for (w, _), c in linked.items() if w == word_e)
        backward[word_f, word_e] = count / sum(c for (_, w), c in linked.items() if w == word_f)
    counts: Counter[tuple[str, str]] = Counter()
    heaviest: dict[tuple[str, str], list[float]] = {}
    for n, inside in enumerate(links):
        for (a, b), (c, d) in consistent_pairs(inside, len(e[n]), len(f[n]), LONGEST):
            ws, wt = e[n][a : b + 1], f[n][c : d + 1]
            pair = " ".join(ws), " ".join(wt)
            counts[pair] += 1
            own = {(i - a, j - c) for i, j in inside if a <= i <= b}
            lex = [
                lexical_weight(ws, wt, own, forward),
                lexical_weight(wt, ws, {(j, i) for i, j in own}, backward),
            ]
            heaviest[pair] = [max(x, y) for x, y in zip(lex, heaviest.get(pair, lex), strict=True)]
    assert dict(zip(found, table.counts.tolist(), strict=True)) == counts
    if not found:
        return
    lexical = compute_lexical_weights(source, target, as_links(links), table, Threads(1))
    for k, pair in enumerate(found):
        assert [w[k] for w in lexical] == pytest.approx(heaviest[pair])
        of_e = sum(count for (a, _), count in counts.items() if a == pair[0])
        of_f = sum(count for (_, b), count in counts.items() if b == pair[1])
        shares = [counts[pair] / of_e, counts[pair] / of_f]
        assert [share[k] for share in compute_phi(table)] == pytest.approx(shares)


def null(
    text: list[list[str]], links: list[set[Link]], side: int
) -> dict[tuple[str | None, str], float]:
    alone = Counter(
        word
        for n, sentence in enumerate(text)
        for at, word in enumerate(sentence)
        if all(link[side] != at for link in links[n])
    )
    return {(None, word): count / alone.total() for word, count in alone.items()}


def parallel_text(count: int) -> tuple[list[str], list[str], list[str]]:
    """Synthetic sentences with their gold alignment in Pharaoh format."""
    planted, generator = plant(words=120, phrases=count, noise=0, longest=8), random.Random(1)
    translation = dict(planted.lexicon)
    source, target, links = [], [], []
    for phrase in planted.source:
        words = phrase.split()
        order = list(range(len(words)))
        for k in range(len(words) - 1):  # sometimes swap neighbours
            if generator.random() < 0.2:
                order[k], order[k + 1] = order[k + 1], order[k]
        source.append(phrase)
        target.append(" ".join(translation[words[i]] for i in order))
        links.append(" ".join(f"{i}-{j}" for j, i in enumerate(order)))
    return source, target, links


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    source, target, links = parallel_text(3000)
    lines = {"both.tsv": [f"{e}\t{f}" for e, f in zip(source, target, strict=True)]}
    lines |= {"e.txt": source, "f.txt": target, "links": links}
    for name, content in lines.items():
        (tmp_path / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    return tmp_path


SYNTH = ("synth", "both.tsv", "--source-lang", "xx", "--target-lang", "yy", "--out", "out")
SIZES = ("--pairs", 200, "--noise-source", 100, "--noise-target", 50, "--seed-lexicon", 20)
ALIGNED = ("--alignments", "links", "links")


def test_synth(parallel: Path, accord: Run) -> None:
    done = accord(*SYNTH, *SIZES, *ALIGNED)
    assert done.returncode == 0, done.stderr
    out = parallel / "out"
    read = {
        name: (out / name).read_text(encoding="utf-8").splitlines()
        for name in ("source.txt", "target.txt", "gold.tsv", "seed.tsv")
    }
    assert [len(lines) for lines in read.values()] == [300, 250, 200, 20]
    gold = [line.split("\t") for line in read["gold.tsv"]]
    assert len({e for e, _ in gold}) == len({f for _, f in gold}) == 200
    assert {e for e, _ in gold} < set(read["source.txt"])
    assert {f for _, f in gold} < set(read["target.txt"])
    translation = dict(plant(words=120, phrases=3000, noise=0, longest=8).lexicon)
    # By construction, gold pairs are translations, and noise has none on the other side.
    bags = {tuple(sorted(phrase.split())) for phrase in read["target.txt"]}
    for e, f in gold:
        assert sorted(translation[word] for word in e.split()) == sorted(f.split())
    noise = set(read["source.txt"]) - {e for e, _ in gold}
    translated = [tuple(sorted(translation[word] for word in e.split())) for e in noise]
    assert sum(bag in bags for bag in translated) < 0.1 * len(noise)
    assert all(translation[e] == f for e, f in (line.split("\t") for line in read["seed.tsv"]))
    learned = accord("learn", "out/source.txt", "out/target.txt", "--seed", "out/seed.tsv")
    assert learned.returncode == 2  # no --out

    again = accord(*SYNTH[:-1], "again", *SIZES, *ALIGNED)
    assert again.returncode == 0
    for name, lines in read.items():
        assert (parallel / "again" / name).read_text(encoding="utf-8").splitlines() == lines
    other = accord(*SYNTH[:-1], "other", *SIZES, *ALIGNED, "--random", 7)
    assert other.returncode == 0
    assert (parallel / "other" / "gold.tsv").read_text() != (out / "gold.tsv").read_text()


def test_synth_by_eflomal(parallel: Path, accord: Run) -> None:
    pytest.importorskip("eflomal")
    done = accord(*SYNTH, *SIZES)
    assert done.returncode == 0, done.stderr
    links = [
        str(parallel / "out" / "alignments" / f"{way}.pharaoh") for way in ("forward", "backward")
    ]
    text = [str(parallel / "out" / "alignments" / f"{side}.txt") for side in ("source", "target")]
    again = accord("synth", *text, *SYNTH[2:-1], "again", *SIZES, "--alignments", *links)
    assert again.returncode == 0, again.stderr
    for name in ("source.txt", "target.txt", "gold.tsv", "seed.tsv"):
        assert (parallel / "again" / name).read_bytes() == (parallel / "out" / name).read_bytes()


def test_synth_with_bad_input(parallel: Path, accord: Run) -> None:
    two = ("synth", "e.txt", "f.txt", *SYNTH[2:])
    (parallel / "f.txt").write_text((parallel / "f.txt").read_text() + "more\n")
    fails(accord(*two, *ALIGNED), "expected the same number of lines, found 3,000 and 3,001")
    (parallel / "e.txt").write_text((parallel / "e.txt").read_text() + "\n")
    fails(accord(*two, *ALIGNED), "e.txt, line 3001: expected a sentence, found an empty line")
    (parallel / "bad.tsv").write_text("a\tb\nc\t\n")
    fails(
        accord("synth", "bad.tsv", *SYNTH[2:]),
        "bad.tsv, line 2: expected two tab-separated sentences",
    )
    fails(accord("synth", "e.txt", *SYNTH[2:]), "or two plain text files, found 1 files: e.txt")
    fails(accord("synth", "both.tsv", "e.txt", *SYNTH[2:]), "e.txt: expected .tsv or .tmx")
    (parallel / "empty.tsv").write_text("")
    fails(accord("synth", "empty.tsv", *SYNTH[2:]), "empty.tsv: expected sentence pairs, found no")
    many = ("--pairs", 99_999, *SIZES[2:], *ALIGNED)
    fails(accord(*SYNTH, *many), "asked for 99,999 pairs of phrases, but only", "are clean")
    noisy = ("--noise-source", 99_999, "--pairs", 10, *ALIGNED)
    fails(accord(*SYNTH, *noisy), "asked for 99,999 source phrases without a translation, but only")
    khmer = ("synth", "both.tsv", "--source-lang", "km", *SYNTH[4:])
    fails(accord(*khmer), "Khmer is written without spaces, and Accord has no tokeniser for it")
    assert not (parallel / "out").exists()
    (parallel / "out").mkdir()
    fails(accord(*SYNTH, *SIZES, *ALIGNED), "out: exists; replace it with --force")


@pytest.mark.parametrize(
    ("line", "words"),
    [("0-0 x", "expected links such as 0-0 1-2, found '0-0 x'"), ("0-99", "0-99 is outside its")],
)
def test_bad_alignments(parallel: Path, accord: Run, line: str, words: str) -> None:
    links = (parallel / "links").read_text().splitlines()
    (parallel / "links").write_text("\n".join([links[0], line, *links[2:]]) + "\n")
    fails(accord(*SYNTH, *SIZES, *ALIGNED), "links, line 2: ", words)
    (parallel / "links").write_text("0-0\n")
    fails(accord(*SYNTH, *SIZES, *ALIGNED), "expected a line for each of 3,000 sentence pairs")


def test_reading_tmx_and_columns(tmp_path: Path) -> None:
    (tmp_path / "a.tmx").write_text(
        '<tmx version="1.4"><body><tu><tuv xml:lang="en-GB"><seg>the <hi>cat</hi></seg></tuv>'
        '<tuv xml:lang="de"><seg>die Katze</seg></tuv></tu>'
        '<tu><tuv xml:lang="en"><seg>alone</seg></tuv></tu></body></tmx>'
    )
    assert read_sentence_pairs([tmp_path / "a.tmx"], "de", "en") == (["die Katze"], ["the cat"])
    (tmp_path / "b.en-de.tsv").write_text("cat\tKatze\n")
    assert read_sentence_pairs([tmp_path / "b.en-de.tsv"], "de", "en") == (["Katze"], ["cat"])
    assert read_sentence_pairs([tmp_path / "b.en-de.tsv"], "en", "de") == (["cat"], ["Katze"])
    (tmp_path / "c.tmx").write_text("<tmx>")
    with pytest.raises(InputError, match=r"c.tmx, line 1: not well-formed XML"):
        read_sentence_pairs([tmp_path / "c.tmx"], "de", "en")
    with pytest.raises(InputError, match=r"d.tmx: no such file"):
        read_sentence_pairs([tmp_path / "d.tmx"], "de", "en")


def test_tokenising() -> None:
    assert tokenise_texts(["我们喜欢北京。"], "zh", 1) == ["我们 喜欢 北京 。"]
    assert tokenise_texts(["Don't stop, Mr. X!"], "en", 1) == ["don 't stop , mr. x !"]


def test_tokenising_in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenisers, "CHUNK", 2)
    assert tokenise_texts(["A b.", "c", "d"], "en", 2) == ["a b .", "c", "d"]


@pytest.mark.parametrize(
    ("module", "call", "words"),
    [
        ("rjieba", lambda: tokenise_texts(["a"], "zh", 1), "Chinese needs rjieba"),
        ("sacremoses", lambda: tokenise_texts(["a"], "en", 1), "tokenising needs sacremoses"),
        ("eflomal", lambda: alignment.align([], [], Path()), "word alignment needs eflomal"),
    ],
)
def test_missing_packages(
    monkeypatch: pytest.MonkeyPatch, module: str, call: object, words: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    assert callable(call)
    with pytest.raises(AccordError, match=words):
        call()


@pytest.mark.parametrize("word", ["haus", "don't", "e-mail", "经济", "हिन्दी", "é"])
def test_words(word: str) -> None:
    assert _is_word(word)


@pytest.mark.parametrize("word", ["", "3", "a3", ".", "-", "'s", "a_b", "x-"])
def test_no_words(word: str) -> None:
    assert not _is_word(word)


def test_latin_words_on_another_side() -> None:
    side = NumberedSentences.of(["经济 政治 linux", "政治"])
    wanted = find_wanted_words(side)
    assert [w for w, keep in zip(side.vocabulary.words, wanted, strict=True) if keep] == [
        "政治",
        "经济",
    ]


def synthetic_extraction() -> Extraction:
    source, target, links = parallel_text(2000)
    both = as_links(
        [{(int(a), int(b)) for a, b in (x.split("-") for x in line.split())} for line in links]
    )
    text = LinkedSentences(NumberedSentences.of(source), NumberedSentences.of(target), both)
    return extract_linked_phrases(text, Threads(2))


def test_phrases_of_frequent_words() -> None:
    extraction = synthetic_extraction()

    def clean(made: Extraction) -> list[list[list[str]]]:
        return [
            [text.split() for text in ngrams.texts(numbers[made.clean])]
            for ngrams, numbers in [
                (made.source, made.pairs.source),
                (made.target, made.pairs.target),
            ]
        ]

    frequent = restrict_to_frequent_words(extraction, 20)
    assert 0 < len(frequent.clean) < len(extraction.clean)
    assert np.isin(frequent.clean, extraction.clean).all()
    for before, after in zip(clean(extraction), clean(frequent), strict=True):
        counts = Counter(word for phrase in before for word in phrase)
        kept = {word for phrase in after for word in phrase}
        assert len(kept) <= 20
        assert min(counts[word] for word in kept) >= sorted(counts.values())[-20]
    everything = restrict_to_frequent_words(extraction, 10**6)
    assert everything.clean.tolist() == extraction.clean.tolist()


def test_experiments_are_disjoint_and_noise_has_no_translation() -> None:
    extraction = synthetic_extraction()
    one, other = make_experiments(extraction, [Size(100, 50, 50), Size(100, 80, 0)], random=3)
    assert not set(one.gold) & set(other.gold)
    assert (len(one.gold), len(one.source_noise), len(one.target_noise)) == (100, 50, 50)
    assert (len(other.gold), len(other.source_noise), len(other.target_noise)) == (100, 80, 0)
    pairs = set(
        zip(
            extraction.source.texts(extraction.pairs.source),
            extraction.target.texts(extraction.pairs.target),
            strict=True,
        )
    )
    for made in (one, other):
        sources = [e for e, _ in made.gold]
        targets = {f for _, f in made.gold}
        for noise in made.source_noise:
            assert noise not in sources
            assert not any((noise, f) in pairs for f in targets.union(made.target_noise))
        for noise in made.target_noise:
            assert not any((e, noise) in pairs for e in sources)
