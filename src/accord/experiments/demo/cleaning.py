"""Strings of programs to phrases: what is not language goes, or the string does."""

import re
import unicodedata
from collections.abc import Iterable

from accord.corpus.text.tokenisers import tokenise_texts

MAX_WORDS = 8
# "&File", "_File" and "文件(&F)" underline the key that opens a menu.
ACCELERATOR = re.compile(r"\s*\([&_]\w\)|(?<!\w)[&_](?=\w)")
# Places to fill (%s, %(name)s, %1, {name}), markup and entities, addresses, paths, code, line ends.
NOT_LANGUAGE = re.compile(r"%[\w(]|[{}<>`\\\n=$@#*|~^]|&\w+;|\w://|\bwww\.|\w[/_]\w|\w\.\w")


def clean(text: str) -> str | None:
    """The string without invisible characters and accelerators, or None if it is no language."""
    text = "".join(letter for letter in text.strip() if visible(letter))
    if NOT_LANGUAGE.search(text):
        return None
    return ACCELERATOR.sub("", text)


def visible(letter: str) -> bool:
    """Not a format character, an emoji or the selector of its variant."""
    return unicodedata.category(letter) not in ("Cf", "So") and letter != "\ufe0f"


def phrase_pairs(
    strings: Iterable[tuple[str, str]], languages: tuple[str, str]
) -> list[tuple[str, str]]:
    """The pairs as phrases: segmented, lower-cased, without punctuation, each phrase once.

    A phrase that has two translations keeps the first: the pairing is one to one. A string that
    is the same in both languages was not translated, and shows nothing.
    """
    cleaned = [(clean(english), clean(other)) for english, other in strings]
    kept = [(english, other) for english, other in cleaned if english and other]
    sides = [
        [
            words_of(text)
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


def words_of(segmented: str) -> str:
    """The words that have a letter or a digit; a phrase without a letter has none."""
    if not any(letter.isalpha() for letter in segmented):
        return ""
    return " ".join(word for word in segmented.split() if any(map(str.isalnum, word)))
