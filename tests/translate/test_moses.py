"""The decoder here against Moses, on small tables with invented words.

`tests/golden/moses/n-best.txt` is what a real Moses returned for them, with a back-off table and
without: the best translations of each sentence, with features and scores. To repeat it, install
Moses, so that a program `moses` is on the PATH, and run

    pytest tests/translate/test_moses.py --update-golden

With Moses on the PATH, the test also compares with what it returns now.
"""

import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from accord.system.runners.threads import Threads
from accord.translate.decoder import Decoder, DecoderLimits
from accord.translate.language_model.arpa import read_arpa
from accord.translate.moses_decoder import MosesModel, translate_with_moses
from accord.translate.phrase_table import read_phrase_table
from accord.translate.weights import DEFAULTS, UNKNOWN_WORD, read_weights

GOLDEN = Path(__file__).parent.parent / "golden" / "moses"
COUNT = 30
LIMITS = DecoderLimits(stack=1000, distortion=4, options=50, beam=0)
WITH_BACK_OFF = pytest.mark.parametrize("back_off", [False, True])


class ScoredWords(NamedTuple):
    """A translation of a sentence, its features by name, and its score."""

    sentence: int
    words: str
    features: dict[str, list[float]]
    score: float


def parse(line: str) -> ScoredWords:
    number, words, features, score = (part.strip() for part in line.split("|||"))
    found: dict[str, list[float]] = {}
    name = ""
    for part in features.split():
        if part.endswith("="):
            name = part[:-1]
            found[name] = []
        else:
            found[name].append(float(part))
    return ScoredWords(int(number), words, found, float(score))


def read_sentences() -> list[list[str]]:
    return [line.split() for line in (GOLDEN / "sentences.txt").read_text().splitlines()]


def ask_moses(*, back_off: bool) -> list[str]:
    model = MosesModel(
        GOLDEN / "table",
        GOLDEN / "lm.arpa",
        read_weights(GOLDEN / "weights.ini"),
        LIMITS,
        GOLDEN / "back-off" if back_off else None,
    )
    return translate_with_moses(read_sentences(), model, threads=1, count=COUNT)


def translate(*, back_off: bool) -> Iterator[ScoredWords]:
    """Translate with the decoder here."""
    sentences = read_sentences()
    table = read_phrase_table(
        GOLDEN / "table", sentences, GOLDEN / "back-off" if back_off else None
    )
    weights = read_weights(GOLDEN / "weights.ini")
    decoder = Decoder(table, read_arpa(GOLDEN / "lm.arpa"), weights, LIMITS)
    for number, found in enumerate(decoder.translate(sentences, Threads(1), COUNT)):
        for one in found:
            ends = np.cumsum([*map(len, DEFAULTS.values())])
            values = dict(zip(DEFAULTS, np.split(one.features, ends[:-1]), strict=True))
            features = {name: part.tolist() for name, part in values.items()}
            yield ScoredWords(number, one.words, features, one.score)


def compare(golden: list[ScoredWords], own: list[ScoredWords]) -> None:
    """Compare the lists of all sentences: scores in their order, and each translation."""
    for (number, expected), (same, found) in zip(
        groupby(golden, lambda one: one.sentence),
        groupby(own, lambda one: one.sentence),
        strict=True,
    ):
        theirs, ours = [*expected], [*found]
        assert number == same
        assert [one.score for one in ours] == pytest.approx([one.score for one in theirs], abs=2e-3)
        best = [{one.words: one.score for one in reversed(side)} for side in (theirs, ours)]
        # Translations with the same score as the last one may be cut off differently.
        least = min(one.score for one in theirs) + 2e-3
        for one, other in (best, best[::-1]):
            for words, score in one.items():
                if score > least:
                    assert other[words] == pytest.approx(score, abs=2e-3)
        assert theirs[0].words == ours[0].words
        for name, values in theirs[0].features.items():
            assert ours[0].features[name] == pytest.approx(values, abs=2e-3), name


@WITH_BACK_OFF
def test_the_n_best_lists_are_those_of_moses(back_off: bool, pytestconfig: pytest.Config) -> None:
    path = GOLDEN / f"n-best{'-back-off' if back_off else ''}.txt"
    if pytestconfig.getoption("--update-golden") and shutil.which("moses"):
        path.write_text("".join(f"{line}\n" for line in ask_moses(back_off=back_off)))
    golden = [*map(parse, path.read_text().splitlines())]
    assert len({one.sentence for one in golden}) == len(read_sentences())
    assert {"TranslationModel0", "LM0", "Distortion0"} <= golden[0].features.keys()
    assert ("TranslationModel1" in golden[0].features) == back_off
    assert UNKNOWN_WORD not in golden[0].features
    own = [*translate(back_off=back_off)]
    compare(golden, own)


@WITH_BACK_OFF
def test_moses_still_agrees(back_off: bool) -> None:
    if not shutil.which("moses"):
        pytest.skip("needs Moses")
    lines = ask_moses(back_off=back_off)
    compare([*map(parse, lines)], [*translate(back_off=back_off)])
