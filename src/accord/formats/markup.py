"""XML in and out, for the formats that are written in it.

Files are a stranger's: defusedxml refuses entities, which can grow in memory or name other files.
A document type is no harm by itself, and common in TMX; what it names is not fetched.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

from accord.errors import InputError
from accord.formats.records import LeftOut, Record
from accord.formats.writable import NO_XML, NO_XML_ARE, writable
from accord.system.reading import open_bytes, place
from accord.system.writing import write_text

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def write_markup(
    path: Path, records: Iterable[Record], lines: Callable[[Iterator[Record]], Iterable[str]]
) -> LeftOut:
    """A file of the lines that `lines` makes of the records that XML can hold."""
    left_out = LeftOut()
    kept = writable(records, NO_XML, NO_XML_ARE, left_out)
    write_text(path, chain([DECLARATION], lines(kept)))
    return left_out


def text(content: str) -> str:
    """Content between tags. A carriage return as it stands would be read as a line feed."""
    return escape(content, {"\r": "&#13;"})


def attribute(value: str) -> str:
    """A value with its quotes."""
    return quoteattr(value)


def elements(path: str | Path, *names: str) -> Iterator[Element]:
    """The elements of these names, whole; they are emptied when the next is asked for."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with open_bytes(path) as stream:
            for _, element in iterparse(stream):
                if local(element) in names:
                    yield element
                    element.clear()
    except ParseError as error:
        line = error.position[0]
        raise InputError(f"{place(path, line)}: no well-formed XML: {error}") from None
    except DefusedXmlException as error:
        name = getattr(error, "name", "")
        raise InputError(
            f"{path}: declares the entity {name!r}, which no dictionary needs and which is not "
            "safe; remove it"
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that the parser does not know
        raise InputError(f"{path}: unreadable: {error}; convert the file to UTF-8") from None


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def language_of(element: Element) -> str:
    """`en-gb` for `en_GB` and its like; older files have `lang` for `xml:lang`."""
    name = element.get(LANGUAGE) or element.get("lang") or ""
    return name.strip().lower().replace("_", "-")
