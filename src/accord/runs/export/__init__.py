"""A run in a format of the field: which formats there are, what each takes, and what is lost.

A format is a function that writes pairs, with what it takes: words, which are the lexicon's and the
phrase pairs of single words, the phrase pairs, or both. Moses takes more than pairs.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.languages import find_tag
from accord.corpus.text.tokenisers import load_detokeniser
from accord.errors import InputError, OutputError, SettingError
from accord.evidence.decisions import read_decisions
from accord.formats.bicleaner import REVERSE, write_bicleaner
from accord.formats.bitextor import write_bitextor
from accord.formats.csv import write_csv
from accord.formats.eflomal import write_eflomal
from accord.formats.fast_align import write_fast_align
from accord.formats.hunalign import write_hunalign
from accord.formats.moses import write_extract
from accord.formats.muse import write_muse
from accord.formats.omegat import write_omegat
from accord.formats.parquet import write_parquet
from accord.formats.records import ExportResult, LanguageCodes, LeftOut, Record
from accord.formats.tbx import write_tbx
from accord.formats.tmx import write_tmx
from accord.formats.writing import CHARACTER_REASONS, ONLY_WORDS, name_extra_file
from accord.runs.export.contents import ALL, Choice, Contents, PhraseTable, sureness, surest
from accord.runs.export.moses import export_moses, export_moses_lex
from accord.runs.folder import RunFolder
from accord.system.writing import STANDARD_OUTPUT, check_place, write_text

REJECTED = "people have rejected them"

Writer = Callable[[Path, Iterable[Record], LanguageCodes], LeftOut]


class Format(NamedTuple):
    """A format, as `accord export` knows it."""

    export: Callable[[Contents, Path, LanguageCodes], ExportResult]
    needs_languages: bool = False
    wants_languages: bool = False  # for words that are written without spaces
    takes_choice: bool = True  # whether pairs can be left out


def of_words(
    write: Writer, *, weighed: bool = False, needs_languages: bool = False, also: str = ""
) -> Format:
    """A format of single words: the lexicon, and after it the phrase pairs that are words. `also`
    is what a second file is named after."""

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        more = (name_extra_file(path, also),) if also else ()
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

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        records = contents.with_judged(contents.records(weighed=weighed))
        return _written(write, records, path, languages)

    return Format(export, needs_languages)


def of_both(write: Writer, *, weighed: bool = False, needs_languages: bool = False) -> Format:
    """A format of the lexicon, and after it of the phrase pairs."""

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        top = contents.choice.top
        phrases = contents.records(weighed=weighed or top is not None)
        records = contents.with_judged(_surer(contents.words, phrases))
        return _written(write, surest(records, top), path, languages)

    return Format(export, needs_languages)


def export_seed(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """What people have decided, and nothing else, as a seed."""
    review = contents.folder.review
    if not review.exists():
        raise InputError(
            f"{review}: expected decisions to write as a seed, found none; accord review makes them"
        )
    decisions = read_decisions(review)
    write_text(path, decisions.lines)
    return ExportResult(len(decisions.lines), (path,), LeftOut())


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


def as_written(write: Writer) -> Writer:
    """Phrases with no spaces between words where their language has none; word links, which count
    words, are then left out."""

    def written(path: Path, records: Iterable[Record], languages: LanguageCodes) -> LeftOut:
        source, target = map(load_detokeniser, languages)
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
    "seed": Format(export_seed, takes_choice=False),
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
) -> ExportResult:
    """Write what a run has learned in the format of this name."""
    chosen = FORMATS[name]
    if not chosen.takes_choice and choice != ALL:
        raise SettingError(
            f"{name}: has always the whole of what there is; leave --min-probability and --top out"
        )
    _check(folder, out)
    told = folder.languages or ("", "")
    source, target = (
        find_tag(given) if given else known for given, known in zip(languages, told, strict=True)
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
        done.left_out[REJECTED] = len(contents.rejected)
    return done


def _check(folder: RunFolder, out: Path) -> None:
    """What would else be found out only when all is read, or destroy it."""
    check_place(out)
    if str(out) == STANDARD_OUTPUT:
        return
    own = {Path(file).resolve() for file in folder.files.values()}
    if own & {out.resolve(), *out.resolve().parents}:
        raise OutputError(f"{out}: is of the run itself; choose another file")


def _written(
    write: Writer, records: list[Record], path: Path, languages: LanguageCodes
) -> ExportResult:
    left_out = write(path, records, languages)
    pairs = sum(count for reason, count in left_out.items() if reason not in CHARACTER_REASONS)
    return ExportResult(len(records) - pairs, (path,), left_out)
