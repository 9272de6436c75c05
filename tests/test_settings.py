"""Limits of the settings, and that flags and keywords come from one place."""

import math
import re
from dataclasses import asdict, fields
from typing import Any, get_args

import pytest

from accord import SettingError, Settings
from accord.runs.record import extract_signature, make_record
from accord.settings import (
    PAPER_DEFAULTS,
    PAPER_METHODS,
    POSTERIOR_DEFAULTS,
    Agreement,
    describe_setting,
    document_settings,
    find_users,
)
from accord.system.runners.threads import Threads
from tests.conftest import Run


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("agreement", "both", "one of posterior, inner, outer, none"),
        ("iterations", 0, "a whole number of at least 1"),
        ("iterations", 1.5, "a whole number of at least 1"),
        ("iterations", math.inf, "a whole number of at least 1"),
        ("candidates", 20.0, "a whole number of at least 1"),
        ("epsilon", 0, "between 0 and 1, both excluded"),
        ("epsilon", 1, "between 0 and 1, both excluded"),
        ("floor", 1e-13, "between 1e-13 and 1, both excluded"),
        ("floor", math.nan, "between 1e-13 and 1, both excluded"),
        ("floor", "small", "between 1e-13 and 1, both excluded"),
        ("prune", 2, "between 0 and 1"),
        ("length_smoothing", 0, "above 0, up to 1,000,000"),
        ("length_smoothing", math.inf, "above 0, up to 1,000,000"),
        ("candidates", 0, "a whole number of at least 1"),
        ("tolerance", -1, "between 0 and 1"),
        ("context", 1, "true or false"),
        ("power", 2, "between 0 and 2, both excluded"),
        ("word_smoothing", -1, "between 0 and 1,000,000"),
        ("matching", "best", "one of none, exact, greedy, intersection"),
        ("max_words", 0, "a whole number of at least 1"),
        ("min_confidence", 1.1, "between 0 and 1"),
    ],
)
def test_limits(name: str, value: Any, rule: str) -> None:
    values = {name: value} if name != "epsilon" else {name: value, "agreement": "outer"}
    with pytest.raises(SettingError, match=f"^{name}: must be {rule}, found {value}$"):
        Settings(**values)


# Two algorithms, two configurations


@pytest.mark.parametrize("agreement", get_args(Agreement))
def test_defaults_are_those_of_the_method(agreement: Agreement) -> None:
    settings = Settings(agreement=agreement)
    defaults: Any = POSTERIOR_DEFAULTS if agreement == "posterior" else PAPER_DEFAULTS
    assert settings.used == {"agreement": agreement} | defaults
    for name, value in asdict(settings).items():
        assert name in settings.used or value is None
    for name in defaults.keys() - {"tolerance"}:
        assert Settings(agreement=agreement, **{name: defaults[name]}) == settings


def test_a_given_setting_is_kept() -> None:
    assert Settings(agreement="outer", word_model="hmm").word_model == "hmm"
    assert Settings(agreement="outer", tolerance=0.0).tolerance == 0.0


def test_every_setting_is_in_a_configuration() -> None:
    names = [setting.name for setting in fields(Settings)]
    assert {*names} == {"agreement", *POSTERIOR_DEFAULTS, *PAPER_DEFAULTS}
    # Shared settings come first, then those of posterior agreement, then those of the paper.
    users = [find_users(name) for name in names[1:]]
    assert users == sorted(users, key=(None, "posterior agreement", PAPER_METHODS).index)


@pytest.mark.parametrize(
    ("agreement", "name", "words"),
    [
        ("posterior", "epsilon", "the paper's methods (inner, outer, none) only, found agreement"),
        ("inner", "min_confidence", "posterior agreement only, found agreement inner; omit it"),
        ("none", "min_confidence", "posterior agreement only, found agreement none; omit it"),
    ],
)
def test_a_setting_of_the_other_algorithm(agreement: Any, name: str, words: str) -> None:
    with pytest.raises(SettingError, match=re.escape(f"{name}: is for {words}")):
        Settings(**{"agreement": agreement, name: 0.5})


def test_the_papers_methods_train_on_a_matching() -> None:
    for name in ("training_matching", "matching"):
        message = f"^{name}: none is for posterior agreement only, found agreement outer; "
        with pytest.raises(SettingError, match=message):
            Settings.from_record({"agreement": "outer", name: "none"})


def test_phrases_of_texts_may_have_several_translations() -> None:
    assert Settings.for_texts() == Settings(matching="none")
    assert Settings.for_texts(iterations=3, matching="exact") == Settings(iterations=3)
    assert Settings.for_texts(agreement="inner") == Settings(agreement="inner")


def test_the_old_name_of_min_confidence() -> None:
    assert Settings(min_probability=0.6) == Settings(min_confidence=0.6)
    assert Settings(min_probability=0.0).min_confidence == 0.0
    assert Settings(agreement="inner", min_probability=0.6).min_probability == 0.6
    with pytest.raises(SettingError, match=r"^min_probability: is the old name of min_confidence"):
        Settings(min_probability=0.6, min_confidence=0.6)


def test_updated_settings() -> None:
    settings = Settings(iterations=3, min_confidence=0.6)
    assert settings.update({"power": 1.0}) == Settings(iterations=3, min_confidence=0.6, power=1.0)
    assert settings.update({"min_probability": 0.2}) == Settings(iterations=3, min_confidence=0.2)
    assert settings.update({"agreement": "outer", "prune": 0.1}) == Settings(
        agreement="outer", prune=0.1
    )


@pytest.mark.parametrize("agreement", get_args(Agreement))
def test_records_are_read(agreement: Agreement) -> None:
    settings = Settings(agreement=agreement, iterations=7)
    assert Settings.from_record(asdict(settings)) == settings


def test_old_records_are_read() -> None:
    """They have values of settings that were not used, and no min_confidence."""
    old = {"iterations": 7, "epsilon": 1e-30, "power": 0.7, "min_probability": 0.2}
    posterior = Settings.from_record({"agreement": "posterior"} | old)
    assert posterior == Settings(iterations=7, min_confidence=0.2)
    inner = Settings.from_record({"agreement": "inner"} | old)
    assert inner == Settings(agreement="inner", iterations=7, power=0.7, min_probability=0.2)


def test_old_and_new_records_have_the_same_signature() -> None:
    settings = Settings(min_confidence=0.2)
    new = make_record(settings, {}, {}, None)
    old = new | {"settings": settings.used | {"epsilon": 1e-30, "min_probability": 0.2}}
    del old["settings"]["min_confidence"]
    assert extract_signature(old) == extract_signature(new)


def test_help_says_which_methods_use_a_setting() -> None:
    described = {setting.name: describe_setting(setting) for setting in fields(Settings)}
    assert all(text.endswith(".") for text in described.values())
    assert described["iterations"].endswith("40 with posterior, 10 with the paper's methods.")
    assert described["max_words"].endswith("skipped. Default: 20.")
    assert described["min_confidence"].startswith("Posterior only. ")
    assert described["epsilon"].startswith("Paper's methods only. ")
    assert all(setting.metadata["limits"].description for setting in fields(Settings))


# The other ways to give them


def test_changed_settings() -> None:
    assert Settings(agreement="outer", iterations=10, tolerance=0.1, power=1.0).changed == {
        "tolerance": 0.1,
        "power": 1.0,
    }
    assert Settings(agreement="inner").changed == {}


def test_settings_document_their_parameters() -> None:
    documented = Settings.__doc__ or ""
    assert documented.startswith("The settings of one run, checked and complete.\n\n")
    assert documented.endswith(document_settings() + "\n")
    assert (
        "\nagreement : {'posterior', 'inner', 'outer', 'none'}, default 'posterior'\n" in documented
    )
    assert "\ntolerance : float, optional\n    Training has converged when" in documented


def test_threads() -> None:
    with pytest.raises(SettingError, match=r"^threads: must be .* at least 1, found 0$"):
        Threads(0)
    assert Threads().threads >= 1


def test_every_setting_is_a_flag(accord: Run) -> None:
    text = accord("learn", "--help-all").stdout
    for setting in fields(Settings):
        assert f"--{setting.name.replace('_', '-')}" in text
