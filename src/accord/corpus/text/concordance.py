"""Where phrases occur in the text: the first three snippets for each phrase."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.text import ngram_kernels as kernels
from accord.corpus.text.tokens import NO_WORD, Prepare, number_files
from accord.system.arrays import offsets_of

SNIPPETS = 3
# Tokens shown on either side of the phrase.
AROUND = 8

Snippets = dict[str, list[str]]


def find_contexts(
    phrases: Iterable[str],
    paths: Sequence[str | Path],
    prepare: Prepare,
    jobs: int,
    read: Callable[[int], object],
) -> Snippets:
    """Return the snippets of each phrase, space-separated tokens with the phrase in brackets."""
    wanted = Phrases.of(sorted(set(phrases)))
    index = wanted.vocabulary.index
    # Without the empty phrase.
    offsets = wanted.offsets[1:]
    table = kernels.hash_phrases(wanted.words, offsets)
    sought = kernels.PhraseIndex(wanted.words, offsets, table, wanted.max_length)
    seen = np.zeros(len(offsets) - 1, np.int32)
    snippets: Snippets = {}
    for numbered, size in number_files(paths, prepare, jobs):
        number = np.fromiter((index.get(word, NO_WORD) for word in numbered.distinct), np.int32)
        lines = offsets_of(numbered.lengths)
        found = kernels.find_phrases(sought, number[numbered.words], lines, SNIPPETS, seen)
        for phrase, line, at in found:
            length = int(offsets[phrase + 1] - offsets[phrase])
            begin, end = max(at - AROUND, lines[line]), min(at + length + AROUND, lines[line + 1])
            tokens = [numbered.distinct[word] for word in numbered.words[begin:end].tolist()]
            inside = slice(at - begin, at - begin + length)
            tokens[inside] = [f"[{' '.join(tokens[inside])}]"]
            snippets.setdefault(wanted[phrase + 1], []).append(" ".join(tokens))
        read(size)
    return snippets
