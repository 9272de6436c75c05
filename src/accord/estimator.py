"""The Python interface: `Accord(agreement="inner").fit(source, target, seed)`."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.errors import AccordError, SettingError
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.evidence.seed import Entry, ReviewedEntry
    from accord.evidence.vectors import VectorInput
    from accord.runs.changes import Change
    from accord.runs.quality import Quality
    from accord.runs.query.translator import Translations, Translator
    from accord.runs.results import LexiconEntry, PhrasePair, Table
    from accord.runs.trace import TraceRow
    from accord.runs.trained import Trained
    from accord.system.runners import RunnerName


class Accord:
    """Learns a lexicon and phrase pairs from two lists of phrases and a seed dictionary.

    Takes every field of `accord.settings.Settings` as a keyword. After `fit` or `load`:

    lexicon_   word pairs with p(target|source) and p(source|target), by decreasing confidence
    phrases_   phrase pairs with log P in both directions and their word alignment
    trace_     one dictionary per iteration
    changes_   the pairs that are new, lost or changed, if the run continued another; else None
    quality_   the estimated quality: held-out words, expected precision, whether the run failed

    The first two are lists that are also tables: `lexicon_.to_polars()`, `phrases_.to_arrow()`.
    The `confidence` of a pair is None with the paper's methods.
    """

    trace_: "list[TraceRow]"
    quality_: "Quality"
    changes_: "list[Change] | None"
    _model: "Trained"

    def __init__(self, **settings: Any) -> None:
        names = [setting.name for setting in fields(Settings)]
        for name in settings:
            if name not in names:
                raise SettingError(f"{name}: no such setting; there are {', '.join(names)}")
        self.settings = Settings(**settings)

    # The keywords are the public interface. What they make, below, takes few arguments.
    def fit(
        self,
        source: Iterable[str],
        target: Iterable[str],
        seed: "Iterable[Entry | ReviewedEntry]" = (),
        *,
        decisions: "str | Path | Iterable[ReviewedEntry] | None" = None,
        gold: Iterable[tuple[str, str]] | None = None,
        source_vectors: "VectorInput | None" = None,
        target_vectors: "VectorInput | None" = None,
        threads: int | None = None,
        runner: "RunnerName" = "threads",
        ray_address: str | None = None,
        memory: str | int | None = None,
        out: str | Path | None = None,
        continue_from: str | Path | None = None,
        force: bool = False,
        resume: bool = False,
    ) -> "Accord":
        """Learn from phrases of space-separated words and (source, target) seed entries.

        seed           may contain reviewed entries: (source, target, "accepted" or "rejected");
                       accepted phrase pairs are always in the results, rejected pairs never
        decisions      a file of `accord review`, or reviewed entries; they override the seed
        gold           (source, target) phrase pairs, for F1 in the trace
        *_vectors      word vectors of each language, a file or a mapping, as further evidence
        out            a folder for the files of the run, like that of `accord learn`
        continue_from  the folder of a run whose model, phrases and seed are the start; its settings
                       are not used, but `Accord.load(folder).settings` has them
        force, resume  replace another run in `out`; continue an interrupted one

        The results do not depend on `threads`, on the `memory` for the index ("500M", "4G"), or on
        the runner: "threads", or "ray", which uses the connected Ray, one at `ray_address`, or a
        new one.
        """
        # Imported here, since these load Numba, which takes a while.
        from accord.evidence.decisions import read_decisions
        from accord.runs.folder import RunFolder, choose_if_exists
        from accord.runs.inputs import Inputs
        from accord.runs.learn import learn
        from accord.system.runners.choice import running

        start = None if continue_from is None else RunFolder(continue_from).read_trained()
        reviewed = None if decisions is None else read_decisions(decisions)
        inputs = Inputs.of(source, target, seed, gold, self.settings.max_words, start, reviewed)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        folder = None if out is None else RunFolder(out)
        with running(runner, threads, ray_address, memory) as workers:
            results = learn(
                inputs, self.settings, workers, folder, if_exists=choose_if_exists(force, resume)
            )
        self.lexicon_, self.phrases_ = results.lexicon, results.phrases
        self.trace_, self.quality_ = results.trace, results.quality
        self.changes_ = results.changes
        self._set_model(results.trained)
        return self

    @classmethod
    def load(cls, folder: str | Path) -> "Accord":
        """Load a finished run from its folder, as it was after `fit`.

        The model is mapped into memory; its word and phrase pairs are computed on first use.
        """
        from accord.runs.folder import RunFolder

        run = RunFolder(folder)
        trained = run.read_trained()
        loaded = cls(**asdict(trained.settings))
        loaded.trace_, loaded.quality_, loaded.changes_ = run.read_summary()
        loaded._set_model(trained)
        return loaded

    @cached_property
    def lexicon_(self) -> "Table[LexiconEntry]":
        from accord.runs.results import build_lexicon

        return build_lexicon(self._trained)

    @cached_property
    def phrases_(self) -> "Table[PhrasePair]":
        from accord.runs.results import build_phrase_pairs

        return build_phrase_pairs(self._trained)

    def translate_phrase(
        self, phrase: str, top: int = 10, *, reverse: bool = False
    ) -> "Translations":
        """Return the best translations of a source phrase or word; of a target one in `reverse`.

        The phrase, of space-separated words, need not be one of the run; its translations are. For
        a single word they include all that both directions have learned, even with a confidence
        that is too low for the lexicon.
        """
        return self._translator.translate(phrase, top, reverse=reverse)

    @cached_property
    def _translator(self) -> "Translator":
        from accord.runs.query.translator import Translator

        return Translator(self._trained)

    @property
    def _trained(self) -> "Trained":
        if not hasattr(self, "_model"):
            raise AccordError("nothing is learned yet: call fit, or load a run with Accord.load")
        return self._model

    def _set_model(self, model: "Trained") -> None:
        self._model = model
        self.__dict__.pop("_translator", None)  # of the model before
