"""Constituents of bracketed trees."""

import bz2
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.text.constituents import read_constituents
from accord.errors import InputError

SENTENCE = """\
( (S
    (NP-SBJ-1 (DT The) (NN dog))
    (VP (VBD seemed)
      (S (NP-SBJ (-NONE- *-1))
        (VP (TO to) (VP (VB sleep)))))
    (. .)))
"""


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    return tmp_path / "trees.mrg"


def found_in(path: Path, text: str, max_words: int = 9, **restricted: set[str]) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return list(read_constituents(path, max_words, **restricted))


def test_a_sentence(trees: Path) -> None:
    """The clause around a trace has the same words as its verb phrase and counts once."""
    assert found_in(trees, SENTENCE) == [
        "The dog",
        "sleep",
        "to sleep",
        "seemed to sleep",
        "The dog seemed to sleep .",
    ]


def test_max_words(trees: Path) -> None:
    assert found_in(trees, SENTENCE, max_words=2) == ["The dog", "sleep", "to sleep"]


def test_labels_without_function_tags(trees: Path) -> None:
    assert found_in(trees, SENTENCE, labels={"NP"}) == ["The dog"]
    assert found_in(trees, "(NP=2 (NN a) (NN b)) (ADVP|PRT (RB c) (RB d))", labels={"ADVP"}) == [
        "c d"
    ]
    # One bracket with the label is enough among those around the same words.
    assert found_in(trees, "(S (NP (QP (CD two) (CD three))))", labels={"S", "NP"}) == ["two three"]


def test_several_trees_on_a_line_or_over_lines(trees: Path) -> None:
    one = "(NP (DT the) (NN cat))"
    assert found_in(trees, f"{one}{one}\n\n{one}".replace(" (NN", "\n\t(NN")) == ["the cat"] * 3


def test_the_chinese_treebank_has_tags_between_trees(trees: Path) -> None:
    text = "<S ID=1>\n( (NP-SBJ (NR 中国) (NN 经济)) )\n</S>\n"
    assert found_in(trees, text) == ["中国 经济"]


def test_escaped_words(trees: Path) -> None:
    text = r"(NP (-LRB- -LRB-) (CD 1\/2) (NN f\*) (`` ``) (NN x) ('' '') (-RRB- -RRB-))"
    assert found_in(trees, text) == ['( 1/2 f* " x " )']


def test_other_brackets_are_not_constituents(trees: Path) -> None:
    """Tags of single words, words without letters, traces, sentences without a parse."""
    assert found_in(trees, "(NN dog) (NP (CD 5) (NN %)) (NP (-NONE- *)) (()) (NP)") == []


def test_a_compressed_file(tmp_path: Path) -> None:
    (tmp_path / "trees.bz2").write_bytes(bz2.compress(SENTENCE.encode()))
    assert "The dog" in list(read_constituents(tmp_path / "trees.bz2", 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "trees.mrg: expected bracketed trees, found an empty file"),
        (" \n\n", "trees.mrg: expected bracketed trees, found an empty file"),
        (
            "(NP (NN a))\nplain text",
            "line 2: expected '(' at the beginning of a tree, found 'plain'",
        ),
        ("(NP (NN a)))", "line 1: expected '(' at the beginning of a tree, found ')'"),
        ("(NP (NN a))\n\n(NP (NN a)\n(NP (NN b))", "line 3: expected a matching ')', found none"),
        ("(NP\n(NN a b))", "line 2: expected '(' or ')', found the word 'b'"),
        ("(NP (NN a) b)", "line 1: expected '(' or ')', found the word 'b'"),
        ("(NP (NN a (NN b)))", "line 1: expected ')' after a word, found '('"),
    ],
)
def test_text_that_is_not_a_tree(trees: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        found_in(trees, text)


def test_a_binary_file(trees: Path) -> None:
    trees.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with pytest.raises(InputError, match="line 1: expected UTF-8"):
        list(read_constituents(trees, 9))


# A tree is a word or a list of trees.
Tree = str | list["Tree"]
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.sampled_from(["a", "b", "c"]), lambda inner: st.lists(inner, min_size=1, max_size=4)
)


def bracketed(tree: Tree) -> str:
    if isinstance(tree, str):
        return f"(T {tree})"
    return f"(X-Y {' '.join(map(bracketed, tree))})"


def words_of(tree: Tree) -> list[str]:
    return [tree] if isinstance(tree, str) else [word for part in tree for word in words_of(part)]


def spans(tree: Tree, begin: int = 0) -> set[tuple[int, int]]:
    """Return the positions of all words in a list."""
    if isinstance(tree, str):
        return set()
    found = {(begin, begin + len(words_of(tree)))}
    for part in tree:
        found |= spans(part, begin)
        begin += len(words_of(part))
    return found


@given(st.lists(TREES, min_size=1, max_size=4), st.integers(1, 6))
def test_all_spans_are_found_once(
    tmp_path_factory: pytest.TempPathFactory, trees: list[Tree], longest: int
) -> None:
    expected = [
        " ".join(words_of(tree)[begin:end])
        for tree in trees
        for begin, end in spans(tree)
        if end - begin <= longest
    ]
    path = tmp_path_factory.mktemp("trees") / "trees"
    text = "\n".join(map(bracketed, trees))
    assert sorted(found_in(path, text, longest)) == sorted(expected)
