"""Accord learns bilingual lexicons and phrase tables from text that is not parallel."""

from accord.api import (
    apply,
    evaluate,
    export,
    extract_phrases,
    learn,
    load,
    mine,
    query,
    report,
    select_seed,
)
from accord.errors import AccordError, InputError, OutputError, SettingError
from accord.estimator import Accord
from accord.settings import Settings
from accord.version import __version__

__all__ = [
    "Accord",
    "AccordError",
    "InputError",
    "OutputError",
    "SettingError",
    "Settings",
    "__version__",
    "apply",
    "evaluate",
    "export",
    "extract_phrases",
    "learn",
    "load",
    "mine",
    "query",
    "report",
    "select_seed",
]
