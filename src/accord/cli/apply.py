"""The command `apply`: phrase pairs from a learned model."""

from accord.cli import flags
from accord.cli.messages import announce_compilation, print_results
from accord.cli.output import print_message
from accord.cli.training import check_paths, check_quality
from accord.errors import InputError, OutputError
from accord.system.reading import STANDARD_INPUT


def apply(
    model: flags.Run,
    source: flags.SourcePhrases,
    target: flags.TargetPhrases,
    out: flags.ResultsFolder,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    force: flags.ForceRun = False,
    strict: flags.Strict = False,
    as_json: flags.Json = False,
) -> None:
    """Align new phrases with a learned model; nothing is learned.

    The folder gets the same files as with `learn`; its lexicon is that of the model.
    """
    from accord.corpus.loading import read_phrases
    from accord.runs.apply import apply_model
    from accord.runs.folder import RunFolder
    from accord.system.runners.choice import running

    check_paths(out, source, target)
    if model.resolve() == out.resolve():
        raise OutputError(f"{out}: is the model; choose another folder")
    if [str(source), str(target)].count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be given for one file only")
    with running(runner, threads, ray_address, memory) as workers:
        trained = RunFolder(model).read_trained()
        max_words = trained.settings.max_words
        corpora = read_phrases(source, max_words), read_phrases(target, max_words)
        announce_compilation()
        print_message(f"source: {corpora[0].lines}")
        print_message(f"target: {corpora[1].lines}")
        applied = apply_model(
            trained, corpora, workers, RunFolder(out), force=force, tell=print_message
        )
    print_results(applied, trained.settings, out, as_json=as_json, applied=True)
    if strict:
        check_quality(applied)
