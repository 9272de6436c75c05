"""How a language is written: which words are capitalised, and where there are spaces.

Translations are lower-case words with spaces between them. The target text shows how they are
written: the most frequent form of each word, and how often two tokens are separated by a space.
Nothing about a particular language is built in.

A mark that the text does not have is guessed by its Unicode category: no space before a closing
mark, nor after an opening one.

Notation: class of a token  a mark of punctuation stands for itself, and so does a quotation mark
          that opens, and one that closes; all other tokens are words, or letters of a script that
          is written without spaces
"""

import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

from accord.corpus.text.tokens import is_word
from accord.errors import InputError
from accord.system.writing import write_text

WORD = "word"
# Scripts without spaces between words, by the names of their characters in Unicode.
SPACELESS = ("CJK", "HIRAGANA", "KATAKANA", "THAI")
# Marks that open and close in the same form.
QUOTES = ('"', "'", "*", "_", "`")
# Two marks of punctuation must occur next to each other at least this often; otherwise, what each
# has next to words decides.
LEAST_COUNT = 5
# Lines that are tokenised at a time.
BLOCK = 10_000

Pair = tuple[str, str]


@dataclass(frozen=True)
class Orthography:
    """How words are written."""

    # The forms of words that are not lower-case.
    forms: dict[str, str] = field(default_factory=dict)
    # Whether there is a space between tokens of two classes.
    spaced: dict[Pair, bool] = field(default_factory=dict)
    capitalised: bool = False  # whether sentences begin with a capital letter

    @classmethod
    def learn(cls, lines: Iterable[str], tokenise: Callable[[str], str]) -> "Orthography":
        """Learn from the lines of a text; `tokenise` puts spaces between the tokens of lines."""
        forms = defaultdict[str, Counter[str]](Counter)
        spaces = defaultdict[Pair, Counter[bool]](Counter)
        capitals = Counter[bool]()
        for line, tokens in _tokenise_lines(lines, tokenise):
            for token in tokens[1:]:
                if is_word(token):
                    forms[token.lower()][token] += 1
            if tokens and tokens[0][0].lower() != tokens[0][0].upper():
                capitals[tokens[0][0].isupper()] += 1
            for classes, has_space in _find_spaces(line, tokens):
                spaces[classes][has_space] += 1
        return cls(
            {word: form for word, form in _choose_forms(forms) if form != word},
            _choose_spaces(spaces),
            capitals[True] > capitals[False],
        )

    def write(self, words: Iterable[str]) -> str:
        """Write the words of a sentence as the language does."""
        tokens = [self.forms.get(word, word) for word in words]
        if tokens and self.capitalised:
            tokens[0] = tokens[0][:1].upper() + tokens[0][1:]
        classes = classify(tokens)
        text = "".join(tokens[:1])
        for (left, right), token in zip(pairwise(classes), tokens[1:], strict=True):
            text += f" {token}" if self._has_space(left, right) else token
        return text

    def _has_space(self, left: str, right: str) -> bool:
        known = self.spaced.get((left, right))
        if known is not None:
            return known
        # Both sides have to allow a space.
        after, before = (left, WORD), (WORD, right)
        return self.spaced.get(after, _guess_space(*after)) and self.spaced.get(
            before, _guess_space(*before)
        )

    def save(self, path: Path) -> None:
        spaced = sorted([left, right, value] for (left, right), value in self.spaced.items())
        content = {
            "forms": dict(sorted(self.forms.items())),
            "spaced": spaced,
            "capitalised": self.capitalised,
        }
        write_text(path, [json.dumps(content, ensure_ascii=False)])

    @classmethod
    def read(cls, path: Path) -> "Orthography":
        try:
            content = json.loads(path.read_bytes())
            spaced = {(str(e), str(f)): bool(value) for e, f, value in content["spaced"]}
            forms = {str(word): str(form) for word, form in content["forms"].items()}
            return cls(forms, spaced, bool(content["capitalised"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}: cannot be read; adapt again, or translate words with --pretokenized"
            ) from None


def _guess_space(left: str, right: str) -> bool:
    """Whether most languages have a space between tokens of these classes."""
    opens = left.endswith(" opens") or unicodedata.category(left[0]) in ("Ps", "Pi")
    closes = right.endswith(" closes") or (
        right not in (WORD, *SPACELESS) and unicodedata.category(right[0]) in ("Pe", "Pf", "Po")
    )
    return not (opens or closes or left in SPACELESS or right in SPACELESS)


def _tokenise_lines(
    lines: Iterable[str], tokenise: Callable[[str], str]
) -> Iterator[tuple[str, list[str]]]:
    lines = iter(lines)
    while block := [*islice(lines, BLOCK)]:
        tokenised = tokenise("".join(f"{line}\n" for line in block)).split("\n")
        yield from zip(block, map(str.split, tokenised), strict=False)


def classify(tokens: Iterable[str]) -> list[str]:
    """Return the class of each token."""
    opened = Counter[str]()
    classes = []
    for token in tokens:
        found = token
        if token in QUOTES:
            opened[token] += 1
            found = f"{token} {'opens' if opened[token] % 2 else 'closes'}"
        elif any(map(str.isalnum, token)):
            found = _find_script(token)
        classes.append(found)
    return classes


def _find_script(token: str) -> str:
    name = unicodedata.name(token[0], "")
    return next((script for script in SPACELESS if name.startswith(script)), WORD)


def _find_spaces(line: str, tokens: list[str]) -> Iterator[tuple[Pair, bool]]:
    """Yield the classes of adjacent tokens, and whether there is a space between them."""
    text = unicodedata.normalize("NFC", line)
    end = 0
    spaces = []
    for token in tokens:
        begin = text.find(token, end)
        if begin < 0:
            return
        spaces.append(begin > end)
        end = begin + len(token)
    yield from zip(pairwise(classify(tokens)), spaces[1:], strict=False)


def _choose_forms(forms: dict[str, Counter[str]]) -> Iterator[tuple[str, str]]:
    """Yield each word with its most frequent form; of equally frequent ones, the lower-case one."""
    for word, counts in forms.items():
        yield word, min(counts, key=lambda form: (-counts[form], form != word, form))


def _choose_spaces(spaces: dict[Pair, Counter[bool]]) -> dict[Pair, bool]:
    return {
        pair: counts[True] >= counts[False]
        for pair, counts in spaces.items()
        if counts.total() >= LEAST_COUNT or not {WORD, *SPACELESS}.isdisjoint(pair)
    }
