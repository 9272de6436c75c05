"""The folder of a run: what `learn` leaves there, and how a run that was killed goes on.

run.json         version, settings and hashes of the inputs: the run's signature; written first,
                 and again with the version and the checksums of the model
trace.jsonl      a line an iteration
checkpoint.npz   the last finished iteration, while the run is under way
lexicon.tsv      source, target, p(target|source), p(source|target), and with agreement by
                 posteriors the probability of being right
quality.json     what the words held out and the probabilities say of the run
model/           the tables, alignments, phrases, vocabularies and seed: .npy arrays and plain text
report.html      what `report` makes of all this
changes.tsv      of a run that went on with a model: phrase or word; new, lost or changed; source,
                 target before, target now
review.sqlite    what people have decided about the pairs; no run ever removes it
contexts.tsv     of a run that was mined out of text: source, target, three snippets of either
phrases.tsv      source, target, log P(target|source), log P(source|target), word alignment
                 0-0 1-2, and the same probability

Every file is moved into its place when it is whole. The checkpoint goes last: while it is there,
the results can be made again from it.
"""

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from accord.corpus.phrases import Phrases
from accord.errors import InputError, OutputError, SettingError
from accord.learning.model.state import State
from accord.runs.changes import Change
from accord.runs.quality import Quality
from accord.runs.results import LexiconEntry, PhrasePair
from accord.runs.storage import Arrays, state_from_arrays, state_to_arrays
from accord.runs.trace import TraceRow
from accord.runs.trained import Trained, check_version, model_record, read_model, write_model
from accord.settings import Settings
from accord.system.reading import place, read_lines
from accord.system.writing import (
    FolderLock,
    clear_leftovers,
    output_errors,
    write_file,
    write_folder,
    write_text,
)


class RunFolder:
    """Where one run keeps its files."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.run = self.path / "run.json"
        self.trace = self.path / "trace.jsonl"
        self.checkpoint = self.path / "checkpoint.npz"
        self.lexicon = self.path / "lexicon.tsv"
        self.model = self.path / "model"
        self.phrases = self.path / "phrases.tsv"
        self.quality = self.path / "quality.json"
        self.contexts = self.path / "contexts.tsv"
        self.changes = self.path / "changes.tsv"
        self.report = self.path / "report.html"
        self.review = self.path / "review.sqlite"

    @property
    def files(self) -> dict[str, str]:
        """What a finished run has, by name."""
        names = ("lexicon", "phrases", "quality", "trace", "run", "model")
        files = {name: str(getattr(self, name)) for name in names}
        some = {name: getattr(self, name) for name in ("contexts", "changes", "review")}
        return files | {name: str(path) for name, path in some.items() if path.exists()}

    def claim(self, record: dict[str, Any], *, force: bool, resume: bool) -> None:
        """Make the folder this run's. What this very run left there before is kept."""
        with output_errors(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise OutputError(f"{self.path}: expected a folder for the results, found a file")
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.path)
            # First to go are the two that a run would be resumed from.
            results = (
                *(self.checkpoint, self.phrases, self.trace),
                *(self.lexicon, self.model, self.quality, self.contexts, self.changes),
                self.report,
            )
            left = [path for path in results if path.exists()]
            earlier = self._record()
            differing = differences(signature(earlier), signature(record))
            if (differing if earlier else left) and not force:
                what = ", ".join(differing) if earlier else f"a stray {left[0].name}"
                raise OutputError(
                    f"{self.path}: holds the files of another run ({what}); "
                    "choose another folder, or replace them with --force"
                )
            clear_leftovers(self.path)
            if earlier and not differing and not force:
                if self.checkpoint.exists() and not resume:
                    raise OutputError(
                        f"{self.path}: holds this very run, cut short; "
                        "go on with --resume, or start anew with --force"
                    )
                return
            for path in left:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._write_record(record)

    @property
    def finished(self) -> bool:
        """Whether the results are all there."""
        return self.phrases.exists() and not self.checkpoint.exists()

    def last_state(
        self, source: Phrases, target: Phrases, settings: Settings
    ) -> tuple[State, list[TraceRow]] | None:
        """The last finished iteration and the trace up to it, where there is one."""
        try:
            if self.checkpoint.exists():
                with np.load(self.checkpoint, allow_pickle=False) as kept:
                    arrays: Arrays = dict(kept)
            elif self.finished:
                files = self.model.glob("*.npy")
                arrays = {file.stem: np.load(file, allow_pickle=False) for file in files}
            else:
                return None
            state = state_from_arrays(arrays, source, target, settings)
            trace = [json.loads(line) for _, line in read_lines(self.trace)]
        except (OSError, EOFError, ValueError, KeyError, BadZipFile):
            raise InputError(
                f"{self.path}: cannot be resumed, its files are damaged; start anew, with --force"
            ) from None
        # The trace is written before the checkpoint, and may be an iteration ahead of it.
        return state, trace[: state.iteration]

    def keep(self, state: State, trace: list[TraceRow]) -> None:
        """Keep a finished iteration."""
        arrays = state_to_arrays(state)
        write_text(self.trace, [json.dumps(row) for row in trace])
        write_file(self.checkpoint, lambda stream: np.savez(stream, **arrays))  # type: ignore[arg-type]

    def finish(
        self,
        trained: Trained,
        trace: list[TraceRow],
        lexicon: list[LexiconEntry],
        pairs: list[PhrasePair],
        quality: Quality,
        changes: list[Change] | None,
    ) -> None:
        """Leave the results."""
        write_text(self.trace, [json.dumps(row) for row in trace])
        write_text(self.lexicon, [_lexicon_line(entry) for entry in lexicon])
        write_text(self.quality, [json.dumps(quality.as_dict())])
        if changes is not None:
            write_text(self.changes, ["\t".join(change) for change in changes])
        write_folder(self.model, lambda path: write_model(path, trained))
        self._write_record(self._record() | {"model": model_record(self.model)})
        write_text(self.phrases, [_phrase_line(pair) for pair in pairs])
        with output_errors(self.checkpoint):
            self.checkpoint.unlink(missing_ok=True)

    def trained(self) -> Trained:
        """The model of a finished run."""
        if not self.finished:
            what = "one cut short; go on with --resume" if self.checkpoint.exists() else "none"
            raise InputError(f"{self.path}: expected the folder of a finished run, found {what}")
        model = read_model(self.model, self._record().get("model"), self.settings())
        return model._replace(languages=self.languages)

    def settings(self) -> Settings:
        """Those of the run whose files are here."""
        record = self._record()
        if self.finished:
            check_version(self.model, record.get("model"))
        try:
            return Settings(**record["settings"])
        except (KeyError, TypeError, SettingError):
            raise InputError(
                f"{self.path}: expected the folder of a run, found no run.json with settings that "
                "can be read"
            ) from None

    @property
    def signature(self) -> dict[str, Any]:
        """What has decided the results that are here."""
        return signature(self._record())

    @property
    def languages(self) -> tuple[str, str] | None:
        """The codes of the two languages, of a run that was told them."""
        match self._record().get("languages"):
            case [str(source), str(target)]:
                return source, target
        return None

    def last_words(self) -> tuple[list[TraceRow], Quality, list[Change] | None]:
        """What a finished run has said of itself: its trace, how well it has done, and where it
        went on with a model, what it changed."""
        try:
            trace = [json.loads(line) for _, line in read_lines(self.trace)]
            kept = json.loads(self.quality.read_bytes())
            quality = Quality(**{field.name: kept[field.name] for field in fields(Quality)})
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.path}: trace.jsonl or quality.json cannot be read; copy them anew, or "
                "learn it again"
            ) from None
        if not self.changes.exists():
            return trace, quality, None
        lines = (line.split("\t") for _, line in read_lines(self.changes))
        return trace, quality, [Change(*line) for line in lines]  # type: ignore[arg-type]

    def phrase_pairs(self) -> list[tuple[str, str]]:
        """The pairs in phrases.tsv."""
        if not self.phrases.exists():
            raise InputError(f"{self.path}: expected the folder of a finished run, no phrases.tsv")
        pairs = []
        for number, line in read_lines(self.phrases):
            columns = line.split("\t")
            if len(columns) < 2:
                raise InputError(f"{place(self.phrases, number)}: expected two phrases, found one")
            pairs.append((columns[0], columns[1]))
        return pairs

    def _write_record(self, record: dict[str, Any]) -> None:
        write_text(self.run, [json.dumps(record, indent=2, ensure_ascii=False)])

    def _record(self) -> dict[str, Any]:
        """The record of the run whose files are here; empty where there is none."""
        if not self.run.exists():
            return {}
        try:
            record = json.loads(self.run.read_bytes())
        except ValueError:
            record = None
        return record if isinstance(record, dict) else {"accord": "unreadable"}


def signature(record: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that decides the results."""
    return {"accord": record.get("accord")} | {
        name: part if isinstance(part := record.get(name), dict) else {}
        for name in ("settings", "inputs")
    }


def differences(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Where two signatures differ, in words."""
    if then["accord"] != now["accord"]:
        return [f"of accord {then['accord']}, this is {now['accord']}"]
    settings = [
        f"{name} was {then['settings'].get(name)}, is {value}"
        for name, value in now["settings"].items()
        if value != then["settings"].get(name)
    ]
    return settings + [
        f"other {name} data"
        for name, content in now["inputs"].items()
        if content != then["inputs"].get(name)
    ]


def _lexicon_line(entry: LexiconEntry) -> str:
    numbers = f"{entry.forward:.6g}\t{entry.backward:.6g}{_confidence(entry)}"
    return f"{entry.source}\t{entry.target}\t{numbers}"


def _phrase_line(pair: PhrasePair) -> str:
    words = " ".join(f"{i}-{j}" for i, j in pair.alignment)
    numbers = f"{pair.forward:.6g}\t{pair.backward:.6g}\t{words}{_confidence(pair)}"
    return f"{pair.source}\t{pair.target}\t{numbers}"


def _confidence(pair: LexiconEntry | PhrasePair) -> str:
    """The last column; the paper's kinds of agreement have none."""
    return "" if pair.confidence is None else f"\t{pair.confidence:.3f}"
