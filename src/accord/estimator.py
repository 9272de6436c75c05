"""The Python door: `Accord(agreement="inner").fit(source, target, seed)`."""

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

    lexicon_   word pairs with p(target|source) and p(source|target), the surest first
    phrases_   phrase pairs with log P both ways and their word alignment
    trace_     a dictionary an iteration
    changes_   where a model was gone on with, what is new, lost or changed; None otherwise
    quality_   how well the run thinks it has done: words held out, expected precision, failed

    The first two are lists, and tables as well: `lexicon_.to_polars()`, `phrases_.to_arrow()`.
    Pairs have a `confidence`, their probability of being right, unless the agreement is one of
    the paper's kinds: then it is None.
    """

    trace_: "list[TraceRow]"
    quality_: "Quality"
    changes_: "list[Change] | None"
    _kept: "Trained"

    def __init__(self, **settings: Any) -> None:
        known = [setting.name for setting in fields(Settings)]
        for name in settings:
            if name not in known:
                raise SettingError(f"{name}: no such setting; there are {', '.join(known)}")
        self.settings = Settings(**settings)

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
        """Learn from phrases, their words parted by spaces, and (source, target) seed entries.

        What people have said of pairs, (source, target, "accepted") or "rejected", may be among the
        seed or in `decisions`, which goes before the seed: a file of `accord review`, or such
        entries. An accepted pair of phrases is always in the results; a rejected pair, of phrases
        or of words, never is.

        Word vectors, a file or a mapping from words to numbers for either language, are further
        evidence of what words mean. With `gold` pairs the trace has F1; with a folder `out` the
        run leaves its files there, as `accord learn` does. The number of threads changes nothing
        but the time; nor does the runner "ray", which works on the Ray that the program has
        connected to, on the one at `ray_address`, or on one that is started for this; nor does the
        `memory` ("500M", "4G") that the index of the search may take at once.

        With the folder of an earlier run in `continue_from`, what it has learned is the start, on
        its phrases and its seed and these; `changes_` has what became of its pairs. The settings
        are those given here; `Accord.load(folder)` has those of the run.
        """
        # Here and not above: these load Numba, which a program may want to wait for.
        from accord.evidence.decisions import read_decisions
        from accord.runs.folder import RunFolder, choose_if_exists
        from accord.runs.inputs import Inputs
        from accord.runs.learn import learn
        from accord.system.runners.choice import running

        start = None if continue_from is None else RunFolder(continue_from).read_trained()
        decided = None if decisions is None else read_decisions(decisions)
        inputs = Inputs.of(source, target, seed, gold, self.settings.max_words, start, decided)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        folder = None if out is None else RunFolder(out)
        with running(runner, threads, ray_address, memory) as workers:
            learned = learn(
                inputs, self.settings, workers, folder, if_exists=choose_if_exists(force, resume)
            )
        self.lexicon_ = learned.lexicon
        self.phrases_ = learned.phrases
        self.trace_ = learned.trace
        self.quality_ = learned.quality
        self.changes_ = learned.changes
        self._keep(learned.trained)
        return self

    @classmethod
    def load(cls, folder: str | Path) -> "Accord":
        """What a finished run has left in its folder, as it was after `fit`.

        The model is mapped into memory; its word and phrase pairs are made when first asked for.
        """
        from accord.runs.folder import RunFolder

        run = RunFolder(folder)
        trained = run.read_trained()
        loaded = cls(**asdict(trained.settings))
        loaded.trace_, loaded.quality_, loaded.changes_ = run.read_summary()
        loaded._keep(trained)
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
        """The best translations of a source phrase or word; of a target phrase in `reverse`.

        The words of a phrase are parted by spaces. It need not be one that was learned from; its
        translations are. Of a single word there is all that both directions have learned of it as
        well, be it sure enough for the lexicon or not.
        """
        return self._translator.translate(phrase, top, reverse=reverse)

    @cached_property
    def _translator(self) -> "Translator":
        from accord.runs.query.translator import Translator

        return Translator(self._trained)

    @property
    def _trained(self) -> "Trained":
        if not hasattr(self, "_kept"):
            raise AccordError("nothing is learned yet: call fit, or load a run with Accord.load")
        return self._kept

    def _keep(self, trained: "Trained") -> None:
        self._kept = trained
        self.__dict__.pop("_translator", None)  # of what was learned before
