"""Sentence pairs: TSV files, TMX files, or two files of lines that belong together."""

import re
from collections.abc import Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.tmx import read_tmx
from accord.system.reading import place, read_lines

COLUMNS = re.compile(r"\.([a-z]{2,3})-([a-z]{2,3})\.tsv")


def read_sentences(
    paths: list[Path], source_lang: str, target_lang: str
) -> tuple[list[str], list[str]]:
    """The sentences of both sides. A pair of which a side is empty is an error, not skipped."""
    kinds = {_kind(path) for path in paths}
    if kinds == {"lines"}:
        if len(paths) != 2:
            raise InputError(
                f"expected .tsv or .tmx files, or two files of lines, found {len(paths)} files: "
                + ", ".join(map(str, paths))
            )
        pairs = list(_two_files(*paths))
    else:
        pairs = [pair for path in paths for pair in _pairs(path, source_lang, target_lang)]
    if not pairs:
        raise InputError(f"{paths[0]}: expected sentence pairs, found none")
    return [source for source, _ in pairs], [target for _, target in pairs]


def _kind(path: Path) -> str:
    name = (
        path.name.removesuffix(path.suffix) if path.suffix in (".gz", ".xz", ".zst") else path.name
    )
    return next((kind for kind in ("tsv", "tmx") if name.endswith(f".{kind}")), "lines")


def _pairs(path: Path, source_lang: str, target_lang: str) -> Iterator[tuple[str, str]]:
    if _kind(path) == "tmx":
        yield from read_tmx(path, source_lang, target_lang)
        return
    if _kind(path) == "lines":
        raise InputError(f"{path}: expected .tsv or .tmx, as the other files are")
    # NAME.en-zh.tsv says which column is which; without that, the source comes first.
    named = COLUMNS.search(path.name)
    swapped = named is not None and named.groups() == (target_lang, source_lang)
    for number, line in read_lines(path):
        columns = line.split("\t")
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise InputError(
                f"{place(path, number)}: expected two sentences with a tab between them, "
                f"found {line[:60]!r}"
            )
        yield (columns[1], columns[0]) if swapped else (columns[0], columns[1])


def _two_files(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    one, other = ([line for _, line in read_lines(path)] for path in (source, target))
    if len(one) != len(other):
        raise InputError(
            f"{source} and {target}: expected as many lines in both, found {len(one):,} "
            f"and {len(other):,}"
        )
    for number, pair in enumerate(zip(one, other, strict=True), start=1):
        for path, line in zip((source, target), pair, strict=True):
            if not line.strip():
                raise InputError(f"{place(path, number)}: expected a sentence, found nothing")
        yield pair
