"""Accord learns bilingual lexicons and phrase tables from text that is not parallel."""

from accord.api import (
    adapt,
    apply,
    evaluate,
    export,
    extract_phrases,
    import_seed,
    learn,
    list_languages,
    load,
    make_experiment,
    mine,
    query,
    report,
    reproduce_paper,
    review,
    run_demo,
    select_seed,
    train_language_model,
    translate_sentences,
    write_sample,
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
    "adapt",
    "apply",
    "evaluate",
    "export",
    "extract_phrases",
    "import_seed",
    "learn",
    "list_languages",
    "load",
    "make_experiment",
    "mine",
    "query",
    "report",
    "reproduce_paper",
    "review",
    "run_demo",
    "select_seed",
    "train_language_model",
    "translate_sentences",
    "write_sample",
]
