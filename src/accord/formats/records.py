"""The types that all formats share: records, their languages, and what a format left out."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

# The decision of a reviewer, or "" if there is none.
RecordStatus = Literal["", "accepted", "rejected"]
# How a pair relates to better pairs of the same phrases, or "" if unknown.
Relation = Literal["", "best", "variant", "alternative"]
# The codes of the source and the target language, "" if unknown.
LanguageCodes = tuple[str, str]
# The languages that a reader is asked for; None leaves the choice to the file.
RequestedLanguages = tuple[str | None, str | None]
# How many pairs or characters a writer left out, by reason.
LeftOut = Counter[str]
# Word links: 0-based (source word, target word).
WordAlignment = tuple[tuple[int, int], ...]


class Record(NamedTuple):
    """A pair of words or phrases. A format stores all of these fields or some of them."""

    source: str
    target: str
    forward: float | None = None  # P(target|source)
    backward: float | None = None  # P(source|target)
    confidence: float | None = None
    alignment: WordAlignment = ()
    status: RecordStatus = ""
    relation: Relation = ""

    @property
    def is_word_pair(self) -> bool:
        """Whether both sides are single words."""
        return " " not in self.source and " " not in self.target

    @property
    def kind(self) -> Literal["word", "phrase"]:
        """The kind of pair, as tables name it."""
        return "word" if self.is_word_pair else "phrase"


class ImportedRecords(NamedTuple):
    """The records of a file and their languages; None if unknown."""

    languages: RequestedLanguages
    records: Iterator[Record]


class ExportResult(NamedTuple):
    """How many pairs of a run were written, to which files, and what was left out."""

    pairs: int
    files: tuple[Path, ...]
    left_out: LeftOut
    note: str = ""  # explains the number of pairs
