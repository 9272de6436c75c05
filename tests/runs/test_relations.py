"""How pairs that share a phrase relate to each other."""

from accord.formats.records import Relation
from accord.runs.relations import relate_pairs


def relate(*pairs: tuple[str, str, float]) -> list[Relation]:
    return relate_pairs([pair[:2] for pair in pairs], [pair[2] for pair in pairs])


def test_a_pair_alone_is_the_best() -> None:
    assert relate(("a", "x", 0.4), ("b", "y", 0.9)) == ["best", "best"]
    assert relate() == []


def test_other_forms_are_variants_and_other_words_are_alternatives() -> None:
    found = relate(
        ("distribution", "发行版", 0.9),
        ("distributions", "发行版", 0.8),
        ("distro", "发行版", 0.7),
        ("linux distribution", "发行版", 0.6),
    )
    assert found == ["best", "variant", "alternative", "alternative"]


def test_each_word_of_a_variant_is_the_same_or_another_form() -> None:
    found = relate(
        ("open windows", "offene fenster", 0.9),
        ("open windows", "offenes fenster", 0.8),
        ("open windows", "offene türen", 0.7),
        ("open window", "offene fenster", 0.6),
    )
    assert found == ["best", "variant", "alternative", "variant"]


def test_either_side_may_have_a_better_pair() -> None:
    """The best translation of a phrase need not be the best pair of its translation."""
    found = relate(("house", "haus", 0.9), ("home", "haus", 0.8), ("home", "heim", 0.5))
    assert found == ["best", "alternative", "alternative"]


def test_pairs_that_look_equal_are_equal() -> None:
    assert relate(("a", "x", 0.80004), ("a", "y", 0.80001)) == ["best", "best"]
    assert relate(("a", "x", 0.8), ("a", "y", 0.801)) == ["alternative", "best"]


def test_swapped_languages_have_the_same_relations() -> None:
    pairs = [("a", "x", 0.8), ("a", "y", 0.8), ("b", "y", 0.9), ("areas", "y", 0.3)]
    swapped = [(f, e, confidence) for e, f, confidence in pairs]
    assert relate(*pairs) == relate(*swapped)
