"""What is not translated: addresses, markup and placeholders in raw text.

Each becomes one letter of the private use area of Unicode. That is a word which no table and no
language model knows, so the decoder copies it; and then the original takes its place again.
"""

import re
from typing import NamedTuple

FIRST, LAST = 0xE000, 0xF8FF
LETTER = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
# Letters next to each other, and the spaces around them.
SPACED_LETTERS = re.compile(f" ?{LETTER.pattern}(?: ?{LETTER.pattern})* ?")
PROTECTED = re.compile(
    r"""
    # An address, without punctuation at its end. Letters beyond ASCII may be the text around it.
    (?:(?:https?|ftp)://|www\.)[!#-;=?-~]*[#-&(*+/-9=@-Z\\^-z~-]
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                  # an e-mail address
    | </?[A-Za-z][^<>]*>                            # markup
    | &(?:\#\d+|\#x[0-9A-Fa-f]+|[A-Za-z]+);         # an entity
    | \$?\{\w*\}                                    # {name}, ${name}
    | %(?:\(\w+\))?[sdif](?!\w)                     # %s, %(name)s
    """,
    re.VERBOSE | re.ASCII,
)


class Original(NamedTuple):
    """What a letter stands for, and whether it is attached to the word before and after it.

    Next to a letter that is not in ASCII, a language may have no spaces at all: that says nothing.
    """

    text: str
    is_attached_before: bool
    is_attached_after: bool


class ProtectedLine(NamedTuple):
    """A line with letters for what is not translated, and what they stand for."""

    text: str
    originals: list[Original]

    @classmethod
    def of(cls, line: str) -> "ProtectedLine":
        # Letters of the private use area in the text itself would stand for something.
        line = LETTER.sub(" ", line)
        originals: list[Original] = []

        def protect(found: re.Match[str]) -> str:
            if len(originals) > LAST - FIRST:
                return found[0]
            before, after = line[: found.start()][-1:], line[found.end() :][:1]
            originals.append(Original(found[0], _attaches(before), _attaches(after)))
            return f" {chr(FIRST + len(originals) - 1)} "

        return cls(PROTECTED.sub(protect, line), originals)

    def restore(self, translation: str) -> str:
        """Put the originals in the place of the letters, attached to words as they were."""

        def replace(found: re.Match[str]) -> str:
            text = found[0]
            letters = [*LETTER.finditer(text)]
            restored = (
                " " if text[0] == " " and not self._find(letters[0]).is_attached_before else ""
            )
            for n, letter in enumerate(letters):
                original = self._find(letter)
                restored += original.text
                attached = original.is_attached_after
                if n + 1 < len(letters):
                    attached |= self._find(letters[n + 1]).is_attached_before
                if not attached and text[letter.end() : letter.end() + 1] == " ":
                    restored += " "
            return restored

        return SPACED_LETTERS.sub(replace, translation).strip()

    def _find(self, letter: re.Match[str]) -> Original:
        return self.originals[ord(letter[0]) - FIRST]


def _attaches(neighbour: str) -> bool:
    """Whether a protected text is attached to this neighbour, "" at the end of a line."""
    return (
        neighbour != ""
        and not neighbour.isspace()
        and (neighbour.isascii() or not neighbour.isalpha())
    )
