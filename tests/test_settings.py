"""Limits of the settings, and that flags and keywords come from one place."""

import math
from dataclasses import fields
from typing import Any

import pytest

from accord import Accord, SettingError, Settings
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
        ("floor", 1e-310, "between 1e-100 and 1, both excluded"),
        ("floor", math.nan, "between 1e-100 and 1, both excluded"),
        ("floor", "small", "between 1e-100 and 1, both excluded"),
        ("prune", 2, "between 0 and 1"),
        ("length_smoothing", 0, "above 0, up to 1,000,000"),
        ("length_smoothing", math.inf, "above 0, up to 1,000,000"),
        ("candidates", 0, "a whole number of at least 1"),
        ("tolerance", -1, "between 0 and 1"),
        ("context", 1, "true or false"),
        ("power", 2, "between 0 and 2, both excluded"),
        ("word_smoothing", -1, "between 0 and 1,000,000"),
        ("matching", "none", "one of exact, greedy, intersection"),
        ("max_words", 0, "a whole number of at least 1"),
        ("min_probability", 1.1, "between 0 and 1"),
        ("epsilon", None, "between 0 and 1, both excluded"),
    ],
)
def test_limits(name: str, value: Any, rule: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}: must be {rule}, found {value}$"):
        Settings(**{name: value})


def test_defaults_go_by_the_kind_of_agreement() -> None:
    assert Settings().floor == 0.2
    assert Settings().word_model == "model2"
    assert Settings(agreement="outer").floor == 3e-4
    assert Settings(agreement="outer").matching == "intersection"
    assert Settings(agreement="outer", word_model="hmm").word_model == "hmm"


def test_the_papers_kinds_train_on_a_matching() -> None:
    with pytest.raises(SettingError, match=r"^training_matching: none is for agreement by post"):
        Settings(agreement="outer", training_matching="none")


def test_every_field_has_limits_and_help() -> None:
    for setting in fields(Settings):
        assert setting.metadata["help"].endswith(".")
        assert setting.metadata["limits"].words


def test_unknown_keyword() -> None:
    with pytest.raises(SettingError, match=r"^itrations: no such setting; there are agreement, it"):
        Accord(itrations=3)


def test_threads() -> None:
    with pytest.raises(SettingError, match=r"^threads: must be .* at least 1, found 0$"):
        Threads(0)
    assert Threads().threads >= 1


def test_every_setting_is_a_flag(accord: Run) -> None:
    text = accord("learn", "--help").stdout
    for setting in fields(Settings):
        assert f"--{setting.name.replace('_', '-')}" in text
