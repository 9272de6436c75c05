"""Sphinx extension: pages generated from the code, tables of figures, and a check of links."""

import re
from urllib.parse import urlsplit

from docutils import nodes
from docutils.parsers.rst import directives
from figures import format_figures, nest_figures, read_figures
from reference import PAGES
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class Generated(SphinxDirective):
    """Insert a page of `reference.PAGES`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # the code may have changed
        return self.parse_text_to_nodes(PAGES[self.arguments[0]](), allow_section_headings=True)


class FiguresTable(SphinxDirective):
    """Insert a table of docs/figures.json."""

    required_arguments = 1
    option_spec = {"columns": directives.unchanged, "rows": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency("figures.json")
        table = read_figures()[self.arguments[0]]
        chosen = (self.options.get(name, "").split() for name in ("columns", "rows"))
        return self.parse_text_to_nodes(format_figures(table, *chosen))


def check_links(_: Sphinx, doctree: nodes.document, page: str) -> None:
    """Warn of external links that no browser can follow. Nothing is fetched."""
    for link in doctree.findall(nodes.reference):
        address = link.get("refuri", "")
        if "://" in address and not is_link(address):
            logger.warning("not an https address: %s", address, location=page)


def is_link(address: str) -> bool:
    parts = urlsplit(address)
    local = parts.hostname in ("localhost", "127.0.0.1")
    named = re.fullmatch(r"(\w[\w-]*\.)+[a-z]{2,}", parts.hostname or "")
    return local or (parts.scheme == "https" and bool(named) and not re.search(r"\s", address))


def adapt_docstring(*event: object) -> None:
    """Adapt a docstring to reST: list its columns, and escape names such as `lexicon_` in prose."""
    lines = event[-1]
    assert isinstance(lines, list)
    paragraphs = "\n".join(lines).split("\n\n")
    lines[:] = "\n\n".join(map(list_columns, paragraphs)).split("\n")
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) else escape_names(line) for line in lines
    ]


def escape_names(line: str) -> str:
    """Escape names that end with _, which reST would read as a link."""
    return "".join(
        part if part.startswith("`") else re.sub(r"(?<=[a-z])_(?=\W|$)", r"\\_", part)
        for part in re.split(r"(`+[^`]+`+)", line)
    )


def list_columns(paragraph: str) -> str:
    """Make a list of a paragraph that has a name and its description in columns."""
    rows = [re.match(r"(\S.*?) {2,}(\S.*)|( +)(\S.*)", line) for line in paragraph.splitlines()]
    if not all(rows) or not rows or not rows[0][1]:
        return paragraph
    return "\n".join(f"- ``{row[1]}``: {row[2]}" if row[1] else f"  {row[4]}" for row in rows)


def add_figures(_: Sphinx, config: Config) -> None:
    config.myst_substitutions |= nest_figures(read_figures())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("generated", Generated)
    app.add_directive("figures", FiguresTable)
    app.connect("config-inited", add_figures)
    app.connect("autodoc-process-docstring", adapt_docstring)
    app.connect("doctree-resolved", check_links)
    return {"parallel_read_safe": True}
