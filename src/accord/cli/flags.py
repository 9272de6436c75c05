"""Flags that several commands have. A flag of one command stands where the command does."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from accord.system.runners import RunnerName

# As in accord.corpus.text.extraction, which is not loaded for --help.
MethodName = Literal["chunk", "ngram", "anchor", "constituent", "lines"]

# A run: what goes in, where the results go.
Seed = Annotated[
    Path,
    typer.Option(
        help="Seed dictionary, two columns: source, target; a third may say accepted or rejected."
    ),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        help="Word vectors, a word and its numbers a line: further evidence. For both or none."
    ),
]
Decisions = Annotated[
    Path | None,
    typer.Option(
        help="What people have decided, the review.sqlite of a run: accepted pairs are certain, "
        "rejected ones are never learned."
    ),
]
ResultsFolder = Annotated[Path, typer.Option(help="Folder for the results.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run cut short.")]
Force = Annotated[bool, typer.Option("--force", help="Replace another run's files.")]

# Where it runs.
Threads = Annotated[int | None, typer.Option(help="Default: one for each core.")]
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
        help="What the index of the search may take at once, as in 500M or 4G; the results are "
        "the same. Default: half of what is free."
    ),
]

# Of a run that may not know its languages.
UntoldSourceLanguage = Annotated[
    str | None, typer.Option(help="Source language, e.g. zh, if the run does not tell.")
]
UntoldTargetLanguage = Annotated[
    str | None, typer.Option(help="Target language, e.g. en, if the run does not tell.")
]

# Text to phrases.
SourceLanguage = Annotated[str, typer.Option(help="Source language, e.g. zh.")]
TargetLanguage = Annotated[str, typer.Option(help="Target language, e.g. en.")]
Method = Annotated[
    MethodName,
    typer.Option(
        help="What is a phrase: chunk, an n-gram that holds together and is whole; ngram, any; "
        "anchor, link texts and titles of a MediaWiki dump or web pages; constituent, of parse "
        "trees; or lines."
    ),
]
MinCount = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Phrases stand in the text so often. Default: 3 for chunk and ngram, 1 for the "
        "others.",
    ),
]
MaxWords = Annotated[int, typer.Option(min=1, help="Words of a phrase, at most.")]
Lower = Annotated[bool, typer.Option("--lower", help="Lower-case the text.")]
Nfkc = Annotated[
    bool, typer.Option("--nfkc", help="Take compatible characters (NFKC) for one another.")
]
Pretokenised = Annotated[
    bool,
    typer.Option("--pretokenised", help="The text has its words parted by spaces already."),
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that segment text.")]

# What is printed.
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
