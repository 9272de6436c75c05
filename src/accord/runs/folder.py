"""The folder of a run: its files, and how an interrupted run is resumed.

run.json         the record of the run with its signature (`accord.runs.record`); written first, and
                 again when the model is complete
trace.jsonl      one line per iteration
checkpoint.npz   the last finished iteration, while the run is not finished
lexicon.tsv      word pairs (`accord.runs.tsv`)
quality.json     how good the results are, by held-out seed words and by confidence
model/           tables, alignments, phrases, vocabularies and seed: .npy arrays and plain text
report.html      the page of `accord report`
changes.tsv      if the run continues a model: which pairs are new, lost or changed
review.sqlite    the decisions of reviewers; no run ever removes it
contexts.tsv     if the run was mined from text: where each pair occurs
phrases.tsv      phrase pairs (`accord.runs.tsv`)
.lock            locked while a run writes (`accord.system.locks`); it stays, empty

Every file is moved to its place when it is complete. The checkpoint is removed last: as long as it
exists, the results can be computed again from it.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.text.languages import find_tag
from accord.errors import InputError, OutputError, SettingError
from accord.formats.records import LanguageCodes, RequestedLanguages
from accord.learning.model.state import State
from accord.runs import tsv
from accord.runs.changes import Change
from accord.runs.quality import Quality
from accord.runs.record import (
    RunRecord,
    add_model,
    describe_differences,
    extract_signature,
    make_record,
    read_record,
    write_record,
)
from accord.runs.results import LexiconEntry, PhrasePair, Table
from accord.runs.trace import TraceRow
from accord.runs.trained import (
    Arrays,
    Trained,
    check_version,
    make_model_record,
    read_model,
    state_from_arrays,
    state_to_arrays,
    write_model,
)
from accord.settings import Settings
from accord.system.locks import lock_folder
from accord.system.reading import read_lines
from accord.system.writing import (
    clear_leftovers,
    output_errors,
    write_file,
    write_folder,
    write_text,
)

# What to do if the folder has files of a run: raise an error, resume a run with the same signature,
# or replace them.
IfExists = Literal["refuse", "resume", "replace"]


def choose_if_exists(force: bool, resume: bool) -> IfExists:
    """Return what the two flags mean; --force outweighs --resume."""
    if force:
        return "replace"
    return "resume" if resume else "refuse"


@dataclass(frozen=True)
class RunResults:
    """What a finished run has found."""

    trained: Trained
    trace: list[TraceRow]
    lexicon: Table[LexiconEntry]
    phrases: Table[PhrasePair]
    quality: Quality
    changes: list[Change] | None  # since the model that the run continued
    is_old: bool = False  # whether the folder had them already


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
        """The files of a finished run, by name."""
        names = ("lexicon", "phrases", "quality", "trace", "run", "model")
        files = {name: str(getattr(self, name)) for name in names}
        optional = {name: getattr(self, name) for name in ("contexts", "changes", "review")}
        return files | {name: str(path) for name, path in optional.items() if path.exists()}

    @contextmanager
    def claim(self, record: RunRecord, if_exists: IfExists) -> Iterator[None]:
        """Lock the folder for a run with this record; keep files of a run with its signature."""
        with output_errors(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise OutputError(f"{self.path}: expected a folder for the results, found a file")
            self.path.mkdir(parents=True, exist_ok=True)
        with lock_folder(self.path):
            with output_errors(self.path):
                is_new = self._make_room(record, if_exists)
            if is_new:
                write_record(self.run, record)
            yield

    def check_options(
        self, settings: Settings, options: dict[str, object] | None, if_exists: IfExists
    ) -> None:
        """Raise an error if the folder holds a run with other settings or options.

        `claim` does the same, but needs the inputs, which may take long to read.
        """
        if if_exists == "replace" or not (earlier := read_record(self.run)):
            return
        record = make_record(settings, {}, {}, None, options)
        differing = describe_differences(extract_signature(earlier), extract_signature(record))
        if differing:
            raise self._make_error(", ".join(differing))

    def _make_error(self, what: str) -> OutputError:
        return OutputError(
            f"{self.path}: holds the files of another run: {what}; "
            "choose another folder, or replace them with --force"
        )

    def _make_room(self, record: RunRecord, if_exists: IfExists) -> bool:
        """Check or remove existing files; return whether the run starts from the beginning."""
        # A run could be resumed from the first two of these: they are removed first.
        results = (
            self.checkpoint,
            self.phrases,
            self.trace,
            self.lexicon,
            self.model,
            self.quality,
            self.contexts,
            self.changes,
            self.report,
        )
        existing = [path for path in results if path.exists()]
        earlier = read_record(self.run)
        differing = describe_differences(extract_signature(earlier), extract_signature(record))
        if (differing if earlier else existing) and if_exists != "replace":
            what = ", ".join(differing) if earlier else f"a stray {existing[0].name}"
            raise self._make_error(what)
        clear_leftovers(self.path)
        if earlier and not differing and if_exists != "replace":
            if self.checkpoint.exists() and if_exists != "resume":
                raise OutputError(
                    f"{self.path}: holds this very run, interrupted; "
                    "continue with --resume, or start again with --force"
                )
            return False
        for path in existing:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return True

    @property
    def is_finished(self) -> bool:
        """Whether all results are complete."""
        return self.phrases.exists() and not self.checkpoint.exists()

    def read_last_state(
        self, source: Phrases, target: Phrases, settings: Settings
    ) -> tuple[State, list[TraceRow]] | None:
        """Return the last finished iteration and the trace up to it, or None."""
        try:
            if self.checkpoint.exists():
                with np.load(self.checkpoint, allow_pickle=False) as kept:
                    arrays: Arrays = dict(kept)
            elif self.is_finished:
                files = self.model.glob("*.npy")
                arrays = {file.stem: np.load(file, allow_pickle=False) for file in files}
            else:
                return None
            state = state_from_arrays(arrays, source, target, settings)
            trace = self._read_trace()
        except (OSError, EOFError, ValueError, KeyError, BadZipFile):
            raise InputError(
                f"{self.path}: cannot be resumed, its files are damaged; start again with --force"
            ) from None
        # The trace is written before the checkpoint, and may be one iteration ahead.
        return state, trace[: state.iteration]

    def count_kept_iterations(self) -> int:
        """Return the last iteration in the checkpoint; 0 if there is none."""
        try:
            with np.load(self.checkpoint, allow_pickle=False) as kept:
                return int(kept["iteration"])
        except (OSError, EOFError, ValueError, KeyError, BadZipFile):
            return 0

    def save_iteration(self, state: State, trace: list[TraceRow]) -> None:
        """Save a finished iteration as the checkpoint."""
        arrays = state_to_arrays(state)
        self._write_trace(trace)
        write_file(self.checkpoint, lambda stream: np.savez(stream, **arrays))  # type: ignore[arg-type]

    def save_results(self, results: RunResults) -> None:
        """Write all results, and remove the checkpoint."""
        self._write_trace(results.trace)
        tsv.write_word_lines(self.lexicon, results.lexicon)
        write_text(self.quality, [json.dumps(results.quality.as_dict())])
        if results.changes is not None:
            tsv.write_changes(self.changes, results.changes)
        write_folder(self.model, lambda path: write_model(path, results.trained))
        add_model(self.run, make_model_record(self.model))
        tsv.write_phrase_lines(self.phrases, results.phrases)
        with output_errors(self.checkpoint):
            self.checkpoint.unlink(missing_ok=True)

    def read_trained(self) -> Trained:
        """Return the model of a finished run."""
        if not self.is_finished:
            found = "an interrupted one; continue it with --resume"
            what = found if self.checkpoint.exists() else "none"
            raise InputError(f"{self.path}: expected the folder of a finished run, found {what}")
        model = read_model(self.model, read_record(self.run).get("model"), self.read_settings())
        return model._replace(languages=self.languages)

    def read_settings(self) -> Settings:
        """Return the settings of the run."""
        record = read_record(self.run)
        if self.is_finished:
            check_version(self.model, record.get("model"))
        try:
            return Settings.from_record(record["settings"])
        except (KeyError, TypeError, AttributeError, SettingError):
            raise InputError(
                f"{self.path}: expected the folder of a run, found no run.json with settings that "
                "can be read"
            ) from None

    @property
    def signature(self) -> RunRecord:
        """The version, the settings and the inputs, which determine the results."""
        return extract_signature(read_record(self.run))

    @property
    def languages(self) -> tuple[str, str] | None:
        """The codes of the two languages, if they are known."""
        match read_record(self.run).get("languages"):
            case [str(source), str(target)]:
                return source, target
        return None

    def name_languages(self, requested: RequestedLanguages) -> LanguageCodes:
        """Return the tags of the requested languages or, of those not given, the codes of the run.

        A language that neither names is "".
        """
        source, target = (
            find_tag(given) if given else known
            for given, known in zip(requested, self.languages or ("", ""), strict=True)
        )
        return source, target

    def read_summary(self) -> tuple[list[TraceRow], Quality, list[Change] | None]:
        """Return the trace, the quality, and the changes if the run continued a model."""
        try:
            trace = self._read_trace()
            kept = json.loads(self.quality.read_bytes())
            quality = Quality(**{field.name: kept[field.name] for field in fields(Quality)})
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.path}: trace.jsonl or quality.json cannot be read; copy them again, or "
                "repeat the run"
            ) from None
        return trace, quality, tsv.read_changes(self.changes) if self.changes.exists() else None

    def read_phrase_pairs(self) -> list[tuple[str, str]]:
        """Return the pairs in phrases.tsv."""
        if not self.phrases.exists():
            raise InputError(f"{self.path}: expected the folder of a finished run, no phrases.tsv")
        return [*tsv.read_pair_columns(self.phrases)]

    def _write_trace(self, trace: list[TraceRow]) -> None:
        write_text(self.trace, map(json.dumps, trace))

    def _read_trace(self) -> list[TraceRow]:
        return [json.loads(line) for _, line in read_lines(self.trace)]
