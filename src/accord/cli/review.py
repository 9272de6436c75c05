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
        if open_page:
            open_browser(url)

    serve_review(
        folder, ServerAddress(host, port, token), (source, target), print_message, on_ready
    )
