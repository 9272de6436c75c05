"""The command for the language model that translations are chosen by."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import check_out, tell_of
from accord.cli.progress import doing, megabytes


def lm(
    text: Annotated[
        list[Path],
        typer.Argument(help="Files, a sentence a line, its words parted by spaces (- for stdin)."),
    ],
    out: Annotated[Path, typer.Option(help="File for the model, in ARPA format; or .gz.")],
    order: Annotated[int, typer.Option(help="Words of the longest n-grams, 1 to 6.")] = 4,
) -> None:
    """Make a language model out of text: modified Kneser-Ney, as an ARPA file.

    An empty line is an empty sentence. Words are taken in NFC. <s>, </s> and <unk> must not be in
    the text.
    """
    from accord.translate.language_model.arpa import write_arpa
    from accord.translate.language_model.kneser_ney import check_order, train_language_model
    from accord.translate.language_model.training_text import read_training_text

    check_out(out, text)
    check_order(order)
    with megabytes("Reading") as read:
        sentences = read_training_text(text, read)
    with doing() as begin:
        model = train_language_model(sentences, order, begin)
        begin("Writing")
        write_arpa(out, model)
    sizes = [f"{size:,} {length}-grams" for length, size in enumerate(model.sizes, 1)]
    tell_of(out, f"{', '.join(sizes)} in {out}")
