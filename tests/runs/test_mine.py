"""From text to phrases, and from two texts and a seed to pairs with their contexts."""

import bz2
import gzip
import json
import lzma
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord import cli
from accord.corpus.phrases import Phrases
from accord.corpus.text import ExtractionMethod
from accord.corpus.text.concordance import find_contexts
from accord.corpus.text.extraction import (
    CHUNKS_AND_WORDS,
    ExtractedPhrases,
    Preparation,
    count_phrases,
)
from accord.corpus.text.languages import check_two_languages
from accord.corpus.text.tokens import LINE_END, NO_WORD
from accord.errors import AccordError, InputError, SettingError
from accord.evidence.decisions import DecisionLog
from accord.evidence.seed import SeedLexicon
from accord.experiments.artificial import plant
from accord.learning.model.state import State
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.mine import Mine, TextFile
from accord.runs.trace import TraceRow
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests import text_oracle
from tests.conftest import Run, files_of, on_a_terminal
from tests.corpus.test_anchors import dump, page
from tests.text_oracle import Lines

LINES = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", ".", "7"]), max_size=9),
    min_size=1,
    max_size=14,
)
WORDS = Preparation("en", pretokenised=True)
ENGLISH = Preparation("en")
METHODS: tuple[ExtractionMethod, ...] = ("chunk", "ngram", "anchor", "constituent", "lines")


def counts_of(found: ExtractedPhrases | None) -> dict[str, int]:
    """The counts by phrase; they are in order, no phrase is there twice, and no word is unused."""
    if found is None:
        return {}
    pairs = [*found.spell()]
    assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    counts = dict(pairs)
    assert len(counts) == len(pairs) == len(found)
    same = Phrases.of(counts)
    assert same.vocabulary.words == found.phrases.vocabulary.words
    assert np.array_equal(same.words, found.phrases.words)
    assert np.array_equal(same.offsets, found.phrases.offsets)
    return counts


def whole_phrases(found: ExtractedPhrases) -> set[str]:
    return {found.phrases[n] for n in np.flatnonzero(found.is_whole).tolist() if n}


def spelled(counts: dict[tuple[str, ...], int], least: int) -> dict[str, int]:
    return {" ".join(gram): count for gram, count in counts.items() if count >= least}


# The methods, against plain loops


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text") / "text.txt"


def write_lines(path: Path, lines: Lines) -> Path:
    path.write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


@given(LINES, st.integers(1, 4), st.integers(1, 3))
def test_ngrams_are_all_there_are(file: Path, lines: Lines, longest: int, least: int) -> None:
    expected = spelled(text_oracle.counted_grams(lines, longest), least)
    paths = [write_lines(file, lines)]
    if expected:
        found = count_phrases(paths, "ngram", WORDS, min_count=least, max_words=longest)
        assert counts_of(found) == expected
    else:
        with pytest.raises(InputError, match=r"text\.txt: expected "):
            count_phrases(paths, "ngram", WORDS, min_count=least, max_words=longest)


@given(LINES, st.integers(1, 2))
def test_tokens_have_the_ids_of_the_words(file: Path, lines: Lines, least: int) -> None:
    try:
        found = count_phrases([write_lines(file, lines)], "ngram", WORDS, min_count=least)
    except InputError:
        return
    index = found.phrases.vocabulary.index
    expected = [number for line in lines for number in [*map(index.get, line), LINE_END]]
    assert found.tokens is not None
    # Rare words, numbers and punctuation have no id.
    assert found.tokens.tolist() == [NO_WORD if n is None else n for n in expected]


@given(LINES, st.integers(1, 3), st.integers(1, 2), st.sampled_from([2, 5, 50]))
def test_chunks_are_those_of_the_plain_loop(
    file: Path, lines: Lines, longest: int, least: int, often: int
) -> None:
    """In slices of seven words, where a function word stands so often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.corpus.text.chunks.SLICE", 7)
        patch.setattr("accord.corpus.text.chunks.LEAST_COUNT", often)
        try:
            found = count_phrases(
                [write_lines(file, lines)], "chunk", WORDS, min_count=least, max_words=longest
            )
        except InputError:
            found = None
    functions = text_oracle.function_words(
        lines, size=7, least=often, one_in=5_000, most_bits=0.3, most_at_edge=0.6
    )
    expected = text_oracle.chunks(lines, longest, least, functions, 0.1)
    assert counts_of(found) == spelled(expected, least)


def test_a_fragment_of_a_phrase_with_a_function_word_inside(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is between them in length, "king of", is no phrase."""
    monkeypatch.setattr("accord.corpus.text.chunks.SLICE", 7)
    monkeypatch.setattr("accord.corpus.text.chunks.LEAST_COUNT", 9)
    lines = [["king", "of", "north", "."]] * 4 + [["of", name] for name in "abcdefghijkl"]
    found = count_phrases([write_lines(file, lines)], "chunk", WORDS)
    assert [*found.spell()] == [("king of north", 4)]


@given(LINES, st.integers(1, 4), st.integers(1, 3))
def test_lines_are_counted_as_they_are(file: Path, lines: Lines, longest: int, least: int) -> None:
    counts = Counter(" ".join(line) for line in lines)
    expected = {
        line: count
        for line, count in counts.items()
        if count >= least and len(line.split()) <= longest and any(map(str.isalpha, line))
    }
    try:
        found = count_phrases(
            [write_lines(file, lines)], "lines", WORDS, min_count=least, max_words=longest
        )
    except InputError:
        found = None
    assert counts_of(found) == expected


def test_link_texts_are_counted_over_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.xml.bz2", tmp_path / "two.html"
    one.write_bytes(bz2.compress(dump(page("Red planet", "[[Red planet|the Planet]], [[Mars]]"))))
    other.write_text("<html><h1>Mars</h1><a href=x>red planet</a><a href=y>a b c d e f</a>")
    found = count_phrases([one, other], "anchor", Preparation("en", lower=True), jobs=2)
    assert [*found.spell()] == [("mars", 2), ("red planet", 2), ("the planet", 1)]


def test_constituents_are_not_tokenised_again(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg.gz"
    tree = "(S (NP (DT The) (NN e-mail)) (VP (VBD came) (PP (IN in) (NP (CD 10) (NNS days)))))\n"
    path.write_bytes(gzip.compress(2 * tree.encode()))
    found = count_phrases([path], "constituent", ENGLISH, max_words=3)
    assert [*found.spell()] == [("10 days", 2), ("The e-mail", 2), ("in 10 days", 2)]


def test_how_text_is_prepared(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("Ｅ-mail's here\nｅ-mail's here\n", encoding="utf-8")

    def found(**how: bool) -> list[tuple[str, int]]:
        prepare = Preparation("en", **how)
        return [*count_phrases([path], "lines", prepare).spell()]

    assert found() == [("ｅ - mail's here", 1), ("Ｅ - mail's here", 1)][::-1]
    assert found(pretokenised=True) == [("Ｅ-mail's here", 1), ("ｅ-mail's here", 1)]
    assert found(nfkc=True) == [("E - mail's here", 1), ("e - mail's here", 1)]
    assert found(lower=True) == [("ｅ - mail's here", 2)]
    assert found(lower=True, nfkc=True, pretokenised=True) == [("e-mail's here", 2)]


def test_the_count_without_being_told(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("a a a b b\n")
    grams = count_phrases([path], "ngram", WORDS)
    assert [*grams.spell()] == [("a", 3)]
    assert [*count_phrases([path], "lines", WORDS).spell()] == [("a a a b b", 1)]


@pytest.mark.parametrize("method", ["chunk", "ngram", "lines"])
def test_processes_compression_and_files_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: ExtractionMethod
) -> None:
    generator = np.random.default_rng(0)
    letters = [*"abcdefghijklmnopqrst", "."]
    lines = [" ".join(generator.choice(letters, 3)) + "\n" for _ in range(300)]
    lines += ["some lines twice\n", "x y z\n"] * 5
    halves = ["".join(lines[:150]).encode(), "".join(lines[150:]).encode()]
    whole, one, other = (tmp_path / name for name in ("whole", "one.xz", "two.gz"))
    whole.write_bytes(b"".join(halves))
    one.write_bytes(lzma.compress(halves[0]))
    other.write_bytes(gzip.compress(halves[1].rstrip(b"\n")))
    expected = count_phrases([whole], method, ENGLISH)
    assert len(expected) > 1
    monkeypatch.setattr("accord.system.reading.BLOCK", 10)
    monkeypatch.setattr("accord.corpus.text.tokens.CHUNK", 50)
    read: list[int] = []
    found = count_phrases([one, other], method, ENGLISH, jobs=2, read=read.append)
    assert counts_of(found) == counts_of(expected)
    assert np.array_equal(found.is_whole, expected.is_whole)
    assert len(read) >= 30
    assert sum(read) == len(whole.read_bytes())


def test_nothing_is_found(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("one two\n")
    message = (
        "text: expected phrases of at most 5 words that occur 3 times or more, found none; "
        "give more text, a higher --max-words or a lower --min-count"
    )
    with pytest.raises(InputError, match=message):
        count_phrases([path], "chunk", ENGLISH)
    with pytest.raises(InputError, match="of at most 1 words that occur once or more, found"):
        count_phrases([path], "lines", ENGLISH, max_words=1)


# Contexts


def test_a_phrase_has_one_snippet_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "text"
    words = [f"w{n}" for n in range(1_000)]
    path.write_text(" ".join(words + words) + "\nw7\n")
    found = find_contexts(words, [path], str, 1, int)
    assert len(found) == len(words)
    assert [len(found[word]) for word in ("w7", "w8")] == [2, 1]


def test_no_phrases_have_no_contexts(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("a b\n")
    assert find_contexts([], [path], str, 1, int) == {}


def test_snippets_have_spaces_where_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("我们 用 Linux kernel ， 它 很 好 。\n", encoding="utf-8")
    chinese = TextFile(path, Preparation("zh", pretokenised=True))
    assert chinese.find_snippets(["很 好", "Linux kernel"], 1, int) == {
        "很 好": ["我们用Linux kernel ，它[很好]。"],
        "Linux kernel": ["我们用[Linux kernel] ，它很好。"],
    }
    elided = tmp_path / "elided"
    elided.write_text("Il va à l’école d'été.\n", encoding="utf-8")
    french = TextFile(elided, Preparation("fr"))
    assert french.find_snippets(["l' école", "été"], 1, int) == {
        "l' école": ["Il va à [l'école] d'été ."],
        "été": ["Il va à l'école d'[été] ."],
    }
    english = TextFile(path, Preparation("en", pretokenised=True))
    assert english.find_snippets(["很 好"], 1, int) == {
        "很 好": ["我们 用 Linux kernel ， 它 [很 好] 。"]
    }


# Commands

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """The command without a process of its own: its exit code, output and messages."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["accord", *map(str, arguments)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        return code, *capsys.readouterr()

    return run


def refused(answer: tuple[int, str, str], *words: str) -> None:
    """Exit 2, and one sentence with these words."""
    code, out, err = answer
    assert code == 2, err
    assert out == ""
    (sentence,) = err.splitlines()
    assert sentence.startswith("accord: ")
    for word in words:
        assert word in sentence


def test_phrases(tmp_path: Path, typed: Typed, accord: Run) -> None:
    (tmp_path / "text").write_text("Red planet, red.\n" * 3 + "Red planet!\n", encoding="utf-8")
    options = ("--lang", "en", "--method", "ngram", "--out", "phrases.txt")
    answer = typed("phrases", "text", *options, "--counts", "--lower")
    assert answer == (0, "3 phrases in phrases.txt\n", "")
    assert (tmp_path / "phrases.txt").read_text() == "red\t7\nplanet\t4\nred planet\t4\n"
    done = accord("phrases", "-", *options, "--force", "--max-words", 1, stdin=b"a b a b a b")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "phrases.txt").read_text() == "a\nb\n"


def running_text(side: int, functions: list[str], random: int) -> str:
    """Sentences of phrases, function words before these: the phrases are the same in both
    languages, the sentences are not."""
    lexicon = plant(words=WORDS_OF_TEXT, phrases=1, noise=0).lexicon
    choose = np.random.default_rng(3).choice
    phrases = [choose(WORDS_OF_TEXT, 1 + n % 3, replace=False).tolist() for n in range(260)]
    generator = np.random.default_rng(random)
    sentences = []
    for _ in range(600):
        words = []
        for phrase in generator.choice(len(phrases), 3):
            words.append(str(generator.choice(functions)))
            words += [lexicon[word][side] for word in sorted(phrases[phrase])]
        sentences.append(" ".join(words) + ".\n")
    return "".join(sentences)


WORDS_OF_TEXT = 120
SEEDS = 36
FUNCTIONS = ["o", "ne", "u"], ["the", "of"]
LANGUAGES = ("--source-lang", "it", "--target-lang", "en")
MINE = ("mine", "e.txt", "f.txt", *LANGUAGES, "--seed", "seed.tsv", "--out", "out")


def lay_out_texts(folder: Path) -> None:
    lexicon = plant(words=WORDS_OF_TEXT, phrases=1, noise=0).lexicon
    for side, name in enumerate(("e.txt", "f.txt")):
        text = running_text(side, FUNCTIONS[side], random=side)
        (folder / name).write_text(text, encoding="utf-8")
    seed = "".join(f"{e}\t{f}\n" for e, f in lexicon[:SEEDS])
    (folder / "seed.tsv").write_text(seed, encoding="utf-8")


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two texts, a seed, and in out/ what was mined."""
    folder = tmp_path_factory.mktemp("mined")
    lay_out_texts(folder)
    done = subprocess.run(
        [sys.executable, "-m", "accord", *MINE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"seed: {SEEDS} of {SEEDS} entries have their words in both corpora" in done.stderr
    before = done.stderr.split("\niter ")[0]
    assert before.endswith("\nComparing the words by their sentences")
    assert "word pairs in out/lexicon.tsv" in done.stdout
    assert "contexts of the phrase pairs in out/contexts.tsv" in done.stdout
    return folder


def rows_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_mine_learns_the_lexicon(mined: Path) -> None:
    assert sorted(path.name for path in (mined / "out").iterdir()) == [
        ".lock",
        *("contexts.tsv", "lexicon.tsv", "model", "phrases.tsv", "quality.json", "run.json"),
        "trace.jsonl",
    ]
    lexicon = plant(words=WORDS_OF_TEXT, phrases=1, noise=0).lexicon
    new = {tuple(row[:2]) for row in rows_of(mined / "out" / "lexicon.tsv")} - set(lexicon[:SEEDS])
    assert len(new & set(lexicon)) >= 0.8 * len(new) > 40
    pairs = rows_of(mined / "out" / "phrases.tsv")
    true = dict(lexicon)
    right = [row for row in pairs if [true.get(e) for e in row[0].split()] == row[1].split()]
    assert len(right) >= 0.9 * len(pairs) > 100


def test_mine_gives_whole_phrases_and_learns_from_all_words(mined: Path) -> None:
    """All entries of the seed that occur in the texts are among the results, too."""
    seed = [row[:2] for row in rows_of(mined / "seed.tsv")]
    found = [row[:2] for row in rows_of(mined / "out" / "phrases.tsv")]
    pairs = [pair for pair in found if pair not in seed]
    assert 20 < len(found) - len(pairs) <= len(seed)
    lines = json.loads((mined / "out" / "run.json").read_text())["lines"]
    for side, (name, where) in enumerate([("e.txt", "source"), ("f.txt", "target")]):
        grams = count_phrases([mined / name], "ngram", ENGLISH)
        words = {gram for gram in grams.phrases.texts() if " " not in gram}
        chunks = {*count_phrases([mined / name], "chunk", ENGLISH).phrases.texts()}
        assert whole_phrases(grams) == chunks
        both = count_phrases([mined / name], CHUNKS_AND_WORDS, ENGLISH)
        assert {*both.phrases.texts()} == chunks | words
        assert lines[where]["phrases"] == len(both) > len(chunks)
        assert {row[side] for row in pairs} <= chunks
        assert not {word for row in pairs for word in row[side].split()} & set(FUNCTIONS[side])


def test_mine_says_where_pairs_were_seen(mined: Path) -> None:
    rows = rows_of(mined / "out" / "contexts.tsv")
    pairs = [row[:2] for row in rows_of(mined / "out" / "phrases.tsv")]
    words = [row[:2] for row in rows_of(mined / "out" / "lexicon.tsv")]
    assert [row[:2] for row in rows[: len(pairs)]] == pairs
    assert sorted(row[:2] for row in rows) == sorted(map(list, {*map(tuple, pairs + words)}))
    sentences = [(mined / name).read_text().replace(".", " .") for name in ("e.txt", "f.txt")]
    for row in rows:
        assert len(row) == 8
        for side in (0, 1):
            snippets = row[2 + 3 * side : 5 + 3 * side]
            assert all(snippets)  # each phrase stands there three times, in lines of its own
            assert len(set(snippets)) == 3 or sentences[side].count(row[side]) > 3
            for snippet in snippets:
                assert f"[{row[side]}]" in snippet
                assert snippet.replace("[", "").replace("]", "") in sentences[side]


@pytest.mark.parametrize("compiled", [False, True])
def test_mine_again_and_after_it_was_cut_short(
    mined: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Interrupted in Python, or in compiled code, where Numba makes another error of it."""
    lay_out_texts(tmp_path)

    def stop(*_: object) -> None:
        if compiled:
            raise SystemError from KeyboardInterrupt()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "save_results", stop)
        code, _, err = typed(*MINE)
    assert code == 130
    assert "continue with --resume" in err
    code, _, err = typed(*MINE)
    assert code == 2
    assert "out: holds this very run, interrupted; continue with --resume" in err
    code, out, err = typed(*MINE, "--resume", "--json", "--threads", 2)
    assert code == 0
    assert "Continuing after iteration" in err
    answer = json.loads(out)
    assert sorted(answer) == ["files", "quality", "settings", "trace"]
    assert answer["files"]["contexts"] == "out/contexts.tsv"
    assert all((tmp_path / name).exists() for name in answer["files"].values())
    assert files_of(tmp_path / "out") == files_of(mined / "out")
    (tmp_path / "out" / "contexts.tsv").unlink()
    code, _, err = typed(*MINE)
    assert code == 0
    assert "has this very run already" in err
    assert files_of(tmp_path / "out") == files_of(mined / "out")
    # The options are compared before the texts are read.
    monkeypatch.delattr("accord.runs.mine.count_phrases")
    code, _, err = typed(*MINE, "--method", "ngram", "--iterations", 7)
    assert code == 2
    differing = "different --iterations (40, now 7), different --method (chunk, now ngram); choose"
    assert f"another run: {differing}" in err


def test_sentences_are_evidence_again_after_it_was_killed(
    mined: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out_texts(tmp_path)
    save = RunFolder.save_iteration

    def save_and_stop(folder: RunFolder, state: State, trace: list[TraceRow]) -> None:
        save(folder, state, trace)
        if state.iteration == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "save_iteration", save_and_stop)
        assert typed(*MINE)[0] == 130
    code, _, err = typed(*MINE, "--resume", "--threads", 1)
    assert code == 0, err
    assert "Continuing after iteration 2" in err
    assert files_of(tmp_path / "out") == files_of(mined / "out")


def test_a_finished_run_compares_no_words_again(
    mined: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out_texts(tmp_path)
    shutil.copytree(mined / "out", tmp_path / "out")
    monkeypatch.delattr("accord.runs.learn.find_similar_words")
    code, _, err = typed(*MINE)
    assert code == 0, err
    assert "has this very run already" in err


def test_other_sentences_with_the_same_phrases_are_another_run(
    mined: Path, tmp_path: Path, typed: Typed
) -> None:
    lay_out_texts(tmp_path)
    shutil.copytree(mined / "out", tmp_path / "out")
    text = (tmp_path / "e.txt").read_text(encoding="utf-8")
    backwards = "".join(line + "\n" for line in reversed(text.splitlines()))
    (tmp_path / "e.txt").write_text(backwards, encoding="utf-8")
    assert typed(*MINE)[0] == 0
    # In one line, full stops still end the phrases.
    (tmp_path / "e.txt").write_text(text.replace("\n", " "), encoding="utf-8")
    code, _, err = typed(*MINE)
    assert code == 2
    assert "another run: different sentences;" in err


def mine_inputs(
    folder: Path, decisions: SeedLexicon | None = None, method: ExtractionMethod = "chunk"
) -> Inputs:
    one, other = (TextFile(folder / name, ENGLISH) for name in ("e.txt", "f.txt"))
    seed = [(e, f) for e, f in rows_of(folder / "seed.tsv")]
    return Mine(one, other, method, None, max_words=20, jobs=2).inputs(seed, int, decisions)


def test_words_of_sentences_have_the_ids_of_the_phrases(mined: Path) -> None:
    """Also if a decision adds words, and all others get new ids."""
    texts = [(mined / name).read_text(encoding="utf-8") for name in ("e.txt", "f.txt")]
    decisions = SeedLexicon.of([("aaa zzz", "aab zzy", "accepted")])
    for inputs in (mine_inputs(mined), mine_inputs(mined, decisions)):
        assert inputs.sentences
        sides = zip((inputs.source, inputs.target), inputs.sentences, texts, strict=True)
        for phrases, counted, text in sides:
            words = [phrases.vocabulary.words[word] for word in counted.words.tolist()]
            frequency = dict(zip(words, counted.frequency.tolist(), strict=True))
            expected = Counter(text.replace(".", "").split())
            assert frequency == {word: n for word, n in expected.items() if n >= 3}
    assert "aaa" in inputs.source.vocabulary.index


def test_without_context_sentences_are_ignored(mined: Path) -> None:
    inputs = mine_inputs(mined)
    settings = Settings(context=False, iterations=2)
    one, other = (
        learn(given, settings, Threads(2)).lexicon
        for given in (inputs, replace(inputs, sentences=None))
    )
    assert one == other
    with_sentences = learn(inputs, Settings(iterations=2), Threads(2)).lexicon
    assert with_sentences != one


def test_lists_of_phrases_have_no_sentences(mined: Path) -> None:
    assert mine_inputs(mined, method="lines").sentences is None


def test_vectors_and_sentences_together(mined: Path) -> None:
    """Vectors of a few words: the others are still compared by their sentences."""
    inputs = mine_inputs(mined)
    generator = np.random.default_rng(0)
    given = [
        {word: generator.normal(size=4).tolist() for word in side.vocabulary.words[1:20]}
        for side in (inputs.source, inputs.target)
    ]
    both = inputs.with_vectors(*given)
    assert both.vectors
    assert both.sentences
    learned = learn(both, Settings(iterations=2), Threads(2))
    assert len(learned.lexicon) > SEEDS


def test_mine_takes_vectors(tmp_path: Path, typed: Typed) -> None:
    """Those of translations are similar, so that more new words are found than without."""
    lay_out_texts(tmp_path)
    lexicon = plant(words=WORDS_OF_TEXT, phrases=1, noise=0).lexicon
    generator = np.random.default_rng(0)
    X = generator.normal(size=(len(lexicon), 12))
    sides = ("e.vec", 0, X), ("f.vec", 1, X + generator.normal(0, 0.1, X.shape))
    for name, side, rows in sides:
        pairs = zip(lexicon, rows, strict=True)
        lines = (f"{pair[side]} {' '.join(map(str, row))}\n" for pair, row in pairs)
        (tmp_path / name).write_text("".join(lines), encoding="utf-8")
    vectors = ("--source-vectors", "e.vec", "--target-vectors", "f.vec")
    found = []
    for options in ((), vectors):
        code, _, err = typed(*MINE, "--no-context", "--no-spelling", "--force", *options)
        assert code == 0, err
        assert ("source vectors: of " in err) == bool(options)
        learned = {tuple(row[:2]) for row in rows_of(tmp_path / "out" / "lexicon.tsv")}
        found.append(len(learned & {*lexicon[SEEDS:]}))
    assert found[1] > found[0]
    code, _, err = typed(*MINE, "--force", *vectors[:2])
    assert code == 2
    assert "vectors: expected those of both languages, found one" in err


def test_a_text_of_three_lines(tmp_path: Path, typed: Typed) -> None:
    (tmp_path / "e.txt").write_text("il gatto nero\n" * 3, encoding="utf-8")
    (tmp_path / "f.txt").write_text("the black cat\n" * 3, encoding="utf-8")
    (tmp_path / "seed.tsv").write_text("gatto\tcat\n", encoding="utf-8")
    code, _, err = typed(*MINE)
    assert code == 0, err
    assert ["gatto", "cat"] in [row[:2] for row in rows_of(tmp_path / "out" / "lexicon.tsv")]


def test_lowering_includes_the_seed(tmp_path: Path, typed: Typed) -> None:
    """So no message suggests to check the case."""
    (tmp_path / "e.txt").write_text("Il Gatto nero\n" * 3, encoding="utf-8")
    (tmp_path / "f.txt").write_text("The Black cat\n" * 3, encoding="utf-8")
    seed = tmp_path / "seed.tsv"
    seed.write_text("GATTO\tCAT\nx\ty\ny\tz\n", encoding="utf-8")
    code, _, err = typed(*MINE, "--lower")
    assert code == 0, err
    assert "seed: 1 of 3 entries have their words in both corpora" in err
    assert "seed: most entries are missing; check tokenisation and languages\n" in err
    seed.write_text("x\ty\ny\tz\n", encoding="utf-8")
    code, _, err = typed(*MINE, "--lower", "--force")
    assert code == 2
    assert err.endswith("corpora; check the languages and the segmentation\n")


@pytest.mark.parametrize("name", ["en", "English", "eng"])
def test_two_equal_languages(tmp_path: Path, typed: Typed, name: str) -> None:
    """No file is read; the error names the options."""
    equal = ("--source-lang", "en", "--target-lang", name)
    words = "--source-lang and --target-lang: expected two languages, found "
    refused(typed(*MINE[:3], *equal, *MINE[-4:]), f"{words}{name!r} for both")
    dictionary = ("--dictionary", "d", "--out", "o")
    refused(typed("seed", "a", "b", *dictionary, *equal), words)
    with pytest.raises(SettingError, match="source_lang and target_lang: expected two languages"):
        accord.mine(tmp_path / "e", tmp_path / "f", [], source_lang="en", target_lang=name)
    check_two_languages("en-GB", "en-US")
    check_two_languages("en", None)


def test_mine_with_decisions(mined: Path, tmp_path: Path, typed: Typed) -> None:
    """A pair that is accepted is there, even if one of its phrases is no whole one."""
    lay_out_texts(tmp_path)
    first, second = RunFolder(mined / "out").read_phrase_pairs()[:2]
    part = count_phrases([mined / "e.txt"], "ngram", ENGLISH)
    fragment = next(text for text, _ in part.spell() if text not in whole_phrases(part))
    with DecisionLog(tmp_path / "decided.sqlite") as decisions:
        decisions.decide("phrase", *first, "rejected")
        decisions.decide("phrase", *second, "corrected", (fragment, second[1]))
    code, _, err = typed(*MINE, "--decisions", "decided.sqlite")
    assert code == 0, err
    pairs = {*RunFolder(tmp_path / "out").read_phrase_pairs()}
    assert (fragment, second[1]) in pairs
    assert not {first, second} & pairs


def test_what_is_no_text_has_no_contexts(tmp_path: Path, typed: Typed) -> None:
    links = "".join(f"<a href=x>{word}</a>" for word in ("a", "b", "a b", "a c", "c"))
    for name in ("e.html", "f.html"):
        (tmp_path / name).write_text(f"<html>{links}")
    (tmp_path / "seed").write_text("a a\nb b\n")
    options = ("--seed", "seed", "--out", "out", "--method", "anchor", "--json")
    code, out, err = typed("mine", "e.html", "f.html", *LANGUAGES, *options)
    assert code == 0, err
    assert "source: 5 phrases" in err
    assert "contexts" not in json.loads(out)["files"]
    assert not (tmp_path / "out" / "contexts.tsv").exists()


# Bad input

PHRASES = ("--lang", "en", "--out", "out")


@pytest.mark.parametrize(
    ("content", "method", "words"),
    [
        (dump(page("A", "b"), page("C", "d"))[:-60], "anchor", "truncated after 1 pages; download"),
        (
            "<meta charset=latin1>größer".encode(),
            "anchor",
            "text: expected latin1, as it declares, found UTF-8",
        ),
        (b"<html>\xff", "anchor", "text, line 1: expected utf-8, as it declares no charset, found"),
        (b"\x7fELF\0\0\0", "anchor", "MediaWiki dump in XML or a web page, found a binary file"),
        (b"\x7fELF\0\0\0", "chunk", "text: expected text, found zero bytes; is it a binary file?"),
        (b"\x89PNG\r\n", "lines", "text, line 1: expected UTF-8, found the byte 0x89"),
        (b"", "chunk", "text: expected text, found no words"),
        (b"", "anchor", "web page, found an empty file"),
        (b"", "constituent", "text: expected bracketed trees, found an empty file"),
        (b"", "lines", "text: expected phrases of at most 5 words that occur once or more"),
        (b"1 2 3 .\n", "ngram", "text: expected text, found no words"),
        (b"(S (NP", "constituent", "text, line 1: expected a matching ')', found none"),
    ],
)
def test_bad_texts(
    tmp_path: Path, typed: Typed, content: bytes, method: ExtractionMethod, words: str
) -> None:
    (tmp_path / "text").write_bytes(content)
    refused(typed("phrases", "text", *PHRASES, "--method", method), words)
    assert not (tmp_path / "out").exists()


def test_a_compressed_text_that_is_cut_off(tmp_path: Path, typed: Typed) -> None:
    content = gzip.compress(np.random.default_rng(0).bytes(90_000).hex().encode())
    (tmp_path / "text.gz").write_bytes(content[:-100])
    refused(typed("phrases", "text.gz", *PHRASES), "text.gz", "unreadable")


@pytest.mark.parametrize("method", METHODS)
def test_a_missing_file(tmp_path: Path, typed: Typed, method: ExtractionMethod) -> None:
    refused(typed("phrases", "nowhere", *PHRASES, "--method", method), "nowhere: no such file")
    refused(typed("phrases", tmp_path, *PHRASES, "--method", method), "found a folder")


def test_a_language_nobody_knows(tmp_path: Path, typed: Typed) -> None:
    (tmp_path / "text").write_text("a a a\n")
    refused(
        typed("phrases", "text", "--lang", "Chinesisch", "--out", "out"),
        "--lang: 'Chinesisch': expected a language code or name",
        "did you mean zh (Chinese)?",
    )
    # Before the other text is read.
    languages = ("--source-lang", "en", "--target-lang", "jp")
    answer = typed("mine", "nowhere", "text", *languages, "--seed", "nowhere", *OUT)
    refused(answer, "--target-lang: 'jp'", "did you mean ja (Japanese)?")


OUT = ("--out", "out")


def test_the_text_as_output(tmp_path: Path, typed: Typed) -> None:
    lay_out_texts(tmp_path)
    before = files_of(tmp_path)
    answer = typed("phrases", "f.txt", "e.txt", "--lang", "en", "--out", "./e.txt")
    refused(answer, "e.txt: is also an input; choose another file")
    refused(typed(*MINE[:-1], "."), "holds the input e.txt; choose another folder")
    assert files_of(tmp_path) == before


def test_phrases_through_a_pipe(accord: Run) -> None:
    flags = "--lang", "en", "--method", "lines", "--out", "-"
    done = accord("phrases", "-", *flags, stdin=b"one two\n")
    assert (done.stdout, done.stderr) == ("one two\n", "1 phrase in -\n")


@pytest.mark.parametrize("command", [("phrases", "e.txt", *PHRASES), MINE])
@pytest.mark.parametrize("flag", ["--min-count", "--max-words"])
def test_none_of_what_needs_some(
    tmp_path: Path, typed: Typed, command: tuple[str, ...], flag: str
) -> None:
    code, out, err = typed(*command, flag, 0)
    assert (code, out) == (2, "")
    assert f"Invalid value for '{flag}'" in err.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_standard_input_is_read_once(tmp_path: Path, typed: Typed) -> None:
    lay_out_texts(tmp_path)
    refused(
        typed("mine", "-", *MINE[2:]),
        "standard input (-): expected a file, as the text is read twice",
    )


def test_a_seed_in_the_wrong_order(tmp_path: Path, typed: Typed) -> None:
    lay_out_texts(tmp_path)
    seed = [f"{f}\t{e}\n" for e, f in rows_of(tmp_path / "seed.tsv")]
    (tmp_path / "seed.tsv").write_text("".join(seed))
    words = (
        f"0 of its {SEEDS} entries have their words in both corpora, but {SEEDS} with the columns "
        "swapped; put the source word first"
    )
    refused(typed(*MINE), words)
    for name in ("e", "f"):
        options = ("--lang", "en", "--method", "ngram", "--out", f"{name}.phrases")
        assert typed("phrases", f"{name}.txt", *options)[0] == 0
    learn = ("learn", "e.phrases", "f.phrases", *MINE[-4:])
    refused(typed(*learn), "seed.tsv", words)


def test_the_seed_is_prepared_as_the_texts_are(tmp_path: Path) -> None:
    for name in ("e", "f"):
        (tmp_path / name).write_text("Alpha BETA\n" * 3, encoding="utf-8")
    one, other = (TextFile(tmp_path / name, Preparation("en", lower=True)) for name in ("e", "f"))
    mine = Mine(one, other, "ngram", None, 5, 1)
    seed = [("ALPHA", "Alpha"), ("beta", "\u00ad"), ("Beta", "beta")]
    given = mine.inputs(seed, int)
    assert given.seed.entries == (("alpha", "alpha"), ("beta", "beta"))
    given = mine.inputs([*seed, ("Alpha", "BETA", "rejected")], int)
    assert given.seed.rejected == (("alpha", "beta"),)
    with pytest.raises(InputError, match="seed: expected entries of a dictionary, found none"):
        mine.inputs([], int)


def test_what_cannot_be_written_is_said_before_all_is_read(tmp_path: Path, typed: Typed) -> None:
    lay_out_texts(tmp_path)
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    refused(typed(*MINE), "out: expected a folder for the results, found a file")
    where = ("--lang", "en", "--out", "missing/phrases")
    refused(typed("phrases", "e.txt", *where), "missing/phrases: there is no folder missing")


@pytest.mark.parametrize(
    ("package", "language", "content", "method", "words"),
    [
        ("rjieba", "zh", b"a\n", "chunk", "Chinese needs rjieba: pip install 'accord[zh]'"),
        ("mwxml", "en", dump(), "anchor", "dumps need mwxml: pip install 'accord[anchors]'"),
        ("selectolax.lexbor", "en", b"<html>", "anchor", "need selectolax: pip install 'accord[a"),
    ],
)
def test_a_missing_package(
    tmp_path: Path,
    typed: Typed,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    language: str,
    content: bytes,
    method: ExtractionMethod,
    words: str,
) -> None:
    (tmp_path / "text").write_bytes(content)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("accord.corpus.text.tokenisers.find_spec", lambda name: name != package)
    answer = typed("phrases", "text", "--lang", language, *OUT, "--method", method, "--threads", 2)
    refused(answer, words)


def test_a_language_without_a_tokeniser() -> None:
    with pytest.raises(AccordError, match="Khmer is written without spaces"):
        count_phrases(["nowhere"], "chunk", Preparation("km"))


# Terminal and memory


def test_megabytes_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("some words of a text\n" * 150_000 + "good phrase\n" * 9)
    text = on_a_terminal(tmp_path, "phrases", "text", *PHRASES)
    assert re.search(r"Reading \S [1-4]\.\d MB · [\d,]+\.\d MB/s 0:00:\d\d", text), text[-500:]
    assert "…" not in text


def test_memory_is_by_the_word(tmp_path: Path) -> None:
    """Of 27 MB of text, 5 million words, at most 16 bytes a word; as strings it would be 60."""
    line = "alpha beta gamma delta kappa zeta\n"
    path = tmp_path / "text.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(80):
            stream.write(line.encode() * 10_000)
    code = f"""
import resource
from accord.corpus.text import ExtractionMethod
from accord.corpus.text.extraction import Preparation
from accord.corpus.text.tokens import read_text
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
prepare = Preparation("en", pretokenised=True)
small = {str(tmp_path / "small")!r}
open(small, "w").write({line!r} * 100_000)
read_text([small], prepare, 1, int)
before = peak()
text = read_text([{str(path)!r}], prepare, 1, int)
print(len(text.tokens), peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    tokens, grown = map(int, done.stdout.split())
    assert tokens == 80 * 10_000 * 7
    assert grown < 16 * tokens
