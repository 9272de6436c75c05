"""Translation: `train_language_model`, `translate_sentences` and `adapt`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from accord.api.inputs import (
    LOGGER,
    check_least,
    check_out,
    ignore_progress,
    list_paths,
    optional_path,
)

if TYPE_CHECKING:
    from accord.translate import DecoderName
    from accord.translate.adaptation.evaluation import AdaptationResult


def train_language_model(
    text: str | Path | Iterable[str | Path], out: str | Path, *, order: int = 4
) -> list[int]:
    """Train a language model for `translate_sentences`, by modified Kneser-Ney.

    Parameters
    ----------
    text : path or iterable of paths
        Files with one sentence of space-separated words per line.
    out : path
        File for the model, in ARPA format; it is compressed if its name ends with .gz.
    order : int, default 4
        Length of the longest n-grams, 1 to 6.

    Returns
    -------
    list of int
        How many n-grams the model has of each length, from 1 to `order`.

    Examples
    --------
    The files are those of ``accord sample``.

    >>> import accord
    >>> sizes = accord.train_language_model("english.txt", "english.arpa", order=3)
    >>> len(sizes)
    3
    """
    from accord.translate.language_model.arpa import write_arpa
    from accord.translate.language_model.kneser_ney import check_order
    from accord.translate.language_model.kneser_ney import train_language_model as train
    from accord.translate.language_model.training_text import read_training_text

    paths = list_paths(text)
    check_out(out, *paths)
    check_order(order)
    model = train(read_training_text(paths), order)
    write_arpa(Path(out), model)
    return [*map(int, model.sizes)]


def translate_sentences(
    sentences: Iterable[str],
    run: str | Path | None = None,
    *,
    table: str | Path | None = None,
    lm: str | Path | None = None,
    weights: str | Path | None = None,
    top: int | None = None,
    stack: int = 100,
    distortion_limit: int = 6,
    decoder: "DecoderName" = "accord",
    source_lang: str | None = None,
    target_lang: str | None = None,
    lower: bool = False,
    pretokenized: bool = False,
    threads: int | None = None,
) -> list[str]:
    """Translate sentences with the phrases of a run, with a Moses table, or as `adapt` learned.

    Words that are in no phrase are copied.

    Parameters
    ----------
    sentences : iterable of str
        A folder of `adapt` translates raw text: addresses, markup and placeholders stay as they
        are, and translations have capitals and spaces as in its target text. Otherwise, name the
        languages for raw text; without them, words must be space-separated, and tokenised like the
        phrases.
    run : path, optional
        Folder of a finished run or of `adapt`.
    table : path, optional
        Moses phrase table. Default: the phrase pairs of `run`.
    lm : path, optional
        Language model in ARPA format, as of `train_language_model`. Default: lm.arpa of `run`.
    weights : path, optional
        File with the [weight] section of a moses.ini. Default: weights.ini of `run`, or the
        defaults of Moses.
    top : int, optional
        Number of translations per sentence. Default: the best one.
    stack : int, default 100
        Maximum number of hypotheses per stack.
    distortion_limit : int, default 6
        Maximum number of words to jump over.
    decoder : {'accord', 'moses'}, default 'accord'
        The decoder: the one here, or the program moses on the PATH.
    source_lang, target_lang : str, optional
        The languages of raw text, if no folder of `adapt` knows them.
    lower : bool, default False
        Lower-case raw text.
    pretokenized : bool, default False
        Words are space-separated, in the translations as well.
    threads : int, optional
        Number of threads. Default: one per core.

    Returns
    -------
    list of str
        The translation of each sentence; with `top`, the lines of n-best lists in the format of
        Moses.

    Examples
    --------
    The folder is that of `mine`, and the language model that of `train_language_model`.

    >>> import accord
    >>> accord.translate_sentences(["treue Hund jagt die Katze"], "de-en", lm="english.arpa")
    ['faithful dog chases the cat']
    """
    from accord.translate.decoder import DecoderLimits
    from accord.translate.model_files import ModelFiles
    from accord.translate.sentence_translation import (
        TextOptions,
        TranslationJob,
        TranslationRequest,
    )

    check_least(1, top=top)
    files = ModelFiles.find(*map(optional_path, (run, table, lm, weights)))
    limits = DecoderLimits(stack=stack, distortion=distortion_limit)
    text = TextOptions(pretokenized, source_lang, target_lang, lower)
    request = TranslationRequest(files, limits, decoder, top, text, threads)
    return [*TranslationJob.read(sentences, request).translate()]


def adapt(
    source_text: str | Path,
    target_text: str | Path,
    *,
    source_lang: str,
    target_lang: str,
    out: str | Path,
    seed: str | Path | None = None,
    table: str | Path | None = None,
    dev: str | Path | Iterable[str | Path] | None = None,
    test: str | Path | Iterable[str | Path] | None = None,
    lm_text: str | Path | None = None,
    source_vectors: str | Path | None = None,
    target_vectors: str | Path | None = None,
    iterations: int = 40,
    back_off: bool = True,
    rounds: int = 3,
    sample: int = 100_000,
    cyclic: bool = False,
    compare: bool = False,
    min_count: int = 5,
    max_words: int = 4,
    order: int = 4,
    threads: int | None = None,
    resume: bool = False,
    force: bool = False,
) -> "AdaptationResult":
    """Learn to translate from two texts that are not parallel.

    The texts are lower-cased. The folder gets the tables, language model and weights of the best
    step, for `translate_sentences`.

    Parameters
    ----------
    source_text, target_text : path
        Texts of this domain.
    source_lang, target_lang : str
        The languages, such as "zh" and "en".
    out : path
        Folder for the results.
    seed : path, optional
        Dictionary: word, tab, translation. Learning starts from it, from `table`, or from both.
    table : path, optional
        Phrase pairs of another domain: a Moses table, or TSV.
    dev, test : path or iterable of paths, optional
        Sentence pairs to tune and to test on: .tsv, .tmx, or two files of lines.
    lm_text : path, optional
        Text for the language model. Default: `target_text`.
    source_vectors, target_vectors : path, optional
        Word vectors of each language, for both or none.
    iterations : int, default 40
        Maximum number of iterations of posterior agreement, which ends when it converges.
    back_off : bool, default True
        Whether words without a translation get candidates, of which the language model chooses.
    rounds : int, default 3
        Maximum number of rounds of back-translation.
    sample : int, default 100,000
        Maximum number of sentences of each text that a round translates.
    cyclic : bool, default False
        Tune on back-translations, as without `dev`.
    compare : bool, default False
        Also evaluate the methods of the paper.
    min_count : int, default 5
        Minimum count of a phrase.
    max_words : int, default 4
        Maximum words of a phrase.
    order : int, default 4
        Order of the language model, 1 to 6.
    threads : int, optional
        Number of threads. Default: one per core.
    resume : bool, default False
        Continue an interrupted adaptation in `out`.
    force : bool, default False
        Replace the results of another adaptation in `out`.

    Returns
    -------
    AdaptationResult
        `rows`, the scores of each step; `chosen`, the number of the row whose tables are in `out`;
        the `signatures` of BLEU and chrF2; `p_values` of the differences to the chosen step; and
        `samples` of translations.

    Examples
    --------
    >>> import accord
    >>> adapted = accord.adapt(
    ...     "news.de", "news.en", seed="dictionary.tsv", dev="dev.tsv", test="test.tsv",
    ...     source_lang="de", target_lang="en", out="adapted",
    ... )  # doctest: +SKIP
    >>> adapted.rows[adapted.chosen].bleu  # doctest: +SKIP
    """
    from accord.runs.folder import choose_if_exists
    from accord.system.runners.threads import Threads
    from accord.translate.adaptation.inputs import AdaptationPlan, PhraseLimits
    from accord.translate.adaptation.pipeline import adapt as run

    check_least(1, iterations=iterations, sample=sample, min_count=min_count, max_words=max_words)
    check_least(0, rounds=rounds)
    plan = AdaptationPlan(
        outside=optional_path(table),
        seed=optional_path(seed),
        texts=(Path(source_text), Path(target_text)),
        dev=list_paths(dev or ()),
        test=list_paths(test or ()),
        lm_text=Path(lm_text or target_text),
        languages=(source_lang, target_lang),
        vectors=(optional_path(source_vectors), optional_path(target_vectors)),
        iterations=iterations,
        back_off=back_off,
        rounds=rounds,
        sample=sample,
        cyclic=cyclic,
        compare=compare,
        phrases=PhraseLimits(min_count, max_words),
        order=order,
    )
    return run(
        plan,
        Path(out),
        Threads(threads),
        choose_if_exists(force, resume),
        lambda plan: plan.read(ignore_progress),
        LOGGER.info,
    )
