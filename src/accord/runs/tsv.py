"""The tab-separated files of a run: how each is written, and how it is read again.

lexicon.tsv   source, target, p(target|source), p(source|target), confidence
phrases.tsv   source, target, log P(target|source), log P(source|target), word links 0-0 1-2,
              confidence
changes.tsv   phrase or word; new, lost or changed; source, target before, target now

With the paper's methods there is no confidence, and no column for it. People may remove lines from
the first two files: what is read here is which pairs are left, and the rest is in the model.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.runs.changes import Change
from accord.runs.results import LexiconEntry, PhrasePair, format_alignment
from accord.system.reading import place, read_lines
from accord.system.writing import write_text


class WordLine(NamedTuple):
    """A line of lexicon.tsv."""

    number: int
    source: str
    target: str


class PhraseLine(NamedTuple):
    """A line of phrases.tsv."""

    number: int
    source: str
    target: str
    alignment: str


def write_word_lines(path: Path, lexicon: Iterable[LexiconEntry]) -> None:
    write_text(
        path,
        (
            f"{entry.source}\t{entry.target}\t{entry.forward:.6g}\t{entry.backward:.6g}"
            f"{_format_confidence(entry.confidence)}"
            for entry in lexicon
        ),
    )


def read_word_lines(path: Path, *, has_confidence: bool) -> Iterator[WordLine]:
    """Yield which word pairs the file has."""
    for number, line in read_lines(path):
        match line.split("\t"):
            case [source, target, *numbers] if len(numbers) == 2 + has_confidence and all(
                map(_is_number, numbers)
            ):
                yield WordLine(number, source, target)
            case _:
                raise InputError(
                    f"{place(path, number)}: expected two words and {2 + has_confidence} "
                    f"probabilities, tab-separated, found {line[:60]!r}"
                )


def write_phrase_lines(path: Path, pairs: Iterable[PhrasePair]) -> None:
    write_text(
        path,
        (
            f"{pair.source}\t{pair.target}\t{pair.forward:.6g}\t{pair.backward:.6g}"
            f"\t{format_alignment(pair.alignment)}{_format_confidence(pair.confidence)}"
            for pair in pairs
        ),
    )


def read_phrase_lines(path: Path, *, has_confidence: bool) -> Iterator[PhraseLine]:
    """Yield which phrase pairs the file has."""
    for number, line in read_lines(path):
        match line.split("\t"):
            case [source, target, _, _, alignment, *confidence] if len(
                confidence
            ) == has_confidence and all(map(_is_number, confidence)):
                yield PhraseLine(number, source, target, alignment)
            case _:
                last = ", a confidence" if has_confidence else ""
                raise InputError(
                    f"{place(path, number)}: expected two phrases, two numbers, word links "
                    f"such as 0-0 1-2{last}, tab-separated, found {line[:60]!r}"
                )


def read_pair_columns(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the phrase pairs of phrases.tsv, whatever its other columns are."""
    for number, line in read_lines(path):
        match line.split("\t"):
            case [source, target, *_]:
                yield source, target
            case _:
                raise InputError(f"{place(path, number)}: expected two phrases, found one")


def write_changes(path: Path, changes: Iterable[Change]) -> None:
    write_text(path, map("\t".join, changes))


def read_changes(path: Path) -> list[Change]:
    return [Change(*line.split("\t")) for _, line in read_lines(path)]  # type: ignore[arg-type]


def round_probability(value: float) -> float:
    """Return a probability as lexicon.tsv has it."""
    return float(f"{value:.6g}")


def round_confidence(value: float) -> float:
    """Return a confidence as both files have it."""
    return round(value, 3)


def _format_confidence(confidence: float | None) -> str:
    return "" if confidence is None else f"\t{confidence:.3f}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
