"""A run for Moses: the phrase table with its scores, both lexica, and the lines for a moses.ini.

Notation: lex(f|e) = Πⱼ 1/|{i}| Σᵢ p(fⱼ|eᵢ)  over the words i that are linked to j, or p(fⱼ|NULL)
          if there is none

The lexical weight of a phrase pair measures how well its words translate each other. p(f|e) is the
learned probability with its floor, so that no weight is 0.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, Vocabulary
from accord.formats import moses
from accord.formats.annotations import format_alignment
from accord.formats.records import ExportResult, LanguageCodes, LeftOut, WordAlignment
from accord.formats.writing import name_extra_file
from accord.learning.model.translation import TranslationModel
from accord.runs.export.contents import LEAST, Contents, compute_probabilities
from accord.system.arrays import Floats, Integers, offsets_of
from accord.system.writing import write_text


class LinkColumns(NamedTuple):
    """The word links of phrase pairs, by columns, with one item per link."""

    pairs: Integers  # the place of the pair
    source: Integers  # the positions of the words in their phrases, from 0
    target: Integers

    @classmethod
    def of(cls, alignments: Sequence[WordAlignment]) -> "LinkColumns":
        counts = np.fromiter(map(len, alignments), np.int64, len(alignments))
        links = chain.from_iterable(chain.from_iterable(alignments))
        numbers = np.fromiter(links, np.int32, 2 * int(counts.sum()))
        return cls(np.repeat(np.arange(len(alignments)), counts), numbers[::2], numbers[1::2])

    def swapped(self) -> "LinkColumns":
        return LinkColumns(self.pairs, self.target, self.source)


def export_moses(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """Write a phrase table, both lexica, and the lines for a moses.ini."""
    ini, lexica = name_extra_file(path, ".ini"), moses.name_lexica(path, ".lex")
    stanza = moses.format_stanza(path)
    rows = make_moses_rows(contents)
    moses.write_table(path, rows)
    write_text(ini, stanza)
    left_out = _write_lexica(contents, lexica)[1]
    return ExportResult(len(rows), (path, ini, *lexica), left_out)


def make_moses_rows(contents: Contents) -> list[moses.TableRow]:
    """Return the chosen phrase pairs with the four scores of a Moses table."""
    trained, columns = contents.trained, contents.best_phrases
    source, target, state = trained.source, trained.target, trained.state
    links = LinkColumns.of(columns.alignment)
    s, t = state.agreed.source[columns.agreed], state.agreed.target[columns.agreed]
    forward = weigh_phrase_pairs(source, target, state.forward.translation, (s, t), links)
    backward = weigh_phrase_pairs(
        target, source, state.backward.translation, (t, s), links.swapped()
    )
    source_given_target, target_given_source = (
        compute_probabilities(side[columns.agreed]).tolist() for side in contents.log_q
    )
    scores = zip(
        source_given_target, backward.tolist(), target_given_source, forward.tolist(), strict=True
    )
    return [
        *map(
            moses.TableRow,
            columns.source,
            columns.target,
            scores,
            map(format_alignment, columns.alignment),
            columns.confidence or [1.0] * len(columns),
        )
    ]


def weigh_phrase_pairs(
    source: Phrases,
    target: Phrases,
    translation: TranslationModel,
    pairs: tuple[Integers, Integers],
    links: LinkColumns,
) -> Floats:
    """Return lex(target|source) of each of these pairs of phrases."""
    s, t = pairs
    if not len(t):
        return np.empty(0)
    lengths = target.lengths[t]
    begins = offsets_of(lengths)
    # The words of all target phrases, concatenated.
    f = target.words[np.arange(begins[-1]) + np.repeat(target.offsets[t] - begins[:-1], lengths)]
    e = source.words[source.offsets[s[links.pairs]] + links.source]
    places = begins[links.pairs] + links.target
    linked = np.bincount(places, minlength=len(f))
    sums = np.bincount(places, translation.probability(e, f[places]), minlength=len(f))
    p = np.where(linked, sums / np.maximum(linked, 1), 0.0)
    alone = linked == 0
    p[alone] = translation.probability(np.full(np.count_nonzero(alone), NULL), f[alone])
    weights: Floats = np.exp(np.add.reduceat(np.log(p), begins[:-1]))
    return np.clip(weights, LEAST, 1.0)


def export_moses_lex(contents: Contents, path: Path, _: LanguageCodes) -> ExportResult:
    """Write both lexica, with all word pairs that were learned."""
    lexica = moses.name_lexica(path, "")
    written, left_out = _write_lexica(contents, lexica)
    return ExportResult(written, lexica, left_out)


def _write_lexica(contents: Contents, paths: tuple[Path, Path]) -> tuple[int, LeftOut]:
    trained = contents.trained
    source, target = trained.source.vocabulary, trained.target.vocabulary
    forward, left_out = _write_lexicon(paths[0], trained.state.forward.translation, source, target)
    backward, more = _write_lexicon(paths[1], trained.state.backward.translation, target, source)
    return forward + backward, left_out + more


def _write_lexicon(
    path: Path, translation: TranslationModel, given: Vocabulary, other: Vocabulary
) -> tuple[int, LeftOut]:
    """Write the translations of each given word and of NULL."""
    e, f = translation.sources, translation.targets
    p = translation.probability(e, f)
    small = p < moses.MIN_PROBABILITY
    # A word spelled NULL would be mistaken for the NULL word, which has the number 0.
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
