"""The command `phrases`: from text to phrases."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, OUTPUT
from accord.cli.output import check_output, print_answer
from accord.cli.progress import show_megabytes


def phrases(
    text: Annotated[
        list[Path], typer.Argument(metavar="TEXT...", help="Files of text (- for stdin).")
    ],
    lang: Annotated[
        str,
        flags.option(
            "-l",
            "--lang",
            group=INPUT,
            metavar="LANG",
            text="Language, e.g. zh.",
            callback=flags.check_language,
        ),
    ],
    out: Annotated[Path, flags.make_out("File for the phrases.")],
    method: flags.Method = "chunk",
    min_count: flags.MinCount = None,
    max_words: flags.MaxWords = 5,
    counts: Annotated[
        bool,
        flags.option("--counts", group=OUTPUT, text="Add a column with the count of each phrase."),
    ] = False,
    lower: flags.Lower = False,
    nfkc: flags.Nfkc = False,
    pretokenised: flags.Pretokenised = False,
    threads: flags.Threads = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Extract phrases from text for `learn`, the most frequent first."""
    from accord.corpus.text.extraction import Preparation, count_phrases
    from accord.system.runners.threads import checked_threads
    from accord.system.writing import write_text

    check_output(out, text, force=force)
    prepare = Preparation(lang, lower, nfkc, pretokenised)
    jobs = checked_threads(threads)
    with show_megabytes("Reading") as read:
        found = count_phrases(
            text, method, prepare, min_count=min_count, max_words=max_words, jobs=jobs, read=read
        )
    lines = (f"{phrase}\t{count}" if counts else phrase for phrase, count in found.spell())
    write_text(out, lines)
    summary = f"{len(found):,} {'phrase' if len(found) == 1 else 'phrases'} in {out}"
    print_answer(out, summary, {"phrases": len(found)} if as_json else None)
