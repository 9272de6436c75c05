"""Languages by code, tag and name, and the list of `accord languages`."""

import json
import re
import sys

import pytest
from pycountry import languages

from accord import cli
from accord.corpus.text.clitics import ELISIONS
from accord.corpus.text.languages import ALIASES, Language, find_language, find_tag
from accord.corpus.text.tokenisers import TOKENISERS, UNSUPPORTED
from accord.errors import InputError
from tests.conftest import Run


@pytest.mark.parametrize(
    ("given", "code"),
    [
        *[
            (given, "zh")
            for given in ("zh", "ZH", "zho", "chi", "cmn", "zh-CN", "zh_TW", "zh-Hans")
        ],
        *[("Chinese", "zh"), ("mandarin chinese", "zh"), (" zh ", "zh"), ("pt-BR", "pt")],
        *[("Serbo-Croatian", "sh"), ("NORWEGIAN BOKMÅL", "nb"), ("Bangla", "bn")],
        *[("mon", "mn"), ("yue", "yue"), ("shn", "shn"), ("Greek, Modern (1453-)", "el")],
    ],
)
def test_codes_tags_and_names(given: str, code: str) -> None:
    assert find_language(given).code == code


@pytest.mark.parametrize(
    ("given", "tag"),
    [
        *[("chinese", "zh"), ("ZHO", "zh"), ("cmn", "zh"), ("Serbo-Croatian", "sh"), ("xx", "xx")],
        *[("zh-CN", "zh-CN"), (" pt_BR ", "pt-BR"), ("sr-Latn-RS", "sr-Latn-RS")],
    ],
)
def test_tags(given: str, tag: str) -> None:
    assert find_tag(given) == tag


@pytest.mark.parametrize("given", ['"><x', 'zh-"><x', "zh-", "de fr", "12", ""])
def test_invalid_tags(given: str) -> None:
    with pytest.raises(
        InputError, match="expected a language code or name such as zh, pt-BR or Chi"
    ):
        find_tag(given)


@pytest.mark.parametrize(
    ("given", "near"),
    [
        *[("cn", "zh (Chinese)"), ("jp", "ja (Japanese)"), ("jp-JP", "ja (Japanese)")],
        *[("xx", "xh (Xhosa)"), ("Japanees", "ja (Japanese)"), ("Germn", "de (German)")],
        *[("Farsi", "fa (Persian)"), ("Cantonese", "yue (Yue Chinese)")],
        ("Wakhii", "wbl (Wakhi)"),  # has no two-letter code
    ],
)
def test_an_unknown_language_with_a_suggestion(given: str, near: str) -> None:
    words = (
        f"{given!r}: expected a language code or name such as zh, pt-BR or Chinese; did you mean"
    )
    with pytest.raises(InputError, match=re.escape(f"{words} {near}?")):
        find_language(given)


@pytest.mark.parametrize("given", ["", "-", "L", "qwertyuiop", "qqq"])
def test_an_unknown_language_without_a_suggestion(given: str) -> None:
    with pytest.raises(InputError, match=r"expected a language code or name such as zh.*Chinese$"):
        find_language(given)


def test_every_two_letter_code_is_read_as_a_code() -> None:
    """En is also the name of a language of Vietnam."""
    codes = [entry.alpha_2 for entry in languages if hasattr(entry, "alpha_2")]
    assert len(codes) > 180
    assert [find_language(code).code for code in codes] == codes


def test_our_tables_agree_with_iso_639() -> None:
    for language in (*UNSUPPORTED, *(library.language for library in TOKENISERS.values())):
        assert find_language(language.code) == language
    for wrong, code in ALIASES.items():
        assert find_language(code).code == code
        with pytest.raises(InputError, match=re.escape(f"did you mean {code} (")):
            find_language(wrong)


def test_languages_as_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sudachidict_core", None)
    monkeypatch.setattr(sys, "argv", ["accord", "languages"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["code", "language", "tokeniser", "installed"]
    assert lines[2].startswith("ja    Japanese  sudachipy + sudachidict-core  no: pip install 'ac")
    assert "fr    French                l' école, jusqu' à, a -t- il" in map(str.rstrip, lines)
    assert "All others: at the word boundaries of Unicode (UAX #29)" in lines[-2]
    assert lines[-1].startswith("Except Khmer, Lao, Burmese, Mon, Shan: tokenise these")
    assert all(len(line) <= 80 for line in lines)


def test_languages_as_json(accord: Run) -> None:
    done = accord("languages", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [language["code"] for language in answer["languages"]] == ["zh", "ja", "th"]
    for language in answer["languages"]:
        code = language["code"]
        assert language["install"] == f"pip install 'accord[{code}]'"
        assert language["installed"] == TOKENISERS[code].is_installed
        assert language["packages"] == list(TOKENISERS[code].packages)
    assert {row["code"] for row in answer["clitics"]} == set(ELISIONS)
    assert answer["clitics"][0] == {
        "code": "fr",
        "name": "French",
        "example": "l' école, jusqu' à, a -t- il",
        "source": "UD French-GSD, spaCy, Lucene",
    }
    assert Language(**answer["unserved"][0]) == Language("km", "Khmer")
    assert answer["others"] == "UAX #29"
