"""The command `lm`: a language model for `translate`."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.groups import METHOD
from accord.cli.output import check_output, print_answer
from accord.cli.progress import show_current_step, show_megabytes


def lm(
    text: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT...",
            help="Files with one sentence of space-separated words per line (- for stdin).",
        ),
    ],
    out: Annotated[
        Path, flags.make_out("File for the model, in ARPA format; compressed if it ends with .gz.")
    ],
    order: Annotated[
        int,
        flags.option(
            group=METHOD, metavar="N", text="Order: the length of the longest n-grams, 1 to 6."
        ),
    ] = 4,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Estimate a language model from text.

    The method is modified Kneser-Ney, the file has the ARPA format. An empty line is an empty
    sentence. Words are normalised to NFC. The text must not contain <s>, </s> or <unk>.
    """
    from accord.translate.language_model.arpa import write_arpa
    from accord.translate.language_model.kneser_ney import check_order, train_language_model
    from accord.translate.language_model.training_text import read_training_text

    check_output(out, text, force=force)
    check_order(order)
    with show_megabytes("Reading") as read:
        sentences = read_training_text(text, read)
    with show_current_step() as begin:
        model = train_language_model(sentences, order, begin)
        begin("Writing")
        write_arpa(out, model)
    sizes = [f"{size:,} {length}-grams" for length, size in enumerate(model.sizes, 1)]
    facts = {"order": order, "ngrams": [*map(int, model.sizes)]}
    print_answer(out, f"{', '.join(sizes)} in {out}", facts if as_json else None)
