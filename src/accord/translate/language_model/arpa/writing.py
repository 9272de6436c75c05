"""A language model to an ARPA file."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from accord.system.arrays import offsets_of
from accord.system.writing import write_file
from accord.translate.language_model import ROOT, LanguageModel
from accord.translate.language_model.arpa import DATA, END_OF_FILE, title
from accord.translate.language_model.arpa import arpa_kernels as kernels

NODES_AT_ONCE = 100_000


def write_arpa(path: Path, model: LanguageModel) -> None:
    """In gzip if the name ends with .gz; the same model makes the same bytes."""
    write_file(path, lambda stream: stream.writelines(arpa_blocks(model)))


def arpa_blocks(model: LanguageModel) -> Iterator[bytes]:
    """The bytes of the file."""
    encoded = [word.encode() for word in model.numbers]
    letters = np.frombuffer(b"".join(encoded), np.uint8)
    spelling = letters, offsets_of(np.array([len(word) for word in encoded]))
    parents = np.repeat(
        np.arange(len(model.words), dtype=np.int32), np.diff(model.offsets)
    )  # of all but the root, which has none
    parents = np.concatenate([np.zeros(1, np.int32), parents])
    sizes = model.sizes
    header = [DATA, *(f"ngram {length}={size}" for length, size in enumerate(sizes, 1))]
    yield "\n".join([*header, ""]).encode()
    begin = ROOT + 1
    for length, size in enumerate(sizes, 1):
        yield f"\n{title(length)}\n".encode()
        for first in range(begin, begin + size, NODES_AT_ONCE):
            last = min(first + NODES_AT_ONCE, begin + size)
            yield kernels.print_nodes(
                *(first, last, length, parents, model.words, model.log_prob, model.backoff),
                *(length == len(sizes), spelling),
            ).tobytes()
        begin += size
    yield f"\n{END_OF_FILE}\n".encode()
