"""FreeDict: dictionaries in TEI XML.

    <entry><form><orth>Haus</orth></form>
      <sense><cit type="trans"><quote>house</quote></cit></sense></entry>

Older files have <trans><tr>house</tr></trans>. The parser is Expat of the standard library, which
fetches no other files. A file that declares an entity is refused: entities can grow in memory.
"""

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from accord.errors import InputError
from accord.formats.dictionaries.glosses import split_glosses
from accord.system.reading import place


def read_freedict(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yield the headwords of each entry with each of its translations."""
    for entry in _parse_entries(name, lines):
        heads = [
            _join_text(orth)
            for form in entry
            if form.tag == "form"
            for orth in form.iterfind("orth")
        ]
        translations = [
            gloss for quoted in _find_translations(entry) for gloss in split_glosses(quoted)
        ]
        yield from ((head, gloss) for head in heads for gloss in translations)


def _parse_entries(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[Element]:
    builder = TreeBuilder()
    finished: list[Element] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        builder.start(_local_name(tag), attributes)

    def end(tag: str) -> None:
        element = builder.end(_local_name(tag))
        if element.tag == "entry":
            finished.append(element)

    def refuse(entity: str, *_: object) -> None:
        raise InputError(
            f"{place(name, parser.CurrentLineNumber)}: declares the entity {entity!r}, which "
            "is unsafe and not needed in a dictionary; remove it"
        )

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = builder.data, refuse
    try:
        for _, line in lines:
            parser.Parse(f"{line}\n")
            for entry in finished:
                yield entry
                entry.clear()
            finished.clear()
        parser.Parse("", True)
    except expat.ExpatError as error:
        raise InputError(f"{place(name, error.lineno)}: not well-formed XML: {error}") from None


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _join_text(element: Element) -> str:
    return "".join(element.itertext())


def _find_translations(entry: Element) -> list[str]:
    """Return the quoted translations of the word itself, not those of examples."""
    found, waiting = [], [entry]
    while waiting:
        element = waiting.pop()
        if element.tag == "tr":
            found.append(_join_text(element))
        elif element.tag != "cit":
            waiting += element
        elif element.get("type", "").startswith("trans"):
            found += [_join_text(quote) for quote in element.iterfind("quote")]
    return found
