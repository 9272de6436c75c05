"""The command `translate`: from sentences to their translations."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD, TEXT
from accord.cli.messages import announce_compilation
from accord.cli.progress import show_count
from accord.errors import SettingError
from accord.system.reading import STANDARD_INPUT
from accord.translate import LANGUAGE_MODEL, WEIGHTS, DecoderName

if TYPE_CHECKING:
    from accord.translate.sentence_translation import TranslationJob

TableFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="Moses phrase table. Default: the phrase pairs of RUN.",
    ),
]
LanguageModelFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text=f"Language model in ARPA format. Default: {LANGUAGE_MODEL} of RUN.",
    ),
]
WeightsFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="File with the [weight] section of a moses.ini. "
        f"Default: {WEIGHTS} of RUN, or the defaults of Moses.",
    ),
]
RawSourceLanguage = Annotated[
    str | None,
    flags.option(
        "--source-lang",
        group=TEXT,
        metavar="LANG",
        text="Language of raw sentences, e.g. zh. Default: that of adapt.",
        callback=flags.check_language,
    ),
]
RawTargetLanguage = Annotated[
    str | None,
    flags.option(
        "--target-lang",
        group=TEXT,
        metavar="LANG",
        text="Language of translations that are written as text, e.g. en. Default: that of adapt.",
        callback=flags.check_language,
    ),
]
StackSize = Annotated[
    int,
    flags.option(group=METHOD, metavar="N", min=1, text="Maximum number of hypotheses per stack."),
]
DistortionLimit = Annotated[
    int,
    flags.option(
        group=METHOD,
        metavar="N",
        min=0,
        max=63,
        text="Maximum number of words to jump over.",
    ),
]
ChosenDecoder = Annotated[
    DecoderName,
    flags.option(
        group=METHOD,
        metavar="NAME",
        text="The decoder: accord, or the program moses on the PATH.",
    ),
]


def translate(
    folder: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="Folder of a finished run or of adapt.")
    ] = None,
    table: TableFile = None,
    lm: LanguageModelFile = None,
    weights: WeightsFile = None,
    top: Annotated[
        int | None,
        flags.make_top("Number of translations per sentence, as an n-best list of Moses."),
    ] = None,
    stack: StackSize = 100,
    distortion_limit: DistortionLimit = 6,
    decoder: ChosenDecoder = "accord",
    source_lang: RawSourceLanguage = None,
    target_lang: RawTargetLanguage = None,
    lower: flags.Lower = False,
    pretokenised: flags.Pretokenised = False,
    threads: flags.Threads = None,
    as_json: flags.Json = False,
) -> None:
    """Translate the sentences on standard input, one per line.

    A folder of adapt translates raw text: addresses, markup and placeholders stay as they are, and
    translations have capitals and spaces as in its target text. With a run or --table, name the
    languages for raw text; otherwise, words must be space-separated, and tokenised like the
    phrases. Words that are in no phrase are copied. --json prints one object.
    """
    from accord.system.reading import read_lines
    from accord.translate.decoder import DecoderLimits
    from accord.translate.decoder_kernels import search_sentence
    from accord.translate.model_files import ModelFiles
    from accord.translate.sentence_translation import (
        TextOptions,
        TranslationJob,
        TranslationRequest,
    )

    if STANDARD_INPUT in map(str, (table, lm, weights)):
        raise SettingError("translate: standard input (-) has the sentences; name a file")
    limits = DecoderLimits(stack=stack, distortion=distortion_limit)
    files = ModelFiles.find(folder, table, lm, weights)
    text = TextOptions(pretokenised, source_lang, target_lang, lower)
    request = TranslationRequest(files, limits, decoder, top, text, threads)
    job = TranslationJob.read((line for _, line in read_lines(STANDARD_INPUT)), request)
    if decoder == "accord":
        announce_compilation(search_sentence)
    with show_count("translated", len(job.sentences)) as translated:
        lines = job.translate(translated)
        if as_json:
            print(json.dumps({"sentences": _list_sentences(job, lines)}, ensure_ascii=False))
            return
        for line in lines:
            print(line)


def _list_sentences(job: "TranslationJob", lines: Iterator[str]) -> list[dict[str, object]]:
    """Return each sentence with its translation; with --top, also with its n-best list."""
    found: list[dict[str, Any]] = [{"source": source} for source in job.list_sources()]
    if job.request.top is None:
        return [sentence | {"target": line} for sentence, line in zip(found, lines, strict=True)]
    for line in lines:
        number, rest = line.split(" ||| ", 1)
        target, _, score = rest.rsplit(" ||| ", 2)  # a word may be |||
        sentence = found[int(number)]
        sentence.setdefault("target", target)
        sentence.setdefault("candidates", []).append({"target": target, "score": float(score)})
    return found
