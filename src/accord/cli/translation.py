"""The command for the language model that translations are chosen by."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import tell
from accord.cli.progress import doing, megabytes
from accord.errors import OutputError
from accord.writing import STANDARD_OUTPUT


def lm(
    text: Annotated[
        list[Path],
        typer.Argument(help="Files, a sentence a line, its words parted by spaces (- for stdin)."),
    ],
    out: Annotated[Path, typer.Option(help="File for the model, in ARPA format; or .gz.")],
    order: Annotated[int, typer.Option(help="Words of the longest n-grams, 1 to 6.")] = 4,
) -> None:
    """Make a language model out of text: modified Kneser-Ney, as an ARPA file.

    An empty line is an empty sentence. <s>, </s> and <unk> must not be in the text.
    """
    from accord.translate.lm.arpa.writing import write_arpa
    from accord.translate.lm.kneser_ney import check_order, model_of
    from accord.translate.lm.text import read_sentences

    if any(path.resolve() == out.resolve() for path in text):
        raise OutputError(f"{out}: is the text itself; choose another file")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: there is no folder {out.parent}")
    check_order(order)
    with megabytes("Reading") as read:
        sentences = read_sentences(text, read)
    with doing() as begin:
        model = model_of(sentences, order, begin)
        begin("Writing")
        write_arpa(out, model)
    sizes = [f"{size:,} {length}-grams" for length, size in enumerate(model.sizes, 1)]
    # A model on standard output has it for itself.
    (tell if str(out) == STANDARD_OUTPUT else print)(f"{', '.join(sizes)} in {out}")
