"""The run in one sentence, whether it has worked, and what it was made with."""

from dataclasses import asdict

from accord.runs.quality import ADVICE, FEWEST_WORDS, LEAST_RECALL
from accord.web.html import Html, element, joined, scrollable
from accord.web.report.run import Run


def told_in_a_sentence(run: Run) -> Html:
    trained = run.trained
    names = [
        f"{side} ({language})" if language else side
        for side, language in zip(("source", "target"), run.languages, strict=True)
    ]
    steps = len(run.trace)
    seconds = sum(row["seconds"] for row in run.trace)
    length = f", in {_many(steps, 'iteration')} and {seconds:,.0f} s" if steps else ""
    return joined(
        f"Accord {run.version} found ",
        element("strong", _many(len(run.pairs), "phrase pair")),
        " and ",
        element("strong", _many(len(run.words), "word pair")),
        f" in {len(trained.source) - 1:,} {names[0]} and {len(trained.target) - 1:,} {names[1]} "
        f"phrases that are not parallel, beginning with a seed of "
        f"{_many(len(trained.whole_seed.entries), 'entry')}{length}.",
    )


def verdict(run: Run) -> Html:
    """Whether it has worked, as far as it can tell."""
    quality = run.quality
    if quality.failed:
        kind, head = "bad", "This run has failed."
        why = (
            "It found no phrase pairs."
            if not quality.phrase_pairs
            else (
                f"It found the right translation of {quality.right:,} of {quality.held_out:,} seed "
                f"words that were held out; fewer than {LEAST_RECALL:.0%} is too few."
            )
        )
        rest = f"{why} What it found is not to be trusted. {ADVICE}"
    elif quality.held_out < FEWEST_WORDS:
        kind, head = "warning", "Nobody can tell whether this run has worked."
        rest = (
            f"{_many(quality.held_out, 'seed word')} held out cannot say. {quality.describe()} "
            "Look at the pairs yourself, below."
        )
    else:
        kind, head, rest = "good", "This run has worked.", quality.describe()
    sign = {"good": "✓", "warning": "?", "bad": "!"}[kind]
    return element(
        "div",
        element("span", sign, class_="sign", aria_hidden="true"),
        element("p", element("strong", head), " ", rest),
        class_=f"verdict {kind}",
        role="status" if kind == "good" else "alert",
    )


def tiles(run: Run) -> Html:
    """The numbers that tell how well it has done."""
    quality = run.quality
    last = run.trace[-1] if run.trace else {}
    shown = [
        ("Agreement ratio", last.get("agreement_ratio"), "of the links, in both directions"),
        (
            "Held-out recall",
            quality.recall,
            f"{quality.right:,} of {quality.held_out:,} seed words; {quality.found:,} are found",
        ),
        (
            "Estimated precision",
            None if quality.failed else quality.expected_precision,
            "none, as the run has failed"
            if quality.failed
            else "of the phrase pairs, by their own word",
        ),
    ]
    score = run.gold.score(run.pairs) if run.gold else None
    if score:
        gold = f"{len(run.gold.pairs):,} pairs" if run.gold else ""
        shown += [
            ("F1", score.f1, f"against gold, {gold}"),
            ("Precision", score.precision, "by gold"),
            ("Recall", score.recall, "by gold"),
        ]
    elif "f1" in last:
        shown += [
            ("F1", last["f1"], "by the gold that it was run with"),
            ("Precision", last["precision"], "by gold"),
            ("Recall", last["recall"], "by gold"),
        ]
    return element("dl", *(_tile(*tile) for tile in shown), class_="tiles")


def settings_list(run: Run) -> Html:
    """What decides the results: version, settings, inputs."""
    changed = run.changed_settings
    given = asdict(run.trained.settings)
    rows = [
        element(
            "tr",
            element("th", name.replace("_", " "), scope="row"),
            element("td", str(value), " ", _changed() if name in changed else None),
        )
        for name, value in given.items()
    ]
    hashes = [
        element(
            "tr",
            element("th", f"{name}, SHA-256", scope="row"),
            element("td", value, class_="hash"),
        )
        for name, value in run.folder.signature["inputs"].items()
        if value
    ]
    return element(
        "details",
        element("summary", f"All settings, and hashes of the inputs (signature {run.signature})"),
        scrollable(element("table", element("tbody", *rows, *hashes)), "Settings"),
    )


def signature_line(run: Run) -> Html:
    """All that decides the results, in a line."""
    changed = [f"{name}={value}" for name, value in run.changed_settings.items()]
    parts = [
        f"accord {run.version}",
        f"agreement={run.trained.settings.agreement}",
        *(part for part in changed if not part.startswith("agreement=")),
        run.signature,
    ]
    return element("p", "Signature: ", element("code", " · ".join(parts)), class_="muted signature")


def _tile(name: str, value: float | None, remark: str) -> Html:
    shown = "–" if value is None else f"{value:.1%}"
    return element(
        "div",
        element("dt", name),
        element("dd", element("strong", shown), element("span", remark)),
    )


def _changed() -> Html:
    return element("span", "not the default", class_="badge")


def _many(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    return f"{count:,} {what.removesuffix('y')}ies" if what.endswith("y") else f"{count:,} {what}s"
