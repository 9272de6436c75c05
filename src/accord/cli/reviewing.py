"""The command `review`: a page on which people accept, reject and correct the pairs of a run."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import tell
from accord.web.review import PORT


def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Where it is taken, the next free one; 0: any."),
    ] = PORT,
    host: Annotated[
        str, typer.Option(help="Who can reach the page. Others than this machine need --token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(help="What opens the page. Default: a new one each time.")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open nothing.")
    ] = False,
    source_lang: flags.UntoldSourceLanguage = None,
    target_lang: flags.UntoldTargetLanguage = None,
) -> None:
    """Accept, reject and correct the pairs of a run on a page in the browser.

    Decisions are kept in DIR/review.sqlite at every key press. Ctrl-C ends the server.
    """
    from accord.corpus.text.languages import find_tag
    from accord.runs.folder import RunFolder
    from accord.web.review.server import ServerAddress, open_browser, serve_review

    told = RunFolder(folder).languages or ("", "")
    source, target = (
        find_tag(given) if given else known
        for given, known in zip((source_lang, target_lang), told, strict=True)
    )

    def on_ready(url: str) -> None:
        print(url, flush=True)
        tell(f"Decisions are kept in {folder / 'review.sqlite'}. Ctrl-C ends the review.")
        if not no_browser:
            open_browser(url)

    serve_review(folder, ServerAddress(host, port, token), (source, target), tell, on_ready)
