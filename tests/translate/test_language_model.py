"""Language models: the estimates, the file they are written to, and the scores."""

import gzip
import random
import re
from collections.abc import Sequence
from math import log10
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.cli.lm import lm
from accord.errors import InputError, OutputError, SettingError
from accord.translate.language_model import arpa as arpa_file
from accord.translate.language_model import arpa_kernels, training_text
from accord.translate.language_model import trie_kernels as kernels
from accord.translate.language_model.arpa import arpa_blocks, read_arpa, write_arpa
from accord.translate.language_model.kneser_ney import (
    FALLBACK,
    estimate_discounts,
    train_language_model,
)
from accord.translate.language_model.training_text import read_training_text
from accord.translate.language_model.trie import LanguageModel
from tests import lm_oracle
from tests.conftest import Run, on_a_terminal
from tests.lm_oracle import BEGIN, END, UNKNOWN, Gram

WORDS = ["a", "b", "c", "d"]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=8)
ARRAYS = ("offsets", "words", "log_prob", "backoff", "suffix")


def zipfian(count: int, seed: int = 0) -> list[list[str]]:
    """Sentences with a Zipf-like distribution of words, which depend on the previous word."""
    choose = random.Random(seed)
    made = []
    for _ in range(count):
        word, sentence = 0, []
        for _ in range(choose.randrange(1, 12)):
            word = (3 * word + min(int(choose.paretovariate(0.8)), 300)) % 307
            sentence.append(f"w{word}")
        made.append(sentence)
    return made


def file_of(folder: Path, sentences: Sequence[Sequence[str]], name: str = "text.txt") -> Path:
    path = folder / name
    lines = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    path.write_text(lines, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lm")


@pytest.fixture(scope="module")
def arpa(folder: Path) -> Path:
    """A model whose discounts are estimated from its counts."""
    path = folder / "zipfian.arpa"
    text = file_of(folder, zipfian(400), "zipfian.txt")
    write_arpa(path, train_language_model(read_training_text([text]), 4))
    return path


def trained(folder: Path, sentences: Sequence[Sequence[str]], order: int) -> LanguageModel:
    return train_language_model(read_training_text([file_of(folder, sentences)]), order)


def following(model: LanguageModel, context: Gram, word: str) -> float:
    """log10 p(word|context)."""
    node = model.begin
    for before in context[1:]:
        node, _ = kernels.next_context(model.trie, node, model.number(before))
    return float(kernels.next_context(model.trie, node, model.number(word))[1])


# Training.


@given(SENTENCES, st.integers(1, 4), st.lists(st.sampled_from([*WORDS, "?"]), max_size=4))
def test_probabilities_are_those_of_the_formulas_and_sum_to_one(
    folder: Path, sentences: list[list[str]], order: int, context: list[str]
) -> None:
    assume(any(sentences) and max(map(len, sentences)) >= order - 2)
    model = trained(folder, sentences, order)
    oracle = lm_oracle.KneserNey(sentences, order)
    known = tuple(word if word in oracle.vocabulary else UNKNOWN for word in context)
    total = 0.0
    for word in oracle.vocabulary:
        found = following(model, (BEGIN, *context), word)
        assert found == pytest.approx(log10(oracle.probability(word, (BEGIN, *known))), abs=5e-6)
        total += 10**found
    assert total == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("order", [1, 2, 3, 6])
def test_discounts_from_counts(folder: Path, order: int) -> None:
    sentences = zipfian(300, seed=order)
    model = trained(folder, sentences, order)
    oracle = lm_oracle.KneserNey(sentences, order)
    assert oracle.discounts[-1] != [0.0, *FALLBACK] or order == 6
    for sentence in zipfian(5, seed=9):
        tokens = (BEGIN, *sentence, END)
        expected = [
            log10(oracle.probability(word if word in oracle.vocabulary else UNKNOWN, tokens[:at]))
            for at, word in enumerate(tokens)
            if at
        ]
        assert model.score(sentence) == pytest.approx(sum(expected), abs=1e-4)


def test_discounts_fall_back() -> None:
    def of(*n: int) -> tuple[float, float, float]:
        return estimate_discounts(np.repeat([1, 2, 3, 4], n))

    assert of(10, 5, 3, 1) == pytest.approx((0.5, 2 - 3 * 0.5 * 3 / 5, 3 - 4 * 0.5 / 3))
    assert of(10, 5, 3, 0) == pytest.approx((0.5, 1.1, 3))
    assert of(10, 5, 0, 3) == of(10, 0, 5, 3) == of(0, 10, 5, 3) == FALLBACK
    assert of(10, 2, 30, 3) == FALLBACK  # D₂ would be less than 0


def test_special_words(folder: Path) -> None:
    model = trained(folder, [["a", "b"], [], ["b"]], 2)
    assert [*model.numbers] == [UNKNOWN, BEGIN, END, "a", "b"]
    assert model.log_prob[1 + model.numbers[BEGIN]] == 0
    assert model.sizes == [5, 5]
    assert model.score(["?"]) == model.score([UNKNOWN])
    assert model.number("?") == 0


def test_the_order_of_lines_and_files_changes_nothing(folder: Path) -> None:
    sentences = zipfian(60)
    first = b"".join(arpa_blocks(trained(folder, sentences, 3)))
    parts = [
        file_of(folder, sentences[30:][::-1], "one.txt"),
        file_of(folder, sentences[:30], "two.txt"),
    ]
    parts[1].write_bytes(
        parts[1].read_bytes().rstrip().replace(b" ", b"\t ").replace(b"\n", b"\r\n")
    )
    assert b"".join(arpa_blocks(train_language_model(read_training_text(parts), 3))) == first


def test_words_are_in_nfc_as_those_of_tables(tmp_path: Path) -> None:
    composed, decomposed = [["caf\u00e9", "a"]], [["cafe\u0301", "a"]]
    assert trained(tmp_path, decomposed, 2).numbers == trained(tmp_path, composed, 2).numbers


@pytest.mark.parametrize(
    ("text", "order", "message"),
    [
        ("", 3, "text.txt: expected sentences, one per line, found no word"),
        (" \n\n", 3, "found no word"),
        (
            "a\n",
            4,
            "text.txt: expected sentences of 2 or more words, which 4-grams need, found",
        ),
        ("a b\nc </s> <s>\n", 3, "text.txt, line 2: expected words, found </s>, which is reserved"),
        ("<unk>", 1, "text.txt, line 1: expected words, found <unk>"),
    ],
)
def test_invalid_training_text(tmp_path: Path, text: str, order: int, message: str) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        train_language_model(read_training_text([path]), order)


def test_a_special_word_is_named_by_its_own_file(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two", "three")]
    for path, text in zip(paths, ("a\nb", "", "\nc\nd <s>\n"), strict=True):
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="three, line 3: expected words, found <s>"):
        read_training_text(paths)


def test_settings_and_sizes_out_of_range(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = read_training_text([file_of(folder, [["a"]])])
    for order in (0, 7):
        with pytest.raises(SettingError, match=f"order: expected 1 to 6, found {order}"):
            train_language_model(sentences, order)
    monkeypatch.setattr(training_text, "MOST_TOKENS", 2)
    with pytest.raises(InputError, match=r"text\.txt: expected at most 2 words and .*, found 3"):
        read_training_text([file_of(folder, [["a"]])])


# ARPA files.


@pytest.mark.parametrize("name", ["model.arpa", "model.arpa.gz"])
@pytest.mark.parametrize("order", [1, 4])
def test_writing_and_reading_returns_the_same_model(tmp_path: Path, name: str, order: int) -> None:
    sentences = [*zipfian(100), ["im\u3000Saal", "\x0bé", "\\1-grams:"]]
    model = trained(tmp_path, sentences, order)
    path = tmp_path / name
    write_arpa(path, model)
    again = read_arpa(path)
    assert all((getattr(model, part) == getattr(again, part)).all() for part in ARRAYS)
    assert (again.order, again.contexts) == (model.order, model.contexts)
    assert [*again.numbers.items()] == [*model.numbers.items()]
    before = path.read_bytes()
    write_arpa(path, again)
    assert path.read_bytes() == before


def as_arpa(grams: dict[Gram, tuple[float, float]], choose: random.Random) -> str:
    """Format n-grams in random order; a weight of 0 is left out."""
    lines = ["made by a test", "\\data\\"]
    longest = max(map(len, grams))
    by_length = [[g for g in grams if len(g) == n] for n in range(1, longest + 1)]
    lines += [f"ngram {n}={len(some)}" for n, some in enumerate(by_length, 1)]
    for n, some in enumerate(by_length, 1):
        lines += ["", f"\\{n}-grams:"]
        choose.shuffle(some)
        for gram in some:
            log_prob, weight = grams[gram]
            lines.append(f"{log_prob}\t{' '.join(gram)}" + f"\t{weight}" * (weight != 0))
    return "\n".join([*lines, "", "\\end\\", ""])


@given(st.integers(0, 10**6), st.integers(1, 4), SENTENCES)
def test_scores_of_pruned_models(
    folder: Path, seed: int, order: int, sentences: list[list[str]]
) -> None:
    """The prefix of every n-gram is in the model; its suffix may be missing."""
    choose = random.Random(seed)
    numbers = [0.0, -0.25, -1.5, -3.0]
    grams: dict[Gram, tuple[float, float]] = {
        (word,): (choose.choice(numbers), choose.choice(numbers))
        for word in (BEGIN, END, "a", "b", "c", *[UNKNOWN] * choose.randrange(2))
    }
    shorter = [*grams]
    for length in range(2, order + 1):
        shorter = [
            (*gram, word)
            for gram in shorter
            for word in ("a", "b", END)
            if gram[-1] != END and choose.random() < 0.6
        ] or [(*shorter[0], "a")]
        grams |= {
            gram: (choose.choice(numbers), choose.choice(numbers) if length < order else 0.0)
            for gram in shorter
        }
    path = folder / "pruned.arpa"
    path.write_text(as_arpa(grams, choose), encoding="utf-8")
    model = read_arpa(path)
    grams.setdefault((UNKNOWN,), (-100.0, 0.0))
    for sentence in sentences:
        assert model.score(sentence) == pytest.approx(lm_oracle.score(grams, sentence))


@given(st.floats(-99, 0, width=32))
def test_numbers(value: float) -> None:
    for text in (f"{value:.6f}", f"{value:e}", f"{value!r}", f"{value:.25f}", f"{value:E}"):
        found = arpa_file._parse_number(text)
        assert np.float32(found) == np.float32(float(text))
    text_array = np.empty(arpa_kernels.NUMBER_SIZE, np.uint8)
    end = arpa_kernels.print_number(text_array, 0, value)
    written = text_array[:end].tobytes().decode()
    assert written == (f"{value:.6f}" if round(value, 6) else "0")


@pytest.mark.parametrize("text", ["", "-", ".", "1e", "1e-", "--1", "1.2.3", "inf", "nan", "1x"])
def test_invalid_numbers(text: str) -> None:
    assert np.isnan(arpa_file._parse_number(text))


GOOD = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1.5\t<unk>
0\t<s>\t-0.3
-0.5\t</s>
-0.7\ta\t-0.2

\\2-grams:
-0.1\t<s> a
-0.2\ta </s>

\\end\\
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "bad.arpa: expected an ARPA file, found no line \\data\\"),
        ("ngram 1=4\nngram 2=2\n", "", "line 3: expected ngram 1=…, found '\\\\1-grams:'"),
        ("ngram 2", "ngram 3", "line 3: expected ngram 2=…, found 'ngram 3=2'"),
        ("\\1-grams:", "\\2-grams:", "line 5: expected \\1-grams:, found '\\\\2-grams:'"),
        ("1=4", "1=5", "line 10: expected 1-gram 5 of 5 (log10 p, its word, optionally a back"),
        ("1=4", "1=3", "line 9: expected \\2-grams: after 3 1-grams, found '-0.7\\ta\\t-0.2'"),
        ("2=2", "2=3", "line 14: expected 2-gram 3 of 3 (log10 p, its 2 words, optionally a"),
        ("2=2", "2=1", "line 13: expected \\end\\ after 1 2-grams, found '-0.2\\ta </s>'"),
        ("2=2", "2=99999999999", "line 14: expected 2-gram 3 of 99,999,999,999"),
        ("-0.7\ta", "-0.7x\ta", "line 9: expected 1-gram 4 of 4"),
        ("\ta\t-0.2", "\ta\t-0.2\t0", "line 9: expected 1-gram 4 of 4"),
        ("-0.7\ta", "0.7\ta", "line 9: expected a log10 probability, which is 0 at most, found"),
        ("-0.7\ta", "-0.7\t</s>", "line 9: expected each word once, found '-0.7"),
        ("-0.7\ta", "-0.7\t<unk>", "line 9: expected each word once"),
        ("0\t<s>", "0\ts", "bad.arpa: expected <s> among the 1-grams, found none"),
        ("-0.5\t</s>", "0\ts", "bad.arpa: expected </s> among the 1-grams, found none"),
        ("-0.1\t<s> a", "<s> a", "line 12: expected 2-gram 1 of 2"),
        ("-0.1\t<s> a", "-0.1\t<s>", "line 12: expected 2-gram 1 of 2"),
        ("-0.1\t<s> a", "-0.1\t<s> a b", "line 12: expected 2-gram 1 of 2"),
        ("-0.1\t<s> a", "-0.1\t<s> a 0 0", "line 12: expected 2-gram 1 of 2"),
        ("-0.1\t<s> a", "+0.1\t<s> a", "line 12: expected a log10 probability, which is 0 at"),
        ("-0.2\ta </s>", "-0.2\ta b", "line 13: expected words that are among the 1-grams, found"),
        ("-0.2\ta </s>", "-0.2\t<s> a", "line 13: found an n-gram that is in the file twice"),
        ("\\end\\", "\\3-grams:", "line 15: expected \\end\\ after 2 2-grams, found '\\\\3-"),
    ],
)
def test_damaged_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "bad.arpa"
    path.write_text(GOOD, encoding="utf-8")
    assert read_arpa(path).score(["a"]) == pytest.approx(-0.3)
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_arpa(path)


def test_an_n_gram_without_its_prefix(tmp_path: Path) -> None:
    text = GOOD.replace("2=2", "2=2\nngram 3=2").replace(
        "\\end\\", "\\3-grams:\n-0.1\t<s> a </s>\n-0.1\ta a </s>\n\n\\end\\"
    )
    path = tmp_path / "bad.arpa"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="line 18: found an n-gram whose prefix is not in the"):
        read_arpa(path)


def test_truncated_files(tmp_path: Path) -> None:
    """A truncated file is an error, wherever it ends."""
    path = tmp_path / "cut.arpa"
    whole = GOOD.rstrip()
    for end in range(len(whole)):
        path.write_text(whole[:end], encoding="utf-8")
        with pytest.raises(InputError, match=r"cut\.arpa(, line \d+)?: expected "):
            read_arpa(path)
    lines = GOOD.splitlines(keepends=True)
    path.write_text("".join(lines[:12]), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 12: .*, found the end of the file: it was cut off"):
        read_arpa(path)
    packed = gzip.compress(GOOD.encode())
    path = tmp_path / "cut.arpa.gz"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"cut\.arpa\.gz.*unreadable"):
        read_arpa(path)


def test_room_for_n_grams_grows(arpa: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_arpa(arpa)
    monkeypatch.setattr(arpa_file, "ROOM", 7)
    again = read_arpa(arpa)
    assert all((getattr(whole, part) == getattr(again, part)).all() for part in ARRAYS)


def test_kenlm_reads_the_same(arpa: Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="kenlm is not installed: pip install kenlm")
    theirs, ours = kenlm.Model(str(arpa)), read_arpa(arpa)
    for sentence in [[], ["?"], ["w1", "?", "w2"], *zipfian(200, seed=5)]:
        assert ours.score(sentence) == pytest.approx(theirs.score(" ".join(sentence)), abs=1e-4)


# The command.


def test_command(tmp_path: Path, accord: Run, capsys: pytest.CaptureFixture[str]) -> None:
    text = file_of(tmp_path, zipfian(50))
    done = accord("lm", "text.txt", "--out", "lm.arpa")
    assert done.returncode == 0, done.stderr
    model = read_arpa(tmp_path / "lm.arpa")
    assert model.order == 4
    sizes = ", ".join(f"{size:,} {n}-grams" for n, size in enumerate(model.sizes, 1))
    assert (done.stdout, done.stderr) == (f"{sizes} in lm.arpa\n", "")
    assert "Writing" in on_a_terminal(tmp_path, "lm", "text.txt", "--out", "lm.arpa", "-f")
    packed = tmp_path / "lm2.arpa.gz"
    lm([text], packed, 2)
    assert capsys.readouterr().out.endswith(f"2-grams in {packed}\n")
    assert read_arpa(packed).order == 2
    lm([text], Path("-"), 2)
    assert capsys.readouterr().out.encode() == gzip.decompress(packed.read_bytes())
    piped = accord("lm", "-", "--order", 2, "--out", "-", stdin=text.read_bytes())
    assert piped.stdout.encode() == gzip.decompress(packed.read_bytes())


def test_errors_of_the_command(tmp_path: Path) -> None:
    text = file_of(tmp_path, [["a", "b"]])
    with pytest.raises(OutputError, match=r"text\.txt: is also an input; choose another file"):
        lm([text], text)
    with pytest.raises(OutputError, match=r"lm\.arpa: there is no folder .*no$"):
        lm([text], tmp_path / "no" / "lm.arpa")
    with pytest.raises(SettingError, match="order: expected 1 to 6, found 0"):
        lm([tmp_path / "this is not read"], tmp_path / "lm.arpa", 0)
