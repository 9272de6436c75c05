"""From texts or phrases to a lexicon and phrase pairs: `mine`, `learn`, `apply` and `load`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from accord.api.inputs import (
    LOGGER,
    check_out,
    ignore_progress,
    load_corpus,
    load_gold,
    load_seed,
)
from accord.estimator import Accord
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.corpus.text import ExtractionMethod
    from accord.evidence.seed import Entry, ReviewedEntry
    from accord.evidence.vectors import VectorInput
    from accord.system.runners import RunnerName


def mine(
    source: str | Path,
    target: str | Path,
    seed: "str | Path | Iterable[Entry | ReviewedEntry]",
    *,
    source_lang: str,
    target_lang: str,
    out: str | Path | None = None,
    settings: Settings | None = None,
    decisions: "str | Path | Iterable[ReviewedEntry] | None" = None,
    source_vectors: "VectorInput | None" = None,
    target_vectors: "VectorInput | None" = None,
    method: "ExtractionMethod" = "chunk",
    min_count: int | None = None,
    max_words: int = 5,
    lower: bool = False,
    nfkc: bool = False,
    pretokenized: bool = False,
    threads: int | None = None,
    runner: "RunnerName" = "threads",
    ray_address: str | None = None,
    memory: str | int | None = None,
    force: bool = False,
    resume: bool = False,
) -> Accord:
    """Learn a lexicon and phrase pairs from two raw texts and a seed dictionary.

    Does what `extract_phrases` does for each text, and then `learn`. The results do not depend on
    `threads`, `runner`, `ray_address` and `memory`.

    Parameters
    ----------
    source, target : path
        The text of each language, which may be compressed.
    seed : path or iterable of tuples
        Seed dictionary: a file with two columns, or entries (source, target). Reviewed entries
        have "accepted" or "rejected" in third place.
    source_lang, target_lang : str
        The languages, such as "zh" and "en".
    out : path, optional
        Folder for the files of the run, with the contexts of each pair. Default: none are written.
    settings : Settings, optional
        The settings of the learner; `max_words` takes the place of the one among them. Default:
        `Settings.for_texts()`, with which a phrase may have several translations.
    decisions : path or iterable of tuples, optional
        A file of `accord review`, or reviewed entries. They override the seed.
    source_vectors, target_vectors : path or mapping, optional
        Word vectors of each language: a file, or vectors by word. They take the place of those
        that are made of the texts.
    method : {'chunk', 'ngram', 'anchor', 'constituent', 'lines'}, default 'chunk'
        What a phrase is; see `extract_phrases`.
    min_count : int, optional
        Minimum count of a phrase. Default: 3 for chunk and ngram, 1 for the others.
    max_words : int, default 5
        Maximum words of a phrase.
    lower : bool, default False
        Lower-case the text.
    nfkc : bool, default False
        Replace compatibility characters (normalise to NFKC).
    pretokenized : bool, default False
        The text is tokenised: its words are space-separated.
    threads : int, optional
        Number of threads, and of processes that tokenise text. Default: one thread per core, and
        one process.
    runner : {'threads', 'ray'}, default 'threads'
        Where the search runs: here, or on Ray.
    ray_address : str, optional
        A running Ray. Default: the connected one, or else a new one.
    memory : str or int, optional
        Maximum memory of the search index, such as "500M" or "4G", or in bytes. Default: half
        of the free memory.
    force : bool, default False
        Replace another run in `out`.
    resume : bool, default False
        Continue an interrupted run in `out`.

    Returns
    -------
    Accord
        A fitted estimator.

    Examples
    --------
    The files are those of ``accord sample``.

    >>> import accord
    >>> model = accord.mine("german.txt", "english.txt", "dictionary.tsv",
    ...                     source_lang="de", target_lang="en", out="de-en")
    >>> model
    Accord(matching='none', max_words=5)
    >>> model.quality_.failed
    False
    """
    from accord.corpus.text.extraction import Preparation
    from accord.corpus.text.languages import check_two_languages
    from accord.evidence.decisions import read_decisions
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.learn import learn as run_learner
    from accord.runs.mine import Mine, TextFile
    from accord.system.runners.choice import running

    check_out(out, source, target, seed, source_vectors, target_vectors)
    check_two_languages(source_lang, target_lang)
    chosen = (settings or Settings.for_texts()).update({"max_words": max_words})
    texts = [
        TextFile(Path(path), Preparation(lang, lower, nfkc, pretokenized))
        for path, lang in ((source, source_lang), (target, target_lang))
    ]
    plan = Mine(texts[0], texts[1], method, min_count, max_words, threads or 1)
    folder = None if out is None else RunFolder(out)
    if_exists = choose_if_exists(force, resume)
    if folder:
        folder.check_options(chosen, plan.options, if_exists)
    with running(runner, threads, ray_address, memory) as workers:
        reviewed = None if decisions is None else read_decisions(decisions)
        inputs = plan.inputs(load_seed(seed).entries_with_status, ignore_progress, reviewed)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        results = run_learner(
            inputs, chosen, workers, folder, if_exists=if_exists, tell=LOGGER.info
        )
    if folder and plan.has_contexts:
        plan.write_contexts(folder.contexts, results, ignore_progress)
    return Accord.from_results(results)


def learn(
    source: str | Path | Iterable[str],
    target: str | Path | Iterable[str],
    seed: "str | Path | Iterable[Entry | ReviewedEntry]" = (),
    *,
    out: str | Path | None = None,
    settings: Settings | None = None,
    decisions: "str | Path | Iterable[ReviewedEntry] | None" = None,
    continue_from: str | Path | None = None,
    gold: str | Path | Iterable[tuple[str, str]] | None = None,
    source_vectors: "VectorInput | None" = None,
    target_vectors: "VectorInput | None" = None,
    threads: int | None = None,
    runner: "RunnerName" = "threads",
    ray_address: str | None = None,
    memory: str | int | None = None,
    force: bool = False,
    resume: bool = False,
) -> Accord:
    """Learn a lexicon and phrase pairs from two lists of phrases and a seed dictionary.

    Does what `Accord.fit` does, also with files. The results do not depend on `threads`, `runner`,
    `ray_address` and `memory`.

    Parameters
    ----------
    source, target : path or iterable of str
        The phrases of each language, with space-separated words: a file with one phrase per line,
        or the phrases themselves. A string is a path.
    seed : path or iterable of tuples
        Seed dictionary: a file with two columns, or entries (source, target). Reviewed entries
        have "accepted" or "rejected" in third place. May be empty with `continue_from` or
        `decisions`.
    out : path, optional
        Folder for the files of the run. Default: none are written.
    settings : Settings, optional
        The settings of the learner. Default: those of the run to continue, or else the defaults.
    decisions : path or iterable of tuples, optional
        A file of `accord review`, or reviewed entries. They override the seed.
    continue_from : path, optional
        Folder of a run whose model, phrases and seed are the start.
    gold : path or iterable of (str, str), optional
        Gold phrase pairs, for F1 in the trace.
    source_vectors, target_vectors : path or mapping, optional
        Word vectors of each language as further evidence: a file, or vectors by word.
    threads : int, optional
        Number of threads. Default: one per core.
    runner : {'threads', 'ray'}, default 'threads'
        Where the search runs: here, or on Ray.
    ray_address : str, optional
        A running Ray. Default: the connected one, or else a new one.
    memory : str or int, optional
        Maximum memory of the search index, such as "500M" or "4G", or in bytes. Default: half
        of the free memory.
    force : bool, default False
        Replace another run in `out`.
    resume : bool, default False
        Continue an interrupted run in `out`.

    Returns
    -------
    Accord
        A fitted estimator.

    Examples
    --------
    >>> import accord
    >>> german = ["das alte haus", "das rote haus", "die alte stadt", "die rote tür"]
    >>> english = ["the old house", "the red house", "the old town", "the red door"]
    >>> seed = [("haus", "house"), ("alte", "old"), ("die", "the")]
    >>> model = accord.learn(german, english, seed, settings=accord.Settings(agreement="inner"))
    >>> model.phrases_
    source         target         log_forward  log_backward  alignment    confidence  relation
    das alte haus  the old house        -4.56         -5.25  0-0 1-1 2-2           –  –
    das rote haus  the red house        -4.56         -5.25  0-0 1-1 2-2           –  –
    die rote tür   the red door         -4.56         -5.25  0-0 1-1 2-2           –  –
    [3 rows]
    """
    from accord.evidence.decisions import read_decisions
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.inputs import GivenDictionary, Inputs
    from accord.runs.learn import learn as run_learner
    from accord.system.runners.choice import running

    check_out(out, source, target, seed, continue_from, gold, source_vectors, target_vectors)
    folder = None if out is None else RunFolder(out)
    if_exists = choose_if_exists(force, resume)
    # Before the files are read: it takes long to read them, and Ray may not be there.
    with running(runner, threads, ray_address, memory) as workers:
        start = None if continue_from is None else RunFolder(continue_from).read_trained()
        chosen = settings or (start.settings if start else Settings())
        corpora = (
            load_corpus(source, chosen.max_words, "source"),
            load_corpus(target, chosen.max_words, "target"),
        )
        reviewed = None if decisions is None else read_decisions(decisions)
        name = str(seed) if isinstance(seed, str | Path) else "seed"
        dictionary = GivenDictionary(load_seed(seed), reviewed, name)
        known = None if gold is None else load_gold(gold)
        inputs = Inputs.combine(corpora, dictionary, chosen.max_words, known, start)
        inputs = inputs.with_vectors(source_vectors, target_vectors)
        results = run_learner(
            inputs, chosen, workers, folder, if_exists=if_exists, tell=LOGGER.info
        )
    return Accord.from_results(results)


def apply(
    run: str | Path,
    source: str | Path | Iterable[str],
    target: str | Path | Iterable[str],
    *,
    out: str | Path | None = None,
    threads: int | None = None,
    runner: "RunnerName" = "threads",
    ray_address: str | None = None,
    memory: str | int | None = None,
    force: bool = False,
) -> Accord:
    """Align new phrases with a learned model; nothing is learned.

    Parameters
    ----------
    run : path
        Folder of a finished run.
    source, target : path or iterable of str
        New phrases of each language: a file with one phrase per line, or the phrases themselves.
    out : path, optional
        Folder for the results. Default: none are written.
    threads : int, optional
        Number of threads. Default: one per core.
    runner : {'threads', 'ray'}, default 'threads'
        Where the search runs: here, or on Ray.
    ray_address : str, optional
        A running Ray. Default: the connected one, or else a new one.
    memory : str or int, optional
        Maximum memory of the search index, such as "500M" or "4G", or in bytes. Default: half
        of the free memory.
    force : bool, default False
        Replace another run in `out`.

    Returns
    -------
    Accord
        A fitted estimator; its phrase pairs are those of the new phrases.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> applied = accord.apply("de-en", ["der Arzt", "das Fenster"], ["a window", "the doctor"])
    >>> [pair.target for pair in applied.phrases_]
    ['a window', 'the doctor']
    """
    from accord.runs.apply import apply_model
    from accord.runs.folder import RunFolder
    from accord.system.runners.choice import running

    check_out(out, source, target, run)
    folder = None if out is None else RunFolder(out)
    with running(runner, threads, ray_address, memory) as workers:
        model = RunFolder(run).read_trained()
        corpora = (
            load_corpus(source, model.settings.max_words, "source"),
            load_corpus(target, model.settings.max_words, "target"),
        )
        results = apply_model(model, corpora, workers, folder, force=force, tell=LOGGER.info)
    return Accord.from_results(results)


def load(run: str | Path) -> Accord:
    """Load a finished run from its folder.

    Parameters
    ----------
    run : path
        Folder of a finished run.

    Returns
    -------
    Accord
        A fitted estimator with the settings and the results of the run.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> accord.load("de-en")
    Accord(matching='none', max_words=5)
    """
    return Accord.load(run)
