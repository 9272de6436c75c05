"""The command `query`: the translations of a phrase or a word by a learned model."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from accord.cli import flags
from accord.cli.groups import METHOD
from accord.cli.output import make_table, print_message, print_table

if TYPE_CHECKING:
    from accord.runs.query.translator import Translation, Translations
    from accord.runs.results import LexiconEntry


def query(
    folder: flags.Run,
    phrase: Annotated[
        str,
        typer.Argument(
            metavar="PHRASE", help="Space-separated words, as in the phrases of the run."
        ),
    ],
    reverse: Annotated[
        bool,
        flags.option("--reverse", group=METHOD, text="Translate from the target language."),
    ] = False,
    top: Annotated[int, flags.make_top("Maximum number of translations.")] = 10,
    as_json: flags.Json = False,
) -> None:
    """Print the translations of a phrase or a word.

    The most probable comes first. For each: its confidence, with posterior agreement; its posterior
    probabilities among all source phrases (q→) and among all target phrases (q←); its word links;
    and pairs of the run with the same word links. The translations are phrases of the run; the
    phrase itself need not be one.
    """
    from accord.runs.folder import RunFolder
    from accord.runs.query.translator import Translator

    found = Translator(RunFolder(folder).read_trained()).translate(phrase, top, reverse=reverse)
    if as_json:
        print(json.dumps(_as_dict(phrase, found), ensure_ascii=False))
        return
    if found.unknown:
        print_message(f"Not in the phrases of the run: {' '.join(found.unknown)}")
    if found.words:
        print_table(_make_word_table(found.words, reverse=reverse))
        print()
    if found.phrases:
        print_table(_make_phrase_table(found.phrases, reverse=reverse))
    else:
        print("No phrase of the run is a probable translation.")


def _as_dict(phrase: str, found: "Translations") -> dict[str, object]:
    phrases = [
        pair._asdict() | {"support": [one._asdict() for one in pair.support]}
        for pair in found.phrases
    ]
    words = [entry._asdict() for entry in found.words]
    return {"query": phrase, "unknown": found.unknown, "phrases": phrases, "words": words}


def _make_word_table(entries: "list[LexiconEntry]", *, reverse: bool) -> Table:
    has_confidence = entries[0].confidence is not None
    confidence = ["confidence"] if has_confidence else []
    rows = make_table("word", *confidence, "p(target|source)", "p(source|target)")
    for column in rows.columns[1:]:
        column.justify = "right"
    for entry in entries:
        word = entry.source if reverse else entry.target
        numbers = (entry.confidence, entry.forward, entry.backward)
        rows.add_row(
            Text(word), *map(_format_probability, numbers if has_confidence else numbers[1:])
        )
    return rows


def _make_phrase_table(pairs: "list[Translation]", *, reverse: bool) -> Table:
    """Return a table with the evidence below each translation: word links, then similar pairs."""
    has_confidence = pairs[0].confidence is not None
    rows = make_table("phrase", *(["confidence"] if has_confidence else []), "q→", "q←")
    for column in rows.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for pair in pairs:
        phrase = pair.source if reverse else pair.target
        numbers = (pair.confidence, pair.forward_posterior, pair.backward_posterior)
        cells = map(_format_probability, numbers if has_confidence else numbers[1:])
        rows.add_row(Text(phrase, style="bold"), *cells)
        if pair.found:
            rows.add_row("  found by the run")
        if pair.alignment:
            rows.add_row(Text(f"  {_format_links(pair)}"))
        for one in pair.support:
            confidence = [_format_probability(one.confidence)] if has_confidence else []
            rows.add_row(Text(f"  as in {one.source} = {one.target}"), *confidence)
    return rows


def _format_links(pair: "Translation") -> str:
    source, target = pair.source.split(), pair.target.split()
    return ", ".join(f"{source[i]} = {target[j]}" for i, j in pair.alignment)


def _format_probability(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value >= 0.0005 or value == 0 else f"{value:.0e}"
