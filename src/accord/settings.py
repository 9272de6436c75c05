"""Every setting of a run, with its defaults, its limits and its help.

Accord has two algorithms, and each has a complete configuration of its own:

POSTERIOR_DEFAULTS  posterior agreement, the default method
PAPER_DEFAULTS      the paper's methods: inner, outer, none

A setting means the same in both. One that a configuration does not list is not used by its methods:
its value is None there, and giving one is an error.

The command line derives its flags from the fields of `Settings`, and `run.json` records them.
`Accord(...)` spells them out for editors: a test fails until its parameters are those of here.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from inspect import cleandoc
from textwrap import wrap
from typing import Any, Literal, get_args, get_origin

from accord.errors import SettingError

Agreement = Literal["posterior", "inner", "outer", "none"]
Background = Literal["frequency", "flat"]
WordModel = Literal["model1", "model2", "hmm"]
Matching = Literal["none", "exact", "greedy", "intersection"]

Defaults = Mapping[str, float | str | None]

POSTERIOR_DEFAULTS: Defaults = {
    "iterations": 40,
    "tolerance": 0.01,
    "floor": 0.2,
    "background": "frequency",
    "prune": 0.004,
    "word_smoothing": 3.0,
    "length_smoothing": 1.0,
    "seed_weight": 5.0,
    "held_out": 0.1,
    "context": True,
    "spelling": True,
    "word_model": "model2",
    "candidates": 100,
    "training_matching": "none",
    "matching": "exact",
    "power": 0.7,
    "max_words": 20,
    # Of this method only:
    "min_confidence": 0.4,
}
PAPER_DEFAULTS: Defaults = {
    "iterations": 10,
    "tolerance": None,
    "floor": 3e-4,
    "background": "flat",
    "prune": 3e-5,
    "word_smoothing": 0.0,
    "length_smoothing": 1.0,
    "seed_weight": 1.0,
    "held_out": 0.0,
    "context": False,
    "spelling": False,
    "word_model": "model1",
    "candidates": 20,
    "training_matching": "intersection",
    "matching": "intersection",
    "power": 0.7,
    "max_words": 20,
    # Of these methods only:
    "epsilon": 1e-30,
    "min_probability": 0.1,
}
# `mine` delivers all translations that are confident enough: readers of a text want to know all.
MINE_MATCHING = "none"
PAPER_METHODS = "the paper's methods (inner, outer, none)"


def find_defaults(agreement: str) -> Defaults:
    """Return the configuration of an agreement method."""
    return POSTERIOR_DEFAULTS if agreement == "posterior" else PAPER_DEFAULTS


@dataclass(frozen=True)
class Limits:
    """The values that a setting may have, in words and as a test."""

    description: str
    accept: Callable[[Any], bool]

    def include(self, value: object) -> bool:
        """Return whether the value is within the limits; one that cannot be compared is not."""
        try:
            return self.accept(value)
        except (TypeError, ValueError, OverflowError):
            return False


# The search adds up log(1 + p(f|e) / floor) as 32-bit integers, which end at a ratio of e³².
LEAST_FLOOR = 1e-13

FLOOR = Limits(f"between {LEAST_FLOOR} and 1, both excluded", lambda x: LEAST_FLOOR < x < 1)
INSIDE_0_1 = Limits("between 0 and 1, both excluded", lambda x: 0 < x < 1)
FROM_0_TO_1 = Limits("between 0 and 1", lambda x: 0 <= x <= 1)
INSIDE_0_2 = Limits("between 0 and 2, both excluded", lambda x: 0 < x < 2)
FROM_0_TO_A_MILLION = Limits("between 0 and 1,000,000", lambda x: 0 <= x <= 1e6)
FROM_0_TO_A_HALF = Limits("between 0 and 0.5", lambda x: 0 <= x <= 0.5)
UP_TO_A_MILLION = Limits("above 0, up to 1,000,000", lambda x: 0 < x <= 1e6)
AT_LEAST_1 = Limits("a whole number of at least 1", lambda n: type(n) is int and n >= 1)
TRUE_OR_FALSE = Limits("true or false", lambda x: type(x) is bool)


def _one_of(choices: Any) -> Limits:
    return Limits("one of " + ", ".join(get_args(choices)), get_args(choices).__contains__)


def _setting(limits: Limits, description: str, default: str | None = None) -> Any:
    """Declare a setting. Until `Settings` are made, None stands for the default of the method."""
    return field(default=default, metadata={"limits": limits, "description": description})


@dataclass(frozen=True)
class Settings:
    """The settings of one run, checked and complete.

    A setting that is not given has the default of the agreement method. One that the method does
    not use is None, and giving it is an error. The tolerance may be None, too: it is off then.
    """

    agreement: Agreement = _setting(
        _one_of(Agreement),
        "Agreement method: posterior, inner, outer or none. Posterior agrees by the posterior "
        "probability of each phrase pair. The others are the paper's methods: phrases and words "
        "(inner), phrases (outer), or no agreement (none). Default: posterior.",
        default="posterior",
    )
    iterations: int = _setting(AT_LEAST_1, "Maximum number of EM iterations.")
    tolerance: float | None = _setting(
        FROM_0_TO_1,
        "Training has converged when an iteration changes at most this share of the links; "
        "without it, all iterations run.",
    )
    floor: float = _setting(
        FLOOR, "Probability that is added to p(f|e), so that unseen word pairs can be learned."
    )
    background: Background = _setting(
        _one_of(Background),
        "How the floor is shared: by the frequency of each word f, or flat.",
    )
    prune: float = _setting(FROM_0_TO_1, "Minimum p(f|e) of the word pairs in the model.")
    word_smoothing: float = _setting(
        FROM_0_TO_A_MILLION,
        "Pseudo-counts added to the total of each word, so that one count is no certainty.",
    )
    length_smoothing: float = _setting(
        UP_TO_A_MILLION, "Pseudo-counts of every phrase length, so that none is impossible."
    )
    seed_weight: float = _setting(UP_TO_A_MILLION, "Pseudo-counts of each seed entry.")
    held_out: float = _setting(
        FROM_0_TO_A_HALF,
        "Share of the seed, up to 100 entries, that is not learned from but measures how good the "
        "run is.",
    )
    context: bool = _setting(
        TRUE_OR_FALSE, "Whether contexts of words, in phrases or sentences, are evidence."
    )
    spelling: bool = _setting(
        TRUE_OR_FALSE,
        "Whether words with a common beginning count as morphological variants, and words with "
        "similar spellings in both languages as cognates.",
    )
    word_model: WordModel = _setting(
        _one_of(WordModel),
        "Word order in P(f|e): none (model1), positions (model2) or jumps (hmm).",
    )
    candidates: int = _setting(
        AT_LEAST_1, "Maximum number of candidates of each phrase that are scored in full."
    )
    training_matching: Matching = _setting(
        _one_of(Matching),
        "Pairs that count in training: all, by their weight (none, posterior only); a one-to-one "
        "matching of maximum weight (exact or greedy); or those that are best in both directions "
        "(intersection).",
    )
    matching: Matching = _setting(
        _one_of(Matching),
        "How the phrase pairs of the results are chosen: one translation per phrase, by a matching "
        "of maximum weight (exact or greedy); those that are best in both directions "
        "(intersection); or all that are confident (none, posterior only, the default of mine).",
    )
    power: float = _setting(
        INSIDE_0_2,
        "Exponent that turns the product of both posteriors into the weight of a pair; with the "
        "paper's methods, only to answer queries.",
    )
    max_words: int = _setting(AT_LEAST_1, "Maximum words of a phrase; longer ones are skipped.")
    min_confidence: float = _setting(FROM_0_TO_1, "Minimum confidence of the results.")
    epsilon: float = _setting(
        INSIDE_0_1, "Probability of a phrase without a translation: ε of Eq. 3."
    )
    min_probability: float = _setting(
        FROM_0_TO_1,
        "Minimum p(f|e), in both directions, of the word pairs in the lexicon. "
        "With posterior, the old name of min_confidence.",
    )

    def __post_init__(self) -> None:
        if self.agreement is None:
            self._set("agreement", "posterior")
        if self.agreement == "posterior":
            self._replace_old_name()
        defaults = find_defaults(self.agreement)
        for setting in fields(self):
            name, limits = setting.name, setting.metadata["limits"]
            value = getattr(self, name)
            if value is None:
                self._set(name, defaults.get(name))
            elif not (name == "agreement" or name in defaults):
                raise SettingError(
                    f"{name}: is for {find_users(name)} only, found agreement {self.agreement}; "
                    "omit it, or choose another agreement method"
                )
            elif not limits.include(value):
                raise SettingError(f"{name}: must be {limits.description}, found {value}")
        for name in ("training_matching", "matching"):
            if getattr(self, name) == "none" and self.agreement != "posterior":
                raise SettingError(
                    f"{name}: none is for posterior agreement only, found agreement "
                    f"{self.agreement}; choose exact, greedy or intersection"
                )

    def _replace_old_name(self) -> None:
        """Read min_probability as min_confidence, which it once was with posterior agreement."""
        if self.min_probability is None:
            return
        if self.min_confidence is not None:
            raise SettingError(
                "min_probability: is the old name of min_confidence with posterior agreement, "
                "found both; omit min_probability"
            )
        self._set("min_confidence", self.min_probability)
        self._set("min_probability", None)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def used(self) -> dict[str, Any]:
        """The settings that the method uses, by name."""
        names = {"agreement", *find_defaults(self.agreement)}
        return {name: value for name, value in asdict(self).items() if name in names}

    @property
    def changed(self) -> dict[str, Any]:
        """The settings that differ from the defaults of the method, by name."""
        defaults = find_defaults(self.agreement)
        return {
            name: value for name, value in self.used.items() if value != defaults.get(name, value)
        }

    def update(self, given: dict[str, Any]) -> "Settings":
        """Return these settings with the given ones in their place.

        Another agreement method starts from its own defaults.
        """
        if given.get("agreement", self.agreement) != self.agreement:
            return Settings(**given)
        kept = self.used
        if "min_probability" in given:
            kept.pop("min_confidence", None)
        return Settings(**kept | given)

    @classmethod
    def for_texts(cls, **given: Any) -> "Settings":
        """Return the settings of `mine`: phrases of a text may have several translations."""
        if given.get("agreement") in (None, "posterior"):
            given = {"matching": MINE_MATCHING} | given
        return cls(**given)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Settings":
        """Return the settings that a run.json records.

        It may be older than `min_confidence`, and have values of settings that were not used.
        """
        used = find_defaults(record["agreement"])
        unused = {*POSTERIOR_DEFAULTS, *PAPER_DEFAULTS} - {*used}
        if record.get("min_confidence") is None:
            unused.discard("min_probability")
        return cls(**{name: value for name, value in record.items() if name not in unused})


def find_users(name: str) -> str | None:
    """Return which methods alone use a setting, or None if all do."""
    if name not in PAPER_DEFAULTS:
        return "posterior agreement"
    return None if name in POSTERIOR_DEFAULTS else PAPER_METHODS


def describe_setting(setting: "Field[Any]") -> str:
    """Return the help of a setting: which methods use it, what it sets, and its defaults."""
    description: str = setting.metadata["description"]
    name = setting.name
    if name == "agreement":
        return description
    if name not in PAPER_DEFAULTS:
        default = _show(POSTERIOR_DEFAULTS[name])
        return f"Posterior only. {description} Default: {default}."
    paper = _show(PAPER_DEFAULTS[name])
    if name not in POSTERIOR_DEFAULTS:
        return f"Paper's methods only. {description} Default: {paper}."
    posterior = _show(POSTERIOR_DEFAULTS[name])
    if posterior == paper:
        return f"{description} Default: {paper}."
    return f"{description} Default: {posterior} with posterior, {paper} with the paper's methods."


def document_settings(width: int = 96) -> str:
    """Return the parameters section of a docstring in NumPy style, with every setting."""
    lines = ["Parameters", "----------"]
    for setting in fields(Settings):
        default = f"default {setting.default!r}" if setting.default else "optional"
        lines.append(f"{setting.name} : {_describe_type(setting.type)}, {default}")
        lines += wrap(
            describe_setting(setting), width, initial_indent="    ", subsequent_indent="    "
        )
    return "\n".join(lines)


def _describe_type(kind: Any) -> str:
    choices = get_args(kind)
    if get_origin(kind) is Literal:
        return f"{{{', '.join(map(repr, choices))}}}"
    return str((choices[0] if choices else kind).__name__)


def _show(value: float | str | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value}"


Settings.__doc__ = f"{cleandoc(Settings.__doc__ or '')}\n\n{document_settings()}\n"
