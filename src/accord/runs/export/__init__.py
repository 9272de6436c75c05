"""Exports of a run: the formats, the pairs that each of them gets, and the pairs that are left out.

A format is a function of `accord.formats` that writes pairs: words (the lexicon, and the phrase
pairs of single words), phrase pairs, or both. `contents` reads the pairs from the run. `moses`
exports what Moses needs besides pairs.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.tokenisers import load_detokeniser
from accord.errors import InputError, OutputError, SettingError
from accord.evidence.decisions import read_decisions
from accord.formats import ExportFormatName
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
from accord.formats.records import (
    ExportResult,
    LanguageCodes,
    LeftOut,
    Record,
    RequestedLanguages,
)
from accord.formats.tbx import write_tbx
from accord.formats.tmx import write_tmx
from accord.formats.writing import CHARACTER_REASONS, ONLY_WORDS, name_extra_file
from accord.runs.export.contents import (
    ALL,
    Contents,
    PairChoice,
    PhraseColumns,
    score_record,
    select_best,
)
from accord.runs.export.moses import export_moses, export_moses_lex
from accord.runs.folder import RunFolder
from accord.system.writing import STANDARD_OUTPUT, check_absent, check_place, write_text

REJECTED = "reviewers have rejected them"
IDENTICAL = "both sides are identical"

OPTIONS = "--min-confidence, --top and --no-identical"

PairWriter = Callable[[Path, Iterable[Record], LanguageCodes], LeftOut]


class ExportFormat(NamedTuple):
    """A format of `accord export`."""

    export: Callable[[Contents, Path, LanguageCodes], ExportResult]
    needs_languages: bool = False
    wants_languages: bool = False  # for languages that are written without spaces
    takes_choice: bool = True  # whether it can be restricted to some of the pairs


def make_word_format(
    write: PairWriter,
    *,
    with_probabilities: bool = False,
    needs_languages: bool = False,
    second_suffix: str = "",
) -> ExportFormat:
    """Return a format of single words: first the lexicon, then the phrase pairs of single words.

    `second_suffix` is the suffix of a second file, if the format has one.
    """

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        more = (name_extra_file(path, second_suffix),) if second_suffix else ()
        top = contents.choice.top
        columns = contents.phrases.select(_find_single_words(contents.phrases))
        single = contents.make_records(
            with_probabilities=with_probabilities or top is not None, columns=columns
        )
        merged = _merge(contents.words, single)
        done = _write(write, select_best(merged, top), path, languages)
        note = _explain_merging(contents.words, single, merged, "phrase pairs of single words")
        several = len(contents.best_phrases) - len(_find_single_words(contents.best_phrases))
        if several:
            done.left_out[ONLY_WORDS] += several
        return done._replace(files=(path, *more), note=note)

    return ExportFormat(export, needs_languages)


def make_phrase_format(
    write: PairWriter, *, with_probabilities: bool = False, needs_languages: bool = False
) -> ExportFormat:
    """Return a format of the phrase pairs."""

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        records = contents.make_records(with_probabilities=with_probabilities)
        return _write(write, contents.add_reviewed(records), path, languages)

    return ExportFormat(export, needs_languages)


def make_combined_format(
    write: PairWriter, *, with_probabilities: bool = False, needs_languages: bool = False
) -> ExportFormat:
    """Return a format of the lexicon, followed by the phrase pairs."""

    def export(contents: Contents, path: Path, languages: LanguageCodes) -> ExportResult:
        top = contents.choice.top
        phrases = contents.make_records(with_probabilities=with_probabilities or top is not None)
        merged = _merge(contents.words, phrases)
        records = contents.add_reviewed(merged)
        done = _write(write, select_best(records, top), path, languages)
        note = _explain_merging(contents.words, phrases, merged, "phrase pairs")
        return done._replace(note=note)

    return ExportFormat(export, needs_languages)


def export_seed(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """Write only the decisions of reviewers, in the format of a seed."""
    review = contents.folder.review
    if not review.exists():
        raise InputError(
            f"{review}: expected decisions to write as a seed, found none; make some with accord "
            "review"
        )
    decisions = read_decisions(review)
    write_text(path, decisions.lines)
    return ExportResult(len(decisions.lines), (path,), LeftOut())


def _merge(words: list[Record], phrases: list[Record]) -> list[Record]:
    """Return the pairs of both lists; of a pair that is in both, the record with the higher
    score."""
    records = {record[:2]: record for record in words}
    for record in phrases:
        known = records.setdefault(record[:2], record)
        if score_record(record) > score_record(known):
            records[record[:2]] = record
    return [*records.values()]


def _explain_merging(
    words: list[Record], phrases: list[Record], merged: list[Record], what: str
) -> str:
    """Return why there are fewer pairs than the run has, in words."""
    both = len(words) + len(phrases) - len(merged)
    if not both:
        return ""
    kinds = f"{len(words):,} word pairs and {len(phrases):,} {what}"
    return f"{kinds}; {both:,} {'pair is' if both == 1 else 'pairs are'} both, and written once"


def _find_single_words(columns: PhraseColumns) -> list[int]:
    """Return the places of the pairs of single words."""
    sides = zip(columns.source, columns.target, strict=True)
    return [n for n, (e, f) in enumerate(sides) if " " not in e and " " not in f]


def join_as_written(write: PairWriter) -> PairWriter:
    """Return a writer that joins words as their languages do: 经济危机, l'école.

    Word links, which count words, are then left out.
    """

    def write_joined(path: Path, records: Iterable[Record], languages: LanguageCodes) -> LeftOut:
        source, target = map(load_detokeniser, languages)
        joined = (_join_words(record, source, target) for record in records)
        return write(path, joined, languages)

    return write_joined


def _join_words(
    record: Record, source: Callable[[str], str], target: Callable[[str], str]
) -> Record:
    texts = source(record.source), target(record.target)
    if texts == record[:2]:
        return record
    return record._replace(source=texts[0], target=texts[1], alignment=())


FORMATS: dict[ExportFormatName, ExportFormat] = {
    "moses": ExportFormat(export_moses),
    "moses-lex": ExportFormat(export_moses_lex, takes_choice=False),
    "extract": make_phrase_format(write_extract),
    "fast-align": make_phrase_format(write_fast_align),
    "muse": make_word_format(write_muse),
    "hunalign": make_combined_format(write_hunalign),
    "bicleaner": make_word_format(write_bicleaner, with_probabilities=True, second_suffix=REVERSE),
    "eflomal": make_word_format(write_eflomal, with_probabilities=True),
    "bitextor": make_word_format(write_bitextor, needs_languages=True),
    "tmx": make_phrase_format(
        join_as_written(write_tmx), with_probabilities=True, needs_languages=True
    ),
    "tbx": make_combined_format(
        join_as_written(write_tbx), with_probabilities=True, needs_languages=True
    ),
    "omegat": make_combined_format(join_as_written(write_omegat), with_probabilities=True)._replace(
        wants_languages=True
    ),
    "csv": make_combined_format(write_csv, with_probabilities=True),
    "parquet": make_combined_format(write_parquet, with_probabilities=True),
    "seed": ExportFormat(export_seed, takes_choice=False),
}
# Formats that store the status of a pair; the others get no rejected pairs.
WITH_STATUS = ("tmx", "tbx", "omegat", "csv", "parquet")


def export_run(
    folder: RunFolder,
    name: ExportFormatName,
    out: Path,
    choice: PairChoice = ALL,
    languages: RequestedLanguages = (None, None),
    tell: Callable[[str], object] = lambda _: None,
    *,
    overwrite: bool = True,
) -> ExportResult:
    """Write the results of a run in the format of this name."""
    chosen = FORMATS[name]
    if not chosen.takes_choice and choice != ALL:
        raise SettingError(f"{name}: always has all pairs; omit {OPTIONS}")
    _check_place(folder, out)
    if not overwrite:
        check_absent(out)
    source, target = folder.name_languages(languages)
    if chosen.needs_languages and not (source and target):
        raise SettingError(
            f"{name}: needs the languages, which {folder.path} does not name; "
            "give --source-lang and --target-lang"
        )
    if chosen.wants_languages and not (source and target):
        tell(
            f"{name}: the languages are not known, so Chinese, Japanese and Thai keep their "
            "spaces, and clitics theirs (l' école); give --source-lang and --target-lang"
        )
    contents = Contents(folder, choice, tell, with_rejected=name in WITH_STATUS)
    done = chosen.export(contents, out, (source, target))
    if contents.identical:
        done.left_out[IDENTICAL] = len(contents.identical)
    if contents.left_out:
        done.left_out[REJECTED] = len(contents.left_out)
    return done


def _check_place(folder: RunFolder, out: Path) -> None:
    """Check that the file can be written, and does not belong to the run."""
    check_place(out)
    if str(out) == STANDARD_OUTPUT:
        return
    own = {Path(file).resolve() for file in folder.files.values()}
    if own & {out.resolve(), *out.resolve().parents}:
        raise OutputError(f"{out}: belongs to the run itself; choose another file")


def _write(
    write: PairWriter, records: list[Record], path: Path, languages: LanguageCodes
) -> ExportResult:
    left_out = write(path, records, languages)
    pairs = sum(count for reason, count in left_out.items() if reason not in CHARACTER_REASONS)
    return ExportResult(len(records) - pairs, (path,), left_out)
