"""The command `query`: what a learned model says of a phrase or a word."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from accord.cli import flags
from accord.cli.output import show, table, tell

if TYPE_CHECKING:
    from accord.runs.query.translator import Translation, Translations
    from accord.runs.results import LexiconEntry


def query(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    phrase: Annotated[
        str, typer.Argument(help="Its words parted by spaces, as in the phrases of the run.")
    ],
    reverse: Annotated[
        bool, typer.Option("--reverse", help="The phrase is of the target language.")
    ] = False,
    top: Annotated[int, typer.Option(min=1, help="Translations at most.")] = 10,
    as_json: flags.Json = False,
) -> None:
    """The translations of a phrase or a word by a learned model, the most probable first.

    Of each, the probability of being right, where the run has any; q→ and q←, how clear the
    choice is among all source phrases, and among all target phrases, from 0 to 1; the words that
    are linked; and pairs of the run that have the same word links.
    The phrase need not be one of the run; its translations are.
    """
    from accord.runs.folder import RunFolder
    from accord.runs.query.translator import Translator

    found = Translator(RunFolder(folder).read_trained()).translate(phrase, top, reverse=reverse)
    if as_json:
        print(json.dumps(_as_dict(phrase, found), ensure_ascii=False))
        return
    if found.unknown:
        tell(f"Not in the phrases of the run: {' '.join(found.unknown)}")
    if found.words:
        show(_words(found.words, reverse=reverse))
        print()
    if found.phrases:
        show(_phrases(found.phrases, reverse=reverse))
    else:
        print("No phrase of the run is a probable translation.")


def _as_dict(phrase: str, found: "Translations") -> dict[str, object]:
    phrases = [
        pair._asdict() | {"support": [one._asdict() for one in pair.support]}
        for pair in found.phrases
    ]
    words = [entry._asdict() for entry in found.words]
    return {"query": phrase, "unknown": found.unknown, "phrases": phrases, "words": words}


def _words(entries: "list[LexiconEntry]", *, reverse: bool) -> Table:
    calibrated = entries[0].confidence is not None
    rows = table("word", *["prob."] * calibrated, "p(target|source)", "p(source|target)")
    for column in rows.columns[1:]:
        column.justify = "right"
    for entry in entries:
        word = entry.source if reverse else entry.target
        sure = [entry.confidence] if calibrated else []
        rows.add_row(Text(word), *map(_number, (*sure, entry.forward, entry.backward)))
    return rows


def _phrases(pairs: "list[Translation]", *, reverse: bool) -> Table:
    """Under each translation, what speaks for it: first its word links, then pairs of the run."""
    calibrated = pairs[0].probability is not None  # the paper's kinds of agreement are not
    rows = table("phrase", *["prob."] * calibrated, "q→", "q←")
    for column in rows.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for pair in pairs:
        phrase = pair.source if reverse else pair.target
        posteriors = pair.forward_posterior, pair.backward_posterior
        numbers = (pair.probability, *posteriors) if calibrated else posteriors
        rows.add_row(Text(phrase, style="bold"), *map(_number, numbers))
        if pair.found:
            rows.add_row("  found by the run")
        if pair.alignment:
            rows.add_row(Text(f"  {_links(pair)}"))
        for one in pair.support:
            sure = [_number(one.confidence)] if calibrated else []
            rows.add_row(Text(f"  as in {one.source} = {one.target}"), *sure)
    return rows


def _links(pair: "Translation") -> str:
    source, target = pair.source.split(), pair.target.split()
    return ", ".join(f"{source[i]} = {target[j]}" for i, j in pair.alignment)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value >= 0.0005 or value == 0 else f"{value:.0e}"
