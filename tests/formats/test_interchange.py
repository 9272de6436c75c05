"""TMX, TBX, OmegaT, CSV and Parquet: written and read back, by Accord and by other programs."""

import csv
import gzip
import io
import unicodedata
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from translate.storage.tbx import tbxfile
from translate.storage.tmx import tmxfile

from accord.corpus.vocabulary import normalise
from accord.errors import AccordError, InputError, OutputError
from accord.formats import ImportFormatName
from accord.formats.annotations import parse_record, parse_remark
from accord.formats.csv import COLUMNS, guard_cell, read_csv, unguard_cell, write_csv
from accord.formats.omegat import read_omegat, write_omegat
from accord.formats.parquet import write_parquet
from accord.formats.readers import READERS
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.tbx import read_tbx, write_tbx
from accord.formats.tmx import read_tmx, write_tmx
from accord.formats.writing import CHARACTER_REASONS, EMPTY
from accord.system.writing import write_file

LANGUAGES = ("zh", "en")
KNOWN = Record("经济 危机", "economic crisis", 0.8, 0.25, 0.93, ((0, 0), (1, 1)), "accepted")
WRONG = Record("银行", "bank <river>", confidence=0.5, status="rejected")
PLAIN = Record("# 1", "=1+1")
RECORDS = [KNOWN, WRONG, PLAIN]
NO_XML = "\ufffe\uffff"
# The rules of TMX 1.4 for the elements that are written.
TMX_DTD = """
<!ELEMENT tmx (header, body)>
<!ATTLIST tmx version CDATA #FIXED "1.4">
<!ELEMENT header (note | prop)*>
<!ATTLIST header creationtool CDATA #REQUIRED creationtoolversion CDATA #REQUIRED
  segtype (block | paragraph | sentence | phrase) #REQUIRED o-tmf CDATA #REQUIRED
  adminlang CDATA #REQUIRED srclang CDATA #REQUIRED datatype CDATA #REQUIRED>
<!ELEMENT body (tu*)>
<!ELEMENT tu ((note | prop)*, tuv+)>
<!ATTLIST tu tuid CDATA #IMPLIED>
<!ELEMENT note (#PCDATA)>
<!ELEMENT prop (#PCDATA)>
<!ATTLIST prop type CDATA #REQUIRED>
<!ELEMENT tuv ((note | prop)*, seg)>
<!ATTLIST tuv xml:lang CDATA #REQUIRED>
<!ELEMENT seg (#PCDATA)>
"""
# The same for MARTIF, with tig only.
TBX_DTD = """
<!ELEMENT martif (martifHeader, text)>
<!ATTLIST martif type CDATA #REQUIRED xml:lang CDATA #REQUIRED>
<!ELEMENT martifHeader (fileDesc)>
<!ELEMENT fileDesc (sourceDesc+)>
<!ELEMENT sourceDesc (p+)>
<!ELEMENT p (#PCDATA)>
<!ELEMENT text (body)>
<!ELEMENT body (termEntry+)>
<!ELEMENT termEntry ((descrip | note)*, langSet+)>
<!ATTLIST termEntry id ID #IMPLIED>
<!ELEMENT descrip (#PCDATA)>
<!ELEMENT note (#PCDATA)>
<!ELEMENT langSet (tig+)>
<!ATTLIST langSet xml:lang CDATA #REQUIRED>
<!ELEMENT tig (term, termNote*)>
<!ELEMENT term (#PCDATA)>
<!ELEMENT termNote (#PCDATA)>
<!ATTLIST termNote type CDATA #REQUIRED>
"""

Write = Callable[[Path, list[Record], LanguageCodes], LeftOut]
WRITERS: dict[str, Write] = {
    "tmx": write_tmx,
    "tbx": write_tbx,
    "omegat": write_omegat,
    "csv": write_csv,
}
ALL_WRITERS = WRITERS | {"parquet": write_parquet}


def read(form: ImportFormatName, path: Path) -> list[Record]:
    return list(READERS[form](path, LANGUAGES).records)


def out_and_back(form: ImportFormatName, records: list[Record]) -> tuple[list[Record], LeftOut]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        left_out = WRITERS[form](path, records, LANGUAGES)
        return (read(form, path) if path.stat().st_size else []), left_out


def odd_texts() -> st.SearchStrategy[str]:
    """Any Unicode text, especially characters that are special in some format."""
    pieces = ["|||", "\t", "\n", "\r", "\r\n", '"', "'", "<", ">", "&", "]]>", "#", "=", "+", "-"]
    pieces += ["@", "＝", ";", ",", " ", "\x00", "\x01", "\x0b", "\x1f", "\x7f", "\x85", "\ufeff"]
    pieces += ["\ufffe", "\uffff", "\ud800", "\u2028", "\u202e", "\u05d0", "\u0301", "\U0001fffe"]
    pieces += ["a", "经济", "\U0001f600", "&#13;", "accepted", "\xa0"]
    return st.lists(st.sampled_from(pieces) | st.characters(), max_size=6).map("".join)


def phrases() -> st.SearchStrategy[str]:
    """Phrases as in Accord, without characters that no format can hold."""

    def tidy(text: str) -> str:
        kept = (a for a in text if unicodedata.category(a) not in ("Cc", "Cs") and a not in NO_XML)
        return normalise("".join(kept))

    return odd_texts().map(tidy).filter(bool)


def records(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Record]:
    numbers = st.none() | st.integers(0, 1000).map(lambda n: n / 1000)
    links = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3).map(tuple)
    statuses = st.sampled_from(["", "accepted", "rejected"])
    return st.builds(Record, texts, texts, numbers, numbers, numbers, links, statuses)


@pytest.mark.parametrize("form", WRITERS)
def test_all_fields_come_back(form: ImportFormatName) -> None:
    found, left_out = out_and_back(form, RECORDS)
    if form in ("tbx", "omegat"):  # these lose the links
        assert found == [record._replace(alignment=()) for record in RECORDS]
    else:
        assert found == RECORDS
    assert not left_out


@pytest.mark.parametrize("form", WRITERS)
@given(record=records(odd_texts()))
def test_any_text_comes_back_or_is_counted(form: ImportFormatName, record: Record) -> None:
    found, left_out = out_and_back(form, [KNOWN, record, WRONG])
    assert (found[0].target, found[-1].target) == (KNOWN.target, WRONG.target)
    if len(found) == 2:
        assert left_out[EMPTY] == 1
        return
    came = found[1]
    assert came[2:5] == record[2:5]
    assert came.status == record.status
    if not left_out:
        sides = [record.source, record.target]
        if form == "omegat":  # trims cells; phrases have no white space at their ends
            sides = [side.strip(" ") for side in sides]
        assert [came.source, came.target] == sides


@pytest.mark.parametrize("form", WRITERS)
@given(record=records(phrases()))
def test_phrases_come_back(form: ImportFormatName, record: Record) -> None:
    (found,), left_out = out_and_back(form, [record])
    assert found[:2] == record[:2]
    assert not left_out


@pytest.mark.parametrize(
    ("form", "times"), [("tmx", 4), ("tbx", 4), ("omegat", 4), ("csv", 4), ("parquet", 1)]
)
def test_what_a_format_cannot_hold(tmp_path: Path, form: ImportFormatName, times: int) -> None:
    odd = Record("a\x00 \x01\x02 b", "x\ud800", alignment=((0, 0), (2, 0)))
    given = [odd, Record("\ud800", "y"), Record("a", " ")]
    left_out = ALL_WRITERS[form](tmp_path / "f", given, LANGUAGES)
    reason = {"tmx": "XML", "tbx": "XML", "parquet": "Unicode"}.get(form)
    told = f"{reason} does not allow them" if reason else "they are control characters"
    assert told in CHARACTER_REASONS
    assert left_out == {told: times + 1, EMPTY: 2}
    if form in WRITERS:
        # A word is gone, so the links are dropped.
        assert normalise(read(form, tmp_path / "f")[0].source) == "a b"
        assert read(form, tmp_path / "f")[0].alignment == ()


@pytest.mark.parametrize("form", ALL_WRITERS)
def test_writing_is_deterministic(tmp_path: Path, form: ImportFormatName) -> None:
    for name in ("one", "other"):
        ALL_WRITERS[form](tmp_path / name, RECORDS, LANGUAGES)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize(("form", "rules"), [("tmx", TMX_DTD), ("tbx", TBX_DTD)])
@given(record=records(odd_texts()))
def test_xml_is_valid(form: ImportFormatName, rules: str, record: Record) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        WRITERS[form](path, [record, KNOWN], LANGUAGES)
        rule = etree.DTD(io.StringIO(rules))
        assert rule.validate(etree.parse(path)), rule.error_log


@pytest.mark.parametrize("form", ["tmx", "tbx"])
def test_xml_keeps_white_space(form: ImportFormatName) -> None:
    """A bare carriage return would be read as a line feed."""
    odd = Record("a\rb\r\nc", "\td]]> \x85\u2028&amp;")
    assert out_and_back(form, [odd]) == ([odd], LeftOut())


def test_the_translate_toolkit_reads_tmx(tmp_path: Path) -> None:
    write_tmx(tmp_path / "a.tmx", RECORDS, LANGUAGES)
    with (tmp_path / "a.tmx").open("rb") as stream:
        units = tmxfile(stream, *LANGUAGES).units
    assert [(unit.source, unit.target) for unit in units] == [record[:2] for record in RECORDS]
    assert [unit.getid() for unit in units] == ["1", "2", "3"]


def test_the_translate_toolkit_reads_tbx(tmp_path: Path) -> None:
    write_tbx(tmp_path / "a.tbx", RECORDS, LANGUAGES)
    with (tmp_path / "a.tbx").open("rb") as stream:
        units = tbxfile(stream, *LANGUAGES).units
    assert [(unit.source, unit.target) for unit in units] == [record[:2] for record in RECORDS]
    (accepted,), (rejected,), _ = (unit.get_target_terms() for unit in units)
    assert accepted.administrative_status == "preferredTerm-admn-sts"
    assert not accepted.deprecated
    assert rejected.deprecated
    assert units[1].getnotes() == "confidence 0.5"


@given(record=records(phrases()))
def test_the_translate_toolkit_reads_any_phrase(record: Record) -> None:
    stores: list[tuple[str, Any]] = [("tmx", tmxfile), ("tbx", tbxfile)]
    for form, store in stores:
        with TemporaryDirectory() as folder:
            WRITERS[form](Path(folder, "f"), [record], LANGUAGES)
            (unit,) = store.parsestring(Path(folder, "f").read_bytes(), *LANGUAGES).units
        assert (unit.source, unit.target) == (record.source, record.target)


def test_omegat_glossary(tmp_path: Path) -> None:
    """OmegaT skips lines that begin with # before it trims cells."""
    write_omegat(tmp_path / "g.txt", RECORDS, LANGUAGES)
    assert (tmp_path / "g.txt").read_text(encoding="utf-8").splitlines() == [
        "# accord -*- coding: utf-8 -*-",
        "经济 危机\teconomic crisis\taccepted; confidence 0.93; p_target_given_source 0.8; "
        "p_source_given_target 0.25",
        "银行\tbank <river>\trejected; confidence 0.5",
        " # 1\t=1+1",
    ]


def test_glossaries_of_other_programs(tmp_path: Path) -> None:
    text = "\ufeff# comment\n\nHaus\thouse\r\n Tür \tdoor\trejected; says Eva\tmore\nallein\n"
    (tmp_path / "g.txt").write_text(text, encoding="utf-8", newline="")
    assert list(read_omegat(tmp_path / "g.txt")) == [
        Record("Haus", "house"),
        Record("Tür", "door", status="rejected"),
        Record("allein", ""),
    ]


def test_annotations_of_others_are_ignored() -> None:
    told = {"confidence": "high", "p_target_given_source": "7", "alignment": "0-0 x"}
    assert parse_record("a", "b", told | {"status": "ok"}) == Record("a", "b")
    assert parse_remark("accepted by Eva; confidence 0.5") == {"confidence": "0.5"}


def test_the_old_name_of_the_confidence(tmp_path: Path) -> None:
    assert parse_record("a", "b", parse_remark("probability 0.5")).confidence == 0.5
    assert parse_record("a", "b", {"confidence": "0.7", "probability": "0.5"}).confidence == 0.7
    (tmp_path / "t.csv").write_text("source,target,probability\na,b,0.5\n", encoding="utf-8")
    assert list(read_csv(tmp_path / "t.csv")) == [Record("a", "b", confidence=0.5)]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@A1", "＝1", "－1", " =1", "'=1", "''=1"])
@pytest.mark.parametrize("before", ["", "a;", 'a;"', "a; "])
def test_no_cell_is_a_formula(before: str, cell: str) -> None:
    out = guard_cell(before + cell)
    for part in out.split(";"):
        assert part.lstrip(' "')[0] in "a'", "what a spreadsheet begins the cell with"
    assert unguard_cell(out) == before + cell
    assert out != before + cell


@given(cell=odd_texts())
def test_guarding_can_be_undone(cell: str) -> None:
    assert unguard_cell(guard_cell(cell)) == cell


def test_csv(tmp_path: Path) -> None:
    write_csv(tmp_path / "t.csv", RECORDS, LANGUAGES)
    assert (tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbfkind,source,target,")
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(COLUMNS)
    assert rows[0] == {
        "kind": "phrase",
        "source": "经济 危机",
        "target": "economic crisis",
        "confidence": "0.93",
        "p_target_given_source": "0.8",
        "p_source_given_target": "0.25",
        "alignment": "0-0 1-1",
        "status": "accepted",
        "relation": "",
    }
    assert rows[2]["target"] == "'=1+1"
    frame = polars.read_csv(tmp_path / "t.csv")
    assert frame["confidence"].to_list() == [0.93, 0.5, None]


@pytest.mark.parametrize(
    "text",
    [
        "Haus,house\nTür,door\n",
        "Haus\thouse\nTür\tdoor\textra\n",
        "Note;Target;SOURCE\nx;house;Haus\n;door;Tür\n",
        '\ufeff"source","target"\r\n"Haus","house"\r\n\r\n"Tür","door"\r\n',
    ],
)
def test_tables_of_other_programs(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8", newline="")
    assert list(read_csv(tmp_path / "t.csv")) == [Record("Haus", "house"), Record("Tür", "door")]


REVIEWED = [Record("Hund", "dog", status="rejected"), Record("Katze", "cat")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quelle,Ziel,status\nHund,dog,rejected\nKatze,cat,\n", REVIEWED),
        ("Status;Quelle;Ziel\nrejected;Hund;dog\n;Katze;cat\n", REVIEWED),
        ("Hund,dog,rejected\nKatze,cat\n", REVIEWED),
        ("de,en,note\nHund,dog,rejected\n", [Record("de", "en"), Record("Hund", "dog")]),
        # These are words, not headers.
        ("status,Status\nHund,dog\n", [Record("status", "Status"), Record("Hund", "dog")]),
        ("Status,status,accepted\n", [Record("Status", "status", status="accepted")]),
        ("Hund,dog,rejected\nKatze,cat,ok\n", [Record("Hund", "dog"), Record("Katze", "cat")]),
        # Line ends of old Macintoshes.
        ("source,target\rHund,dog\r", [Record("Hund", "dog")]),
        # The first line is long, but its cells are not.
        (f"source,target{',x' * 100_000}\nHund,dog\n", [Record("Hund", "dog")]),
    ],
)
def test_headers_and_statuses(tmp_path: Path, text: str, expected: list[Record]) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8", newline="")
    assert list(read_csv(tmp_path / "t.csv")) == expected


@pytest.mark.parametrize("text", ["de,EN,status\nHund,dog,\n", "\nnote,en,de\nx,dog,Hund\n"])
def test_languages_as_a_header(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert list(read_csv(tmp_path / "t.csv", ("De", "en"))) == [Record("Hund", "dog")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a" * 140_000 + b",b\n", "line 1: invalid CSV: field larger than field limit"),
        (b"source,status\na,b\n", "expected the columns source and target, found only source"),
        (b"source,target,status\na,b,\na,b,wrong\n", "line 3: expected the status accepted, rej"),
        (b"a,b\n\xff,c\n", "line 2: expected UTF-8, found the byte 0xff"),
        (b'a,b\n"c"d,e\n', "line 2: invalid CSV"),
    ],
)
def test_bad_tables(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_csv(tmp_path / "t.csv"))


def test_tables_have_the_relation(tmp_path: Path) -> None:
    records = [PLAIN._replace(relation="variant"), PLAIN]
    write_csv(tmp_path / "t.csv", records, LANGUAGES)
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert [row["relation"] for row in csv.DictReader(stream)] == ["variant", ""]
    write_parquet(tmp_path / "t.parquet", records, LANGUAGES)
    assert polars.read_parquet(tmp_path / "t.parquet")["relation"].to_list() == ["variant", ""]


def test_parquet(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", RECORDS, LANGUAGES)
    frame = polars.read_parquet(tmp_path / "t.parquet")
    assert frame.columns == list(COLUMNS)
    assert frame.row(0) == ("phrase", *KNOWN[:2], 0.93, 0.8, 0.25, "0-0 1-1", "accepted", "")
    assert frame.row(2) == ("phrase", *PLAIN[:2], None, None, None, "", "", "")
    write_parquet(tmp_path / "t.parquet", [], LANGUAGES)
    assert dict(polars.read_parquet_schema(tmp_path / "t.parquet")) == dict(frame.schema)


def test_compressed_tables(tmp_path: Path) -> None:
    for name in ("one.csv.gz", "other.csv.gz", "plain.csv"):
        write_csv(tmp_path / name, RECORDS, LANGUAGES)
    one, other, plain = ((path.read_bytes()) for path in sorted(tmp_path.iterdir()))
    assert one == other
    assert gzip.decompress(one) == plain
    assert read("csv", tmp_path / "one.csv.gz") == RECORDS
    with pytest.raises(OutputError, match=r"t\.gz: Parquet is compressed already; choose"):
        write_parquet(tmp_path / "t.gz", RECORDS, LANGUAGES)


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(AccordError, match=r"parquet needs pyarrow: pip install 'accord\[arrow\]'"):
        write_parquet(tmp_path / "t", RECORDS, LANGUAGES)


def test_tmx_of_other_programs(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE tmx SYSTEM "tmx14.dtd">'
        '<tmx version="1.4"><header/><body><tu><prop>x</prop>'
        '<tuv xml:lang="de_DE"><seg>das <bpt i="1">&lt;b&gt;</bpt>rote<ept i="1"/> Haus</seg></tuv>'
        '<tuv xml:lang="EN-GB"><seg>the <hi>red</hi> house</seg></tuv>'
        '<tuv xml:lang="EN-US"><seg>house</seg></tuv></tu>'
        '<tu><tuv xml:lang="de-DE"><seg>allein</seg></tuv></tu></body></tmx>'
    )
    (tmp_path / "a.tmx").write_text(text, encoding="utf-16")
    one = Record("das rote Haus", "the red house")
    alone = Record("allein", "")
    read = [*read_tmx(tmp_path / "a.tmx", ("de", "en")).records]
    assert read == [one, Record("das rote Haus", "house"), alone]
    assert [*read_tmx(tmp_path / "a.tmx", ("de", "en-GB")).records] == [one, alone]


def test_tmx_of_any_depth(tmp_path: Path) -> None:
    deep = f"a {'<sub>b' * 5_000}<ph>x<sub>y</sub></ph> c{'</sub>' * 5_000} d"
    text = (
        f'<tmx><body><tu><tuv xml:lang="de"><seg>{deep}</seg></tuv>'
        '<tuv xml:lang="en"><seg>e</seg></tuv></tu></body></tmx>'
    )
    (tmp_path / "a.tmx").write_text(text, encoding="utf-8")
    (record,) = read_tmx(tmp_path / "a.tmx", ("de", "en")).records
    assert record.source == f"a {'b' * 5_000} c d"


TIGS = (
    '<martif type="TBX"><text><body><termEntry><descrip type="context">…</descrip><note>x</note>'
    '<langSet xml:lang="en"><tig><term>car</term></tig>'
    "<ntig><termGrp><term>auto<hi>mobile</hi></term></termGrp></ntig></langSet>"
    '<langSet xml:lang="de"><ntig><termGrp><term>Auto</term>'
    '<termNote type="administrativeStatus">admittedTerm-admn-sts</termNote></termGrp></ntig>'
    '<tig><term>Karre</term><termNote type="administrativeStatus">deprecated</termNote></tig>'
    "</langSet></termEntry></body></text></martif>"
)
TERM_SECTIONS = (
    '<tbx xmlns="urn:iso:std:iso:30042:ed-2" type="TBX-Basic" style="dca"><text><body>'
    '<conceptEntry id="1"><langSec xml:lang="en"><termSec><term>car</term></termSec>'
    "<termSec><term>automobile</term></termSec></langSec>"
    '<langSec xml:lang="de"><termSec><term>Auto</term>'
    '<termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termSec>'
    "<termSec><term>Karre</term>"
    '<termNote type="administrativeStatus">supersededTerm-admn-sts</termNote></termSec>'
    "</langSec></conceptEntry></body></text></tbx>"
)

ELEMENTS = TERM_SECTIONS.replace(' style="dca"', ' style="dct" xmlns:min="urn:min"')
ELEMENTS = ELEMENTS.replace('termNote type="administrativeStatus"', "min:administrativeStatus")
ELEMENTS = ELEMENTS.replace("</termNote>", "</min:administrativeStatus>")
AUTHORIZED = TIGS.replace("administrativeStatus", "normativeAuthorization")


@pytest.mark.parametrize(
    "text",
    [TIGS, TERM_SECTIONS, ELEMENTS, AUTHORIZED],
    ids=["version 2", "version 3", "elements", "authorization"],
)
def test_tbx_of_other_programs(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.tbx").write_text(text, encoding="utf-8")
    assert [*read_tbx(tmp_path / "a.tbx", ("en", "de")).records] == [
        Record("car", "Auto", status="accepted"),
        Record("car", "Karre", status="rejected"),
        Record("automobile", "Auto", status="accepted"),
        Record("automobile", "Karre", status="rejected"),
    ]


def test_files_are_written_completely_or_not_at_all(tmp_path: Path) -> None:
    """A failed write keeps the existing file."""
    write_file(tmp_path / "t.csv", lambda stream: stream.write(b"before"))

    def failing() -> list[Record]:
        raise ZeroDivisionError

    for write in ALL_WRITERS.values():
        with pytest.raises(ZeroDivisionError):
            write(tmp_path / "t.csv", (failing() for _ in "a"), LANGUAGES)  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_bytes() == b"before"
