"""The command `mine`: from two texts to a lexicon and phrase pairs."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.messages import print_results
from accord.cli.progress import show_megabytes
from accord.cli.settings_flags import takes_settings
from accord.cli.training import check_paths, check_quality, train
from accord.settings import Settings


@partial(takes_settings, make=Settings.for_texts)
def mine(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Source text: a file.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Target text: a file.")],
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    seed: flags.Seed,
    out: flags.ResultsFolder,
    settings: Settings,
    decisions: flags.Decisions = None,
    source_vectors: flags.OwnVectors = None,
    target_vectors: flags.OwnVectors = None,
    method: flags.Method = "chunk",
    min_count: flags.MinCount = None,
    max_words: flags.MaxWords = 5,
    lower: flags.Lower = False,
    nfkc: flags.Nfkc = False,
    pretokenised: flags.Pretokenised = False,
    threads: flags.Threads = None,
    runner: flags.Runner = "threads",
    ray_address: flags.RayAddress = None,
    memory: flags.Memory = None,
    resume: flags.Resume = False,
    force: flags.ForceRun = False,
    strict: flags.Strict = False,
    as_json: flags.Json = False,
) -> None:
    """Learn a lexicon and phrase pairs from two texts.

    Writes lexicon.tsv, phrases.tsv, contexts.tsv, quality.json and the model.
    """
    from accord.corpus.text.extraction import Preparation
    from accord.evidence.decisions import read_decisions
    from accord.evidence.seed import read_seed
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.mine import Mine, TextFile
    from accord.system.runners.choice import running
    from accord.system.runners.threads import checked_threads

    check_paths(out, source, target, seed, source_vectors, target_vectors)
    texts = [
        TextFile(path, Preparation(language, lower, nfkc, pretokenised))
        for path, language in ((source, source_lang), (target, target_lang))
    ]
    plan = Mine(texts[0], texts[1], method, min_count, max_words, checked_threads(threads))
    if_exists = choose_if_exists(force, resume)
    RunFolder(out).check_options(settings, plan.options, if_exists)
    with running(runner, threads, ray_address, memory) as workers:
        entries = read_seed(seed).entries_with_status
        reviewed = read_decisions(decisions) if decisions else None
        with show_megabytes("Reading") as read:
            inputs = plan.inputs(entries, read, reviewed, str(seed))
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        learned = train(inputs, settings, workers, out, if_exists, is_lower=lower)
    contexts = RunFolder(out).contexts
    if plan.has_contexts and not (learned.is_old and contexts.exists()):
        with show_megabytes("Contexts") as read:
            plan.write_contexts(contexts, learned, read)
    print_results(learned, settings, out, as_json=as_json)
    if strict:
        check_quality(learned)
