"""Constituents out of bracketed parse trees, as the Penn Treebank and parsers write them.

    ( (S (NP-SBJ (DT The) (NN dog)) (VP (VBD slept)) (. .)))

A constituent is what a bracket with a label of its own holds, above the tags of single words:
here "The dog", "slept" and the sentence. Constituents of one word count: in the paper's model
they are the clearest evidence there is for a word pair, and link texts, its other source, have
them too. A chain of brackets around the same words counts once.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from accord.corpus.text.links.linktext import has_letter
from accord.errors import InputError
from accord.system.reading import place, read_lines

TOKEN = re.compile(r"[()]|[^\s()]+")
# The Chinese Treebank has tags between its trees: <S ID=1>.
BETWEEN_TREES = re.compile(r"\s*<.*>\s*")
TRACE = "-NONE-"
# As in NP-SBJ-1, NP=2 and ADVP|PRT.
FUNCTION_TAGS = re.compile("[-=|].*")
ESCAPED = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
BACKSLASH = re.compile(r"\\(?=[/*])")  # 1\/2


@dataclass
class _Bracket:
    """A bracket that is still open."""

    line: int
    begin: int  # how many words of the tree come before it
    label: str | None = None
    holds: Literal["a word", "brackets"] | None = None
    given: int = 0  # the length of the longest constituent in it that was given out


def constituents(
    path: str | Path, max_words: int, labels: Collection[str] | None = None
) -> Iterator[str]:
    """The words, parted by spaces, of each constituent of at most so many, in order of their ends.

    `labels`, without function tags, restricts them: {"NP", "VP"}.
    """
    words: list[str] = []  # of the tree so far
    unclosed: list[_Bracket] = []
    for line, token in _tokens(path):
        inner = unclosed[-1] if unclosed else None
        if token == "(":
            if inner is None:
                words = []
            elif inner.holds == "a word":
                raise InputError(f"{place(path, line)}: expected ')' after a word, found '('")
            else:
                inner.holds = "brackets"
            unclosed.append(_Bracket(line, len(words)))
        elif inner is None:
            raise InputError(
                f"{place(path, line)}: expected '(', the begin of a tree, found {token[:60]!r}"
            )
        elif token == ")":
            unclosed.pop()
            length = len(words) - inner.begin
            if (
                inner.holds == "brackets"
                and (inner.label in labels if labels is not None else inner.label)
                and inner.given < length <= max_words
                and has_letter(text := " ".join(words[inner.begin :]))
            ):
                yield text
                inner.given = length
            if unclosed:
                unclosed[-1].given = max(unclosed[-1].given, inner.given)
        elif inner.label is None and inner.holds is None:
            inner.label = token if token[0] == "-" else FUNCTION_TAGS.sub("", token)
        elif inner.holds is None:
            inner.holds = "a word"
            if inner.label != TRACE:
                words.append(ESCAPED.get(token) or BACKSLASH.sub("", token))
        else:
            raise InputError(
                f"{place(path, line)}: expected '(' or ')', found the word {token[:60]!r}; "
                "a bracket holds a label and one word, or brackets"
            )
    if unclosed:
        raise InputError(f"{place(path, unclosed[0].line)}: expected ')' for '(', found none")


def _tokens(path: str | Path) -> Iterator[tuple[int, str]]:
    empty = True
    for line, text in read_lines(path):
        if BETWEEN_TREES.fullmatch(text):
            continue
        for token in TOKEN.findall(text):
            empty = False
            yield line, token
    if empty:
        raise InputError(f"{path}: expected bracketed trees, found an empty file")
