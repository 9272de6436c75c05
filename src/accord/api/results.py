"""What a run has found: `query`, `evaluate`, `report`, `review` and `export`."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from accord.api.inputs import LOGGER, load_gold
from accord.estimator import Accord
from accord.web.review import PORT

if TYPE_CHECKING:
    from accord.formats import ExportFormatName
    from accord.formats.records import ExportResult
    from accord.runs.evaluation import Evaluation
    from accord.runs.query.translator import Translations


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
    return load_gold(gold).evaluate(pairs)


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
    known = None if gold is None else load_gold(gold)
    own = ReportedRun.read(RunFolder(run), known, LOGGER.warning)
    check_report_path(file)
    if other is None:
        page = build_report(own)
    else:
        page = build_comparison(own, ReportedRun.read(RunFolder(other), known))
    write_file(file, lambda stream: stream.write(page.encode()))
    return file


def review(
    run: str | Path,
    *,
    port: int = PORT,
    host: str = "127.0.0.1",
    token: str | None = None,
    open_page: bool = True,
    source_lang: str | None = None,
    target_lang: str | None = None,
    on_ready: Callable[[str], object] | None = None,
) -> Path:
    """Serve a page for accepting, rejecting and correcting the pairs of a run, until Ctrl-C.

    Every decision is saved immediately. In a notebook, whose event loop is taken, use the command
    `accord review`.

    Parameters
    ----------
    run : path
        Folder of a finished run.
    port : int, default 8411
        Port, or the next free one if it is taken; 0 for any.
    host : str, default "127.0.0.1"
        Address to listen on; one that other machines can reach needs `token`.
    token : str, optional
        Password of the page. Default: a new one each time.
    open_page : bool, default True
        Open the page in the browser.
    source_lang, target_lang : str, optional
        The languages, such as "zh" and "en", if the run does not name them.
    on_ready : function, optional
        Called with the address of the page as soon as it can be opened. Default: the address is
        logged as a warning, which Python shows.

    Returns
    -------
    Path
        The file with the decisions, for the parameter `decisions` of `mine` and `learn`.

    Examples
    --------
    The folder is that of `mine`.

    >>> import accord
    >>> decisions = accord.review("de-en", on_ready=print)  # doctest: +SKIP
    http://127.0.0.1:8411/?token=rMy7Zw5pXk2bVn8sQdJc4uTfGh1eLa9o
    """
    from accord.runs.folder import RunFolder
    from accord.web.review.server import ServerAddress, open_browser, serve_review

    def announce(url: str) -> None:
        if on_ready is None:
            LOGGER.warning("The review page is %s", url)
        else:
            on_ready(url)
        if open_page:
            open_browser(url)

    address = ServerAddress(host, port, token)
    serve_review(Path(run), address, (source_lang, target_lang), LOGGER.info, announce)
    return RunFolder(run).review


def export(
    run: str | Path,
    out: str | Path,
    *,
    to: "ExportFormatName",
    min_confidence: float | None = None,
    top: int | None = None,
    no_identical: bool = False,
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
    no_identical : bool, default False
        Leave out pairs whose two sides are identical.
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

    choice, languages = PairChoice(min_confidence, top, no_identical), (source_lang, target_lang)
    return export_run(RunFolder(run), to, Path(out), choice, languages, LOGGER.warning)
