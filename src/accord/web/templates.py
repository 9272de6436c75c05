"""The templates of the pages, with their styles, scripts and data.

Phrases come from texts that strangers wrote. They get into a page only through the templates in
`templates/`, where Jinja2 escapes them (autoescaping is always on). Only two things are `Markup`,
which is not escaped again: the output of a template, and the styles and scripts of this package.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable
from importlib.resources import files
from typing import cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

# What could end a <style> or <script> element, or begin a comment inside it.
ELEMENT_ENDS = re.compile(r"</|<!--")


def render(template: str, **data: object) -> Markup:
    """Return a template filled with data."""
    return Markup(ENVIRONMENT.get_template(template).render(data))


def get_macro(template: str, name: str) -> Callable[..., Markup]:
    """Return a macro of a template, for parts that a page has thousands of times: calling a macro
    is much faster than rendering a template."""
    return cast("Callable[..., Markup]", getattr(ENVIRONMENT.get_template(template).module, name))


def pack_data(data: object) -> str:
    """Return data for the scripts of a page as deflated JSON in Base64: this is a fifth of the size
    of JSON, and has no character that could end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def read_asset(name: str) -> str:
    """Return the text of a style or script of this package."""
    return (files("accord.web") / "assets" / name).read_text(encoding="utf-8")


def inline_asset(name: str) -> Markup:
    """Return a style or script to be included in a page, whose element it must not end."""
    text = read_asset(name)
    assert not ELEMENT_ENDS.search(text), name
    return Markup(text)


def format_count(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not 1: "2,000 entries"."""
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {plural}"


def format_confidence(value: float | None) -> str:
    """Return a probability with two digits, but never 1.00 for less than 1, nor 0.00 for more than
    0."""
    if value is None:
        return ""
    if 0.995 <= value < 1:
        return ">0.99"
    return "<0.01" if 0 < value < 0.005 else f"{value:.2f}"


def _make_environment() -> Environment:
    made = Environment(
        loader=PackageLoader("accord.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["inline_asset"] = inline_asset
    made.filters["confidence"] = format_confidence
    made.filters["plural"] = format_count
    made.filters["thousands"] = "{:,}".format
    return made


ENVIRONMENT = _make_environment()
