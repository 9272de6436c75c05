"""The command `learn`: from two lists of phrases to a lexicon and phrase pairs."""

from pathlib import Path
from typing import Annotated

from accord.cli import flags
from accord.cli.groups import INPUT
from accord.cli.messages import print_results
from accord.cli.settings_flags import takes_settings
from accord.cli.training import check_paths, check_quality, train
from accord.errors import InputError, OutputError
from accord.settings import Settings


@takes_settings
def learn(
    source: flags.SourcePhrases,
    target: flags.TargetPhrases,
    out: flags.ResultsFolder,
    settings: Settings,
    seed: flags.OptionalSeed = None,
    decisions: flags.Decisions = None,
    continue_from: Annotated[
        Path | None,
        flags.option(
            group=INPUT,
            metavar="RUN",
            text="Continue the model of this run, with its phrases, its seed and, unless given, "
            "its settings.",
        ),
    ] = None,
    gold: flags.OptionalGold = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    resume: flags.Resume = False,
    force: flags.ForceRun = False,
    strict: flags.Strict = False,
    as_json: flags.Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two files of phrases.

    Files are UTF-8 text with space-separated words, and may be compressed (.gz, .bz2, .xz, .zst).
    The folder gets lexicon.tsv, phrases.tsv, quality.json, trace.jsonl, run.json and model/.
    """
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.inputs import Inputs
    from accord.system.runners.choice import running

    if seed is None and continue_from is None and decisions is None:
        raise InputError("--seed: expected a seed dictionary, found none")
    check_paths(out, source, target, seed, gold, source_vectors, target_vectors)
    if continue_from and continue_from.resolve() == out.resolve():
        raise OutputError(f"{out}: is the run to continue; choose another folder")
    if_exists = choose_if_exists(force, resume)
    RunFolder(out).check_options(settings, None, if_exists)
    # Before the files are read: it takes long to read them, and Ray may not be there.
    with running(runner, threads, ray_address, memory) as workers:
        start = RunFolder(continue_from).read_trained() if continue_from else None
        inputs = Inputs.read(source, target, seed, gold, settings.max_words, start, decisions)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        learned = train(inputs, settings, workers, out, if_exists)
    print_results(learned, settings, out, as_json=as_json)
    if strict:
        check_quality(learned)
