"""The best new pairs of a run."""

from accord.runs.results import PhrasePair
from accord.runs.terms import find_best_terms


def pair(source: str, target: str, confidence: float | None) -> PhrasePair:
    return PhrasePair(source, target, -1.0, -1.0, (), confidence)


def test_terms_of_several_words_come_first() -> None:
    pairs = [
        pair("word", "wort", 0.9),
        pair("longer term", "längerer begriff", 0.8),
        pair("short term", "begriff", 0.7),
        pair("linux", "linux", 1.0),
        pair("given", "gegeben", 1.0),
    ]
    found = find_best_terms(pairs, [("given", "gegeben")], 20)
    assert [best.source for best in found] == ["longer term", "short term", "word"]
    assert [best.source for best in find_best_terms(pairs, [], 1)] == ["longer term"]


def test_each_phrase_appears_once() -> None:
    """With its most confident translation."""
    pairs = [pair("a", "x", 0.5), pair("a", "y", 0.8), pair("b", "y", 0.7), pair("y", "a", 0.4)]
    found = find_best_terms(pairs, [], 20)
    assert [best[:2] for best in found] == [("a", "y"), ("y", "a")]


def test_pairs_without_confidence_keep_the_order_of_the_alphabet() -> None:
    pairs = [pair("b", "y", None), pair("a", "x", None)]
    assert [best.source for best in find_best_terms(pairs, [], 20)] == ["a", "b"]
