"""`accord import`: seeds from files of other programs, and seeds with statuses."""

import json
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from accord.corpus.text import tokenisers
from accord.errors import AccordError, InputError
from accord.evidence.seed import read_seed
from accord.evidence.seed_import import ImportedSeed, import_seed
from accord.formats import ImportFormatName
from accord.formats.readers import READERS
from accord.formats.records import Record, RequestedLanguages
from accord.formats.tmx import write_tmx
from tests.cli.test_cli import LEARN, fails
from tests.conftest import Run

RECORDS = [
    Record("喜欢北京", "like Beijing", status="accepted"),
    Record("银行", "bank", status="rejected"),
    Record("喜欢 北京", "like  Beijing"),
    Record("猫", "cat"),
]
TMX = '<tmx version="1.4"><header/><body>{}</body></tmx>'
UNIT = '<tu><tuv xml:lang="{}"><seg>Haus</seg></tuv><tuv xml:lang="{}"><seg>{}</seg></tuv></tu>'
BOMB = (
    '<!DOCTYPE tmx [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    + "]>"
    + TMX.format(UNIT.format("de", "en", "&j;"))
)
OUTSIDE = '<!DOCTYPE tmx [<!ENTITY a SYSTEM "secret">]>' + TMX.format(
    UNIT.format("de", "en", "&a;")
)


def lines_of(seed: ImportedSeed) -> list[str]:
    return ["\t".join(entry) for entry in seed.entries]


def imported(path: Path, text: str, form: ImportFormatName = "tmx", *languages: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    source, target = languages or (None, None)
    return lines_of(import_seed(path, form, (source, target)))


def test_every_format_has_a_name() -> None:
    assert get_args(ImportFormatName) == tuple(READERS)


def test_a_translation_memory(tmp_path: Path, accord: Run) -> None:
    write_tmx(tmp_path / "a.tmx", RECORDS, ("zh", "en"))
    more = UNIT.format("zh", "fr", "chat")
    text = (tmp_path / "a.tmx").read_text(encoding="utf-8").replace("</body>", f"{more}</body>")
    (tmp_path / "a.tmx").write_text(text, encoding="utf-8")
    options = ("--from", "tmx", "--out", "seed", "--source-lang", "zh", "--target-lang", "en")
    done = accord("import", "a.tmx", *options)
    assert done.stdout == "3 entries in seed (1 rejected)\n"
    assert done.stderr == "a.tmx: left out 1 duplicate, 1 without a source or a target\n"
    assert (tmp_path / "seed").read_text(encoding="utf-8").splitlines() == [
        "喜欢 北京\tlike Beijing\taccepted",
        "银行\tbank\trejected",
        "猫\tcat",
    ]
    seed = read_seed(tmp_path / "seed")
    assert seed.entries == (("喜欢 北京", "like Beijing"), ("猫", "cat"))
    assert seed.rejected == (("银行", "bank"),)


def test_terms_are_segmented_if_the_user_names_the_language(tmp_path: Path) -> None:
    text = "喜欢北京,like  Beijing\n喜 欢北京,e-mail\n"
    assert imported(tmp_path / "t", text, "csv") == ["喜欢北京\tlike Beijing", "喜 欢北京\te-mail"]
    segmented = ["喜欢 北京\tlike Beijing", "喜 欢北京\te-mail"]
    assert imported(tmp_path / "t", text, "csv", "zh", "en") == segmented
    assert imported(tmp_path / "t", "l’eau,e-mail\n", "csv", "fr", "en") == ["l' eau\te-mail"]
    # There is no tokeniser for Khmer: its terms stay as they are.
    assert imported(tmp_path / "t", "a,b\n", "csv", "km", "en") == ["a\tb"]


def test_clitics_of_the_file_are_separated(tmp_path: Path) -> None:
    text = TMX.format(UNIT.format("fr", "en", "water")).replace("Haus", "l'eau de l’île")
    assert imported(tmp_path / "a", text, "tmx") == ["l' eau de l' île\twater"]


def test_languages_of_the_file(tmp_path: Path) -> None:
    two = TMX.format(UNIT.format("de-DE", "en", "house"))
    for languages in ((), ("de", "en"), ("DE_de", "en")):
        assert imported(tmp_path / "a", two, "tmx", *languages) == ["Haus\thouse"]
    assert lines_of(import_seed(tmp_path / "a", "tmx", ("en", None))) == ["house\tHaus"]
    assert lines_of(import_seed(tmp_path / "a", "tmx", (None, "de"))) == ["house\tHaus"]


def test_a_region_that_is_not_in_the_file(tmp_path: Path) -> None:
    text = TMX.format(UNIT.format("de", "en", "house") + UNIT.format("de", "en-US", "home"))
    both = ["Haus\thouse", "Haus\thome"]
    assert imported(tmp_path / "a", text, "tmx", "de-AT", "en_GB") == both
    assert imported(tmp_path / "a", text, "tmx", "de-AT", "en-us") == ["Haus\thome"]
    with pytest.raises(InputError, match="was asked for de and de"):
        imported(tmp_path / "a", text, "tmx", "de-AT", "de-CH")


@pytest.mark.parametrize(
    ("spoken", "languages", "expected"),
    [
        ("EN-us", (None, None), "house\tHaus"),
        ("de", (None, None), "Haus\thouse"),
        ("*all*", (None, None), "Haus\thouse"),
        ("fr", (None, None), "Haus\thouse"),
        ("en", (None, "en"), "Haus\thouse"),
        ("en", ("de", None), "Haus\thouse"),
    ],
)
def test_the_source_language_of_the_header(
    tmp_path: Path, spoken: str, languages: RequestedLanguages, expected: str
) -> None:
    text = TMX.format(UNIT.format("de", "en", "house"))
    (tmp_path / "a").write_text(text.replace("<header", f'<header srclang="{spoken}"'))
    assert lines_of(import_seed(tmp_path / "a", "tmx", languages)) == [expected]


TBX = (
    '<martif><text><body><termEntry><langSet xml:lang="zh-CN"><tig><term>喜欢北京</term></tig>'
    '</langSet><langSet xml:lang="x-own"><tig><term>like Beijing</term></tig></langSet>'
    "</termEntry></body></text></martif>"
)


def test_terms_are_segmented_if_the_file_names_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert imported(tmp_path / "a", TBX, "tbx") == ["喜欢 北京\tlike Beijing"]
    monkeypatch.setattr(tokenisers, "find_spec", lambda _: None)
    logged: list[str] = []
    made = import_seed(tmp_path / "a", "tbx", (None, None), logged.append)
    assert lines_of(made) == ["喜欢北京\tlike Beijing"]
    (sentence,) = logged
    assert sentence.endswith(
        "a: terms in Chinese are not segmented into words, which needs rjieba: "
        "pip install 'accord[zh]'"
    )
    with pytest.raises(AccordError, match="Chinese needs rjieba"):
        import_seed(tmp_path / "a", "tbx", ("zh", None))


def test_a_seed_on_standard_output(accord: Run) -> None:
    options = ("--from", "csv", "--out", "-")
    done = accord("import", "-", *options, stdin=b"source,target,status\na,b,\nc,d,rejected\n")
    assert done.stdout == "a\tb\nc\td\trejected\n"
    assert done.stderr == "2 entries in - (1 rejected)\n"


@pytest.mark.parametrize(
    ("text", "languages", "message"),
    [
        (UNIT.format("de", "en", "x"), ("de", "fr"), "found the languages de, en"),
        (UNIT.format("de", "en", "x") + UNIT.format("de", "fr", "x"), (), "found de, en, fr; name"),
        (UNIT.format("de", "de", "x"), (), "expected two languages, found de; name two"),
        (UNIT.format("de", "en", "x"), ("en", "en"), "was asked for en and en"),
        (UNIT.format("de", "en", " "), (), "expected pairs of tmx, found none with both sides"),
        (UNIT.format("de", "en", "x"), ("de", "qq"), "'qq': expected a language code or name"),
        ("", (), r"expected translation units \(<tu>\) of TMX, found none"),
    ],
)
def test_bad_languages(tmp_path: Path, text: str, languages: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        imported(tmp_path / "a", TMX.format(text), "tmx", *languages)


@pytest.mark.parametrize("form", ["tmx", "tbx"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "declares the entity 'a', which is unsafe and not needed in a dictionary"),
        (OUTSIDE, "declares the entity 'a'"),
        ("", "a, line 1: not well-formed XML: no element found"),
        (TMX.format(UNIT)[:-9], "a, line 1: not well-formed XML"),
        (TMX.format("&nbsp;"), "not well-formed XML: undefined entity"),
        ('<?xml version="1.0" encoding="klingon"?><tmx/>', "unreadable: .*convert the file"),
        ('<?xml version="1.0" encoding="gb2312"?><tmx/>', "unreadable: .*convert the file"),
    ],
)
def test_bad_xml(tmp_path: Path, form: ImportFormatName, text: str, message: str) -> None:
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(InputError, match=message):
        imported(tmp_path / "a", text, form)


def test_bad_input_is_one_sentence(tmp_path: Path, accord: Run) -> None:
    (tmp_path / "bomb").write_text(BOMB)
    fails(accord("import", "bomb", "--from", "tmx", "--out", "seed"), "bomb: declares the entity")
    assert not (tmp_path / "seed").exists()
    fails(accord("import", "a", "--from", "csv", "--out", "./a"), "a: is also an input; choose")


@pytest.mark.parametrize("form", READERS)
def test_nothing_to_read(tmp_path: Path, form: ImportFormatName) -> None:
    with pytest.raises(InputError, match="a: no such file"):
        import_seed(tmp_path / "a", form, (None, None))
    (tmp_path / "a").write_text("")
    with pytest.raises(InputError, match=r"a.*: (expected pairs of|not well-formed XML)"):
        import_seed(tmp_path / "a", form, (None, None))


def test_a_tbx_without_entries(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected entries \(<termEntry>\) of TBX, found none"):
        imported(tmp_path / "a", "<martif/>", "tbx")


def test_a_pair_both_accepted_and_rejected(tmp_path: Path) -> None:
    text = "source,target,status\na,b,accepted\na,b,\n a ,b,Rejected\n"
    with pytest.raises(InputError, match="t: the entry a = b is both accepted and rejected"):
        imported(tmp_path / "t", text, "csv")


def test_learning_reports_what_is_rejected(laid_out: Path, accord: Run) -> None:
    lines = (laid_out / "seed.tsv").read_text(encoding="utf-8").splitlines()
    reviewed = [
        f"{lines[0]}\taccepted",
        *lines[1:-2],
        *(f"{line}\trejected" for line in lines[-2:]),
    ]
    (laid_out / "seed.tsv").write_text("\n".join(reviewed) + "\n", encoding="utf-8")
    done = accord(*LEARN, "--iterations", 1, "--held-out", 0)
    assert done.returncode == 0, done.stderr
    assert "seed: 13 of 13 entries have their words in both corpora" in done.stderr
    assert "reviewed: 1 accepted, 2 rejected" in done.stderr
    record = json.loads((laid_out / "out" / "run.json").read_text())
    assert record["lines"]["seed"] == {
        "entries": 13,
        "used": 13,
        "accepted": 1,
        "rejected": 2,
    }
    kept = (laid_out / "out" / "model" / "seed.tsv").read_text(encoding="utf-8").splitlines()
    assert sorted(kept) == sorted(reviewed)
    assert read_seed(laid_out / "out" / "model" / "seed.tsv") == read_seed(laid_out / "seed.tsv")
