"""Elided and clitic forms: words of their own that are written on to another word.

The word boundaries of Unicode (UAX #29) keep letters with an apostrophe between them together, and
make a word of l'école. In some languages the clitic becomes a word of its own and
keeps its apostrophe: l' école, as in the treebanks of Universal Dependencies (UD). The apostrophe
may also be ’ (U+2019) or ʼ (U+02BC), and becomes ' in all words of these languages.

The text is searched for apostrophes only, which is fast, and the words around them are compared
with the lists of the language (`clitics.py`).

The boundaries of Unicode are found later. To get through them, the apostrophe or hyphen of a clitic
is replaced by a mark, which Unicode counts as a letter, and which the text no longer contains.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby, pairwise

from accord.corpus.text.clitics import ELISIONS, Elision

APOSTROPHE = "'"
MARK = "\u02bc"
HYPHEN_MARK = "\u02ee"
# What else is written for an apostrophe. U+0149 is an old single character for Afrikaans 'n, and
# U+02EE a letter of Nenets.
VARIANTS = {
    "\u2019": APOSTROPHE,
    MARK: APOSTROPHE,
    "\u0149": APOSTROPHE + "n",
    HYPHEN_MARK: APOSTROPHE * 2,
}
# Letters that an enclitic with an apostrophe follows. The h is Manx: jeh'n.
VOWELS = "aeiouwyhàáâäèéêëìíîïòóôöùúûüŵŷ"
# What may follow an elided word immediately: a letter, a digit, or an opening quote or bracket.
FOLLOWING = r"""(?=[\w«"“„‘‹(\[])"""
# English forms in names, which stay whole in languages where any word can be elided: McDonald's,
# Let's, rock'n'roll, O'Hara.
ENGLISH_ENDS = "s t re ve ll n"
ENGLISH_BEGINNINGS = "o"
# Of rock'n'roll, n' is no clitic in any language.
NOT_ROCK_N_ROLL = r"(?<!\w\w'n')"


def _match_behind(words: Iterable[str], sign: str, not_before: str = r"(?<!\w)") -> str:
    """Return a pattern: one of the words and the sign have just been read. Never matches none."""
    by_length = groupby(sorted(set(words), key=len), key=len)  # each must have a fixed width
    choices = [f"(?<={not_before}(?:{'|'.join(same)}){sign})" for _, same in by_length]
    return f"(?:{'|'.join(choices)})" if choices else "(?!)"


def _match_ahead(words: Iterable[str]) -> str:
    """Return a pattern: one of the words follows. Never matches if there are none."""
    choices = "|".join(words)
    return rf"(?=(?:{choices})\b)" if choices else "(?!)"


def _restore(text: str) -> str:
    return text.replace(MARK, APOSTROPHE).replace(HYPHEN_MARK, "-")


class CliticSplitter:
    """Separates the clitics of one language from their words."""

    def __init__(self, elision: Elision) -> None:
        proclitics, enclitics = elision.proclitics.split(), elision.enclitics.split()
        finals = elision.finals.split()
        whole = [word.split(APOSTROPHE) for word in elision.whole.split()]
        kept = "".join(
            rf"(?!{_match_behind([head], APOSTROPHE)}{_match_ahead([tail])})"
            for head, tail in whole
        )
        # Not after an opening quote: the letter 'l' is.
        unquoted = r"(?<![\w‘])(?<!(?<!\w)')"
        closing = [
            _match_behind(proclitics, APOSTROPHE) + FOLLOWING,
            _match_behind(proclitics, APOSTROPHE, unquoted) + r"(?!\S)",
            _match_behind(finals, APOSTROPHE, unquoted),
        ]
        if elision.any_word:
            no_english = f"(?!{_match_ahead(ENGLISH_ENDS.split())})"
            no_name = f"(?!{_match_behind(ENGLISH_BEGINNINGS.split(), APOSTROPHE)})"
            closing.append(rf"(?<=[^\W\d_]'){no_english}{no_name}(?=[^\W_])")
        opening = _match_ahead(enclitics)
        alone = _match_ahead([*elision.initials.split(), *enclitics])
        # All patterns begin with a literal, which is what makes the search fast.
        take = re.IGNORECASE
        self._closing = re.compile(f"'{NOT_ROCK_N_ROLL}{kept}(?:{'|'.join(closing)})", take)
        self._opening = re.compile(rf"'(?<=[{VOWELS}]'){kept}{opening}", take)
        self._alone = re.compile(rf"'(?<![\w'{MARK}]'){alone}", take)
        linkers = "|".join(elision.linkers.split())
        self._linkers = (
            re.compile(rf"-(?<![^\w\s]-)({linkers})-(?![^\w\s])", take) if linkers else None
        )
        articles = elision.articles.split()
        behind = _match_behind(articles, "-", r"(?<![\w-])")
        self._articles = re.compile(rf"-{behind}(?![^\w\s])", take) if articles else None
        self._written_on = {word + APOSTROPHE for word in proclitics}
        self._written_on |= {word + "-" for word in articles}
        self._any_word = elision.any_word
        self._finals = {word + APOSTROPHE for word in finals}
        self._enclitics = {APOSTROPHE + word for word in enclitics}
        self._linked = {f"-{word}-" for word in elision.linkers.split()}

    def tokenise(self, text: str, split: Callable[[str], str]) -> str:
        """Return the text with spaces around clitics and at the boundaries that `split` finds."""
        return _restore(split(self._mark(text)))

    def separate(self, text: str) -> str:
        """Return the text with single spaces, also at clitics."""
        return _restore(" ".join(self._mark(text).split()))

    def _mark(self, text: str) -> str:
        for variant, apostrophe in VARIANTS.items():
            text = text.replace(variant, apostrophe)
        text = self._closing.sub(MARK + " ", text)
        text = self._opening.sub(" " + MARK, text)
        text = self._alone.sub(MARK, text)
        if self._linkers:
            text = self._linkers.sub(rf" {HYPHEN_MARK}\1{HYPHEN_MARK} ", text)
        if self._articles:
            text = self._articles.sub(HYPHEN_MARK + " ", text)
        return text

    def join(self, words: str) -> str:
        """Return space-separated words with the clitics written on to their words again.

        A bracket may mark a phrase.
        """
        tokens = words.split(" ")
        joined = tokens[:1]
        for left, right in pairwise(tokens):
            if not self._are_joined(left.strip("[]").lower(), right.strip("[]").lower()):
                joined.append(" ")
            joined.append(right)
        return "".join(joined)

    def _are_joined(self, left: str, right: str) -> bool:
        if left in self._linked or right in self._linked:
            return True
        if right in self._enclitics:
            return left[-1:].isalpha()
        if not right[:1].isalnum():
            return False
        elided = self._any_word and left[-1:] == APOSTROPHE and left[:-1].isalpha()
        return left in self._written_on or (elided and left not in self._finals)


@lru_cache
def find_clitic_splitter(code: str) -> CliticSplitter | None:
    """Return the splitter of a language, or None if its words are not divided at apostrophes."""
    elision = ELISIONS.get(code)
    return CliticSplitter(elision) if elision else None
