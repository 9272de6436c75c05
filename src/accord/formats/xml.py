"""Reading and writing XML, for TMX and TBX.

Files may come from anyone. So defusedxml refuses entities, which can fill the memory or refer to
other files. A document type alone is harmless and common in TMX; what it refers to is not fetched.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape

from accord.errors import InputError
from accord.formats.records import LeftOut, Record
from accord.formats.writing import NOT_XML, drop_characters
from accord.system.reading import open_bytes, place
from accord.system.writing import write_text

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def write_xml(
    path: Path, records: Iterable[Record], format_lines: Callable[[Iterator[Record]], Iterable[str]]
) -> LeftOut:
    """Write the lines of the records, without the characters that XML cannot store."""
    left_out = LeftOut()
    kept = drop_characters(records, NOT_XML, left_out)
    write_text(path, chain([DECLARATION], format_lines(kept)))
    return left_out


def escape_text(content: str) -> str:
    """Escape content between tags. A bare carriage return would be read as a line feed."""
    return escape(content, {"\r": "&#13;"})


def read_elements(path: str | Path, *names: str) -> Iterator[Element]:
    """Yield the elements with these names; each is cleared when the next is requested."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with open_bytes(path) as stream:
            for _, element in iterparse(stream):
                if local_name(element) in names:
                    yield element
                    element.clear()
    except ParseError as error:
        line = error.position[0]
        raise InputError(f"{place(path, line)}: not well-formed XML: {error}") from None
    except DefusedXmlException as error:
        name = getattr(error, "name", "")
        raise InputError(
            f"{path}: declares the entity {name!r}, which is unsafe and not needed in a "
            "dictionary; remove it"
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that the parser does not know
        raise InputError(f"{path}: unreadable: {error}; convert the file to UTF-8") from None


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def read_language(element: Element) -> str:
    """Return the language of an element, as `en-gb` for `en_GB`. Older files use `lang`."""
    name = element.get(LANGUAGE) or element.get("lang") or ""
    return name.strip().lower().replace("_", "-")
