"""Strings of programs to phrases: what is not natural language is removed."""

import re
import unicodedata
from collections.abc import Iterable

from accord.corpus.text.tokenisers import tokenise_texts

MAX_WORDS = 8
# "&File", "_File" and "文件(&F)" mark the key that opens a menu.
ACCELERATOR = re.compile(r"\s*\([&_]\w\)|(?<!\w)[&_](?=\w)")
# Placeholders (%s, %(name)s, %1, {name}), markup, entities, URLs, paths, code, line ends.
NOT_LANGUAGE = re.compile(r"%[\w(]|[{}<>`\\\n=$@#*|~^]|&\w+;|\w://|\bwww\.|\w[/_]\w|\w\.\w")


def clean(text: str) -> str | None:
    """Remove invisible characters and accelerators; return None if it is not natural language."""
    text = "".join(letter for letter in text.strip() if is_visible(letter))
    if NOT_LANGUAGE.search(text):
        return None
    return ACCELERATOR.sub("", text)


def is_visible(letter: str) -> bool:
    """Whether it is no format character, no emoji and no variation selector."""
    return unicodedata.category(letter) not in ("Cf", "So") and letter != "\ufe0f"


def clean_pairs(
    strings: Iterable[tuple[str, str]], languages: tuple[str, str]
) -> list[tuple[str, str]]:
    """Return the pairs as phrases: segmented, lower-cased, without punctuation, each phrase once.

    A phrase with two translations keeps the first: the pairs are one-to-one. A string that is the
    same in both languages was not translated, and is dropped.
    """
    cleaned = [(clean(english), clean(other)) for english, other in strings]
    kept = [(english, other) for english, other in cleaned if english and other]
    sides = [
        [
            keep_words(text)
            for text in tokenise_texts([pair[side] for pair in kept], language, processes=1)
        ]
        for side, language in enumerate(languages)
    ]
    pairs: list[tuple[str, str]] = []
    used: tuple[set[str], set[str]] = (set(), set())
    for source, target in zip(*sides, strict=True):
        lengths = [len(source.split()), len(target.split())]
        if source == target or min(lengths) == 0 or max(lengths) > MAX_WORDS:
            continue
        if source not in used[0] and target not in used[1]:
            pairs.append((source, target))
            used[0].add(source)
            used[1].add(target)
    return pairs


def keep_words(segmented: str) -> str:
    """Return the words with a letter or a digit; nothing if the phrase has no letter."""
    if not any(letter.isalpha() for letter in segmented):
        return ""
    return " ".join(word for word in segmented.split() if any(map(str.isalnum, word)))
