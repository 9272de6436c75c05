"""The command `review`: a page for accepting, rejecting and correcting the pairs of a run."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import print_message
from accord.web.review import PORT


def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, help="Port; the next free one if it is taken, and any with 0."
        ),
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(help="Address to listen on. One that other machines can reach needs --token."),
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(help="Password of the page. Default: a new one each time.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, but do not open it.")
    ] = False,
    source_lang: flags.MissingSourceLanguage = None,
    target_lang: flags.MissingTargetLanguage = None,
) -> None:
    """Accept, reject and correct the pairs of a run on a page in the browser.

    Every decision is saved immediately in DIR/review.sqlite. Ctrl-C ends the server.
    """
    from accord.corpus.text.languages import find_tag
    from accord.runs.folder import RunFolder
    from accord.web.review.server import ServerAddress, open_browser, serve_review

    recorded = RunFolder(folder).languages or ("", "")
    source, target = (
        find_tag(given) if given else known
        for given, known in zip((source_lang, target_lang), recorded, strict=True)
    )

    def on_ready(url: str) -> None:
        print(url, flush=True)
        print_message(f"Decisions are saved in {folder / 'review.sqlite'}. Ctrl-C ends the review.")
        if not no_browser:
            open_browser(url)

    serve_review(
        folder, ServerAddress(host, port, token), (source, target), print_message, on_ready
    )
