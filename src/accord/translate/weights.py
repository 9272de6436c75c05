"""The features of a translation and their weights, with Moses's names, signs and files.

    [weight]
    LM0= 0.5
    TranslationModel0= 0.2 0.2 0.2 0.2

Notation: the features of a translation; each is a sum over its phrases
          UnknownWordPenalty0  −100 for each word that is copied because it has no translation
          WordPenalty0         −1 for each target word
          PhrasePenalty0       1 for each phrase
          TranslationModel0    log φ(s|t), log lex(s|t), log φ(t|s), log lex(t|s)
          Distortion0          −|start of the phrase − end of the previous one|, in source words
          LM0                  log p(words, </s>|<s>)
          TranslationModel1    log p(s|t), log p(t|s) of words that only the back-off table has
The score is their weighted sum; logarithms are natural.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np

from accord.errors import InputError
from accord.system.arrays import Floats
from accord.system.reading import place, read_lines
from accord.system.writing import write_text

UNKNOWN_WORD, WORD, PHRASE = "UnknownWordPenalty0", "WordPenalty0", "PhrasePenalty0"
TRANSLATION, DISTORTION, LANGUAGE_MODEL = "TranslationModel0", "Distortion0", "LM0"
BACK_OFF = "TranslationModel1"
# The defaults of Moses's training, in the order in which it writes them.
DEFAULTS: Mapping[str, tuple[float, ...]] = {
    UNKNOWN_WORD: (1.0,),
    WORD: (-1.0,),
    PHRASE: (0.2,),
    TRANSLATION: (0.2, 0.2, 0.2, 0.2),
    DISTORTION: (0.3,),
    LANGUAGE_MODEL: (0.5,),
    BACK_OFF: (0.2, 0.2),
}
# Moses's score of an unknown word, and of a probability of 0.
LOWEST = -100.0
# The greatest absolute value of a weight: no score of a sentence can be infinite then.
MOST = 1_000_000
SECTION = "[weight]"

_ends = [*accumulate(map(len, DEFAULTS.values()))]
# The place of each feature's values in the vector of all values.
PLACES = {
    name: slice(end - len(values), end)
    for end, (name, values) in zip(_ends, DEFAULTS.items(), strict=True)
}
SIZE = _ends[-1]


@dataclass(frozen=True)
class Weights:
    """One number for each feature value, in the order of `DEFAULTS`."""

    values: tuple[float, ...] = sum(DEFAULTS.values(), ())

    def __getitem__(self, name: str) -> Floats:
        return np.array(self.values[PLACES[name]])

    @property
    def vector(self) -> Floats:
        return np.array(self.values)

    def format_lines(self, *, has_back_off: bool = False) -> list[str]:
        """Return the lines of a file that `read_weights` reads."""
        return [SECTION, *format_values(self.values, has_back_off=has_back_off)]


def format_values(values: Sequence[float], *, has_back_off: bool = False) -> list[str]:
    """Return one string per feature: its name and its values.

    Without a back-off table, its features are left out: Moses rejects features it does not have.
    """
    return [
        # Adding 0.0 removes the sign of a negative zero.
        f"{name}= {' '.join(f'{value + 0.0:.6g}' for value in values[at])}"
        for name, at in PLACES.items()
        if has_back_off or name != BACK_OFF
    ]


def write_weights(path: Path, weights: Weights, *, has_back_off: bool = False) -> None:
    write_text(path, weights.format_lines(has_back_off=has_back_off))


def read_weights(path: str | Path) -> Weights:
    """Read the [weight] section of a file such as a moses.ini.

    Features that it does not name keep their default weights.
    """
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
                    f"({', '.join(PLACES)}), found {line[:60]!r}; remove the line"
                )
            numbers, size = _parse_weights(rest), len(DEFAULTS[name])
            if len(numbers) != size:
                raise InputError(
                    f"{place(path, number)}: expected {name}= and {size} "
                    f"{'number' if size == 1 else 'numbers'} from -{MOST:,} to {MOST:,}, "
                    f"found {line[:60]!r}"
                )
            values[PLACES[name]] = numbers
    if not found:
        raise InputError(
            f"{path}: expected a section {SECTION} with lines such as {LANGUAGE_MODEL}= 0.5, "
            "found none"
        )
    return Weights(tuple(values))


def _parse_weights(text: str) -> list[float]:
    """Return the numbers of a line, or none if one of them is invalid or out of range."""
    try:
        numbers = [float(number) for number in text.split()]
    except ValueError:
        return []
    return numbers if all(abs(number) <= MOST for number in numbers) else []
