"""Glosses: turning the definitions of a dictionary into translations.

A definition has several glosses, separated by semicolons, slashes and commas. A gloss can have
remarks in brackets, numbers and abbreviations before it, articles, and the English "to". Glosses
that say something about a word but do not translate it ("variant of …", "CL:…") are left out.
"""

import re

from accord.corpus.vocabulary import normalise

# A comma inside a number does not separate glosses.
SEPARATORS = re.compile(r"[;；/、，\n]|,\s")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\][]*\]|\{[^{}]*\}|<[^<>]*>|（[^（）]*）")
# "1. ", "2) ", "adj. "
PREFIX = re.compile(r"(?:(?:\d+[.)]|[a-z]{1,5}\.)\s+)+")
NOT_A_TRANSLATION = re.compile(
    r"CL:|see \S|surname \S|same as\b|used in\b|also (?:written|called|known|pr)\b|"
    r"(?:\w+ )?(?:variant|plural|abbreviation|contraction|form|tense|participle) of\b|"
    r"abbr\. (?:of|for|to)\b",
    re.IGNORECASE,
)
# Words that dictionaries put before a translation, although text often lacks them.
PARTICLES = {
    "de": "der die das ein eine sich",
    "en": "a an the to",
    "es": "el la los las un una",
    "fr": "le la les un une",
    "it": "il lo la i gli le un uno una",
    "nl": "de het een",
    "pt": "o a os as um uma",
}


def split_glosses(definition: str) -> list[str]:
    """Return the glosses of a definition; none if it is not a translation."""
    if NOT_A_TRANSLATION.match(definition.strip()):
        return []
    # Remarks in brackets are removed first, because they can contain commas.
    return [gloss for gloss in SEPARATORS.split(BRACKETS.sub(" ", definition)) if gloss.strip()]


def clean_gloss(gloss: str, language: str | None) -> str:
    """Return the gloss as it would appear in text of this language; "" if it is no translation."""
    if NOT_A_TRANSLATION.match(gloss.strip()):
        return ""
    text = normalise(BRACKETS.sub(" ", gloss))
    text = text[found.end() :] if (found := PREFIX.match(text)) else text
    words = text.strip('"“”„!?…~ ').split() or text.split()
    particles = PARTICLES.get((language or "").split("-")[0], "").split()
    while len(words) > 1 and words[0].lower() in particles:
        del words[0]
    return " ".join(words)
