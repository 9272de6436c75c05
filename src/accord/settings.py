"""Every setting of a run, with its default, its limits and its one sentence of help.

The command line makes its flags from these fields, `Accord(...)` takes them as keywords, and
`run.json` records them: a setting is added here and nowhere else.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from accord.errors import SettingError

Agreement = Literal["posterior", "inner", "outer", "none"]
Background = Literal["frequency", "flat"]
WordModel = Literal["model1", "model2", "hmm"]
Matching = Literal["exact", "greedy", "intersection"]
TrainingMatching = Literal["none", "exact", "greedy", "intersection"]


@dataclass(frozen=True)
class Limits:
    """What a setting may be: the words for the message and the test itself."""

    words: str
    hold: Callable[[Any], bool]


# Far above what divides to infinity.
A_FLOOR = Limits("between 1e-100 and 1, both excluded", lambda x: 1e-100 < x < 1)
INSIDE_0_1 = Limits("between 0 and 1, both excluded", lambda x: 0 < x < 1)
FROM_0_TO_1 = Limits("between 0 and 1", lambda x: 0 <= x <= 1)
INSIDE_0_2 = Limits("between 0 and 2, both excluded", lambda x: 0 < x < 2)
FROM_0_TO_A_MILLION = Limits("between 0 and 1,000,000", lambda x: 0 <= x <= 1e6)
HALF_AT_MOST = Limits("between 0 and 0.5", lambda x: 0 <= x <= 0.5)
UP_TO_A_MILLION = Limits("above 0, up to 1,000,000", lambda x: 0 < x <= 1e6)
AT_LEAST_1 = Limits("a whole number of at least 1", lambda n: type(n) is int and n >= 1)
TRUE_OR_FALSE = Limits("true or false", lambda x: type(x) is bool)


def _one_of(kind: Any) -> Limits:
    return Limits("one of " + ", ".join(get_args(kind)), get_args(kind).__contains__)


def _setting(default: Any, limits: Limits, words: str) -> Any:
    return field(default=default, metadata={"limits": limits, "help": words})


def _by_agreement(posterior: Any, paper: Any, limits: Limits, words: str) -> Any:
    """A setting with one default for agreement by posteriors and another for the paper's kinds."""
    words = f"{words} Default: {_shown(posterior)} with posterior, {_shown(paper)} otherwise."
    metadata = {"limits": limits, "help": words, "posterior": posterior, "paper": paper}
    return field(default=None, metadata=metadata)


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


@dataclass(frozen=True)
class Settings:
    """The settings of one run; making one checks them."""

    agreement: Agreement = _setting(
        "posterior",
        _one_of(Agreement),
        "On what the two models must agree: how probable each pair of phrases is (posterior); or, "
        "as in the paper, phrases and words (inner), phrases (outer), or nothing (none).",
    )
    iterations: int = _by_agreement(40, 10, AT_LEAST_1, "Iterations of EM, at most.")
    epsilon: float = _setting(
        1e-30,
        INSIDE_0_1,
        "Probability of a phrase that has no translation: ε of Eq. 3. Agreement by posteriors "
        "learns how many there are instead.",
    )
    floor: float = _by_agreement(
        0.2, 3e-4, A_FLOOR, "Added to every p(f|e), so that words never counted can be learned."
    )
    background: Background = _by_agreement(
        "frequency",
        "flat",
        _one_of(Background),
        "Whether the floor is for each word in proportion to its frequency, or flat.",
    )
    prune: float = _by_agreement(
        0.004, 3e-5, FROM_0_TO_1, "Word pairs of a lower probability are dropped."
    )
    word_smoothing: float = _by_agreement(
        3.0,
        0.0,
        FROM_0_TO_A_MILLION,
        "Added to the sum of the counts of each word, so that one sighting is no certainty.",
    )
    seed_weight: float = _by_agreement(
        5.0, 1.0, UP_TO_A_MILLION, "How many sightings an entry of the seed is worth."
    )
    length_smoothing: float = _setting(
        1.0, UP_TO_A_MILLION, "Added to every length count, so that unseen lengths stay possible."
    )
    word_model: WordModel = _by_agreement(
        "model2",
        "model1",
        _one_of(WordModel),
        "What P(f|e) knows of word order: nothing (model1), positions (model2) or jumps (hmm).",
    )
    candidates: int = _by_agreement(
        100,
        20,
        AT_LEAST_1,
        "How many of the best phrases of each phrase are looked at closely, at most.",
    )
    power: float = _setting(
        0.7,
        INSIDE_0_2,
        "A pair counts by the product of its two posteriors, to this power.",
    )
    context: bool = _by_agreement(
        True,
        False,
        TRUE_OR_FALSE,
        "Whether words are first paired by the words they stand beside.",
    )
    spelling: bool = _by_agreement(
        True,
        False,
        TRUE_OR_FALSE,
        "Whether words that begin alike are taken for forms of one word, and words that both "
        "languages spell alike for each other's translation.",
    )
    training_matching: TrainingMatching = _by_agreement(
        "none",
        "intersection",
        _one_of(TrainingMatching),
        "Which pairs count in training: all by their weight (none, posterior only), a one-to-one "
        "matching of greatest weight (exact, or greedily), or those that are best both ways.",
    )
    matching: Matching = _by_agreement(
        "exact", "intersection", _one_of(Matching), "The same for the phrase pairs in the results."
    )
    tolerance: float | None = _by_agreement(
        0.01,
        None,
        FROM_0_TO_1,
        "Stop when at most this share of the links changed (0: when none did); "
        "with none, all iterations run.",
    )
    max_words: int = _setting(20, AT_LEAST_1, "Phrases of more words are skipped and counted.")
    min_probability: float = _by_agreement(
        0.4,
        0.1,
        FROM_0_TO_1,
        "With posterior, pairs are given from this probability of being right on; otherwise, word "
        "pairs enter the lexicon from this p(f|e) in both directions.",
    )
    held_out: float = _by_agreement(
        0.1,
        0.0,
        HALF_AT_MOST,
        "Share of the seed that is not learned from, but kept to tell how well the run has done.",
    )

    def __post_init__(self) -> None:
        kind = "posterior" if self.agreement == "posterior" else "paper"
        for setting in fields(self):
            if kind in setting.metadata and getattr(self, setting.name) is None:
                object.__setattr__(self, setting.name, setting.metadata[kind])
            value, limits = getattr(self, setting.name), setting.metadata["limits"]
            if value is None and setting.default is None:
                continue
            if not _holds(limits, value):
                raise SettingError(f"{setting.name}: must be {limits.words}, found {value}")
        if self.training_matching == "none" and self.agreement != "posterior":
            raise SettingError("training_matching: none is for agreement by posteriors only")


def _holds(limits: Limits, value: object) -> bool:
    """Whether the value is within its limits; what cannot even be compared is not."""
    try:
        return limits.hold(value)
    except (TypeError, ValueError, OverflowError):
        return False
