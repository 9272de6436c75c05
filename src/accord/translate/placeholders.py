"""What is not translated: addresses, markup and placeholders in raw text.

Each becomes one letter of the private use area of Unicode. That is a word which no table and no
language model knows, so the decoder copies it; and then the original takes its place again.
"""

import re
from typing import NamedTuple

FIRST, LAST = 0xE000, 0xF8FF
LETTER = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
SPACED_LETTER = re.compile(f" ?({LETTER.pattern}) ?")
PROTECTED = re.compile(
    r"""
    (?:https?|ftp)://[^\s<>"]*[^\s<>"'.,;:!?)\]}]   # an address, without punctuation at its end
    | www\.[^\s<>"]*[^\s<>"'.,;:!?)\]}]
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                  # an e-mail address
    | </?[A-Za-z][^<>]*>                            # markup
    | &(?:\#\d+|\#x[0-9A-Fa-f]+|[A-Za-z]+);         # an entity
    | \$?\{\w*\}                                    # {name}, ${name}
    | %(?:\(\w+\))?[sdif](?!\w)                     # %s, %(name)s
    """,
    re.VERBOSE,
)


class Original(NamedTuple):
    """What a letter stands for, and whether spaces surround it."""

    text: str
    space_before: bool
    space_after: bool


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
            originals.append(Original(found[0], before.isspace(), after.isspace()))
            return f" {chr(FIRST + len(originals) - 1)} "

        return cls(PROTECTED.sub(protect, line), originals)

    def restore(self, translation: str) -> str:
        """Put the originals in the place of the letters, with the spaces they had."""

        def replace(found: re.Match[str]) -> str:
            text, before, after = self.originals[ord(found[1]) - FIRST]
            return f"{' ' * before}{text}{' ' * after}"

        return SPACED_LETTER.sub(replace, translation).strip()
