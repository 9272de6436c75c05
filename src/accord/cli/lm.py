"""The command `lm`: a language model for `translate`."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import check_output, print_summary
from accord.cli.progress import show_current_step, show_megabytes


def lm(
    text: Annotated[
        list[Path],
        typer.Argument(
            help="Files with one sentence of space-separated words per line (- for stdin)."
        ),
    ],
    out: Annotated[Path, typer.Option(help="File for the model, in ARPA format, .gz or not.")],
    order: Annotated[
        int, typer.Option(help="Order: the length of the longest n-grams, 1 to 6.")
    ] = 4,
) -> None:
    """Estimate a language model from text: modified Kneser-Ney, as an ARPA file.

    An empty line is an empty sentence. Words are normalised to NFC. The text must not contain <s>,
    </s> or <unk>.
    """
    from accord.translate.language_model.arpa import write_arpa
    from accord.translate.language_model.kneser_ney import check_order, train_language_model
    from accord.translate.language_model.training_text import read_training_text

    check_output(out, text)
    check_order(order)
    with show_megabytes("Reading") as read:
        sentences = read_training_text(text, read)
    with show_current_step() as begin:
        model = train_language_model(sentences, order, begin)
        begin("Writing")
        write_arpa(out, model)
    sizes = [f"{size:,} {length}-grams" for length, size in enumerate(model.sizes, 1)]
    print_summary(out, f"{', '.join(sizes)} in {out}")
