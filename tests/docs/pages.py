"""The pages of the documentation, for the tests: their prose, and their code blocks."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
MARKDOWN = sorted(
    path
    for path in [README, ROOT / "benchmarks" / "README.md", *DOCS.glob("**/*.md")]
    if "_build" not in path.parts
)
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))
TEMPLATES = sorted(
    path
    for kind in ("templates/**/*.html", "review/page/*.html", "review/page/*.js", "assets/*.js")
    for path in (ROOT / "src" / "accord" / "web").glob(kind)
)
FENCE = re.compile(r"^( *)(`{3,}|~{3,})([^\n]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A fenced block of code: the language after the fence, and the text."""

    language: str
    text: str


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def read_markdown(path: Path) -> str:
    """Return the text of a page, or of the Markdown cells of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def read_blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    return [Block(info.strip(), dedent(code)) for _, _, info, code in FENCE.findall(text)]


def remove_code(text: str) -> str:
    """Return a page without its fenced blocks and HTML comments."""
    return re.sub(r"<!--.*?-->", "", FENCE.sub("", text), flags=re.DOTALL)


def list_paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs and list items; not headings, tables and HTML."""
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=[|#:])", remove_code(text)):
        if part.strip() and not re.match(r"\s*[|#<:]", part):
            yield " ".join(part.split())
