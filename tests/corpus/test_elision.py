"""Elided and clitic forms: what is a word of its own in each language, and what is not."""

import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.corpus.text.clitics import ELISIONS
from accord.corpus.text.elision import VARIANTS, find_clitic_splitter
from accord.corpus.text.languages import find_language
from accord.corpus.text.tokenisers import load_detokeniser, load_tokeniser
from accord.corpus.vocabulary import normalise

of_language = cache(load_tokeniser)

# Some sentences for each language, and their words.
SENTENCES = {
    "fr": [
        ("L'école qu'il aime n'est pas loin.", "L' école qu' il aime n' est pas loin ."),
        ("J'ai bu de l'eau jusqu'à midi.", "J' ai bu de l' eau jusqu' à midi ."),
        (
            "Lorsqu'on s'assoit, c'est qu'on m'a vu.",
            "Lorsqu' on s' assoit , c' est qu' on m' a vu .",
        ),
        ("D'abord d'accord, puis l'inverse.", "D' abord d' accord , puis l' inverse ."),
        ("j't'aime, t'as compris ?", "j' t' aime , t' as compris ?"),
        ("A-t-il plu ? Y a-t-elle pensé ?", "A -t- il plu ? Y a -t- elle pensé ?"),
        ("Donne-moi ça, dit-il, va-t'en !", "Donne - moi ça , dit - il , va - t' en !"),
        ("l'«été», l'11 mai, d'“or”", "l' « été » , l' 11 mai , d' “ or ”"),
    ],
    "it": [
        ("Dell'arte e dell'11 maggio.", "Dell' arte e dell' 11 maggio ."),
        (
            "Quest'anno c'è l'acqua, un'altra volta.",
            "Quest' anno c' è l' acqua , un' altra volta .",
        ),
        ("Dov'è? Un po' di vent'anni fa.", "Dov' è ? Un po' di vent' anni fa ."),
        ("L'«Italia» e sant'Anna", "L' « Italia » e sant' Anna"),
    ],
    "ca": [
        ("L'home d'Itàlia se'n va.", "L' home d' Itàlia se 'n va ."),
        ("Vol anar-se'n i dona'm l'aigua.", "Vol anar - se 'n i dona 'm l' aigua ."),
        ("Agafa'ls, donar-l'hi, mira'ns!", "Agafa 'ls , donar - l' hi , mira 'ns !"),
    ],
    "oc": [
        ("L'aiga qu'es dins l'ostal.", "L' aiga qu' es dins l' ostal ."),
        ("Que'm sembla que s'agrada d'aquò.", "Que 'm sembla que s' agrada d' aquò ."),
    ],
    "pt": [
        ("Um copo d'água para a Joana d'Arc.", "Um copo d' água para a Joana d' Arc ."),
        ("Quero dar-lhe isto e dá-lo.", "Quero dar - lhe isto e dá - lo ."),
    ],
    "ast": [("L'agua que'l neñu bebe.", "L' agua que 'l neñu bebe .")],
    "an": [("L'ombre d'Aragón", "L' ombre d' Aragón")],
    "wa": [("L' ome a dmandé d' l' aiwe.", "L' ome a dmandé d' l' aiwe .")],
    "pcd": [("Ch'est l'iau d'ichi.", "Ch' est l' iau d' ichi .")],
    "frp": [("L'éga qu'est d'ique", "L' éga qu' est d' ique")],
    "rm": [("L'aua ch'el baiva", "L' aua ch' el baiva")],
    "fur": [("L'aghe ch'al bêf", "L' aghe ch' al bêf")],
    "lld": [("L'ega d'aisciöda", "L' ega d' aisciöda")],
    "sc": [("S'abba de s'ìsula", "S' abba de s' ìsula")],
    "co": [("L'acqua ch'ellu beie", "L' acqua ch' ellu beie")],
    "lij": [("L'ægua ch'a gh'é", "L' ægua ch' a gh' é")],
    "pms": [("L'eva ch'a l'é bon-a", "L' eva ch' a l' é bon - a")],
    "lmo": [("L'acqua che gh'è chì", "L' acqua che gh' è chì")],
    "vec": [("L'aqua che gh'è, un po' freda", "L' aqua che gh' è , un po' freda")],
    "nap": [("'O mare e l'ammore, 'na vota", "'O mare e l' ammore , 'na vota")],
    "scn": [("L'acqua c'è 'n casa", "L' acqua c' è 'n casa")],
    "sq": [("Do t'i jap, s'ka gjë, ç'është?", "Do t' i jap , s' ka gjë , ç' është ?")],
    "el": [
        ("Απ' την πόλη σ' εσένα γι' αυτό.", "Απ' την πόλη σ' εσένα γι' αυτό ."),
        ("Σ'αγαπώ κι' εγώ.", "Σ' αγαπώ κι' εγώ ."),
    ],
    "ga": [
        ("D'fhág sé m'athair.", "D' fhág sé m' athair ."),
        ("B'fhearr liom t'ainm ná d'ainm.", "B' fhearr liom t' ainm ná d' ainm ."),
    ],
    "gd": [("Dh'fhalbh e, tha mi a' dol dhachaigh.", "Dh' fhalbh e , tha mi a' dol dhachaigh .")],
    "gv": [("T'eh ayns y thie, ta'n dooinney ayn.", "T' eh ayns y thie , ta 'n dooinney ayn .")],
    "cy": [
        ("Mae'r gath a'i mam yma.", "Mae 'r gath a 'i mam yma ."),
        ("Dw i'n mynd i'w weld o'r tŷ.", "Dw i 'n mynd i 'w weld o 'r tŷ ."),
    ],
    "kw": [("Ev eth dhe'n dre ha'n lowarth.", "Ev eth dhe 'n dre ha 'n lowarth .")],
    "br": [("N'eo ket c'hoar ar plac'h d'am merc'h.", "N' eo ket c'hoar ar plac'h d' am merc'h .")],
    "mt": [
        ("Il-kelb ta' Pawlu f'Malta.", "Il- kelb ta' Pawlu f' Malta ."),
        (
            "X'jista' jagħmel mill-belt għall-iskola?",
            "X' jista' jagħmel mill- belt għall- iskola ?",
        ),
    ],
    "lb": [("D'Leit hunn d'Land gär.", "D' Leit hunn d' Land gär .")],
    "gsw": [("D'Stadt und s'Huus", "D' Stadt und s' Huus")],
    "nl": [
        ("'s Avonds in 't huis zo'n foto's.", "'s Avonds in 't huis zo'n foto's ."),
        ("'s-Hertogenbosch", "'s - Hertogenbosch"),
    ],
    "af": [("'N huis en 'n kat se foto's", "'N huis en 'n kat se foto's")],
    "fy": [("'t Hûs en 'e tún", "'t Hûs en 'e tún")],
    "eo": [("L'espero venos", "L' espero venos")],
    "mg": [("Amin'ny tranon'ny olona", "Amin' ny tranon' ny olona")],
}
CASES = [(code, *case) for code, cases in SENTENCES.items() for case in cases]


@pytest.mark.parametrize(("code", "text", "words"), CASES)
def test_clitics_are_words(code: str, text: str, words: str) -> None:
    tokenise = of_language(code)
    assert tokenise(text) == words
    assert tokenise(text.replace("'", "’")) == words
    assert tokenise(text.replace("'", "ʼ")) == words
    assert tokenise(text.upper()) == words.upper()
    assert load_tokeniser(code, lower=True)(text) == words.lower()
    assert tokenise(f"{text}\n{text}") == f"{words}\n{words}"


# Malagasy has no list of all its elided words, and a word before a space may end a quotation.
@pytest.mark.parametrize(("code", "words"), [(case[0], case[2]) for case in CASES[:-1]])
def test_tokenised_text_stays_as_it_is(code: str, words: str) -> None:
    """The seed of a run may be the lexicon of another one, with a clitic alone on its side."""
    tokenise = of_language(code)
    assert tokenise(words) == words
    assert [*map(tokenise, words.split())] == words.split()


def test_every_language_has_a_sentence() -> None:
    assert set(SENTENCES) == set(ELISIONS)
    for row in ELISIONS.values():
        assert find_language(row.language.code) == row.language


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("fr", "aujourd'hui quelqu'un Quelqu'une presqu'île prud'homme entr'ouvrir grand'mère"),
        ("fr", "rock'n'roll McDonald's O'Brien"),
        ("it", "McDonald's rock'n'roll O'Hara Let's"),
        ("ca", "McDonald's Despertà"),
        ("oc", "pr'aquò McDonald's"),
        ("br", "c'hoar c'hoant plac'h"),
        ("cy", "ry'n"),
        ("gd", "a'm a's"),
        ("nl", "auto's zo'n Anna's"),
        # Languages without a row: the apostrophe belongs to the word.
        ("en", "don't John's o'clock I'm"),
        ("uk", "м'ята п'ять"),
        ("be", "аб'ява"),
        ("tr", "İstanbul'da Ankara'ya"),
        ("uz", "o'zbek ma'no"),
        ("ha", "ts'a"),
        ("gn", "mba'e ñe'ẽ"),
        ("haw", "Hawai'i"),
        ("de", "geht's d'Artagnan"),
        ("es", "O'Higgins d'Artagnan"),
    ],
)
def test_words_that_stay_whole(code: str, words: str) -> None:
    assert of_language(code)(words) == words


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("fr", "la lettre 'l' et 'qu' aussi", "la lettre ' l ' et ' qu ' aussi"),
        ("fr", "'l'école'", "' l' école '"),
        ("fr", "dit l'.", "dit l ' ."),
        ("fr", "‘l’ ‘qu’ ici", "‘ l ' ‘ qu ' ici"),
        ("it", "'ciao' disse", "' ciao ' disse"),
        ("nl", "'appel' of 'noot'", "' appel ' of ' noot '"),
        ("mt", "il - kelb", "il - kelb"),
        ("fr", "a - t - il", "a - t - il"),
    ],
)
def test_quotes_and_dashes_are_no_clitics(code: str, text: str, words: str) -> None:
    assert of_language(code)(text) == words


def test_languages_without_a_row_are_unchanged() -> None:
    assert of_language("de")("l’homme d'or") == "l’homme d'or"
    assert find_clitic_splitter("de") is None


@pytest.mark.parametrize(
    ("code", "words", "text"),
    [
        ("fr", "l' école a -t- il", "l'école a-t-il"),
        ("fr", "de [l' école] ici", "de [l'école] ici"),
        ("fr", "de l' [école] ici", "de l'[école] ici"),
        ("fr", "[D'] Artagnan dit : d' \" or", "[D']Artagnan dit : d' \" or"),
        ("it", "un po' di quest' anno", "un po' di quest'anno"),
        ("ca", "anar - se 'n [va 'l] dia", "anar - se'n [va'l] dia"),
        ("cy", "mae 'r gath", "mae'r gath"),
        ("el", "απ' την", "απ' την"),
        ("mt", "il- kelb ta' Malta", "il-kelb ta' Malta"),
        ("nl", "'s avonds", "'s avonds"),
        ("de", "l' école", "l' école"),
        ("fr_CA", "l' école", "l'école"),
        ("fr", "", ""),
    ],
)
def test_clitics_are_written_on_to_their_words_again(code: str, words: str, text: str) -> None:
    assert load_detokeniser(code)(words) == text


def test_terms_are_only_divided_at_clitics() -> None:
    french, maltese = find_clitic_splitter("fr"), find_clitic_splitter("mt")
    assert french is not None
    assert french.separate("École  d’été, a-t-il") == "École d' été, a -t- il"
    assert maltese is not None
    assert maltese.separate("il-kelb") == "il- kelb"


LETTERS = st.sampled_from([*"ldcstnaeéhuqi1 .,:'’ʼŉ«»-ˮ'", "  ", "qu'", "l'", "'n", "-t-", "il-"])
LINES = st.lists(
    st.lists(LETTERS | st.characters(codec="utf-8", exclude_characters="\n")).map("".join)
)


@pytest.mark.parametrize("code", ["fr", "it", "ca", "mt", "el", "nap"])
@settings(max_examples=50)
@given(lines=LINES)
def test_nothing_but_spaces_and_apostrophes_changes(code: str, lines: list[str]) -> None:
    tokenise, english = of_language(code), of_language("en")
    lines = [line.replace("\n", "").replace("\r", "") for line in lines]
    block = tokenise("\n".join(lines))
    assert block == "\n".join(map(tokenise, lines))
    for line, words in zip(lines, block.split("\n"), strict=False):
        assert words == normalise(words)
        expected = english(line)
        for variant, apostrophe in VARIANTS.items():
            expected = expected.replace(variant, apostrophe)
        assert words.replace(" ", "") == unicodedata.normalize("NFC", expected).replace(" ", "")
