"""A run in a format of the field: which formats there are, what each takes, and what is lost.

A format is a function that writes pairs, with what it takes: words, which are the lexicon's and the
phrase pairs of single words, the phrase pairs, or both. Moses takes more than pairs, and has
functions of its own.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.errors import OutputError, SettingError
from accord.extract.joining import joiner
from accord.extract.languages import language_tag
from accord.folder import RunFolder
from accord.formats import moses
from accord.formats.bicleaner import REVERSE, write_bicleaner
from accord.formats.bitextor import write_bitextor
from accord.formats.contents import (
    ALL,
    Choice,
    Contents,
    PhraseTable,
    probabilities,
    sureness,
    surest,
)
from accord.formats.csv import write_csv
from accord.formats.eflomal import write_eflomal
from accord.formats.hunalign import write_hunalign
from accord.formats.lexical import lexical_weights
from accord.formats.lines import ONLY_WORDS, beside
from accord.formats.muse import write_muse
from accord.formats.omegat import write_omegat
from accord.formats.parallel import write_extract, write_fast_align
from accord.formats.parquet import write_parquet
from accord.formats.records import Languages, LeftOut, Record
from accord.formats.tbx import write_tbx
from accord.formats.tmx import write_tmx
from accord.formats.writable import OF_CHARACTERS
from accord.phrases import NULL, Vocabulary
from accord.translation import TranslationModel
from accord.writing import STANDARD_OUTPUT, write_text

REJECTED = "people have rejected them"

Writer = Callable[[Path, Iterable[Record], Languages], LeftOut]


class Exported(NamedTuple):
    """What became of the pairs of a run."""

    pairs: int
    files: tuple[Path, ...]
    left_out: LeftOut


class Format(NamedTuple):
    """A format, as `accord export` knows it."""

    export: Callable[[Contents, Path, Languages], Exported]
    needs_languages: bool = False
    wants_languages: bool = False  # for words that are written without spaces
    takes_choice: bool = True  # whether pairs can be left out


def of_words(
    write: Writer, *, weighed: bool = False, needs_languages: bool = False, also: str = ""
) -> Format:
    """A format of single words: the lexicon, and after it the phrase pairs that are words. `also`
    is what a second file is named after."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        more = (beside(path, also),) if also else ()
        top = contents.choice.top
        single = _single_words(contents, weighed=weighed or top is not None)
        records = surest(_surer(contents.words, single), top)
        done = _written(write, records, path, languages)
        several = len(contents.surest_phrases) - len(_places_of_words(contents.surest_phrases))
        if several:
            done.left_out[ONLY_WORDS] += several
        return done._replace(files=(path, *more))

    return Format(export, needs_languages)


def of_phrases(write: Writer, *, weighed: bool = False, needs_languages: bool = False) -> Format:
    """A format of the phrase pairs. `weighed` if it has a place for their probabilities."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        return _written(write, contents.records(weighed=weighed), path, languages)

    return Format(export, needs_languages)


def of_both(write: Writer, *, weighed: bool = False, needs_languages: bool = False) -> Format:
    """A format of the lexicon, and after it of the phrase pairs."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        top = contents.choice.top
        phrases = contents.records(weighed=weighed or top is not None)
        return _written(write, surest(_surer(contents.words, phrases), top), path, languages)

    return Format(export, needs_languages)


def _surer(words: list[Record], phrases: list[Record]) -> list[Record]:
    """The pairs of both; of one that is in both what is surer."""
    records = {record[:2]: record for record in words}
    for record in phrases:
        known = records.setdefault(record[:2], record)
        if sureness(record) > sureness(known):
            records[record[:2]] = record
    return [*records.values()]


def _places_of_words(table: PhraseTable) -> list[int]:
    """The places of the pairs of single words."""
    sides = zip(table.source, table.target, strict=True)
    return [n for n, (e, f) in enumerate(sides) if " " not in e and " " not in f]


def _single_words(contents: Contents, *, weighed: bool) -> list[Record]:
    """The phrase pairs that are sure enough and of single words."""
    table = contents.phrases.only(_places_of_words(contents.phrases))
    return contents.records(weighed=weighed, table=table)


def export_moses(contents: Contents, path: Path, _: Languages) -> Exported:
    """A phrase table; beside it both lexica, and what a moses.ini needs."""
    ini, lexica = beside(path, ".ini"), moses.lex_paths(path, ".lex")
    stanza = moses.stanza(path)
    rows = moses_rows(contents)
    moses.write_table(path, rows)
    write_text(ini, stanza)
    left_out = _write_lexica(contents, lexica)[1]
    return Exported(len(rows), (path, ini, *lexica), left_out)


def moses_rows(contents: Contents) -> list[moses.Row]:
    """The phrase pairs that are wanted, with the four scores of a Moses table."""
    source, target, state = contents.trained[:3]
    table = contents.surest_phrases
    links = contents.word_links(table)
    s, t = state.agreed.source[table.agreed], state.agreed.target[table.agreed]
    there = lexical_weights(source, target, state.forward.translation, (s, t), links)
    back = lexical_weights(target, source, state.backward.translation, (t, s), links.swapped())
    source_given_target, target_given_source = (
        probabilities(side[table.agreed]).tolist() for side in contents.log_q
    )
    counts = table.confidence or [1.0] * len(table)
    columns = (
        *(table.source, table.target),
        *(source_given_target, back.tolist(), target_given_source, there.tolist()),
        *(table.alignment, counts),
    )
    return [*zip(*columns, strict=True)]


def export_moses_lex(contents: Contents, path: Path, _: Languages) -> Exported:
    """Both lexica, of all that was learned about words."""
    lexica = moses.lex_paths(path, "")
    written, left_out = _write_lexica(contents, lexica)
    return Exported(written, lexica, left_out)


def _write_lexica(contents: Contents, paths: tuple[Path, Path]) -> tuple[int, LeftOut]:
    source, target, state = contents.trained[:3]
    words = source.vocabulary, target.vocabulary
    there = _write_lexicon(paths[0], state.forward.translation, *words)
    back = _write_lexicon(paths[1], state.backward.translation, *words[::-1])
    return there[0] + back[0], there[1] + back[1]


def _write_lexicon(
    path: Path, translation: TranslationModel, given: Vocabulary, other: Vocabulary
) -> tuple[int, LeftOut]:
    """Of each word that is given its translations, with NULL for no word."""
    e, f = translation.sources, translation.targets
    p = translation.probability(e, f)
    small = p < moses.LEAST
    # A word that is spelled as the empty one would be taken for it; 0 is the empty one itself.
    named = (
        (e == given.index.get(moses.NULL, -1)) | (f == other.index.get(moses.NULL, -1))
    ) & ~small
    kept = np.flatnonzero(~small & ~named)
    names, translations = ([*map(moses.escaped, side.words)] for side in (given, other))
    names[NULL] = moses.NULL
    moses.write_lex(
        path,
        zip(
            map(translations.__getitem__, f[kept].tolist()),
            map(names.__getitem__, e[kept].tolist()),
            p[kept].tolist(),
            strict=True,
        ),
    )
    left_out = LeftOut(
        {
            "their probability is 0.0000000 in its lexica": int(np.count_nonzero(small)),
            f"{moses.NULL} is its name for the empty word": int(np.count_nonzero(named)),
        }
    )
    return len(kept), +left_out


def as_written(write: Writer) -> Writer:
    """Phrases with no spaces between words where their language has none; word links, which count
    words, are then left out."""

    def written(path: Path, records: Iterable[Record], languages: Languages) -> LeftOut:
        source, target = map(joiner, languages)
        return write(path, (_joined(record, source, target) for record in records), languages)

    return written


def _joined(record: Record, source: Callable[[str], str], target: Callable[[str], str]) -> Record:
    texts = source(record.source), target(record.target)
    if texts == record[:2]:
        return record
    return record._replace(source=texts[0], target=texts[1], alignment=())


FORMATS = {
    "moses": Format(export_moses),
    "moses-lex": Format(export_moses_lex, takes_choice=False),
    "extract": of_phrases(write_extract),
    "fast-align": of_phrases(write_fast_align),
    "muse": of_words(write_muse),
    "hunalign": of_both(write_hunalign),
    "bicleaner": of_words(write_bicleaner, weighed=True, also=REVERSE),
    "eflomal": of_words(write_eflomal, weighed=True),
    "bitextor": of_words(write_bitextor, needs_languages=True),
    "tmx": of_phrases(as_written(write_tmx), weighed=True, needs_languages=True),
    "tbx": of_both(as_written(write_tbx), weighed=True, needs_languages=True),
    "omegat": of_both(as_written(write_omegat), weighed=True)._replace(wants_languages=True),
    "csv": of_both(write_csv, weighed=True),
    "parquet": of_both(write_parquet, weighed=True),
}
# They can tell that a person has rejected a pair; others do without it.
WITH_STATUS = ("tmx", "tbx", "omegat", "csv", "parquet")


def export(
    folder: RunFolder,
    name: str,
    out: Path,
    choice: Choice = ALL,
    languages: tuple[str | None, str | None] = (None, None),
    tell: Callable[[str], object] = lambda _: None,
) -> Exported:
    """Write what a run has learned in the format of this name."""
    chosen = FORMATS[name]
    if not chosen.takes_choice and choice != ALL:
        raise SettingError(
            f"{name}: has the whole of what was learned about words; leave --min-probability and "
            "--top out"
        )
    _check(folder, out)
    told = folder.languages or ("", "")
    source, target = (
        language_tag(given) if given else known
        for given, known in zip(languages, told, strict=True)
    )
    if chosen.needs_languages and not (source and target):
        raise SettingError(
            f"{name}: needs to know the languages, which {folder.path} does not tell; "
            "give --source-lang and --target-lang"
        )
    if chosen.wants_languages and not (source and target):
        tell(
            f"{name}: the languages are not known, so Chinese, Japanese and Thai keep their "
            "spaces; give --source-lang and --target-lang"
        )
    contents = Contents(folder, choice, tell, with_rejected=name in WITH_STATUS)
    done = chosen.export(contents, out, (source, target))
    if contents.rejected:
        done.left_out[REJECTED] = contents.rejected
    return done


def _check(folder: RunFolder, out: Path) -> None:
    """What would else be found out only when all is read, or destroy it."""
    if str(out) == STANDARD_OUTPUT:
        return
    if out.is_dir():
        raise OutputError(f"{out}: expected the name of a file, found a folder")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: there is no folder {out.parent}")
    own = {Path(file).resolve() for file in folder.files.values()}
    if own & {out.resolve(), *out.resolve().parents}:
        raise OutputError(f"{out}: is of the run itself; choose another file")


def _written(write: Writer, records: list[Record], path: Path, languages: Languages) -> Exported:
    left_out = write(path, records, languages)
    pairs = sum(count for reason, count in left_out.items() if reason not in OF_CHARACTERS)
    return Exported(len(records) - pairs, (path,), left_out)
