"""TMX 1.4, translation memories: <tu> with a <tuv xml:lang="…"><seg>…</seg></tuv> a language."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from accord.errors import InputError

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_tmx(path: Path, source_lang: str, target_lang: str) -> Iterator[tuple[str, str]]:
    """The pairs of segments in the two languages; units that lack one of them are passed over."""
    try:
        with path.open("rb") as stream:
            for _, element in ElementTree.iterparse(stream):
                if element.tag.rpartition("}")[2] != "tu":
                    continue
                texts = {
                    _language(variant): "".join(segment.itertext())
                    for variant in element
                    for segment in variant
                    if segment.tag.rpartition("}")[2] == "seg"
                }
                element.clear()
                if source_lang in texts and target_lang in texts:
                    yield texts[source_lang], texts[target_lang]
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except ElementTree.ParseError as error:
        raise InputError(f"{path}, line {error.position[0]}: no well-formed XML: {error}") from None


def _language(variant: ElementTree.Element) -> str:
    """`en` for `en-GB` and its like; older files have `lang` for `xml:lang`."""
    name = variant.get(LANGUAGE) or variant.get("lang") or ""
    return name.lower().replace("_", "-").split("-")[0]
