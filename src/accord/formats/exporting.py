"""A run in a format of the field: which formats there are, what each takes, and what is lost.

A format is a function that writes pairs, with what it takes: the words of the lexicon, the phrase
pairs, or both. Moses takes more than pairs, and has functions of its own.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from accord.errors import OutputError, SettingError
from accord.folder import RunFolder
from accord.formats.bicleaner import REVERSE, write_bicleaner
from accord.formats.bitextor import write_bitextor
from accord.formats.contents import ALL, Choice, Contents, probabilities, surest
from accord.formats.eflomal import write_eflomal
from accord.formats.hunalign import write_hunalign
from accord.formats.lexical import lexical_weights
from accord.formats.lines import ONLY_WORDS, beside
from accord.formats.moses import lex_paths, write_ini, write_lex, write_table
from accord.formats.muse import write_muse
from accord.formats.parallel import write_extract, write_fast_align
from accord.formats.records import Languages, LeftOut, Record
from accord.translation import TranslationModel
from accord.writing import STANDARD_OUTPUT

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
    takes_choice: bool = True  # whether pairs can be left out


def of_words(write: Writer, *, needs_languages: bool = False, also: str = "") -> Format:
    """A format of single words: the lexicon. `also` is what a second file is named after."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        more = (beside(path, also),) if also else ()
        done = _written(write, contents.words, path, languages)
        table = contents.phrases
        several = sum(" " in e or " " in f for e, f in zip(*table[:2], strict=True))
        if several:
            done.left_out[ONLY_WORDS] += several
        return done._replace(files=(path, *more))

    return Format(export, needs_languages)


def of_phrases(write: Writer) -> Format:
    """A format of the phrase pairs."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        return _written(write, contents.records(weighed=False), path, languages)

    return Format(export)


def of_both(write: Writer, *, weighed: bool = False, needs_languages: bool = False) -> Format:
    """A format of the lexicon, and after it of the phrase pairs that are not in it; `weighed` if
    it has a place for the probabilities of phrases."""

    def export(contents: Contents, path: Path, languages: Languages) -> Exported:
        top = contents.choice.top
        words = {record[:2]: record for record in contents.words}
        phrases = contents.records(weighed=weighed or top is not None)
        records = [*words.values(), *(record for record in phrases if record[:2] not in words)]
        return _written(write, surest(records, top), path, languages)

    return Format(export, needs_languages)


def export_moses(contents: Contents, path: Path, _: Languages) -> Exported:
    """A phrase table; beside it both lexica, and what a moses.ini needs."""
    ini, lexica = beside(path, ".ini"), lex_paths(path, ".lex")
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
    rows = zip(
        *(table.source, table.target),
        *(source_given_target, back.tolist(), target_given_source, there.tolist()),
        *(table.alignment, counts),
        strict=True,
    )
    write_table(path, rows)
    write_ini(ini, path)
    left_out = _write_lexica(contents, lexica)[1]
    return Exported(len(table), (path, ini, *lexica), left_out)


def export_moses_lex(contents: Contents, path: Path, _: Languages) -> Exported:
    """Both lexica, of all that was learned about words."""
    lexica = lex_paths(path, "")
    written, left_out = _write_lexica(contents, lexica)
    return Exported(written, lexica, left_out)


def _write_lexica(contents: Contents, paths: tuple[Path, Path]) -> tuple[int, LeftOut]:
    source, target, state = contents.trained[:3]
    e, f = source.vocabulary.words, target.vocabulary.words
    written, left_out = 0, LeftOut()
    sides = ((state.forward.translation, e, f), (state.backward.translation, f, e))
    for path, (translation, given, other) in zip(paths, sides, strict=True):
        more, lost = write_lex(path, _entries(translation, given, other))
        written += more
        left_out += lost
    return written, left_out


def _entries(
    translation: TranslationModel, given: tuple[str, ...], other: tuple[str, ...]
) -> Iterable[tuple[str, str, float]]:
    p = translation.probability(translation.sources, translation.targets)
    return zip(
        map(other.__getitem__, translation.targets.tolist()),
        map(given.__getitem__, translation.sources.tolist()),
        p.tolist(),
        strict=True,
    )


FORMATS = {
    "moses": Format(export_moses),
    "moses-lex": Format(export_moses_lex, takes_choice=False),
    "extract": of_phrases(write_extract),
    "fast-align": of_phrases(write_fast_align),
    "muse": of_words(write_muse),
    "hunalign": of_both(write_hunalign),
    "bicleaner": of_words(write_bicleaner, also=REVERSE),
    "eflomal": of_words(write_eflomal),
    "bitextor": of_words(write_bitextor, needs_languages=True),
}


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
    source, target = (given or known for given, known in zip(languages, told, strict=True))
    if chosen.needs_languages and not (source and target):
        raise SettingError(
            f"{name}: needs to know the languages, which {folder.path} does not tell; "
            "give --source-lang and --target-lang"
        )
    return chosen.export(Contents(folder, choice, tell), out, (source, target))


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
    return Exported(len(records) - left_out.total(), (path,), left_out)
