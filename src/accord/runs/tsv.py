"""The tab-separated files of a run: how each is written, and how it is read again.

lexicon.tsv   source, target, p(target|source), p(source|target), confidence
phrases.tsv   source, target, log P(target|source), log P(source|target), word links 0-0 1-2,
              confidence, relation (best, variant or alternative)
contexts.tsv  source, target, three snippets of the source text, three of the target text
changes.tsv   phrase or word; new, lost or changed; source, target before, target now

With the paper's methods there is no confidence, and no column for it. Users may remove lines from
the first two files. They are read only to find out which pairs are left; the rest is in the model.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.concordance import SNIPPETS
from accord.evidence.seed import Entry
from accord.formats.annotations import format_alignment
from accord.runs.changes import Change
from accord.runs.results import LexiconEntry, PhrasePair
from accord.system.columns import read_rows, write_rows
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


class Contexts(NamedTuple):
    """Snippets of both texts, with the phrase in brackets."""

    source: tuple[str, ...]
    target: tuple[str, ...]


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
    """Yield the word pairs of lexicon.tsv."""
    columns = 3 if has_confidence else 2
    for row in read_rows(path):
        match row.columns:
            case [source, target, *numbers] if len(numbers) == columns and all(
                map(_is_number, numbers)
            ):
                yield WordLine(row.number, source, target)
            case _:
                raise row.error(f"two words and {columns} probabilities, tab-separated")


def write_phrase_lines(path: Path, pairs: Iterable[PhrasePair]) -> None:
    write_text(
        path,
        (
            f"{pair.source}\t{pair.target}\t{pair.log_forward:.6g}\t{pair.log_backward:.6g}"
            f"\t{format_alignment(pair.alignment)}{_format_confidence(pair.confidence)}"
            f"{_append(pair.relation)}"
            for pair in pairs
        ),
    )


def read_phrase_lines(path: Path, *, has_confidence: bool) -> Iterator[PhraseLine]:
    """Yield the phrase pairs of phrases.tsv."""
    for row in read_rows(path):
        match row.columns:
            # Files of earlier versions have no relation.
            case [source, target, _, _, alignment, confidence] | [
                source,
                target,
                _,
                _,
                alignment,
                confidence,
                "best" | "variant" | "alternative",
            ] if has_confidence and _is_number(confidence):
                yield PhraseLine(row.number, source, target, alignment)
            case [source, target, _, _, alignment] if not has_confidence:
                yield PhraseLine(row.number, source, target, alignment)
            case _:
                last = ", a confidence" if has_confidence else ""
                raise row.error(
                    f"two phrases, two numbers, word links such as 0-0 1-2{last}, tab-separated"
                )


def read_pair_columns(path: Path) -> Iterator[Entry]:
    """Yield the phrase pairs of phrases.tsv, whatever its other columns are."""
    for row in read_rows(path):
        match row.columns:
            case [source, target, *_]:
                yield source, target
            case _:
                raise row.error("two tab-separated phrases")


def write_contexts(path: Path, contexts: Iterable[tuple[Entry, Contexts]]) -> None:
    rows = ((*pair, *_fill_up(found.source), *_fill_up(found.target)) for pair, found in contexts)
    write_rows(path, rows)


def read_contexts(path: Path, wanted: Container[Entry]) -> dict[Entry, Contexts]:
    """Return the contexts of these pairs; none if the run was not mined from text."""
    if not path.exists():
        return {}
    found = {}
    for row in read_rows(path):
        parsed = parse_contexts(row.text)
        if parsed is None:
            raise row.error(f"two phrases and {2 * SNIPPETS} snippets, tab-separated")
        pair, contexts = parsed
        if pair in wanted:
            found[pair] = contexts
    return found


def parse_contexts(line: str) -> tuple[Entry, Contexts] | None:
    """Return the pair and the contexts of a line of contexts.tsv, or None if it is none."""
    match line.split("\t"):
        case [source, target, *snippets] if len(snippets) == 2 * SNIPPETS:
            sides = snippets[:SNIPPETS], snippets[SNIPPETS:]
            return (source, target), Contexts(*(tuple(filter(None, side)) for side in sides))
    return None


def write_changes(path: Path, changes: Iterable[Change]) -> None:
    write_rows(path, changes)


def read_changes(path: Path) -> list[Change]:
    changes = []
    for row in read_rows(path):
        match row.columns:
            case [
                "phrase" | "word" as what,
                "new" | "lost" | "changed" as kind,
                source,
                before,
                after,
            ]:
                changes.append(Change(what, kind, source, before, after))
            case _:
                raise row.error(
                    "a change of a pair (phrase or word; new, lost or changed; three texts)"
                )
    return changes


def round_probability(value: float) -> float:
    """Return a probability as lexicon.tsv has it."""
    return float(f"{value:.6g}")


def round_confidence(value: float) -> float:
    """Return a confidence as both files have it."""
    return round(value, 3)


def _fill_up(snippets: Sequence[str]) -> list[str]:
    """Return the snippets, with empty ones for those that are missing."""
    return [*snippets, *[""] * SNIPPETS][:SNIPPETS]


def _format_confidence(confidence: float | None) -> str:
    return "" if confidence is None else f"\t{confidence:.3f}"


def _append(text: str) -> str:
    return f"\t{text}" if text else ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
