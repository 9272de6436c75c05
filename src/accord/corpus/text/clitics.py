"""The clitics that are written with an apostrophe or a hyphen, for each language.

A language without a row keeps its apostrophes inside words: English don't, Turkish Ankara'da,
Ukrainian м'ята. To add a language, add a row that names the source of its lists. `elision.py`
says how the lists are used.
"""

from dataclasses import dataclass

from accord.corpus.text.languages import Language


@dataclass(frozen=True, kw_only=True)
class Elision:
    """The clitics of a language, as space-separated lists of words without their apostrophes."""

    language: Language
    example: str
    source: str  # of the lists
    # Before a word, and written on to it: l'école.
    proclitics: str = ""
    # Whether any other word can be elided as well: quest'anno.
    any_word: bool = False
    # Words with an apostrophe at the end, and a space after it: po' di, απ' την.
    finals: str = ""
    # After a word that ends in a vowel, and written on to it: mae'r.
    enclitics: str = ""
    # Words with an apostrophe at the beginning, and a space before it: 's avonds.
    initials: str = ""
    # What looks like a clitic and its word, but is one word: quelqu'un.
    whole: str = ""
    # Written between hyphens, which it keeps: a-t-il.
    linkers: str = ""
    # Written before a hyphen, which they keep: il-kelb.
    articles: str = ""


UNVERIFIED = "grammars; not checked on a treebank"
# What Italian and its neighbours write with an apostrophe at the end of a word.
APOCOPES = "po mo be"

# The article takes the first letter of its noun (ir-raġel), and prepositions merge with it.
MALTESE_ARTICLES = " ".join(
    preposition + article
    for preposition in ("", "i", "ta", "fi", "f", "bi", "b", "ma", "mi", "sa", "għa", "bħa", "li")
    for article in ("l", "ċ", "d", "n", "r", "s", "t", "x", "z", "ż")
)

_ROWS = (
    Elision(
        language=Language("fr", "French"),
        example="l' école, jusqu' à, a -t- il",
        source="UD French-GSD, spaCy, Lucene",
        proclitics="l d j m t s n c ç y qu jusqu lorsqu puisqu quoiqu presqu quelqu",
        whole="quelqu'un quelqu'une presqu'île presqu'îles presqu'ile presqu'iles",
        linkers="t",
    ),
    Elision(
        language=Language("it", "Italian"),
        example="dell' arte, quest' anno, po' di",
        source="UD Italian-ISDT, Moses, spaCy",
        proclitics="l un d c gl all dall dell nell sull coll agl dagl degl negl sugl m t s v n ch"
        " quest quell bell sant anch neanch nient senz tutt mezz dov com cos quand vent trent cent"
        " nessun qualcun ciascun alcun",
        any_word=True,
        finals=APOCOPES,
    ),
    Elision(
        language=Language("ca", "Catalan"),
        example="l' home, anar - se 'n",
        source="spaCy, Moses, Lucene",
        proclitics="l d m t s n",
        enclitics="l ls m n ns s t",
    ),
    Elision(
        language=Language("oc", "Occitan (post 1500)"),
        example="l' aiga, que 'm",
        source="UD Occitan-TTB",
        proclitics="l d m t s n c v z b qu qualqu perqu",
        enclitics="m t s n u ns vs",
    ),
    Elision(
        language=Language("pt", "Portuguese"),
        example="d' água",
        source="UD Portuguese-GSD",
        proclitics="d",
    ),
    Elision(
        language=Language("ast", "Asturian"),
        example="l' agua, que 'l",
        source=UNVERIFIED,
        proclitics="l d m t s n p qu",
        enclitics="l",
    ),
    Elision(
        language=Language("an", "Aragonese"),
        example="l' ombre",
        source=UNVERIFIED,
        proclitics="l d m t s n",
        enclitics="n",
    ),
    Elision(
        language=Language("wa", "Walloon"),
        example="l' ome",
        source=UNVERIFIED,
        finals="l d c s t m n k qu dj",
    ),
    Elision(
        language=Language("pcd", "Picard"),
        example="l' iau",
        source=UNVERIFIED,
        proclitics="l d j m t s n c qu ch",
    ),
    Elision(
        language=Language("frp", "Arpitan"),
        example="l' éga",
        source=UNVERIFIED,
        proclitics="l d j m t s n y z qu",
    ),
    Elision(
        language=Language("rm", "Romansh"),
        example="l' aua",
        source=UNVERIFIED,
        proclitics="l d m t s n ch in ün",
    ),
    Elision(
        language=Language("fur", "Friulian"),
        example="l' aghe",
        source=UNVERIFIED,
        proclitics="l d m t s n j c ch un",
    ),
    Elision(
        language=Language("lld", "Ladin"),
        example="l' ega",
        source=UNVERIFIED,
        proclitics="l d m t s n c ch",
    ),
    Elision(
        language=Language("sc", "Sardinian"),
        example="s' abba",
        source=UNVERIFIED,
        proclitics="s l d m t n b c ch un nd",
        any_word=True,
    ),
    Elision(
        language=Language("co", "Corsican"),
        example="l' acqua",
        source=UNVERIFIED,
        proclitics="l d m t s v n c ch un",
        any_word=True,
        finals=APOCOPES,
    ),
    Elision(
        language=Language("lij", "Ligurian"),
        example="l' ægua",
        source="UD Ligurian-GLT, spaCy",
        proclitics="l d m t s v n ch gh un unn comm quand quell quest tutt dell",
        any_word=True,
    ),
    Elision(
        language=Language("pms", "Piemontese"),
        example="l' eva",
        source=UNVERIFIED,
        proclitics="l d j m t s v n ch",
        any_word=True,
    ),
    Elision(
        language=Language("lmo", "Lombard"),
        example="l' acqua",
        source=UNVERIFIED,
        proclitics="l d m t s v n ch gh",
        any_word=True,
    ),
    Elision(
        language=Language("vec", "Venetian"),
        example="l' aqua",
        source=UNVERIFIED,
        proclitics="l d m t s v n ch gh un",
        any_word=True,
        finals=APOCOPES,
    ),
    Elision(
        language=Language("nap", "Neapolitan"),
        example="l' acqua, 'o core",
        source="UD Neapolitan-RB",
        proclitics="l ll d m t s v n c ch all dint",
        any_word=True,
        initials="o a e u i na nu no sta sti sto stu",
    ),
    Elision(
        language=Language("scn", "Sicilian"),
        example="l' acqua, 'n casa",
        source=UNVERIFIED,
        proclitics="l d m t s v n c ch",
        any_word=True,
        initials="n u a i na nu",
    ),
    Elision(
        language=Language("sq", "Albanian"),
        example="t' i, s' ka, ç' është",
        source="UD Albanian-STAF",
        proclitics="t m s ç n",
    ),
    Elision(
        language=Language("el", "Modern Greek (1453-)"),
        example="απ' την",
        source="UD Greek-GDT",
        # The last five are numerals: β' εξάμηνο.
        finals="σ μ τ θ ν δ κι απ αφ γι επ εφ υπ κατ καθ μετ μεθ παρ αντ αλλ ουτ ούτ όλ α β γ ε στ",
    ),
    Elision(
        language=Language("ga", "Irish"),
        example="d' fhág, b' fhearr",
        source="UD Irish-IDT, Moses, Lucene",
        proclitics="d dh b mb m t n s",
        finals="a",
        initials="s n na",
    ),
    Elision(
        language=Language("gd", "Scottish Gaelic"),
        example="dh' fhalbh, a' dol",
        source="UD Scottish Gaelic-ARCOSG",
        proclitics="d dh b bh m th r",
        finals="a ars",
        initials="s n na se ga sa g m san",
        whole="a'm a'd a's",
    ),
    Elision(
        language=Language("gv", "Manx"),
        example="t' eh, ta 'n",
        source="UD Manx-Cadhan",
        proclitics="t d dt v m b s n",
        enclitics="n",
        initials="sy syn",
    ),
    Elision(
        language=Language("cy", "Welsh"),
        example="mae 'r, a 'i",
        source="UD Welsh-CCG",
        enclitics="r n i w u m th ch",
        initials="na di ma roedd dyn",
        whole="ry'n",
    ),
    Elision(
        language=Language("kw", "Cornish"),
        example="dhe 'n",
        source=UNVERIFIED,
        proclitics="th",
        enclitics="n m th",
    ),
    Elision(
        language=Language("br", "Breton"),
        example="n' eo, d' ar; c'hoar whole",
        source="UD Breton-KEB",
        proclitics="n d m p",
        finals="bez",
        initials="n r m z ta ni zo vit vel kreiz",
    ),
    Elision(
        language=Language("mt", "Maltese"),
        example="f' Malta, ta' , il- kelb",
        source="UD Maltese-MUDT",
        proclitics="f b x m t s ħ j",
        finals="ta ma sa ġa diġa jista tista nista seta jibqa tibqa nibqa baqa jerġa terġa nerġa"
        " reġa tela jaqa waqa erba seba disa raba biża jisma tisma nisma"
        " jiltaqa iltaqa tiela itfa titfa jibża jaqla jerfa",
        initials="l il",
        articles=f"{MALTESE_ARTICLES} mill għall bħall lill ġol",
    ),
    Elision(
        language=Language("lb", "Luxembourgish"),
        example="d' Land",
        source="UD Luxembourgish-LuxBank, spaCy",
        proclitics="d",
        initials="t s n",
    ),
    Elision(
        language=Language("gsw", "Swiss German"),
        example="d' Stadt",
        source=UNVERIFIED,
        proclitics="d s z",
    ),
    Elision(
        language=Language("nl", "Dutch"),
        example="'s avonds, 't huis",
        source="UD Dutch-Alpino",
        initials="s t n k m r",
    ),
    Elision(
        language=Language("af", "Afrikaans"),
        example="'n huis",
        source="UD Afrikaans-AfriBooms",
        initials="n t s k",
    ),
    Elision(
        language=Language("fy", "Western Frisian"),
        example="'t hûs",
        source=UNVERIFIED,
        initials="t n k s e",
    ),
    Elision(
        language=Language("eo", "Esperanto"),
        example="l' espero",
        source=UNVERIFIED,
        proclitics="l",
    ),
    Elision(
        language=Language("mg", "Malagasy"),
        example="amin' ny",
        source=UNVERIFIED,
        proclitics="amin tamin an",
        any_word=True,
    ),
)
ELISIONS = {row.language.code: row for row in _ROWS}
