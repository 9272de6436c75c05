"""The command `phrases`: from text to phrases."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import check_output, print_summary
from accord.cli.progress import show_megabytes


def phrases(
    text: Annotated[list[Path], typer.Argument(help="Files (- for stdin).")],
    lang: Annotated[str, typer.Option(help="Language, e.g. zh.")],
    out: Annotated[Path, typer.Option(help="File for the phrases.")],
    method: flags.Method = "chunk",
    min_count: flags.MinCount = None,
    max_words: flags.MaxWords = 5,
    counts: Annotated[
        bool, typer.Option("--counts", help="Add a column with the count of each phrase.")
    ] = False,
    lower: flags.Lower = False,
    nfkc: flags.Nfkc = False,
    pretokenised: flags.Pretokenised = False,
    jobs: flags.Jobs = 1,
) -> None:
    """Extract phrases from text for `learn`, the most frequent first."""
    from accord.corpus.text.extraction import Preparation, count_phrases
    from accord.system.writing import write_text

    check_output(out, text)
    prepare = Preparation(lang, lower, nfkc, pretokenised)
    with show_megabytes("Reading") as read:
        found = count_phrases(
            text, method, prepare, min_count=min_count, max_words=max_words, jobs=jobs, read=read
        )
    lines = (f"{phrase}\t{count}" if counts else phrase for phrase, count in found.spell())
    write_text(out, lines)
    print_summary(out, f"{len(found):,} phrase{'s' * (len(found) != 1)} in {out}")
