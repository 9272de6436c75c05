"""The Python interface: `Accord(agreement="inner").fit(source, target, seed)`."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.errors import AccordError, SettingError
from accord.settings import (
    Agreement,
    Background,
    Matching,
    Settings,
    WordModel,
    find_defaults,
)

if TYPE_CHECKING:
    from accord.evidence.seed import Entry, ReviewedEntry
    from accord.evidence.vectors import VectorInput
    from accord.runs.changes import Change
    from accord.runs.folder import RunResults
    from accord.runs.quality import Quality
    from accord.runs.query.translator import Translations, Translator
    from accord.runs.results import LexiconEntry, PhrasePair, Table
    from accord.runs.trace import TraceRow
    from accord.runs.trained import Trained
    from accord.system.runners import RunnerName

SETTING_NAMES = [setting.name for setting in fields(Settings)]


class Accord:
    """Learns a lexicon and phrase pairs from two lists of phrases and a seed dictionary.

    It is an estimator as in scikit-learn: the parameters are settings, `fit` learns, and attributes
    that end with an underscore hold what was learned. A parameter that is not given has the default
    of the agreement method.

    Parameters
    ----------
    agreement : {'posterior', 'inner', 'outer', 'none'}, default 'posterior'
        Agreement method: posterior, inner, outer or none. Posterior agrees by the posterior
        probability of each phrase pair. The others are the paper's methods: phrases and words
        (inner), phrases (outer), or no agreement (none). Default: posterior.
    iterations : int, optional
        Maximum number of EM iterations. Default: 40 with posterior, 10 with the paper's methods.
    tolerance : float, optional
        Training has converged when an iteration changes at most this share of the links; without
        it, all iterations run. Default: 0.01 with posterior, none with the paper's methods.
    floor : float, optional
        Probability that is added to p(f|e), so that unseen word pairs can be learned. Default: 0.2
        with posterior, 0.0003 with the paper's methods.
    background : {'frequency', 'flat'}, optional
        How the floor is shared: by the frequency of each word f, or flat. Default: frequency with
        posterior, flat with the paper's methods.
    prune : float, optional
        Minimum p(f|e) of the word pairs in the model. Default: 0.004 with posterior, 3e-05 with the
        paper's methods.
    word_smoothing : float, optional
        Pseudo-counts added to the total of each word, so that one count is no certainty. Default:
        3.0 with posterior, 0.0 with the paper's methods.
    length_smoothing : float, optional
        Pseudo-counts of every phrase length, so that none is impossible. Default: 1.0.
    seed_weight : float, optional
        Pseudo-counts of each seed entry. Default: 5.0 with posterior, 1.0 with the paper's methods.
    held_out : float, optional
        Share of the seed, up to 100 entries, that is not learned from but measures how good the run
        is. Default: 0.1 with posterior, 0.0 with the paper's methods.
    context : bool, optional
        Whether contexts of words, in phrases or sentences, are evidence. Default: yes with
        posterior, no with the paper's methods.
    spelling : bool, optional
        Whether words with a common beginning count as morphological variants, and words with
        similar spellings in both languages as cognates. Default: yes with posterior, no with the
        paper's methods.
    word_model : {'model1', 'model2', 'hmm'}, optional
        Word order in P(f|e): none (model1), positions (model2) or jumps (hmm). Default: model2 with
        posterior, model1 with the paper's methods.
    candidates : int, optional
        Maximum number of candidates of each phrase that are scored in full. Default: 100 with
        posterior, 20 with the paper's methods.
    training_matching : {'none', 'exact', 'greedy', 'intersection'}, optional
        Pairs that count in training: all, by their weight (none, posterior only); a one-to-one
        matching of maximum weight (exact or greedy); or those that are best in both directions
        (intersection). Default: none with posterior, intersection with the paper's methods.
    matching : {'none', 'exact', 'greedy', 'intersection'}, optional
        How the phrase pairs of the results are chosen: one translation per phrase, by a matching of
        maximum weight (exact or greedy); those that are best in both directions (intersection); or
        all that are confident (none, posterior only, the default of mine). Default: exact with
        posterior, intersection with the paper's methods.
    power : float, optional
        Exponent that turns the product of both posteriors into the weight of a pair; with the
        paper's methods, only to answer queries. Default: 0.7.
    max_words : int, optional
        Maximum words of a phrase; longer ones are skipped. Default: 20.
    min_confidence : float, optional
        Posterior only. Minimum confidence of the results. Default: 0.4.
    epsilon : float, optional
        Paper's methods only. Probability of a phrase without a translation: ε of Eq. 3. Default:
        1e-30.
    min_probability : float, optional
        Paper's methods only. Minimum p(f|e), in both directions, of the word pairs in the lexicon.
        With posterior, the old name of min_confidence. Default: 0.1.

    Attributes
    ----------
    lexicon_ : Table of LexiconEntry
        Word pairs with p(target|source) and p(source|target), by decreasing confidence. A table is
        a list that can be converted: `lexicon_.to_polars()`, `lexicon_.to_arrow()`.
    phrases_ : Table of PhrasePair
        Phrase pairs with log P in both directions, their word alignment and their confidence.
    trace_ : list of dict
        One dictionary per iteration, as in `trace.jsonl`.
    quality_ : Quality
        The estimated quality: held-out seed words, expected precision, whether the run has failed.
    changes_ : list of Change or None
        The pairs that are new, lost or changed, if the run continued another; else None.

    See Also
    --------
    learn : The same from files.
    mine : From two raw texts.

    Examples
    --------
    >>> from accord import Accord
    >>> german = ["das alte haus", "das rote haus", "die alte stadt", "die rote tür"]
    >>> english = ["the old house", "the red house", "the old town", "the red door"]
    >>> seed = [("haus", "house"), ("alte", "old"), ("die", "the")]
    >>> learned = Accord(agreement="inner").fit(german, english, seed)
    >>> learned
    Accord(agreement='inner')
    >>> learned.phrases_[2].target
    'the red door'
    """

    trace_: "list[TraceRow]"
    quality_: "Quality"
    changes_: "list[Change] | None"
    _model: "Trained"

    def __init__(
        self,
        *,
        agreement: Agreement = "posterior",
        iterations: int | None = None,
        tolerance: float | None = None,
        floor: float | None = None,
        background: Background | None = None,
        prune: float | None = None,
        word_smoothing: float | None = None,
        length_smoothing: float | None = None,
        seed_weight: float | None = None,
        held_out: float | None = None,
        context: bool | None = None,
        spelling: bool | None = None,
        word_model: WordModel | None = None,
        candidates: int | None = None,
        training_matching: Matching | None = None,
        matching: Matching | None = None,
        power: float | None = None,
        max_words: int | None = None,
        min_confidence: float | None = None,
        epsilon: float | None = None,
        min_probability: float | None = None,
    ) -> None:
        self.agreement = agreement
        self.iterations = iterations
        self.tolerance = tolerance
        self.floor = floor
        self.background = background
        self.prune = prune
        self.word_smoothing = word_smoothing
        self.length_smoothing = length_smoothing
        self.seed_weight = seed_weight
        self.held_out = held_out
        self.context = context
        self.spelling = spelling
        self.word_model = word_model
        self.candidates = candidates
        self.training_matching = training_matching
        self.matching = matching
        self.power = power
        self.max_words = max_words
        self.min_confidence = min_confidence
        self.epsilon = epsilon
        self.min_probability = min_probability
        # Parameters are stored as given, so that copies have the same. Reading the settings checks
        # them: a wrong value is best reported where it is given.
        _ = self.settings

    @property
    def settings(self) -> Settings:
        """The parameters as `Settings`: checked, with the defaults of the agreement method."""
        return Settings(**self.get_params())

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters as they were given, by name.

        Parameters
        ----------
        deep : bool, default True
            Has no effect: no parameter has parameters of its own. scikit-learn passes it.

        Returns
        -------
        dict
            The parameters; None for those that were not given.

        Examples
        --------
        >>> from accord import Accord
        >>> Accord(iterations=3).get_params()["iterations"]
        3
        """
        return {name: getattr(self, name) for name in SETTING_NAMES}

    def set_params(self, **params: Any) -> "Accord":
        """Set parameters by name; None stands for the default of the agreement method.

        Parameters
        ----------
        **params
            Parameters of `Accord`. All are checked together before any is set.

        Returns
        -------
        Accord
            This estimator.

        Examples
        --------
        >>> from accord import Accord
        >>> Accord().set_params(agreement="outer", iterations=3)
        Accord(agreement='outer', iterations=3)
        """
        for name in params:
            if name not in SETTING_NAMES:
                raise SettingError(f"{name}: no such setting; there are {', '.join(SETTING_NAMES)}")
        Settings(**self.get_params() | params)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the parameters that differ from the defaults."""
        defaults = {"agreement": "posterior", **find_defaults(self.agreement)}
        changed = (
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value not in (None, defaults.get(name))
        )
        return f"Accord({', '.join(changed)})"

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
        """Learn from phrases of space-separated words and a seed.

        The results do not depend on `threads`, `runner`, `ray_address` and `memory`.

        Parameters
        ----------
        source, target : iterable of str
            The phrases of each language.
        seed : iterable of tuples
            Seed entries (source, target). They may be reviewed: (source, target, "accepted" or
            "rejected"). Accepted phrase pairs are always in the results, rejected pairs never.
        decisions : path or iterable of tuples, optional
            A file of `accord review`, or reviewed entries. They override the seed.
        gold : iterable of (str, str), optional
            Gold phrase pairs, for F1 in the trace.
        source_vectors, target_vectors : path or mapping, optional
            Word vectors of each language as further evidence: a file, or vectors by word.
        threads : int, optional
            Number of threads. Default: one per core.
        runner : {'threads', 'ray'}, default 'threads'
            Where the search runs: here, or on Ray.
        ray_address : str, optional
            A running Ray. Default: the connected one, or else a new one.
        memory : str or int, optional
            Maximum memory of the search index, such as "500M" or "4G", or in bytes. Default:
            half of the free memory.
        out : path, optional
            Folder for the files of the run, like that of `accord learn`. Default: none are written.
        continue_from : path, optional
            Folder of a run whose model, phrases and seed are the start. Its settings are not used;
            `Accord.load(folder)` has them.
        force : bool, default False
            Replace another run in `out`.
        resume : bool, default False
            Continue an interrupted run in `out`.

        Returns
        -------
        Accord
            This estimator, with the results as attributes.

        Raises
        ------
        InputError
            If the phrases or the seed cannot be used.
        OutputError
            If `out` has the files of another run, or cannot be written.
        """
        # Imported here, since these load Numba, which takes a while.
        from accord.evidence.decisions import read_decisions
        from accord.runs.folder import RunFolder, choose_if_exists
        from accord.runs.inputs import Inputs
        from accord.runs.learn import learn
        from accord.system.runners.choice import running

        settings = self.settings
        start = None if continue_from is None else RunFolder(continue_from).read_trained()
        reviewed = None if decisions is None else read_decisions(decisions)
        inputs = Inputs.of(source, target, seed, gold, settings.max_words, start, reviewed)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        folder = None if out is None else RunFolder(out)
        with running(runner, threads, ray_address, memory) as workers:
            results = learn(
                inputs, settings, workers, folder, if_exists=choose_if_exists(force, resume)
            )
        self._set_results(results)
        return self

    @classmethod
    def load(cls, folder: str | Path) -> "Accord":
        """Load a finished run from its folder, as it was after `fit`.

        The model is mapped into memory; its word and phrase pairs are computed on first use.

        Parameters
        ----------
        folder : path
            Folder of a finished run.

        Returns
        -------
        Accord
            An estimator with the settings and the results of the run.

        Raises
        ------
        InputError
            If the folder has no finished run, or its files are damaged.
        """
        from accord.runs.folder import RunFolder

        run = RunFolder(folder)
        trained = run.read_trained()
        loaded = cls(agreement=trained.settings.agreement, **trained.settings.changed)
        loaded.trace_, loaded.quality_, loaded.changes_ = run.read_summary()
        loaded._set_model(trained)
        return loaded

    @classmethod
    def from_results(cls, results: "RunResults") -> "Accord":
        """Return a fitted estimator with the settings and the results of a run."""
        settings = results.trained.settings
        fitted = cls(agreement=settings.agreement, **settings.changed)
        fitted._set_results(results)
        return fitted

    @cached_property
    def lexicon_(self) -> "Table[LexiconEntry]":
        """Word pairs, by decreasing confidence."""
        from accord.runs.results import build_lexicon

        return build_lexicon(self._trained)

    @cached_property
    def phrases_(self) -> "Table[PhrasePair]":
        """Phrase pairs, sorted alphabetically."""
        from accord.runs.results import build_phrase_pairs

        return build_phrase_pairs(self._trained)

    def translate_phrase(
        self, phrase: str, top: int = 10, *, reverse: bool = False
    ) -> "Translations":
        """Return the best translations of a source phrase or word; of a target one in `reverse`.

        The phrase need not be one of the run; its translations are. For a single word they include
        all that both directions have learned, even with a confidence that is too low for the
        lexicon.

        Parameters
        ----------
        phrase : str
            Space-separated words, as in the phrases of the run.
        top : int, default 10
            Maximum number of translations.
        reverse : bool, default False
            Whether the phrase is in the target language.

        Returns
        -------
        Translations
            `phrases`, the translations, the best first; `words`, the word pairs of a single word;
            and `unknown`, the words of the phrase that are not in the model.
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

    def _set_results(self, results: "RunResults") -> None:
        self.lexicon_, self.phrases_ = results.lexicon, results.phrases
        self.trace_, self.quality_ = results.trace, results.quality
        self.changes_ = results.changes
        self._set_model(results.trained)

    def _set_model(self, model: "Trained") -> None:
        self._model = model
        self.__dict__.pop("_translator", None)  # of the model before
