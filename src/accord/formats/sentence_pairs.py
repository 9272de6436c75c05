"""Parallel text: TSV files, TMX files, or two files with the same number of lines."""

import re
from collections.abc import Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.tmx import read_tmx_segments
from accord.system.columns import read_rows, split_pair
from accord.system.reading import place, read_lines

COLUMNS = re.compile(r"\.([a-z]{2,3})-([a-z]{2,3})\.tsv")


def read_sentence_pairs(
    paths: list[Path], source_lang: str, target_lang: str
) -> tuple[list[str], list[str]]:
    """Read the sentences of both sides. An empty side is an error and is not skipped."""
    if all(_find_format(path) == "lines" for path in paths):
        if len(paths) != 2:
            raise InputError(
                f"expected .tsv or .tmx files, or two plain text files, found {len(paths)} files: "
                + ", ".join(map(str, paths))
            )
        pairs = list(_pair_lines(*paths))
    else:
        pairs = [pair for path in paths for pair in _read_file(path, source_lang, target_lang)]
    if not pairs:
        raise InputError(f"{paths[0]}: expected sentence pairs, found none")
    return [source for source, _ in pairs], [target for _, target in pairs]


def _find_format(path: Path) -> str:
    name = (
        path.name.removesuffix(path.suffix) if path.suffix in (".gz", ".xz", ".zst") else path.name
    )
    return next((ending for ending in ("tsv", "tmx") if name.endswith(f".{ending}")), "lines")


def _read_file(path: Path, source_lang: str, target_lang: str) -> Iterator[tuple[str, str]]:
    if _find_format(path) == "tmx":
        yield from read_tmx_segments(path, source_lang, target_lang)
        return
    if _find_format(path) == "lines":
        raise InputError(f"{path}: expected .tsv or .tmx, as the other files are")
    # NAME.en-zh.tsv names the languages of the columns; otherwise the source comes first.
    named = COLUMNS.search(path.name)
    swapped = named is not None and named.groups() == (target_lang, source_lang)
    for row in read_rows(path):
        left, right = split_pair(row, "sentences")
        yield (right, left) if swapped else (left, right)


def _pair_lines(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    one, other = ([line for _, line in read_lines(path)] for path in (source, target))
    if len(one) != len(other):
        raise InputError(
            f"{source} and {target}: expected the same number of lines, found {len(one):,} "
            f"and {len(other):,}"
        )
    for number, pair in enumerate(zip(one, other, strict=True), start=1):
        for path, line in zip((source, target), pair, strict=True):
            if not line.strip():
                raise InputError(f"{place(path, number)}: expected a sentence, found an empty line")
        yield pair
