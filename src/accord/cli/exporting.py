"""The command for the formats of the field: a run to other programs' files."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from accord.cli import flags
from accord.cli.output import tell

# As in accord.runs.export, which is not loaded for --help.
FormatName = Literal[
    "moses",
    "moses-lex",
    "extract",
    "fast-align",
    "muse",
    "hunalign",
    "bicleaner",
    "eflomal",
    "bitextor",
    "tmx",
    "tbx",
    "omegat",
    "csv",
    "parquet",
    "seed",
]


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    to: Annotated[FormatName, typer.Option(help="The format.")],
    out: Annotated[
        Path, typer.Option(help="File; in gzip if its name ends with .gz (- for stdout).")
    ],
    min_probability: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Only pairs that are right with this probability."),
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only so many, the surest.")] = None,
    source_lang: flags.UntoldSourceLanguage = None,
    target_lang: flags.UntoldTargetLanguage = None,
) -> None:
    """Write the lexicon and the phrase pairs of a run in a format of the field.

    moses leaves both lexica and a stanza of moses.ini beside the table; bicleaner a dictionary
    each way; seed has what people have decided, and nothing else.
    """
    from accord.formats.writing import CHARACTER_REASONS
    from accord.runs.export import export_run
    from accord.runs.export.contents import PairChoice
    from accord.runs.folder import RunFolder
    from accord.system.writing import STANDARD_OUTPUT

    choice = PairChoice(min_probability, top)
    done = export_run(RunFolder(folder), to, out, choice, (source_lang, target_lang), tell)
    for reason, count in done.left_out.items():
        what = "character" if reason in CHARACTER_REASONS else "pair"
        tell(f"{to}: {count:,} {what}{'s' * (count != 1)} left out: {reason}")
    files = ", ".join(map(str, done.files))
    result = f"{done.pairs:,} pair{'s' * (done.pairs != 1)} in {files}"
    tell(result) if str(out) == STANDARD_OUTPUT else print(result)
