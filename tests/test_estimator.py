"""The class Accord: its parameters are the settings, and it behaves as scikit-learn expects."""

import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, assert_type

import pytest

from accord import Accord, SettingError, Settings, learn
from accord.experiments.artificial import Planted
from accord.runs.quality import Quality
from accord.runs.results import LexiconEntry, PhrasePair, Table
from accord.settings import document_settings

Estimator = TypeVar("Estimator", bound=Accord)


def clone(estimator: Estimator) -> Estimator:
    """What sklearn.base.clone does with an estimator whose parameters are plain values."""
    given = estimator.get_params(deep=False)
    copy = estimator.__class__(**given)
    assert all(value is given[name] for name, value in copy.get_params(deep=False).items())
    return copy


# The parameters are the settings


def test_the_parameters_are_the_settings() -> None:
    parameters = [*inspect.signature(Accord).parameters.values()]
    assert [(p.name, p.default) for p in parameters] == [
        (s.name, s.default) for s in fields(Settings)
    ]
    for parameter, setting in zip(parameters, fields(Settings), strict=True):
        assert parameter.kind is parameter.KEYWORD_ONLY
        kind: Any = setting.type
        assert parameter.annotation == (kind if setting.default else kind | None)


def test_the_documented_parameters_are_the_settings() -> None:
    """If this fails, replace the section of Accord's docstring by what `document_settings` says."""
    documented = inspect.getdoc(Accord) or ""
    section = documented[documented.index("Parameters\n") : documented.index("\nAttributes\n")]
    assert section.strip() == document_settings()


def test_parameters_have_no_other_names() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'itrations'"):
        Accord(itrations=3)  # type: ignore[call-arg]


# As in scikit-learn


def test_a_clone_has_the_same_parameters() -> None:
    given = Accord(agreement="outer", iterations=3, tolerance=0.5)
    assert clone(given).get_params() == given.get_params()
    # The constructor stores what it is given, also under an old name.
    old = Accord(min_probability=0.3)
    assert old.get_params()["min_probability"] == clone(old).min_probability == 0.3
    assert old.settings == clone(old).settings == Settings(min_confidence=0.3)


def test_parameters_that_are_not_given_are_none() -> None:
    params = Accord(iterations=3).get_params(deep=True)
    assert {name: value for name, value in params.items() if value is not None} == {
        "agreement": "posterior",
        "iterations": 3,
    }


def test_setting_parameters() -> None:
    estimator = Accord(min_confidence=0.5)
    # Checked together: neither is valid without the other.
    assert estimator.set_params(agreement="inner", min_confidence=None) is estimator
    assert estimator.settings == Settings(agreement="inner")
    assert estimator.set_params() is estimator


def test_wrong_parameters_are_not_set() -> None:
    estimator = Accord(iterations=3)
    with pytest.raises(SettingError, match=r"^itrations: no such setting; there are agreement, it"):
        estimator.set_params(itrations=3)
    with pytest.raises(SettingError, match=r"^prune: must be between 0 and 1, found 2$"):
        estimator.set_params(iterations=4, prune=2)
    assert estimator.iterations == 3


def test_wrong_parameters_are_reported_where_they_are_given() -> None:
    with pytest.raises(SettingError, match=r"^iterations: must be .* at least 1, found 0$"):
        Accord(iterations=0)
    estimator = Accord()
    estimator.iterations = 0
    with pytest.raises(SettingError, match=r"^iterations: must be .* at least 1, found 0$"):
        estimator.fit(["a"], ["x"], [("a", "x")])


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(Accord()) == repr(Accord(agreement="posterior", iterations=40)) == "Accord()"
    assert repr(Accord(agreement="inner", iterations=10, word_model="hmm", context=False)) == (
        "Accord(agreement='inner', word_model='hmm')"
    )
    assert repr(Accord(context=False, held_out=0.0)) == "Accord(held_out=0.0, context=False)"


def test_a_loaded_run_has_the_parameters_that_it_was_given(small: Planted, tmp_path: Path) -> None:
    given = Accord(agreement="inner", iterations=2)
    fitted = given.fit(small.source, small.target, small.lexicon[:15], out=tmp_path)
    loaded = Accord.load(tmp_path)
    assert repr(loaded) == repr(fitted) == "Accord(agreement='inner', iterations=2)"
    assert clone(loaded).settings == fitted.settings


def test_types_of_a_users_script() -> None:
    """Checked by mypy, as the package has a file py.typed."""
    model = learn(["a b", "a"], ["x y", "x"], [("a", "x")], settings=Settings(agreement="inner"))
    assert_type(model, Accord)
    assert_type(model.lexicon_, Table[LexiconEntry])
    assert_type(model.phrases_[0], PhrasePair)
    assert_type(model.phrases_[0].forward, float)
    assert_type(model.lexicon_[0].confidence, float | None)
    assert_type(model.quality_, Quality)
    assert (Path(inspect.getfile(Accord)).parent / "py.typed").exists()
