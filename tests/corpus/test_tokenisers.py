"""Tokenisers: Unicode word boundaries, and the libraries for languages without spaces."""

import sys
import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unicode_segmentation_rs import split_word_bounds

from accord.corpus.text import tokenisers
from accord.corpus.text.tokenisers import REPLACEMENTS, TOKENISERS, load_tokeniser, tokenise_texts
from accord.corpus.vocabulary import normalise
from accord.errors import AccordError, InputError
from tests.strategies import odd_lines

of_language = cache(load_tokeniser)
ENGLISH = of_language("en")


def needs(code: str) -> pytest.MarkDecorator:
    library = TOKENISERS[code]
    return pytest.mark.skipif(not library.is_installed, reason=f"needs {library.install_command}")


EACH = ["en", *(pytest.param(code, marks=needs(code)) for code in TOKENISERS)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop, Mr. X!", "Don't stop , Mr . X !"),
        ("l'homme d’information 'tis", "l'homme d’information ' tis"),
        ("in the U.S. at 12:30", "in the U.S . at 12 : 30"),
        ("3.14, 1,000.50 and 50%", "3.14 , 1,000.50 and 50 %"),
        ("e-mail—or node.js?", "e - mail — or node.js ?"),
        ("snake_case C++ a@b.de", "snake_case C + + a @ b.de"),
        ("«¿Qué?» …“so”...", "« ¿ Qué ? » … “ so ” . . ."),
        ('צה"ל हिन्दी 한국어 کتاب\u200cها', 'צה"ל हिन्दी 한국어 کتاب\u200cها'),
        ("我们 カタカナ 👩\u200d💻🇩🇪", "我 们 カタカナ 👩\u200d💻 🇩🇪"),
        ("e\u0301t\xadé \ufeffa\u200bb\u200e", "été a b"),
        ("a\u00a0b\t c\r\n\n  d  \n", "a b c\n\nd\n"),
        ("", ""),
    ],
)
def test_words_by_unicode(text: str, words: str) -> None:
    assert ENGLISH(text) == words


def slowly(line: str) -> str:
    """The slow twin of the Unicode tokeniser, line by line and character by character."""
    seen = "".join(REPLACEMENTS.get(character, character) for character in line)
    pieces = split_word_bounds(unicodedata.normalize("NFC", seen))
    return " ".join(" ".join(pieces).split())


LETTERS = st.sampled_from([*"ab 1.,:'’-_é我あアไก็한א\u0301\u200d\u200c👩🇩\u00ad\u200b", "  "])
TEXTS = st.lists(st.lists(LETTERS | st.characters(codec="utf-8")).map("".join))


@given(TEXTS | odd_lines())
def test_a_block_is_tokenised_as_its_lines_are(lines: list[str]) -> None:
    lines = [line.replace("\n", "") for line in lines]
    assert ENGLISH("\n".join(lines)) == "\n".join(map(slowly, lines))


@pytest.mark.parametrize("language", EACH)
@settings(max_examples=30)
@given(data=st.data())
def test_the_contract_of_a_tokeniser(language: str, data: st.DataObject) -> None:
    """The number of lines stays, words have single spaces, and no letter is lost or changed."""
    own = TOKENISERS[language].letters if language in TOKENISERS else "a-z"
    letters = LETTERS | st.from_regex(f"[{own}]{{1,6}}", fullmatch=True)
    lines = data.draw(st.lists(st.lists(letters, max_size=20).map("".join)))
    words = of_language(language)("\n".join(lines)).split("\n")
    assert len(words) == max(len(lines), 1)
    for line, made in zip(lines, words, strict=False):
        assert made == normalise(made)
        assert made.replace(" ", "") == slowly(line).replace(" ", "")


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("nfkc", [False, True])
@given(lines=TEXTS)
def test_pretokenised_text_keeps_its_words(lower: bool, nfkc: bool, lines: list[str]) -> None:
    take = load_tokeniser("km", pretokenised=True, lower=lower, nfkc=nfkc)
    block = "\n".join(lines)
    words = take(block)
    assert words.count("\n") == block.count("\n")
    assert all(line == normalise(line) for line in words.split("\n"))
    if not (lower or nfkc):
        shown = "".join(REPLACEMENTS.get(character, character) for character in block)
        assert words == "\n".join(map(normalise, shown.split("\n")))


def test_lower_case_and_compatibility() -> None:
    text = "Ein ÄRGER, ﬁx Ｎo.１ im İdeal\nO\u0308l"
    assert load_tokeniser("de")(text) == "Ein ÄRGER , ﬁx Ｎo . １ im İdeal\nÖl"
    assert load_tokeniser("de", lower=True)(text) == "ein ärger , ﬁx ｎo . １ im i\u0307deal\nöl"
    assert (
        load_tokeniser("de", nfkc=True, lower=True)(text)
        == "ein ärger , fix no . 1 im i\u0307deal\nöl"
    )
    assert load_tokeniser("en", pretokenised=True)("a,b  e-mail\u00a0c .\n") == "a,b e-mail c .\n"


@needs("zh")
def test_chinese() -> None:
    text = "我们喜欢北京。\n\nUbuntu 16.04版，don't café Жизнь"
    assert (
        load_tokeniser("zh-CN")(text) == "我们 喜欢 北京 。\n\nUbuntu 16.04 版 ， don't café Жизнь"
    )


@needs("ja")
def test_japanese() -> None:
    text = "国家公務員試験に合格した。\nコンピューター・サイエンス、don't 3.14"
    assert load_tokeniser("ja")(text) == (
        "国家 公務員 試験 に 合格 し た 。\nコンピューター ・ サイエンス 、 don't 3.14"
    )


@needs("ja")
def test_a_line_longer_than_the_library_takes() -> None:
    assert (
        load_tokeniser("ja")("猫" * (tokenisers.LONGEST_RUN * 2 + 1)).replace(" ", "").count("猫")
        == 20_001
    )


@needs("th")
def test_thai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHAINLP_READ_ONLY", raising=False)
    text = "ประเทศไทยเป็นประเทศ ราคา 3.5฿\nสวัสดีครับ don't"
    assert load_tokeniser("Thai")(text) == "ประเทศ ไทย เป็น ประเทศ ราคา 3.5 ฿\nสวัสดี ครับ don't"


@pytest.mark.parametrize("language", ["km", "Lao", "my-MM", "mnw", "shn"])
def test_unsupported_languages(language: str) -> None:
    with pytest.raises(
        InputError, match="is written without spaces, and Accord has no tokeniser for it"
    ):
        load_tokeniser(language)


@pytest.mark.parametrize(
    ("module", "language", "words"),
    [
        ("rjieba", "zh", r"Chinese needs rjieba: pip install 'accord\[zh\]'"),
        ("sudachipy", "ja", r"Japanese needs sudachipy and sudachidict-core: .*accord\[ja\]"),
        ("sudachidict_core", "ja", r"Japanese needs sudachipy and sudachidict-core: .*accord"),
        ("pythainlp", "th", r"Thai needs pythainlp: pip install 'accord\[th\]'"),
    ],
)
def test_libraries_that_are_not_installed(
    monkeypatch: pytest.MonkeyPatch, module: str, language: str, words: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(AccordError, match=words):
        load_tokeniser(language)


@needs("ja")
def test_experiments_in_japanese() -> None:
    assert tokenise_texts(["東京都庁で Linux。"], "ja", 1) == ["東京 都庁 で linux 。"]
