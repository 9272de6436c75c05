"""Constituents of bracketed parse trees, in the format of the Penn Treebank and of parsers.

    ( (S (NP-SBJ (DT The) (NN dog)) (VP (VBD slept)) (. .)))

A constituent is the text of a labelled bracket above the tags of single words: here "The dog",
"slept" and the sentence. Constituents of one word are included: in the paper's model they are the
clearest evidence for a word pair, and link texts, its other source, contain them too. Nested
brackets around the same words count once.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from accord.corpus.vocabulary import has_letter
from accord.errors import InputError
from accord.system.reading import place, read_lines

TOKEN = re.compile(r"[()]|[^\s()]+")
# The Chinese Treebank has tags between trees: <S ID=1>.
BETWEEN_TREES = re.compile(r"\s*<.*>\s*")
TRACE = "-NONE-"
# Function tags and indices, as in NP-SBJ-1, NP=2 and ADVP|PRT.
FUNCTION_TAGS = re.compile("[-=|].*")
ESCAPES = {
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
    """A bracket that is not closed yet."""

    line: int
    begin: int  # the number of words before it in the tree
    label: str | None = None
    content: Literal["word", "brackets"] | None = None
    longest: int = 0  # the length of the longest constituent found in it


def read_constituents(
    path: str | Path, max_words: int, labels: Collection[str] | None = None
) -> Iterator[str]:
    """Yield each constituent of at most `max_words` words, in the order in which they end.

    `labels`, given without function tags, restricts them: {"NP", "VP"}.
    """
    words: list[str] = []  # of the current tree
    unclosed: list[_Bracket] = []
    for line, token in _read_tokens(path):
        inner = unclosed[-1] if unclosed else None
        if token == "(":
            if inner is None:
                words = []
            elif inner.content == "word":
                raise InputError(f"{place(path, line)}: expected ')' after a word, found '('")
            else:
                inner.content = "brackets"
            unclosed.append(_Bracket(line, len(words)))
        elif inner is None:
            raise InputError(
                f"{place(path, line)}: expected '(' at the beginning of a tree, "
                f"found {token[:60]!r}"
            )
        elif token == ")":
            unclosed.pop()
            length = len(words) - inner.begin
            if (
                inner.content == "brackets"
                and (inner.label in labels if labels is not None else inner.label)
                and inner.longest < length <= max_words
                and has_letter(text := " ".join(words[inner.begin :]))
            ):
                yield text
                inner.longest = length
            if unclosed:
                unclosed[-1].longest = max(unclosed[-1].longest, inner.longest)
        elif inner.label is None and inner.content is None:
            inner.label = token if token[0] == "-" else FUNCTION_TAGS.sub("", token)
        elif inner.content is None:
            inner.content = "word"
            if inner.label != TRACE:
                words.append(ESCAPES.get(token) or BACKSLASH.sub("", token))
        else:
            raise InputError(
                f"{place(path, line)}: expected '(' or ')', found the word {token[:60]!r}; "
                "a bracket contains a label and then one word or more brackets"
            )
    if unclosed:
        raise InputError(f"{place(path, unclosed[0].line)}: expected a matching ')', found none")


def _read_tokens(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield the brackets, labels and words of a file with their line numbers."""
    empty = True
    for line, text in read_lines(path):
        if BETWEEN_TREES.fullmatch(text):
            continue
        for token in TOKEN.findall(text):
            empty = False
            yield line, token
    if empty:
        raise InputError(f"{path}: expected bracketed trees, found an empty file")
