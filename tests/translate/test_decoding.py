"""The decoder against an exhaustive search, and the command `accord translate`."""

import gzip
import json
import os
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError, OutputError, SettingError
from accord.formats.moses import read_moses
from accord.runs.folder import RunFolder
from accord.system.compiled import is_compiled
from accord.system.runners.threads import Threads
from accord.translate import decoder_kernels as kernels
from accord.translate.decoder import Decoder, DecoderLimits, ScoredTranslation, n_best_lines
from accord.translate.language_model.arpa import read_arpa
from accord.translate.language_model.trie import BEGIN, END, UNKNOWN, LanguageModel
from accord.translate.moses_decoder import MosesModel, translate_with_moses
from accord.translate.phrase_table import (
    NeededPhrases,
    PhraseTable,
    read_phrase_table,
    read_run_table,
    split_sentences,
)
from accord.translate.weights import (
    DEFAULTS,
    DISTORTION,
    LANGUAGE_MODEL,
    PLACES,
    SIZE,
    Weights,
    read_weights,
    write_weights,
)
from tests import decoding_oracle
from tests.conftest import Run
from tests.decoding_oracle import Grams, Table, language_model

# Large enough that nothing is pruned.
ALL = DecoderLimits(stack=20_000, distortion=63, options=100, beam=0)
EVERY = 100_000

log_probs = st.sampled_from([-0.1, -0.5, -1.0, -2.0]) | st.floats(-3, 0, width=32)
backoffs = st.sampled_from([0.0, -0.3, 0.2])


@st.composite
def language_models(draw: st.DrawFn) -> Grams:
    """Any trigram model over x, y and z; the suffixes of some n-grams are missing."""
    grams: dict[tuple[str, ...], tuple[float, float]] = {
        (word,): (draw(log_probs), draw(backoffs)) for word in (UNKNOWN, BEGIN, END, *"xyz")
    }
    word = st.sampled_from([*"xyz"])
    first, last = st.sampled_from([BEGIN, *"xyz"]), st.sampled_from([*"xyz", END])
    for gram in draw(st.lists(st.tuples(first, word, last) | st.tuples(first, last), max_size=9)):
        if len(gram) == 3:
            grams.setdefault(gram[:2], (draw(log_probs), draw(backoffs)))
        grams[gram] = draw(log_probs), draw(backoffs) if len(gram) == 2 else 0.0
    # N-grams of the highest order are no contexts.
    order = max(map(len, grams))
    return {gram: (p, b if len(gram) < order else 0.0) for gram, (p, b) in grams.items()}


scores = st.tuples(*[st.sampled_from([0.0, 0.1, 0.5, 1.0]) | st.floats(0.001, 1)] * 4)
targets = st.lists(st.sampled_from("xyzq"), min_size=1, max_size=3).map(tuple)
sources = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple)
tables = st.dictionaries(
    sources,
    st.lists(st.tuples(targets, scores), max_size=2, unique_by=lambda pair: pair[0]),
    max_size=6,
)
back_off_tables = st.dictionaries(
    sources,
    st.lists(
        st.tuples(targets, scores.map(lambda four: four[:2])),
        max_size=2,
        unique_by=lambda pair: pair[0],
    ),
    max_size=3,
)
both_tables = st.tuples(tables, back_off_tables)
sentences = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)
# Weights may have any sign.
weights = st.lists(st.sampled_from([-0.5, 0.0, 0.2, 1.0]), min_size=SIZE, max_size=SIZE).map(
    lambda values: Weights(tuple(values))
) | st.just(Weights())


def pairs_of(table: Table) -> list[tuple[str, str, Sequence[float]]]:
    return [
        (" ".join(source), " ".join(target), values)
        for source, options in table.items()
        for target, values in options
    ]


def decoded(
    sentence: Sequence[str],
    both: tuple[Table, Table],
    lm: LanguageModel,
    chosen: Weights,
    limits: DecoderLimits,
    count: int = 1,
) -> list[ScoredTranslation]:
    pairs, back_off = map(pairs_of, both)
    made = Decoder(PhraseTable.of(pairs, [sentence], back_off), lm, chosen, limits)
    return made.translate([sentence], Threads(1), count)[0]


@given(sentences, both_tables, language_models(), weights, st.sampled_from([0, 1, 2, 4, 63]))
def test_without_pruning_the_best_translation_is_found(
    sentence: list[str], both: tuple[Table, Table], grams: Grams, chosen: Weights, distortion: int
) -> None:
    limits = DecoderLimits(ALL.stack, distortion, ALL.options, ALL.beam)
    best = decoding_oracle.ranking(sentence, both, grams, chosen, limits)[0]
    (found,) = decoded(sentence, both, language_model(grams), chosen, limits)
    assert found.score == pytest.approx(best[0], abs=1e-6)
    assert found.score == pytest.approx(float(found.features @ chosen.vector), abs=1e-6)


@given(sentences.filter(lambda s: len(s) < 5), both_tables, language_models(), weights)
def test_the_list_has_all_translations_in_order(
    sentence: list[str], both: tuple[Table, Table], grams: Grams, chosen: Weights
) -> None:
    """The list contains every translation exactly once, recombined or not."""
    limits = DecoderLimits(ALL.stack, 3, ALL.options, ALL.beam)
    every = decoding_oracle.ranking(sentence, both, grams, chosen, limits)
    found = decoded(sentence, both, language_model(grams), chosen, limits, EVERY)
    assert len(found) == len(every)
    np.testing.assert_allclose([t.score for t in found], [row[0] for row in every], atol=1e-6)
    assert {t.phrases for t in found} == {
        tuple((start, " ".join(target)) for start, _, target, _ in phrases)
        for _, _, phrases in every
    }
    features = {
        tuple((start, " ".join(target)) for start, _, target, _ in phrases): values
        for _, values, phrases in every
    }
    for translation in found:
        np.testing.assert_allclose(translation.features, features[translation.phrases], atol=1e-5)
    (best,) = decoded(sentence, both, language_model(grams), chosen, limits)
    assert best.phrases == found[0].phrases
    assert best.score == found[0].score
    few = decoded(sentence, both, language_model(grams), chosen, limits, 3)
    assert [t.phrases for t in few] == [t.phrases for t in found[:3]]


@given(sentences, both_tables, language_models(), st.integers(0, 4), st.integers(1, 3))
def test_with_pruning_a_valid_translation_is_found(
    sentence: list[str], both: tuple[Table, Table], grams: Grams, distortion: int, stack: int
) -> None:
    """Its score is correct, and it respects the distortion limit."""
    limits = DecoderLimits(stack, distortion)
    every = decoding_oracle.ranking(sentence, both, grams, Weights(), limits)
    for translation in decoded(sentence, both, language_model(grams), Weights(), limits, 10):
        expected = [
            score
            for score, _, phrases in every
            if tuple((start, " ".join(target)) for start, _, target, _ in phrases)
            == translation.phrases
        ]
        assert any(translation.score == pytest.approx(score, abs=1e-6) for score in expected)


@given(language_models(), st.lists(st.sampled_from("xyzq"), max_size=6))
def test_shortened_contexts_give_the_same_scores(grams: Grams, words: list[str]) -> None:
    score = language_model(grams).score(words)
    assert score == pytest.approx(decoding_oracle.language_model_score(grams, words), abs=1e-6)
    (found,) = decoded(words or ["q"], ({}, {}), language_model(grams), Weights(), ALL)
    expected = language_model(grams).score(found.words.split())
    (value,) = found.features[PLACES[LANGUAGE_MODEL]]
    assert value == pytest.approx(log(10) * expected, abs=1e-5)


PLAIN: Grams = {(word,): (-1.0, 0.0) for word in (UNKNOWN, BEGIN, END, *"xyz")}


def test_the_table_limit_keeps_the_most_promising_options() -> None:
    """Options are chosen by the table and by the language model."""
    grams = {**PLAIN, ("z",): (-4.0, 0.0)}
    options = [((t,), (p, p, p, p)) for t, p in (("x", 0.3), ("y", 0.2), ("z", 0.4))]
    table: Table = {("a",): options}
    lm = language_model(grams)
    for count, words in ((1, "x"), (2, "xy"), (3, "xyz")):
        limits = DecoderLimits(options=count)
        found = decoded(["a"], (table, {}), lm, Weights(), limits, EVERY)
        assert "".join(translation.words for translation in found) == words


def test_the_order_of_the_pairs_does_not_matter() -> None:
    table: Table = {("a",): [((t,), (0.5,) * 4) for t in "zyx"]}
    lm = language_model(PLAIN)
    made = [
        Decoder(PhraseTable.of(pairs, [["a", "a"]]), lm).translate([["a", "a"]], Threads(1), 9)
        for pairs in (pairs_of(table), pairs_of(table)[::-1])
    ]
    assert n_best_lines(0, made[0][0]) == n_best_lines(0, made[1][0])
    assert made[0][0][0].words == "x x"


def test_long_sentences_are_translated() -> None:
    """The time grows linearly with their length, and no word is lost."""
    table: Table = {
        ("a",): [(("x",), (0.5,) * 4), (("y",), (0.4,) * 4)],
        ("b",): [(("z",), (0.5,) * 4)],
        ("a", "b"): [(("z", "x"), (0.9,) * 4)],
    }
    sentence = [*"aab" * 500, "new"]
    for distortion in (0, 6, 63):
        limits = DecoderLimits(stack=20, distortion=distortion)
        (found,) = decoded(sentence, (table, {}), language_model(PLAIN), Weights(), limits)
        assert "new" in found.words.split()
        assert found.features[0] == -100
        starts = sorted(start for start, _ in found.phrases)
        assert starts[0] == 0
        assert len(found.words.split()) == len(sentence)
        if not distortion:
            assert found.features[PLACES[DISTORTION]] == 0
            assert [start for start, _ in found.phrases] == starts


def test_phrases_longer_than_those_of_moses_are_left_out() -> None:
    sentence = ["a"] * 30
    path_table = [" ".join("a" * 20), " ".join("a" * 21)]
    needed = NeededPhrases([sentence])
    assert [source in needed for source in path_table] == [True, False]
    assert "a b" not in needed


def test_other_sentences_need_another_table() -> None:
    made = Decoder(PhraseTable.of([], [["a"]]), language_model(PLAIN))
    with pytest.raises(InputError, match="a sentence that the table was read for, found 'b'"):
        made.translate([["a", "b"]], Threads(1))


def test_threads_change_nothing() -> None:
    table: Table = {("a",): [(("x",), (0.5,) * 4)], ("a", "b"): [(("y",), (0.2,) * 4)]}
    many = [["a", "b"] * (n % 5) for n in range(40)]
    made = Decoder(PhraseTable.of(pairs_of(table), many), language_model(PLAIN))
    lines = [
        [n_best_lines(n, best) for n, best in enumerate(made.translate(many, Threads(t), 5))]
        for t in (1, 2)
    ]
    assert lines[0] == lines[1]
    assert is_compiled(kernels.search_sentence)
    assert lines[0][0] == [
        "0 |||  ||| UnknownWordPenalty0= 0 WordPenalty0= 0 PhrasePenalty0= 0 "
        "TranslationModel0= 0 0 0 0 Distortion0= 0 LM0= 0 ||| 0"
    ]


@pytest.mark.parametrize(
    "settings", [{"stack": 0}, {"distortion": 64}, {"options": 0}, {"beam": 2.0}]
)
def test_limits(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=f"{next(iter(settings))}: must be from"):
        DecoderLimits(**settings)


# Tables.


def test_only_the_needed_part_of_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.gz"
    lines = [
        "a ||| x ||| 0.5 0.25 1 0 ||| 0-0 ||| 1 1 1 ||| |||",
        "a &amp; b ||| x &lt; ||| 0.5 0.5 0.5 0.5",
        "",
        "a b ||| y ||| 1 1 1 1",
        "c ||| bad",
        "e\u0301 ||| y ||| 1 1 1 2.718",
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    table = read_phrase_table(path, split_sentences(["a & b \u00e9 d\u0301"]))
    assert table.targets == ["x", "x <", "y", "&", "b", "d\u0301"]
    assert [*table.options] == ["a", "a & b", "\u00e9", "&", "b", "d\u0301"]
    assert table.unknown.tolist() == [False] * 3 + [True] * 3
    assert table.longest == 3
    np.testing.assert_allclose(table.log_scores[0, :4], [log(0.5), log(0.25), 0, -100])
    with pytest.raises(InputError, match=r"table.gz, line 5: expected a line of a Moses phrase"):
        read_phrase_table(path, [["c"]])


def test_a_line_is_a_sentence() -> None:
    """Whatever separates its words, and even if it is empty; TMX has line ends within sentences."""
    lines = ["a\nB", "", " \u3000", "c\rd"]
    assert split_sentences(lines) == [["a", "B"], [], [], ["c", "d"]]
    assert split_sentences(lines, str.lower) == [["a", "b"], [], [], ["c", "d"]]
    assert split_sentences([]) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ||| x", "expected a line of a Moses phrase table with scores"),
        ("a ||| x ||| ||| 0-0", "expected a line of a Moses phrase table with scores"),
        ("a ||| x ||| one", "expected a line of a Moses phrase table with scores"),
        ("a ||| x ||| 1 1 -1 1", "expected a line of a Moses phrase table with scores"),
        ("a ||| x ||| 1 1 nan 1", "expected a line of a Moses phrase table with scores"),
        ("a ||| ||| 1 1 1 1", "expected a line of a Moses phrase table with scores"),
        (" ||| x ||| 1 1 1 1", "expected a line of a Moses phrase table with scores"),
        ("a ||| x ||| 1 1 1", "expected 4 scores, .*, found 3"),
        ("a ||| x ||| 1 1 1 1 2.718", "expected 4 scores, .*, found 5"),
    ],
)
def test_bad_tables(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(line + "\n", encoding="utf-8")
    for needed in ("a", "b"):
        with pytest.raises(InputError, match=f"table, line 1: {message}"):
            read_phrase_table(path, [[needed]])


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_table(text: str, tmp_path: Path) -> None:
    (tmp_path / "table").write_text(text)
    with pytest.raises(InputError, match="table: expected phrase pairs, found none"):
        read_phrase_table(tmp_path / "table", [["a"]])


def test_the_table_of_a_run_is_the_one_it_exports(
    small_run: Path, accord: Run, tmp_path: Path
) -> None:
    path = tmp_path / "table.gz"
    assert accord("export", str(small_run), "--to", "moses", "--out", str(path)).returncode == 0
    texts = [record.source.split() for record in read_moses(path)]
    exported, own = read_phrase_table(path, texts[:50]), read_run_table(small_run, texts[:50])
    assert exported.options == own.options
    assert exported.targets == own.targets
    assert len(own.targets) > 20
    np.testing.assert_allclose(exported.log_scores, own.log_scores, rtol=1e-4, atol=1e-4)


# Weights.


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.ini"
    chosen = Weights(tuple(n / 8 for n in range(SIZE)))
    write_weights(path, chosen, has_back_off=True)
    assert read_weights(path) == chosen
    path.write_text("[feature]\nDistortion\n[weight]\nLM0= 2 # twice\n\n[other]\nX= 1\n")
    assert read_weights(path)["LM0"].tolist() == [2]
    assert read_weights(path)["TranslationModel0"].tolist() == [0.2] * 4
    lines = Weights().format_lines(has_back_off=True)
    assert lines[1:3] == ["UnknownWordPenalty0= 1", "WordPenalty0= -1"]
    assert [*DEFAULTS] == [line.split("=")[0] for line in lines[1:]]
    # Moses rejects features that it does not have.
    assert Weights().format_lines() == [line for line in lines if "Model1" not in line]


ONE = "LM0= and 1 number from -1,000,000 to 1,000,000"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[weight]\nLM1= 1\n", "w, line 2: expected the weight of a feature .*LM0.*'LM1= 1'"),
        (
            "[weight]\nLM0= 1 2\n",
            f"w, line 2: expected {ONE}, found 'LM0= 1 2'",
        ),
        (
            "[weight]\nLM0= 1e7\n",
            f"w, line 2: expected {ONE}, found 'LM0= 1e7'",
        ),
        ("[weight]\nLM0= -1e308\n", f"w, line 2: expected {ONE}"),
        ("[weight]\nLM0= nan\n", f"w, line 2: expected {ONE}"),
        ("[weight]\nLM0\n", "w, line 2: expected LM0= and 1 number"),
        ("[weight]\nLM0= inf\n", "w, line 2: expected LM0= and 1 number"),
        ("[weight]\nTranslationModel0= 1 x 1 1\n", "w, line 2: .* and 4 numbers"),
        ("LM0= 1\n", r"w: expected a section \[weight\] with lines such as LM0= 0.5"),
    ],
)
def test_bad_weights(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "w").write_text(text)
    with pytest.raises(InputError, match=message):
        read_weights(tmp_path / "w")


# The command.

ARPA = """\\data\\
ngram 1=6
ngram 2=3

\\1-grams:
-2\t<unk>
-99\t<s>\t-0.3
-1\t</s>
-1\tthe\t-0.3
-1\told\t-0.2
-1\thouse\t-0.2

\\2-grams:
-0.2\t<s> the
-0.2\tthe old
-0.2\told house

\\end\\
"""
TABLE = """haus ||| house ||| 1 1 1 1 ||| 0-0
das ||| the ||| 0.5 0.5 0.5 0.5 ||| 0-0
alte ||| old ||| 0.9 0.9 0.9 0.9 ||| 0-0
alte haus ||| old house ||| 1 1 1 1 ||| 0-0 1-1
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "lm.arpa").write_text(ARPA)
    (tmp_path / "table").write_text(TABLE)
    (tmp_path / "sentences").write_text("das alte haus\n\nhaus das alte neue\n")
    return tmp_path


def translated(accord: Run, *arguments: str, text: str = "das alte haus\n\nneue haus\n") -> Any:
    return accord("translate", *arguments, stdin=text.encode())


def test_translate(files: Path, accord: Run) -> None:
    done = translated(accord, "--table", "table", "--lm", "lm.arpa")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "the old house\n\nneue house\n"
    listed = translated(accord, "--table", "table", "--lm", "lm.arpa", "--top", "2")
    lines = [line.split(" ||| ") for line in listed.stdout.splitlines()]
    assert [line[0] for line in lines] == ["0", "0", "1", "2", "2"]
    assert [line[1] for line in lines[:2]] == ["the old house"] * 2
    assert lines[0][2].startswith("UnknownWordPenalty0= 0 WordPenalty0= -3 PhrasePenalty0= 3")
    assert lines[3][2].startswith("UnknownWordPenalty0= -100 WordPenalty0= -2 PhrasePenalty0= 2")
    score = read_arpa(files / "lm.arpa").score(["neue", "house"])
    assert float(lines[3][2].split()[-1]) == pytest.approx(score * log(10), abs=1e-3)


@pytest.mark.usefixtures("files")
def test_translations_as_json(accord: Run) -> None:
    command = ("--table", "table", "--lm", "lm.arpa", "--json")
    expected = [("das alte haus", "the old house"), ("", ""), ("neue haus", "neue house")]
    found = json.loads(translated(accord, *command).stdout)["sentences"]
    assert found == [{"source": source, "target": target} for source, target in expected]
    listed = json.loads(translated(accord, *command, "--top", "2").stdout)["sentences"]
    assert [(one["source"], one["target"]) for one in listed] == expected
    assert [len(one["candidates"]) for one in listed] == [2, 1, 2]
    for one in listed:
        scores = [candidate["score"] for candidate in one["candidates"]]
        assert scores == sorted(scores, reverse=True)
    bars = json.loads(translated(accord, *command, "--top", "1", text="||| haus\n").stdout)
    assert bars["sentences"][0]["target"] == "||| house"


def test_translate_with_a_run(files: Path, accord: Run, small_run: Path) -> None:
    """A folder may have a language model and weights of its own."""
    source, _ = RunFolder(small_run).read_phrase_pairs()[0]
    assert translated(accord, str(small_run), "--lm", "lm.arpa", text=source).stdout.strip()
    folder = files / "run"
    folder.symlink_to(small_run, target_is_directory=True)
    missing = translated(accord, "run", text=source)
    assert missing.returncode == 2
    assert "expected a language model, found none; name one with --lm" in missing.stderr


def test_translate_uses_the_files_of_the_folder(files: Path, accord: Run) -> None:
    folder = files / "adapted"
    folder.mkdir()
    (files / "lm.arpa").rename(folder / "lm.arpa")
    (folder / "weights.ini").write_text("[weight]\nLM9= 1\n")
    done = translated(accord, "adapted", "--table", "table")
    assert done.returncode == 2
    assert "weights.ini, line 2: expected the weight of a feature" in done.stderr
    (folder / "weights.ini").write_text("[weight]\nLM0= 0.1\n")
    assert translated(accord, "adapted", "--table", "table").stdout.startswith("the old house\n")


def test_translate_prepares_text_as_adapt_did(files: Path, accord: Run) -> None:
    """Every line is prepared, even a blank one; text for another table is not."""
    folder = files / "adapted"
    folder.mkdir()
    (files / "lm.arpa").rename(folder / "lm.arpa")
    table = f"{TABLE}老房子 ||| old house ||| 1 1 1 1 ||| 0-0\n的 ||| the ||| 1 1 1 1 ||| 0-0\n"
    (folder / "table.gz").write_bytes(gzip.compress(table.encode()))
    missing = translated(accord, "adapted")
    assert missing.returncode == 2
    assert "results.json: expected the languages of adapt, found none; adapt" in missing.stderr
    (folder / "results.json").write_text('{"languages": ["de", "en"]}')
    text = "Das Alte\tHaus!\n\n \u3000\nHAUS,das\n"
    done = translated(accord, "adapted", text=text)
    assert (done.stdout, done.stderr) == ("the old house!\n\n\nhouse, the\n", "")
    listed = translated(accord, "adapted", "--top", "1", text=text)
    assert [line[:4] for line in listed.stdout.splitlines()] == ["0 ||", "1 ||", "2 ||", "3 ||"]
    pretokenised = translated(accord, "adapted", "--pretokenized", text=text)
    assert pretokenised.stdout == "the old haus!\n\n\nhaus,das\n"
    asked = translated(accord, "adapted", "--table", "adapted/table.gz", text=text)
    assert asked.stdout == "Das Alte Haus!\n\n\nHAUS,das\n"
    (folder / "results.json").write_text('{"languages": ["zh", "en"]}')
    assert translated(accord, "adapted", text="的老房子。\n").stdout == "the old house。\n"


def test_translate_needs_a_table(files: Path, accord: Run) -> None:
    done = translated(accord, "--lm", "lm.arpa")
    assert done.returncode == 2
    assert done.stderr == (
        "accord: translate: expected the folder of a run or --table, found neither\n"
    )
    for typed in ("--table -", "--table table --weights -"):
        done = translated(accord, *typed.split(), "--lm", "lm.arpa")
        assert done.returncode == 2
        assert done.stderr == (
            "accord: translate: standard input (-) has the sentences; name a file\n"
        )
    for typed in ("none", "none --table table"):
        done = translated(accord, *typed.split(), "--lm", "lm.arpa")
        assert done.returncode == 2
        assert done.stderr == (
            "accord: none: expected the folder of a run or of adapt, found none\n"
        )
    (files / "bare").write_text("das ||| the\n")
    done = translated(accord, "--table", "bare", "--lm", "lm.arpa")
    assert done.returncode == 2
    assert "bare, line 1: expected a line of a Moses phrase table with scores" in done.stderr


FAKE_MOSES = """#!/bin/sh
# Keeps its settings, and returns its input in upper case.
cp "$2" "$KEPT"
if [ "$5" = -n-best-list ]; then echo "0 ||| a &amp; b ||| LM0= -1 ||| -1" > "$6"; fi
tr a-z A-Z
"""


@pytest.fixture
def fake_moses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "moses"
    program.parent.mkdir()
    program.write_text(FAKE_MOSES)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("KEPT", str(tmp_path / "kept.ini"))
    return tmp_path / "kept.ini"


def test_translate_with_moses(files: Path, accord: Run, fake_moses: Path, small_run: Path) -> None:
    flags = "--lm", "lm.arpa", "--decoder", "moses", "--stack", "50"
    done = translated(accord, "--table", "table", *flags, text="das alte\n\nha|us\n")
    assert done.stderr == ""
    assert done.stdout == "DAS ALTE\n\nHA|US\n"
    ini = fake_moses.read_text()
    assert f"path={(files / 'table').resolve()} " in ini
    assert f"path={(files / 'lm.arpa').resolve()}\n" in ini
    assert "[stack]\n50\n" in ini
    assert "[weight]\nUnknownWordPenalty0= 1\n" in ini
    listed = translated(accord, "--table", "table", *flags, "--top", "5")
    assert listed.stdout == "0 ||| a & b ||| LM0= -1 ||| -1\n"
    assert translated(accord, str(small_run), *flags, text="x\n").stdout == "X\n"
    assert "table.gz" in fake_moses.read_text()


@pytest.mark.usefixtures("fake_moses")
def test_moses_may_fail_or_be_missing(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def translate(table: str = "table", lm: str = "lm.arpa") -> None:
        model = MosesModel(files / table, files / lm, Weights(), DecoderLimits())
        translate_with_moses([["a"]], model, threads=1)

    for table, lm in (("ta ble", "lm.arpa"), ("table", "lm#.arpa")):
        with pytest.raises(OutputError, match=r"Moses cannot read the path .* in moses"):
            translate(table, lm)
    (files / "bin" / "moses").write_text("#!/bin/sh\necho no such model >&2\nexit 3\n")
    with pytest.raises(SettingError, match="decoder: moses failed: no such model"):
        translate()
    monkeypatch.setenv("PATH", str(files))
    with pytest.raises(SettingError, match="expected a program moses on the PATH, found none"):
        translate()
