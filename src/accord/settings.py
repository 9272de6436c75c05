"""Every setting of a run, with its default, its limits and its one sentence of help.

The command line makes its flags from these fields, `Accord(...)` takes them as keywords, and
`run.json` records them: a setting is added here and nowhere else.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from accord.errors import SettingError

Agreement = Literal["inner", "outer", "none"]


@dataclass(frozen=True)
class Limits:
    """What a setting may be: the words for the message and the test itself."""

    words: str
    hold: Callable[[Any], bool]


# Far above what divides to infinity.
A_FLOOR = Limits("between 1e-100 and 1, both excluded", lambda x: 1e-100 < x < 1)
INSIDE_0_1 = Limits("between 0 and 1, both excluded", lambda x: 0 < x < 1)
FROM_0_TO_1 = Limits("between 0 and 1", lambda x: 0 <= x <= 1)
UP_TO_A_MILLION = Limits("between 0 and 1,000,000", lambda x: 0 < x <= 1e6)
AT_LEAST_1 = Limits("a whole number of at least 1", lambda n: type(n) is int and n >= 1)
AN_AGREEMENT = Limits("one of " + ", ".join(get_args(Agreement)), get_args(Agreement).__contains__)


def _setting(default: Any, limits: Limits, words: str) -> Any:
    return field(default=default, metadata={"limits": limits, "help": words})


@dataclass(frozen=True)
class Settings:
    """The settings of one run; making one checks them."""

    agreement: Agreement = _setting(
        "inner",
        AN_AGREEMENT,
        "On what the two models must agree: phrases and words (inner), phrases (outer), "
        "or nothing (none, the baseline).",
    )
    iterations: int = _setting(10, AT_LEAST_1, "Iterations of Viterbi EM.")
    epsilon: float = _setting(
        1e-30, INSIDE_0_1, "Probability of a phrase that has no translation: ε of Eq. 3."
    )
    floor: float = _setting(
        3e-4, A_FLOOR, "Added to every p(f|e), so that words never counted can be learned."
    )
    prune: float = _setting(
        0.1,
        FROM_0_TO_1,
        "Word pairs whose probability is under this share of the floor are dropped.",
    )
    length_smoothing: float = _setting(
        1.0, UP_TO_A_MILLION, "Added to every length count, so that unseen lengths stay possible."
    )
    candidates: int = _setting(
        20, AT_LEAST_1, "How many of the best phrases inner agreement reranks."
    )
    tolerance: float | None = _setting(
        None,
        FROM_0_TO_1,
        "Stop when at most this share of the links changed (0: when none did); "
        "without it, all iterations run.",
    )
    max_words: int = _setting(20, AT_LEAST_1, "Phrases of more words are skipped and counted.")
    min_probability: float = _setting(
        0.1, FROM_0_TO_1, "Word pairs enter the lexicon from this probability in both directions."
    )

    def __post_init__(self) -> None:
        for setting in fields(self):
            value, limits = getattr(self, setting.name), setting.metadata["limits"]
            if value is None and setting.default is None:
                continue
            if not _holds(limits, value):
                raise SettingError(f"{setting.name}: must be {limits.words}, found {value}")


def _holds(limits: Limits, value: object) -> bool:
    """Whether the value is within its limits; what cannot even be compared is not."""
    try:
        return limits.hold(value)
    except (TypeError, ValueError, OverflowError):
        return False
