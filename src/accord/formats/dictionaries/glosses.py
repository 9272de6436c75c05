"""What dictionaries write beside a word, made into translations.

A definition has several glosses, parted by semicolons, slashes and commas; a gloss has remarks in
brackets, numbers and abbreviations before it, articles and the English "to". What says something
about a word and does not translate it ("variant of …", "CL:…", "see also …") is left out.
"""

import re

from accord.corpus.vocabulary import normalise

# A comma inside a number parts nothing.
PARTED = re.compile(r"[;；/、，\n]|,\s")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\][]*\]|\{[^{}]*\}|<[^<>]*>|（[^（）]*）")
# "1. ", "2) ", "adj. "
BEFORE = re.compile(r"(?:(?:\d+[.)]|[a-z]{1,5}\.)\s+)+")
NO_TRANSLATION = re.compile(
    r"CL:|see \S|surname \S|same as\b|used in\b|also (?:written|called|known|pr)\b|"
    r"(?:\w+ )?(?:variant|plural|abbreviation|contraction|form|tense|participle) of\b|"
    r"abbr\. (?:of|for|to)\b",
    re.IGNORECASE,
)
# Words that a dictionary puts before a translation and a text need not have there.
PARTICLES = {
    "de": "der die das ein eine sich",
    "en": "a an the to",
    "es": "el la los las un una",
    "fr": "le la les un une",
    "it": "il lo la i gli le un uno una",
    "nl": "de het een",
    "pt": "o a os as um uma",
}


def parts(definition: str) -> list[str]:
    """The glosses of a definition; none if it is no translation."""
    if NO_TRANSLATION.match(definition.strip()):
        return []
    # Brackets first: a remark may have commas of its own.
    return [gloss for gloss in PARTED.split(BRACKETS.sub(" ", definition)) if gloss.strip()]


def cleaned(gloss: str, language: str | None) -> str:
    """The gloss as a text of this language would have it, or nothing."""
    if NO_TRANSLATION.match(gloss.strip()):
        return ""
    text = normalise(BRACKETS.sub(" ", gloss))
    text = text[found.end() :] if (found := BEFORE.match(text)) else text
    words = text.strip('"“”„!?…~ ').split() or text.split()
    particles = PARTICLES.get((language or "").split("-")[0], "").split()
    while len(words) > 1 and words[0].lower() in particles:
        del words[0]
    return " ".join(words)
