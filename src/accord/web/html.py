"""HTML out of Python: elements whose text is escaped unless it is HTML already.

Phrases come out of strangers' texts. So there is no way to put text into a page that leaves it as
it is: only what `element` has made, or `Html` is said to be, is taken for HTML.
"""

import json
import re
import zlib
from base64 import b64encode
from html import escape
from importlib.resources import files

# They have no end tag.
VOID = {"br", "input", "link", "meta"}
# What could end a <style> or a <script>, or begin a comment in it.
ENDS = re.compile(r"</|<!--")

# What tells a page of ours from other files.
GENERATOR = '<meta name="generator" content="accord">'

Child = object


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, *children: Child, **attributes: object) -> Html:
    """An element. A name that Python has taken ends with _, and others have it for a hyphen; an
    attribute that is None or False is left out, and one that is True has no value."""
    shown = "".join(
        f" {_attribute(key)}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Html(f"<{name}{shown}>")
    return Html(f"<{name}{shown}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Html:
    """One after the other; what is no HTML is escaped, and nothing is what None leaves."""
    return Html("".join(_escaped(child) for child in children if child is not None))


def foreign(text: str, language: str = "", name: str = "span", **attributes: object) -> Html:
    """Text of a language, in its own direction, whatever stands around it."""
    return element(name, text, lang=language or None, dir="auto", **attributes)


def scrollable(content: Html, label: str) -> Html:
    """What may be wider than the page, and can be moved by keys then."""
    return element("div", content, class_="wide", role="region", aria_label=label, tabindex="0")


def page(title: str, body: Html, styles: list[str], scripts: list[str]) -> str:
    """A page with all that it needs in it; styles and scripts are names of assets."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name_="color-scheme", content="light dark"),
        Html(GENERATOR),
        element("title", title),
        *(element("style", inlined(name)) for name in styles),
    )
    end = [element("script", inlined(name)) for name in scripts]
    return f"<!DOCTYPE html>\n{element('html', head, element('body', body, *end), lang='en')}\n"


def packed(name: str, data: object) -> Html:
    """Data for the scripts of a page, as JSON that is deflated: tables with thousands of rows take
    a fifth of their room. Base64 has no character that could end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    bits = b64encode(zlib.compress(text.encode(), 9)).decode()
    return element("script", Html(bits), type="application/octet-stream", id=name)


def asset(name: str) -> str:
    """A file of the package: a style or a script."""
    return (files("accord.web") / "assets" / name).read_text(encoding="utf-8")


def inlined(name: str) -> Html:
    """An asset for the inside of a page, which it must not end."""
    text = asset(name)
    assert not ENDS.search(text), name
    return Html(f"\n{text}")


def _attribute(key: str) -> str:
    return key.removesuffix("_").replace("_", "-")


def _escaped(child: Child) -> str:
    return child if isinstance(child, Html) else escape(str(child))
