"""Options of several commands. An option of one command is in the module of that command."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.groups import ADVANCED, COMPUTE, INPUT, METHOD, OUTPUT, TEXT
from accord.corpus.text import ExtractionMethod
from accord.corpus.text.languages import find_language, find_tag
from accord.errors import InputError
from accord.system.runners import RunnerName


def check_language(parameter: typer.CallbackParam, given: str | None) -> str | None:
    """Return the language as given; an error about it names the option."""
    return _check_name(parameter, given, find_language)


def check_tag(parameter: typer.CallbackParam, given: str | None) -> str | None:
    """Do the same for a language that is only written to files: ISO 639 need not know its code."""
    return _check_name(parameter, given, find_tag)


def _check_name(
    parameter: typer.CallbackParam, given: str | None, find: Callable[[str], object]
) -> str | None:
    if given is not None:
        try:
            find(given)
        except InputError as error:
            raise InputError(f"{parameter.opts[-1]}: {error}") from None
    return given


def option(*names: str, group: str, text: str, metavar: str | None = None, **facts: Any) -> Any:
    """Return an option of a command."""
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=group, **facts)


# Inputs
Run = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run.")]
SourcePhrases = Annotated[
    Path, typer.Argument(metavar="SOURCE", help="Source phrases, one per line (- for stdin).")
]
TargetPhrases = Annotated[
    Path, typer.Argument(metavar="TARGET", help="Target phrases, one per line (- for stdin).")
]
_SEED = option(
    "-s",
    "--seed",
    group=INPUT,
    metavar="PATH",
    text="Seed dictionary: word, tab, translation. One pair per line. A third column may "
    "hold the status accepted or rejected.",
)
Seed = Annotated[Path, _SEED]
OptionalSeed = Annotated[Path | None, _SEED]
_GOLD = option(
    "--gold", group=INPUT, metavar="PATH", text="Gold pairs: two tab-separated phrases per line."
)
Gold = Annotated[Path, _GOLD]
OptionalGold = Annotated[Path | None, _GOLD]
_VECTORS = "Word vectors, one word with its numbers per line, for both languages or none."
Vectors = Annotated[Path | None, option(group=INPUT, metavar="PATH", text=_VECTORS)]
# For `mine`, which makes vectors of the texts:
OwnVectors = Annotated[Path | None, option(group=ADVANCED, metavar="PATH", text=_VECTORS)]
Decisions = Annotated[
    Path | None,
    option(group=INPUT, metavar="PATH", text="Decisions of reviewers: review.sqlite of a run."),
]
SourceLanguage = Annotated[
    str,
    option(group=INPUT, metavar="LANG", text="Source language, e.g. zh.", callback=check_language),
]
TargetLanguage = Annotated[
    str,
    option(group=INPUT, metavar="LANG", text="Target language, e.g. en.", callback=check_language),
]
# Of parallel text, which may be in languages without a code:
AnySourceLanguage = Annotated[
    str, option(group=INPUT, metavar="LANG", text="Source language, e.g. zh.")
]
AnyTargetLanguage = Annotated[
    str, option(group=INPUT, metavar="LANG", text="Target language, e.g. en.")
]
# Of a run that may not have recorded them:
MissingSourceLanguage = Annotated[
    str | None,
    option(
        group=INPUT,
        metavar="LANG",
        text="Source language, e.g. zh, if the run does not name it.",
        callback=check_tag,
    ),
]
MissingTargetLanguage = Annotated[
    str | None,
    option(
        group=INPUT,
        metavar="LANG",
        text="Target language, e.g. en, if the run does not name it.",
        callback=check_tag,
    ),
]

# Output
ResultsFolder = Annotated[
    Path, option("-o", "--out", group=OUTPUT, metavar="DIR", text="Folder for the results.")
]
Resume = Annotated[bool, option("--resume", group=OUTPUT, text="Continue an interrupted run.")]
ForceRun = Annotated[
    bool, option("-f", "--force", group=OUTPUT, text="Replace the files of another run.")
]
Force = Annotated[bool, option("-f", "--force", group=OUTPUT, text="Replace an existing output.")]
Json = Annotated[bool, option("--json", group=OUTPUT, text="Print a JSON object, and no table.")]
Strict = Annotated[
    bool, option("--strict", group=OUTPUT, text="Exit with code 3 if the run has failed.")
]
Open = Annotated[
    bool, option("--open/--no-open", group=OUTPUT, text="Open the page in the browser.")
]

# From text to phrases
Method = Annotated[
    ExtractionMethod,
    option(
        group=TEXT,
        metavar="METHOD",
        text="Phrases: chunk, ngram, anchor, constituent, lines. A chunk is a complete "
        "n-gram. Anchors are link texts of web pages or MediaWiki dumps. Constituents are those "
        "of parse trees.",
    ),
]
MinCount = Annotated[
    int | None,
    option(
        group=TEXT,
        metavar="N",
        min=1,
        text="Minimum count. Default: 3 (chunk, ngram) or 1.",
    ),
]
MaxWords = Annotated[int, option(group=TEXT, metavar="N", min=1, text="Maximum words of a phrase.")]
Lower = Annotated[bool, option("--lower", group=TEXT, text="Lower-case the text.")]
Nfkc = Annotated[
    bool,
    option("--nfkc", group=ADVANCED, text="Replace compatibility characters (Unicode NFKC)."),
]
Pretokenised = Annotated[
    bool,
    option("--pretokenized", group=TEXT, text="The text is tokenised: split it at spaces only."),
]

# Where a command works
Threads = Annotated[
    int | None,
    option(
        "-t",
        "--threads",
        group=COMPUTE,
        metavar="N",
        text="Threads and processes. Default: one per core.",
    ),
]
Memory = Annotated[
    str | None,
    option(
        group=ADVANCED,
        metavar="SIZE",
        text="Maximum memory of the search index, e.g. 4G. Default: half of the free memory.",
    ),
]
Runner = Annotated[
    RunnerName,
    option(
        group=ADVANCED,
        metavar="RUNNER",
        text="Where the search runs, with the same results: threads (of this machine) or ray.",
    ),
]
RayAddress = Annotated[
    str | None,
    option(
        group=ADVANCED,
        metavar="HOST:PORT",
        text="Address of a running Ray. Default: Ray is started on this machine.",
    ),
]


def make_top(text: str) -> Any:
    """Return the option for a number of results."""
    return option("-n", "--top", group=OUTPUT, metavar="N", min=1, text=text)


def make_out(text: str) -> Any:
    """Return the option for the file that a command writes."""
    return option("-o", "--out", group=OUTPUT, metavar="PATH", text=text)


def make_min_confidence(text: str) -> Any:
    """Return the option for the least confidence of pairs."""
    return option("--min-confidence", group=METHOD, metavar="P", min=0, max=1, text=text)
