"""The phrases and the lexicon of a run as tables: which rows they have, and what opens there."""

from typing import Any

import numpy as np

from accord.formats.records import Record
from accord.web.html import Html, element, joined
from accord.web.report.choice import Places
from accord.web.report.details import READING, Details
from accord.web.report.run import Run
from accord.web.report.tables import Column, counted, table_frame

# Of the rows, the share that opens.
OPEN = 3  # halvings


class PairTables:
    """Of phrases and words the places of the rows, and nested samples of these."""

    def __init__(
        self, run: Run, details: Details, phrases: list[Places], words: list[Places]
    ) -> None:
        self.run, self.details = run, details
        table = run.contents.phrases.select(phrases[0].tolist())
        self.phrases = run.contents.records(weighed=True, columns=table)
        self.words = [run.words[n] for n in words[0].tolist()]
        self.opened, self.opened_words = (
            np.flatnonzero(np.isin(places[0], places[min(OPEN, len(places) - 1)])).tolist()
            for places in (phrases, words)
        )

    def data(self) -> dict[str, Any]:
        """What report.js fills the tables with."""
        return {
            "rows": {"phrases": [*map(_row, self.phrases)], "lexicon": [*map(_row, self.words)]},
            "details": {
                "phrases": {
                    n: str(self.details.of_phrases(self.phrases[n][:2])) for n in self.opened
                },
                "lexicon": {
                    n: str(shown)
                    for n in self.opened_words
                    if (shown := self.details.of_words(self.words[n][:2]))
                },
            },
            "seed": self._seed_words(),
        }

    def phrases_section(self) -> Html:
        shown, opened = len(self.phrases), len(self.opened)
        rivals = sum(self.details.has_rivals(self.phrases[n][:2]) for n in self.opened)
        note = element(
            "p",
            counted(shown, len(self.run.pairs), "phrase pairs"),
            f" {_so_many(opened, shown)} to the picture of the words, "
            f"{'each' if rivals == shown else f'{rivals:,}'} with rivals too. "
            "q← and q→ say how clear the choice is among all target and all source phrases.",
            _marked_note(),
        )
        how = element("details", element("summary", "How to read a picture"), element("p", READING))
        columns = self._columns("q←", "q→")
        return table_frame("phrases", "Phrase pairs", columns, joined(note, how), opens=True)

    def lexicon_section(self) -> Html:
        note = element(
            "p", counted(len(self.words), len(self.run.words), "word pairs"), _marked_note()
        )
        columns = self._columns("p(target|source)", "p(source|target)")
        opens = self.details.has_contexts
        return table_frame("lexicon", "Lexicon", columns, note, opens=opens)

    def _columns(self, forward: str, backward: str) -> list[Column]:
        one, other = self.run.languages
        has_confidence = self.run.contents.has_confidence
        return [
            Column("source", "text", one, "source"),
            Column("target", "text", other, "target"),
            *([Column("probability")] if has_confidence else []),
            Column(forward, minor=has_confidence),
            Column(backward, minor=has_confidence),
        ]

    def _seed_words(self) -> dict[str, list[str]]:
        """The words of the seed that are in the tables."""
        records = [*self.phrases, *self.words]
        sources = {word for record in records for word in record.source.split()}
        targets = {word for record in records for word in record.target.split()}
        one, other = self.run.trained.whole_seed.words
        return {"source": sorted(sources & one), "target": sorted(targets & other)}


def _row(record: Record) -> list[object]:
    numbers = [record.confidence] if record.confidence is not None else []
    return [
        *record[:2],
        *(round(number or 0.0, 3) for number in (*numbers, record.forward, record.backward)),
    ]


def _so_many(some: int, total: int) -> str:
    return "Each opens" if some == total else f"{some:,} of them open"


def _marked_note() -> Html:
    mark = element("em", "marked", class_="new")
    return joined(" Words that the seed does not have are ", mark, ".")
