"""A run as Moses has it: the phrase table with its scores, both lexica, what a moses.ini needs."""

from pathlib import Path

import numpy as np

from accord.corpus.vocabulary import NULL, Vocabulary
from accord.formats import moses
from accord.formats.records import ExportResult, LanguageCodes, LeftOut
from accord.formats.writing import name_extra_file
from accord.learning.model.translation import TranslationModel
from accord.runs.export.contents import Contents, probabilities
from accord.runs.export.lexical import lexical_weights
from accord.system.writing import write_text


def export_moses(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """A phrase table; beside it both lexica, and what a moses.ini needs."""
    ini, lexica = name_extra_file(path, ".ini"), moses.name_lexica(path, ".lex")
    stanza = moses.format_stanza(path)
    rows = moses_rows(contents)
    moses.write_table(path, rows)
    write_text(ini, stanza)
    left_out = _write_lexica(contents, lexica)[1]
    return ExportResult(len(rows), (path, ini, *lexica), left_out)


def moses_rows(contents: Contents) -> list[moses.TableRow]:
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
    scores = zip(
        source_given_target, back.tolist(), target_given_source, there.tolist(), strict=True
    )
    columns = (table.source, table.target, scores, table.alignment, counts)
    return [*map(moses.TableRow._make, zip(*columns, strict=True))]


def export_moses_lex(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """Both lexica, of all that was learned about words."""
    lexica = moses.name_lexica(path, "")
    written, left_out = _write_lexica(contents, lexica)
    return ExportResult(written, lexica, left_out)


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
    small = p < moses.MIN_PROBABILITY
    # A word that is spelled as the empty one would be taken for it; 0 is the empty one itself.
    named = (
        (e == given.index.get(moses.NULL, -1)) | (f == other.index.get(moses.NULL, -1))
    ) & ~small
    kept = np.flatnonzero(~small & ~named)
    names, translations = ([*map(moses.escape_words, side.words)] for side in (given, other))
    names[NULL] = moses.NULL
    moses.write_lexicon(
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
