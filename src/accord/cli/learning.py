"""The commands that make a run: `mine` from two texts, `learn` from phrases that are there already,
and `apply`, which learns nothing and aligns phrases with what was learned."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import flags
from accord.cli.interruption import interrupted
from accord.cli.output import tell
from accord.cli.progress import iterations, megabytes
from accord.cli.settings_flags import takes_settings
from accord.cli.telling import show_learned, tell_compiling, tell_inputs
from accord.errors import InputError, OutputError
from accord.settings import Settings
from accord.system.reading import STANDARD_INPUT

if TYPE_CHECKING:
    from accord.runs.folder import RunResults
    from accord.runs.inputs import Inputs


@takes_settings
def mine(
    source: Annotated[Path, typer.Argument(help="Source text: a file.")],
    target: Annotated[Path, typer.Argument(help="Target text: a file.")],
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    seed: flags.Seed,
    out: flags.ResultsFolder,
    settings: Settings,
    decisions: flags.Decisions = None,
    method: flags.Method = "chunk",
    min_count: flags.MinCount = None,
    max_words: flags.MaxWords = 5,
    lower: flags.Lower = False,
    nfkc: flags.Nfkc = False,
    pretokenised: flags.Pretokenised = False,
    jobs: flags.Jobs = 1,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    resume: flags.Resume = False,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two texts and a seed dictionary.

    As `phrases` for either text and `learn`, in one; chunks are learned from all n-grams.
    The folder gets contexts.tsv besides: where in the texts each pair was seen.
    """
    from accord.corpus.text.extraction import Preparation
    from accord.evidence.decisions import read_decisions
    from accord.evidence.seed import read_seed
    from accord.runs.folder import RunFolder
    from accord.runs.mine import Mine, TextFile
    from accord.system.runners.choice import running

    _check_inputs(out, source, target, seed)
    one, other = (
        TextFile(path, Preparation(language, lower, nfkc, pretokenised))
        for path, language in ((source, source_lang), (target, target_lang))
    )
    plan = Mine(one, other, method, min_count, max_words, jobs)
    with running(runner, threads, ray_address, memory) as workers:
        entries = read_seed(seed).entries_with_status
        decided = read_decisions(decisions) if decisions else None
        with megabytes("Reading") as read:
            inputs = plan.inputs(entries, read, decided)
        learned = _learn(inputs, settings, workers, out, force=force, resume=resume)
    if plan.has_contexts:
        with megabytes("Contexts") as read:
            plan.write_contexts(RunFolder(out).contexts, learned, read)
    show_learned(learned, settings, out, as_json=as_json)


@takes_settings
def learn(
    source: Annotated[Path, typer.Argument(help="Source phrases, one a line (- for stdin).")],
    target: Annotated[Path, typer.Argument(help="Target phrases, one a line (- for stdin).")],
    out: flags.ResultsFolder,
    settings: Settings,
    seed: Annotated[
        Path | None,
        typer.Option(
            help="Seed dictionary, two columns: source, target; a third may say accepted or "
            "rejected. With --continue-from, further entries, or none."
        ),
    ] = None,
    decisions: flags.Decisions = None,
    continue_from: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Go on with the model of an earlier run: with its phrases and these, its seed and "
            "this, and its settings but for those given.",
        ),
    ] = None,
    gold: Annotated[Path | None, typer.Option(help="True pairs: adds F1 to the trace.")] = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    resume: flags.Resume = False,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two files of phrases and a seed dictionary.

    Files are UTF-8 text, words parted by spaces; .gz, .bz2, .xz and .zst are read too.
    The folder gets lexicon.tsv, phrases.tsv, quality.json, trace.jsonl, run.json and model/.
    """
    from accord.runs.folder import RunFolder
    from accord.runs.inputs import Inputs
    from accord.system.runners.choice import running

    if seed is None and continue_from is None and decisions is None:
        raise InputError("--seed: expected a seed dictionary, found none")
    _check_inputs(out, source, target, seed, gold, source_vectors, target_vectors)
    if continue_from and continue_from.resolve() == out.resolve():
        raise OutputError(f"{out}: is the run that is gone on with; choose another folder")
    # Before the files are read: it takes long to read them, and Ray may not be there.
    with running(runner, threads, ray_address, memory) as workers:
        start = RunFolder(continue_from).trained() if continue_from else None
        inputs = Inputs.read(source, target, seed, gold, settings.max_words, start, decisions)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        learned = _learn(inputs, settings, workers, out, force=force, resume=resume)
    show_learned(learned, settings, out, as_json=as_json)


def apply(
    model: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of a finished run: the model.")
    ],
    source: Annotated[Path, typer.Argument(help="New source phrases, one a line (- for stdin).")],
    target: Annotated[Path, typer.Argument(help="New target phrases, one a line (- for stdin).")],
    out: flags.ResultsFolder,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Align new phrases with a learned model; nothing is learned.

    The folder gets the same files as that of `learn`; its lexicon is that of the model.
    """
    from accord.corpus.loading import read_phrases
    from accord.runs.apply import apply_model
    from accord.runs.folder import RunFolder
    from accord.system.runners.choice import running

    _check_inputs(out, source, target)
    if model.resolve() == out.resolve():
        raise OutputError(f"{out}: is the model; choose another folder")
    if [str(source), str(target)].count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be given for one file only")
    with running(runner, threads, ray_address, memory) as workers:
        trained = RunFolder(model).trained()
        one, other = (read_phrases(path, trained.settings.max_words) for path in (source, target))
        tell_compiling()
        tell(f"source: {one.lines}")
        tell(f"target: {other.lines}")
        learned = apply_model(
            trained, (one, other), workers, RunFolder(out), force=force, tell=tell
        )
    show_learned(learned, trained.settings, out, as_json=as_json, applied=True)


def _check_inputs(out: Path, *paths: Path | None) -> None:
    """What would else be found out only when all is read."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: expected a folder for the results, found a file")
    for path in paths:
        if path is not None and path.resolve().parent == out.resolve():
            raise OutputError(f"{out}: holds the input {path}; choose another folder")


def _learn(
    inputs: "Inputs", settings: Settings, workers: Any, out: Path, *, force: bool, resume: bool
) -> "RunResults":
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.learn import learn

    tell_compiling()
    tell_inputs(inputs)
    phrases = inputs.source_lines.phrases + inputs.target_lines.phrases
    with iterations(settings.iterations, phrases) as (workers.searched, watch):
        try:
            return learn(
                inputs,
                settings,
                workers,
                RunFolder(out),
                if_exists=choose_if_exists(force, resume),
                watch=watch,
                tell=tell,
            )
        except (KeyboardInterrupt, SystemError) as error:
            if not interrupted(error):
                raise
            tell("Stopped; finished iterations are kept: continue with --resume.")
            raise SystemExit(130) from None
