"""Link texts and titles of dumps and web pages."""

import bz2
import codecs
import gc
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mwparserfromhell.nodes import Wikilink

from accord.corpus.text.links import anchors as anchors_module
from accord.corpus.text.links.anchors import read_anchors
from accord.corpus.text.links.dump import read_articles
from accord.corpus.text.links.html import decode_page
from accord.corpus.text.links.wikitext import clean_link_text, clean_title, find_link_texts
from accord.errors import AccordError, InputError

NAMESPACES = '<namespace key="0" /><namespace key="6">Datei</namespace>'
HEADER = f"<mediawiki><siteinfo><namespaces>{NAMESPACES}</namespaces></siteinfo>"


def page(title: str, *texts: str, space: int = 0, inside: str = "", model: str = "") -> str:
    revisions = "".join(
        f"<revision><id>1</id>{model}<text>{escape(text)}</text></revision>" for text in texts
    )
    return f"<page><title>{title}</title><ns>{space}</ns><id>1</id>{inside}{revisions}</page>\n"


def dump(*pages: str) -> bytes:
    return f"{HEADER}\n{''.join(pages)}</mediawiki>".encode()


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., list[str]]:
    def found(content: bytes, name: str = "file", jobs: int = 1) -> list[str]:
        (tmp_path / name).write_bytes(content)
        return list(read_anchors(tmp_path / name, jobs=jobs))

    return found


Found = Callable[..., list[str]]
THREE = dump(
    page("Mercury (planet)", "The [[sun]]s, ''[[Venus (planet)|Venus]]''."),
    page("Innermost_planet", "#REDIRECT [[Mercury (planet)]]", inside='<redirect title="M" />'),
    page("Talk:Mercury", "[[chatter]]", space=1),
)
PHRASES = ["Mercury", "suns", "Venus", "Innermost planet"]


@pytest.mark.parametrize(
    ("name", "content"),
    ids=lambda value: value if isinstance(value, str) else "",
    argvalues=[
        ("plain", THREE),
        ("bom.xml", codecs.BOM_UTF8 + b'<?xml version="1.0"?>\n<!-- made -->' + THREE),
        ("dump.html", THREE),
        ("dump.gz", gzip.compress(THREE, mtime=0)),
        ("dump.bz2", bz2.compress(THREE[:200]) + bz2.compress(THREE[200:])),
        ("dump.xz", lzma.compress(THREE)),
    ],
)
def test_compressed_and_encoded_dumps(found: Found, name: str, content: bytes) -> None:
    assert found(content, name) == PHRASES


def test_a_dump_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(THREE)))
    assert list(read_anchors("-")) == PHRASES


def test_only_wikitext_of_the_last_revision_is_read(found: Found) -> None:
    content = dump(
        page("A", "[[old]]", "[[new]]"),
        page("B", "[[data]]", model="<model>json</model>"),
        page("C"),
    )
    assert found(content) == ["A", "new", "B", "C"]


def test_namespaces_in_the_language_of_the_wiki(found: Found) -> None:
    picture = "[[Datei:Ulm.jpg|mini|Das [[Ulmer Münster|Münster]] in Ulm]] [[datei:Ulm.jpg]]"
    assert found(dump(page("A", picture))) == ["A", "Münster"]


def test_processes_do_not_change_the_order(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors_module, "CHUNK", 100)
    content = dump(*(page(f"Page {n} a", f"[[link {n}]] " * (n % 7)) for n in range(60)))
    assert found(content, jobs=2) == found(content, jobs=1)


def test_elements_of_read_pages_are_freed() -> None:
    """A dump has millions of pages."""
    content = dump(*(page(f"P{n}", "text") for n in range(2_000)))
    seen = [
        sum(isinstance(thing, Element) and thing.tag == "page" for thing in gc.get_objects())
        for article in read_articles(io.BytesIO(content), "file")
        if article.title.endswith("99")
    ]
    assert max(seen) < 500


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        ("[[bus]]es, [[Bus]]fahrer, [[bus]]Es", ["buses", "Busfahrer", "bus"]),
        ("[[北京]]是首都, [[час]]ове", ["北京", "часове"]),
        ("[[Ulm#History]], [[Ulm#History|past]], [[#History]]", ["Ulm", "past"]),
        ("[[New_York]] [[ New  York ]] [[a|\n b ]]", ["New York", "New York", "b"]),
        ("[[Mercury (planet)]] [[f(x)]] [[水星（行星）]]", ["Mercury", "f(x)", "水星"]),
        ("[[File:a.jpg]] [[:Category:B|b]] [[image :x|c]] [[User_talk:X|me]]", []),
        ("[[fr:Ulm]] [[:fr:Ulm|Ulm]] [[wikt:ulm|ulm]] [[zh-min-nan:U]]", []),
        ("[[Star Trek: Picard]] [[2001: A Space Odyssey|2001]]", ["Star Trek: Picard"]),
        ("{{cite|author=[[Ann]]|x}} {|\n| [[b]] || [[c|C]]\n|}", ["Ann", "b", "C"]),
        ("<ref>[[a]]</ref> == [[b]] == ''[[c]]'' * [[d]]", ["a", "b", "c", "d"]),
        ("<nowiki>[[a]]</nowiki> <!-- [[b]] --> <math>[[c]]</math> <pre >[[d]]</pre>", []),
        ("[[a]] <nowiki/> [[b]] <!-- [[c]] ", ["a", "b"]),
        ("[[x|''a'' <b>b</b> &amp; <i><u>c</u></i>]]", ["a b & c"]),
        ("[[x|CO<sub>2</sub>]]", ["CO2"]),
        (
            "[[x|New<br />York]] [[x|a<!-- -->b]] [[x|soft&shy;ware]]",
            ["New York", "ab", "software"],
        ),
        ("[[x|a {{b}} c]] [[x|a<ref>b</ref>]] [[x|a<nowiki>b</nowiki>]] [[{{x}}]]", []),
        ("[[x|]] [[x| ]] [[x|1999]] [[x|[1]]] [[x|↑]]", []),
        ("[http://a.org text] http://b.org [[x|http://c.org]] [[x|www.c.org]]", []),
        ("[[unclosed [[a]] and ]] [[b", ["a"]),
    ],
)
def test_links_in_wikitext(wikitext: str, expected: list[str]) -> None:
    assert list(find_link_texts(wikitext, {"user talk"})) == expected


NAMES = st.sampled_from(["Ulm", "old town", "Rhine (river)", "北京", "Star Trek: Picard", "A_b"])
LINKS = st.one_of(
    NAMES.map("[[{}]].".format),
    st.tuples(NAMES, NAMES).map(lambda pair: "[[{}|''{}'']].".format(*pair)),
    NAMES.map("[[File:{0}.jpg|thumb|seen from [[{0}]]]].".format),
    NAMES.map("[[fr:{}]]".format),
)
AROUND = st.sampled_from(
    [
        *("{}", "text {}", "'''{}'''", "<ref name=x>{}</ref>", "\n== {} ==\n", "\n* {}\n"),
        *("{{{{box|name={}}}}}", "\n{{|\n|-\n| {} || b\n|}}\n"),
        *("<!-- {} -->", "<nowiki>{}</nowiki>"),
    ]
)
PIECES = st.tuples(AROUND, LINKS).map(lambda pair: pair[0].format(pair[1]))
WIKITEXT = st.lists(PIECES, max_size=6).map("\n".join)


@given(WIKITEXT)
def test_links_equal_those_of_the_full_parser(wikitext: str) -> None:
    expected = []
    for link in mwparserfromhell.parse(wikitext).ifilter_wikilinks():
        assert isinstance(link, Wikilink)
        if not str(link.title).startswith(("File:", "fr:")):
            expected.append(
                clean_title(str(link.title))
                if link.text is None
                else clean_link_text(link.text.strip_code())
            )
    assert list(find_link_texts(wikitext)) == expected


def html(body: str, head: str = "") -> bytes:
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{body}</body></html>".encode()


def test_a_page(found: Found) -> None:
    body = """<h1>Mercury (planet)</h1> <a href="/venus"> the <b>V</b>enus
      <script>x</script></a> <a href="/ny">New<br>York</a> <a href="/x"><img src="x"></a>
      <a href="#top">up</a> <sup><a href="/cite">[1]</a></sup> <a name="x">no link</a>
      <a href="/fr" hreflang="fr">Français</a> <a href="http://a.org">http://a.org</a>
      <a href="mailto:a@b.org">a@b.org</a> <a href="/k"><ruby>漢字<rt>かんじ</rt></ruby></a>"""
    expected = ["Mercury", "the Venus", "New York", "漢字"]
    assert found(html(body, "<title>Mercury - The Site</title>")) == expected


def test_the_title_is_read_if_there_is_no_heading(found: Found) -> None:
    assert found(html("", "<title>Mercury (planet)</title>")) == ["Mercury"]
    assert found(b"<p>See <a href=x>this one</a>") == ["this one"]
    assert found(html("no link")) == []


@pytest.mark.parametrize(
    ("head", "codec", "text"),
    [
        ("", "utf-8", "größer 北京"),
        ("<meta charset=utf8>", "utf-8", "größer 北京"),
        ("", "utf-8-sig", "größer"),
        ("<meta charset=gbk>", "utf-16", "北京"),
        ('<META CHARSET="gb2312">', "gb18030", "朱镕基"),
        ("<!-- <meta charset=gbk> --><meta charset='iso-8859-1'>", "cp1252", "“größer”"),
        ('<meta http-equiv="a" content="text/html; charset=Shift_JIS">', "cp932", "①髙い"),
        ("<meta charset=windows-874>", "cp874", "ภาษาไทย"),
        ("<meta charset=utf-16>", "utf-8", "größer"),
    ],
)
def test_charsets(found: Found, head: str, codec: str, text: str) -> None:
    assert found(html(f"<a href=x>{text}</a>", head).decode().encode(codec)) == [text]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "<p>\ngrößer".encode("latin-1"),
            "p, line 2: expected utf-8, as it declares no charset, fou",
        ),
        (
            b"<meta charset=gbk>\xff\xff",
            "p, line 1: expected gb18030, as it declares gbk, found the b",
        ),
        ("\ufeff<p>".encode("utf-16-le") + b"\x00\xd8", "expected utf-16-le, by its byte order m"),
        (
            "<meta charset=latin1>größer".encode(),
            "p: expected latin1, as it declares, found UTF-8; co",
        ),
        (b"<meta charset=klingon>", "p: expected a charset, found 'klingon'; convert the page"),
        (b"<meta charset=hex>", "p: expected a charset, found 'hex'; convert the page to UTF-8"),
    ],
)
def test_a_wrong_charset(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decode_page(content, "p")


LONG = dump(*(page(f"Page {n}", f"[[link {n}]] ö" * 50) for n in range(200)))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("name", "content"),
    ids=lambda value: value if isinstance(value, str) else "",
    argvalues=[
        ("text", LONG[:-1000]),
        ("tag", LONG[: LONG.rindex(b"</page>") + 3]),
        ("letter", LONG[: LONG.rindex("ö".encode()) + 1]),
        ("end", LONG[: LONG.rindex(b"</mediawiki>")]),
        ("dump.gz", gzip.compress(LONG, mtime=0)[:-500]),
        ("dump.bz2", bz2.compress(LONG[:100_000]) + bz2.compress(LONG[100_000:])[:-20]),
        ("dump.xz", lzma.compress(LONG)[:-200]),
    ],
)
def test_a_truncated_dump(found: Found, name: str, content: bytes, jobs: int) -> None:
    message = f"{name}: expected a complete MediaWiki dump, found one that is truncated after [0-9]"
    with pytest.raises(InputError, match=message):
        found(content, name, jobs)


def test_complete_pages_of_a_truncated_dump() -> None:
    """They are yielded before the error is raised."""
    given_out = read_articles(io.BytesIO(dump(page("One"), page("Two"))[:-40]), "a")
    assert next(given_out).title == "One"
    with pytest.raises(InputError, match=r"a: .* truncated after 1 pages; download it again"):
        list(given_out)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (dump("<page><title>A</wrong>"), "found an error after 0 pages: mismatched tag: line 2"),
        (dump(page("A"), "<strange />"), "found an error after 1 pages: Expected to see <page>"),
        (dump(page("A"), "<page><ns>0</ns></page>"), "found an error after 1 pages: 'NoneType'"),
        (b"<mediawiki></mediawiki>", "found an error after 0 pages: <siteinfo> tag not found"),
        (dump("<page>&undefined;"), "found an error after 0 pages: undefined entity"),
    ],
)
def test_malformed_dumps(found: Found, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=f"file: expected a complete MediaWiki dump, {message}"):
        found(content)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "an empty file"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a binary file"),
        (b"plain [[text]] <a href=x>y</a>", "'plain"),
        (b"-- MySQL dump 10.19", "'-- MySQL"),
        (b"<rss><title>news</title></rss>", "'<rss>"),
        (b"<!---->" * 5_000 + b"<rss>", "'<!---->"),
    ],
)
def test_files_of_other_formats(found: Found, content: bytes, what: str) -> None:
    message = f"file: expected a MediaWiki dump in XML or a web page, found {what}"
    with pytest.raises(InputError, match=message):
        found(content)


@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?>", "<!-- <mediawiki> -->"])
def test_document_types_are_refused(found: Found, before: str) -> None:
    """They could contain entities that name files or grow without end."""
    content = f"{before}<!DOCTYPE mediawiki [<!ENTITY a 'b'>]>".encode() + dump(page("&a;"))
    with pytest.raises(InputError, match="expected a MediaWiki dump in XML or a web page"):
        found(content)


BOMB = "<!ENTITY z '0123456789'>" + "".join(
    f"<!ENTITY {name} '{f'&{inner};' * 10}'>" for name, inner in pairwise("abcdefghiz")
)


@pytest.mark.parametrize(
    ("entity", "message"),
    [("<!ENTITY a SYSTEM 'secret'>", "undefined entity"), (BOMB, "limit on input amplification")],
    ids=["file", "bomb"],
)
def test_the_parser_expands_no_entities_to_files_or_bombs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entity: str, message: str
) -> None:
    """A second line of defence, if a document type should pass the check of the beginning."""
    (tmp_path / "secret").write_text("secret")
    monkeypatch.chdir(tmp_path)
    content = f"<!DOCTYPE mediawiki [{entity}]>".encode() + dump(page("&a;"))
    with pytest.raises(InputError, match=message):
        list(read_articles(io.BytesIO(content), "file"))


@pytest.mark.parametrize(
    ("package", "content", "message"),
    [
        ("mwxml", THREE, r"MediaWiki dumps need mwxml: pip install 'accord\[anchors\]'"),
        ("mwparserfromhell", dump(page("A", "[[a|''b'']]")), "wikitext needs mwparserfromhell: "),
        ("selectolax.lexbor", html(""), "web pages need selectolax: pip install"),
    ],
)
def test_packages_that_are_not_installed(
    found: Found, monkeypatch: pytest.MonkeyPatch, package: str, content: bytes, message: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(AccordError, match=message):
        found(content)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: no such file"):
        list(read_anchors(tmp_path / "none"))
    with pytest.raises(InputError, match="expected a file, found a folder"):
        list(read_anchors(tmp_path))
    (tmp_path / "a.gz").write_bytes(b"<html>")
    with pytest.raises(InputError, match=r"a\.gz: unreadable: Not a gzipped file"):
        list(read_anchors(tmp_path / "a.gz"))
    (tmp_path / "a.bz2").write_bytes(bz2.compress(THREE)[:-20])
    with pytest.raises(InputError, match=r"a\.bz2: unreadable: Compressed file ended before"):
        list(read_anchors(tmp_path / "a.bz2"))
