"""The features of a translation and their weights, with Moses's names, signs and files.

    [weight]
    LM0= 0.5
    TranslationModel0= 0.2 0.2 0.2 0.2

Notation: features of a translation, all sums over its phrases
          UnknownWordPenalty0  −100 for each word that is passed through
          WordPenalty0         −1 for each target word
          PhrasePenalty0       1 for each phrase
          TranslationModel0    log φ(s|t), log lex(s|t), log φ(t|s), log lex(t|s)
          Distortion0          −|start of the phrase − end of the one before|, in source words
          LM0                  log p(words, </s>|<s>)
The score is their weighted sum; logarithms are natural.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError
from accord.system.reading import place, read_lines
from accord.system.writing import write_text

UNKNOWN_WORD, WORD, PHRASE = "UnknownWordPenalty0", "WordPenalty0", "PhrasePenalty0"
TRANSLATION, DISTORTION, LANGUAGE_MODEL = "TranslationModel0", "Distortion0", "LM0"
# As Moses's own training sets them, in the order in which it writes them.
DEFAULTS: Mapping[str, tuple[float, ...]] = {
    UNKNOWN_WORD: (1.0,),
    WORD: (-1.0,),
    PHRASE: (0.2,),
    TRANSLATION: (0.2, 0.2, 0.2, 0.2),
    DISTORTION: (0.3,),
    LANGUAGE_MODEL: (0.5,),
}
# Moses's score of a word that no phrase has, and of a probability of 0.
LOWEST = -100.0
# So much of a weight, whatever its sign, that no score of a sentence is infinite.
MOST = 1_000_000
SECTION = "[weight]"

_ends = [*accumulate(map(len, DEFAULTS.values()))]
# Where the values of a feature are among those of all.
PLACES = {
    name: slice(end - len(values), end)
    for end, (name, values) in zip(_ends, DEFAULTS.items(), strict=True)
}
SIZE = _ends[-1]


@dataclass(frozen=True)
class Weights:
    """A number for each feature value, in the order of `DEFAULTS`."""

    values: tuple[float, ...] = sum(DEFAULTS.values(), ())

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return np.array(self.values[PLACES[name]])

    @property
    def vector(self) -> NDArray[np.float64]:
        return np.array(self.values)

    @property
    def lines(self) -> list[str]:
        """As a file has them that `read_weights` reads."""
        return [SECTION, *named_values(self.values)]


def named_values(values: Sequence[float]) -> list[str]:
    """The values of each feature after its name."""
    return [
        # A zero has no sign.
        f"{name}= {' '.join(f'{value + 0.0:.6g}' for value in values[at])}"
        for name, at in PLACES.items()
    ]


def write_weights(path: Path, weights: Weights) -> None:
    write_text(path, weights.lines)


def read_weights(path: str | Path) -> Weights:
    """The [weight] section of a file, such as a moses.ini. What it does not name has its usual
    weight."""
    values = [*Weights().values]
    inside = found = False
    for number, line in read_lines(path):
        line = line.partition("#")[0].strip()
        if line.startswith("["):
            inside = line == SECTION
            found |= inside
        elif line and inside:
            name, _, rest = (part.strip() for part in line.partition("="))
            if name not in PLACES:
                raise InputError(
                    f"{place(path, number)}: expected the weight of a feature "
                    f"({', '.join(PLACES)}), found {line[:60]!r}; take the line out"
                )
            numbers, size = _numbers(rest), len(DEFAULTS[name])
            if len(numbers) != size:
                raise InputError(
                    f"{place(path, number)}: expected {name}= and {size} "
                    f"number{'s' * (size > 1)} from -{MOST:,} to {MOST:,}, found {line[:60]!r}"
                )
            values[PLACES[name]] = numbers
    if not found:
        raise InputError(
            f"{path}: expected a section {SECTION} with lines such as {LANGUAGE_MODEL}= 0.5, "
            "found none"
        )
    return Weights(tuple(values))


def _numbers(text: str) -> list[float]:
    """The numbers of a line; none if one is no number, or out of range."""
    try:
        numbers = [float(number) for number in text.split()]
    except ValueError:
        return []
    return numbers if all(abs(number) <= MOST for number in numbers) else []
