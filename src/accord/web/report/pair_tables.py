"""The phrase pairs and the lexicon of a run as tables: columns, rows, and the details of rows. The
page has a frame for each table; report.js fills it from the packed data."""

from typing import NamedTuple

import numpy as np

from accord.formats.records import Record
from accord.system.arrays import Offsets
from accord.web.report.pair_details import PairInspector
from accord.web.report.run import ReportedRun
from accord.web.templates import get_macro

# How often the number of rows is halved to get those that have details.
OPEN_HALVINGS = 3


class TableColumn(NamedTuple):
    """A column of a table that report.js fills."""

    name: str
    kind: str = "number"  # or text, or badge: one of a few words
    language: str = ""
    side: str = ""  # of the seed, whose missing words are marked
    is_minor: bool = False  # hidden on narrow screens


class PairTable(NamedTuple):
    """The frame of a table, and the number of pairs that it shows."""

    name: str  # of its rows in the data
    title: str
    columns: list[TableColumn]
    shown: int
    total: int
    opens: bool = False  # whether rows may have details

    @property
    def has_sides(self) -> bool:
        return any(column.side for column in self.columns)


class PairTables:
    """The tables of phrase pairs and of words, from nested samples of their places: the first one
    has the rows, a later one the rows with details."""

    def __init__(
        self,
        run: ReportedRun,
        inspector: PairInspector,
        phrases: list[Offsets],
        words: list[Offsets],
    ) -> None:
        self.run, self.inspector = run, inspector
        table = run.contents.phrases.select(phrases[0].tolist())
        self.phrase_records = run.contents.make_records(with_probabilities=True, columns=table)
        self.word_records = [run.words[n] for n in words[0].tolist()]
        self.open_phrases, self.open_words = (
            np.flatnonzero(np.isin(places[0], places[min(OPEN_HALVINGS, len(places) - 1)])).tolist()
            for places in (phrases, words)
        )

    @property
    def phrases(self) -> PairTable:
        columns = self._list_columns("q←", "q→")
        if self.run.has_confidence:
            columns.append(TableColumn("relation", "text", is_minor=True))
        shown, total = len(self.phrase_records), len(self.run.pairs)
        return PairTable("phrases", "Phrase pairs", columns, shown, total, opens=True)

    @property
    def lexicon(self) -> PairTable:
        columns = self._list_columns("p(target|source)", "p(source|target)")
        shown, total = len(self.word_records), len(self.run.words)
        opens = self.inspector.has_contexts
        return PairTable("lexicon", "Lexicon", columns, shown, total, opens)

    @property
    def searched(self) -> int:
        """The number of phrase pairs whose details include competing candidates."""
        pairs = (self.phrase_records[n][:2] for n in self.open_phrases)
        return sum(map(self.inspector.has_searched, pairs))

    def collect_data(self) -> dict[str, object]:
        """Return the data with which report.js fills the tables."""
        draw_details = get_macro("pair.html", "pair_details")
        draw_contexts = get_macro("pair.html", "pair_contexts")
        phrases, words = self.phrase_records, self.word_records
        contexts = {n: self.inspector.find_contexts(words[n][:2]) for n in self.open_words}
        return {
            "rows": {
                "phrases": [*map(_list_cells, phrases)],
                "lexicon": [*map(_list_cells, words)],
            },
            "details": {
                "phrases": {
                    n: draw_details(self.inspector.inspect(phrases[n][:2]))
                    for n in self.open_phrases
                },
                "lexicon": {n: draw_contexts(found) for n, found in contexts.items() if found},
            },
            "seed": self._list_seed_words(),
        }

    def _list_columns(self, forward: str, backward: str) -> list[TableColumn]:
        source, target = self.run.languages
        has_confidence = self.run.has_confidence
        return [
            TableColumn("source", "text", source, "source"),
            TableColumn("target", "text", target, "target"),
            *([TableColumn("confidence")] if has_confidence else []),
            TableColumn(forward, is_minor=has_confidence),
            TableColumn(backward, is_minor=has_confidence),
        ]

    def _list_seed_words(self) -> dict[str, list[str]]:
        """Return the words of the seed that occur in the tables."""
        records = [*self.phrase_records, *self.word_records]
        sources = {word for record in records for word in record.source.split()}
        targets = {word for record in records for word in record.target.split()}
        one, other = self.run.trained.whole_seed.words
        return {"source": sorted(sources & one), "target": sorted(targets & other)}


def _list_cells(record: Record) -> list[object]:
    numbers = [record.confidence] if record.confidence is not None else []
    return [
        *record[:2],
        *(round(number or 0.0, 3) for number in (*numbers, record.forward, record.backward)),
        *([record.relation] if record.relation else []),
    ]
