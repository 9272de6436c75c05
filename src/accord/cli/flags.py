"""Flags of several commands. A flag of one command is in the module of that command."""

from pathlib import Path
from typing import Annotated

import typer

from accord.corpus.text import ExtractionMethod
from accord.system.runners import RunnerName

# Inputs and results of a run
Seed = Annotated[
    Path,
    typer.Option(
        help="Seed dictionary: columns source, target, and optionally accepted or rejected."
    ),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        help="Word vectors, one word with its numbers per line, as further evidence. Give them "
        "for both languages."
    ),
]
Decisions = Annotated[
    Path | None,
    typer.Option(
        help="Decisions of reviewers, the review.sqlite of a run: accepted pairs are certain, "
        "rejected ones are never learned."
    ),
]
ResultsFolder = Annotated[Path, typer.Option(help="Folder for the results.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the files of another run.")]

# Where a run works
Threads = Annotated[int | None, typer.Option(help="Number of threads. Default: one per core.")]
Runner = Annotated[
    RunnerName,
    typer.Option(help="Where the search runs: here, or on Ray. The results are the same."),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        help="A running Ray, HOST:PORT. Default: one is started here, with as many threads."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        help="Most memory for the index of the search, such as 500M or 4G; the results are the "
        "same. Default: half of the free memory."
    ),
]

# Languages of a run that may not have recorded them
MissingSourceLanguage = Annotated[
    str | None, typer.Option(help="Source language, e.g. zh, if the run does not name it.")
]
MissingTargetLanguage = Annotated[
    str | None, typer.Option(help="Target language, e.g. en, if the run does not name it.")
]

# From text to phrases
SourceLanguage = Annotated[str, typer.Option(help="Source language, e.g. zh.")]
TargetLanguage = Annotated[str, typer.Option(help="Target language, e.g. en.")]
Method = Annotated[
    ExtractionMethod,
    typer.Option(
        help="What a phrase is: chunk, a cohesive and complete n-gram; ngram, any n-gram; anchor, "
        "link texts and titles of a MediaWiki dump or web pages; constituent, of parse trees; or "
        "lines."
    ),
]
MinCount = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Least count of a phrase in the text. Default: 3 for chunk and ngram, 1 for the "
        "others.",
    ),
]
MaxWords = Annotated[int, typer.Option(min=1, help="Maximum words of a phrase.")]
Lower = Annotated[bool, typer.Option("--lower", help="Lower-case the text.")]
Nfkc = Annotated[
    bool, typer.Option("--nfkc", help="Replace compatibility characters (normalise to NFKC).")
]
Pretokenised = Annotated[
    bool,
    typer.Option("--pretokenised", help="The text is tokenised: its words are space-separated."),
]
Jobs = Annotated[int, typer.Option(min=1, help="Number of processes that tokenise text.")]

# Output
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
