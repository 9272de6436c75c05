"""Words back to text, as people write the language: some put no spaces between them."""

import re
from collections.abc import Callable

from accord.corpus.text.tokenisers import LIBRARIES


def joiner(language: str) -> Callable[[str], str]:
    """What takes the spaces out that stand beside letters of a language that has none; the words
    of all others stay as they are. A bracket may mark a phrase in its context."""
    library = LIBRARIES.get(re.split("[-_]", language.lower())[0])
    if library is None:
        return str
    letter = rf"[{library.letters}]"
    spaces = re.compile(rf"(?<={letter}) |(?<={letter}]) | (?=\[?{letter})")
    return lambda words: spaces.sub("", words)
