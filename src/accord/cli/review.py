"""The command `review`: a page for accepting, rejecting and correcting the pairs of a run."""

from typing import Annotated

from accord.cli import flags
from accord.cli.groups import COMPUTE
from accord.cli.output import print_message
from accord.web.review import PORT


def review(
    folder: flags.Run,
    port: Annotated[
        int,
        flags.option(
            group=COMPUTE,
            metavar="N",
            min=0,
            max=65535,
            text="Port, or the next free one if it is taken; 0 for any.",
        ),
    ] = PORT,
    host: Annotated[
        str,
        flags.option(
            group=COMPUTE,
            metavar="ADDRESS",
            text="Address to listen on; one that other machines can reach needs --token.",
        ),
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        flags.option(
            group=COMPUTE,
            metavar="TEXT",
            text="Password of the page. Default: a new one each time.",
        ),
    ] = None,
    open_page: flags.Open = True,
    source_lang: flags.MissingSourceLanguage = None,
    target_lang: flags.MissingTargetLanguage = None,
) -> None:
    """Accept, reject and correct the pairs of a run in the browser.

    Every decision is saved immediately in RUN/review.sqlite. Ctrl-C ends the server.
    """
    from accord.web.review.server import ServerAddress, open_browser, serve_review

    def on_ready(url: str) -> None:
        print(url, flush=True)
        print_message(f"Decisions are saved in {folder / 'review.sqlite'}. Ctrl-C ends the review.")
        if open_page:
            open_browser(url)

    address = ServerAddress(host, port, token)
    serve_review(folder, address, (source_lang, target_lang), print_message, on_ready)
