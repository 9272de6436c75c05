"""How long the page of `accord review` takes: to open, and for every action.

    python -m benchmarks.review --pairs 1000000 [--actions 200] [--work FOLDER] [--json]
    python -m benchmarks.review --fast

The run is synthetic, as in benchmarks.export; with --work it is kept there for the next time. The
server is the command itself, queried over HTTP as by the page. The first page is everything that a
browser loads until a pair is shown: the page, its scripts and styles, the run, the list of pairs,
the first pair. `decide` is a key press: the decision, which is on disk before the response, and the
next pair with its contexts; 95 percent is the 95th percentile. Each filter is used once, so that
nothing is cached. `key` is the time from the key press to the next pair on the screen, if Chromium
and Playwright are installed. On a busy machine, the server's own CPU time, if the system reports
it, is more reliable than the clock.
"""

import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np

from accord.runs.folder import RunFolder
from benchmarks.export import FEW, write_synthetic_run
from benchmarks.harness import (
    format_rounded,
    name_figure,
    parse_options,
    print_answer,
    write_figures,
)
from benchmarks.isolation import run_isolated

Json = dict[str, Any]
# The rows and the columns of the table in the docs.
ACTIONS = {
    "decide": "decide, and the next pair",
    "undo": "undo",
    "paging": "another page of pairs",
    "matrix": "alignment matrix",
    "filter": "a new filter by columns",
    "contains": "a new filter by text",
    "key": "key press to the next pair, in Chromium",
}
MEASURES = {
    "median": ("median", "median"),
    "percentile_95": ("95th percentile", "95_percent"),
    "worst": ("worst", "worst"),
    "cpu": ("CPU, mean", "mean_cpu"),
}


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    with TemporaryDirectory() as name:
        folder = Path(options.work or name) / f"pairs-{options.pairs}"
        if not RunFolder(folder).is_finished:
            run_isolated(write_synthetic_run, folder, options.pairs)
        answer = measure(folder, options.actions)
    if options.figures:
        write_review_figures(options.figures, options.pairs, answer)
    print_answer(answer, as_json=options.json)


def write_review_figures(path: Path, pairs: int, answer: dict[str, float]) -> None:
    write_figures(
        path,
        "review",
        f"python -m benchmarks.review --pairs {pairs}",
        {"action": "milliseconds"} | {name: head for name, (head, _) in MEASURES.items()},
        {
            name_figure(text): {"action": text}
            | {
                name: format_rounded(answer[key])
                for name, (_, measure) in MEASURES.items()
                if (key := f"{action}_{measure}_milliseconds") in answer
            }
            for action, text in ACTIONS.items()
        },
    )


def add_flags(parser: ArgumentParser) -> None:
    parser.add_argument("--pairs", type=int, default=FEW, help="phrase pairs")
    parser.add_argument("--actions", type=int, default=200, help="of each kind")
    parser.add_argument("--work", help="folder where the run is kept")


class Client:
    """Queries a server as the page does, over one connection."""

    def __init__(self, url: str) -> None:
        self.address = urlsplit(url)
        self.connection = http.client.HTTPConnection(self.address.netloc, timeout=120)
        self.cookie = ""
        answer = self._request("GET", f"/?{self.address.query}")
        self.cookie = (answer.getheader("set-cookie") or "").split(";")[0]
        answer.read()

    def get(self, path: str) -> bytes:
        answer = self._request("GET", path)
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {content.decode()}")
        return content

    def post(self, path: str, body: Json) -> Json:
        answer: Json = json.loads(self._request("POST", path, json.dumps(body)).read())
        if "error" in answer:
            raise SystemExit(f"{path}: {answer['error']}")
        return answer

    def _request(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        self.connection.request(method, path, body, headers)
        return self.connection.getresponse()


def measure(folder: Path, actions: int) -> dict[str, float]:
    shutil.rmtree(folder / "review.pairs", ignore_errors=True)
    for left in folder.glob("review.sqlite*"):
        left.unlink()
    answer: dict[str, float] = {}
    server, url, answer["first_opening_seconds"] = start_server(folder)
    stop_server(server)
    server, url, answer["opening_seconds"] = start_server(folder)
    try:
        client = Client(url)
        with closing(client.connection):
            answer["first_page_seconds"], pairs = load_first_page(client)
            answer["pairs"] = pairs
            answer |= time_actions(client, server.pid, pairs, actions)
        # In its own process: Playwright may leave transports of its event loop unclosed.
        answer |= in_milliseconds("key", run_isolated(time_keys, url, min(actions, 60)))
    finally:
        stop_server(server)
    return answer


def in_milliseconds(name: str, times: list[float]) -> dict[str, float]:
    if not times:
        return {}
    return {
        f"{name}_median_milliseconds": 1e3 * median(times),
        f"{name}_95_percent_milliseconds": 1e3 * float(np.quantile(times, 0.95)),
        f"{name}_worst_milliseconds": 1e3 * max(times),
    }


def start_server(folder: Path) -> tuple["subprocess.Popen[str]", str, float]:
    begun = perf_counter()
    command = [sys.executable, "-m", "accord", "review", str(folder), "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=-3, text=True)
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    return server, url, perf_counter() - begun


def stop_server(server: "subprocess.Popen[str]") -> None:
    server.terminate()
    server.communicate()


def load_first_page(client: Client) -> tuple[float, int]:
    """Return the seconds, and the number of pairs."""
    begun = perf_counter()
    page = client.get("/").decode()
    for path in re.findall(r'(?:href|src)="(/[^"]+)"', page):
        client.get(path)
    for script in ("filters", "drawing", "keys", "server"):
        client.get(f"/page/{script}.js")
    run = json.loads(client.get("/run"))
    found = json.loads(client.get("/pairs?begin=0&size=20"))
    client.get(f"/pair?place={found['pairs'][0]['place']}")
    return perf_counter() - begun, run["pairs"]


def time_actions(client: Client, server: int, pairs: int, actions: int) -> dict[str, float]:
    """Time each kind of action, by the clock and by the CPU time of the server."""
    generator = random.Random(0)

    def decide(place: int) -> None:
        shown = json.loads(client.get(f"/pair?place={place}"))
        kept = {name: shown[name] for name in ("source", "target", "seen")}
        status = generator.choice(["accepted", "accepted", "rejected", "skipped"])
        client.post("/decide", kept | {"status": status, "corrected": None, "tab": "a"})

    places = [generator.randrange(pairs) for _ in range(actions)]
    columns, texts = make_filters(generator, actions)
    client.get("/matrix?place=0")  # loads the model
    kinds: dict[str, list[Callable[[], object]]] = {
        "decide": [partial(decide, place) for place in range(actions)],
        "undo": [partial(client.post, "/undo", {"tab": "a"})] * (actions // 4),
        "paging": [partial(client.get, f"/pairs?begin={place}&size=20") for place in places],
        "matrix": [partial(client.get, f"/matrix?place={place}") for place in places],
        "filter": [partial(client.get, f"/pairs?begin=0&size=20&{asked}") for asked in columns],
        "contains": [partial(client.get, f"/pairs?begin=0&size=20&{asked}") for asked in texts],
    }
    answer: dict[str, float] = {}
    for name, acts in kinds.items():
        before = cpu_seconds(server)
        answer |= in_milliseconds(name, [time_action(act) for act in acts])
        cpu = (cpu_seconds(server) - before) / len(acts)
        answer[f"{name}_mean_cpu_milliseconds"] = 1e3 * cpu
    return answer


def time_action(act: Callable[[], object]) -> float:
    begun = perf_counter()
    act()
    return perf_counter() - begun


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process so far; 0 if the system does not report it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make_filters(generator: random.Random, count: int) -> tuple[list[str], list[str]]:
    """Return distinct filters: by columns, and by text that is frequent, rare or absent."""
    columns = [
        f"least={generator.random():.6f}&new=yes&shortest={generator.randint(1, 3)}&kind={kind}"
        for kind in ("all", "phrases") * (count // 2)
    ]
    some = [f"w{generator.randrange(10 ** generator.randint(0, 5))} " for _ in range(count)]
    nowhere = [f"nowhere{n}" for n in range(count // 10)]
    texts = enumerate([*some, *nowhere])
    return columns, [f"contains={quote(text)}&most=0.9{n:03}" for n, text in texts]


def time_keys(url: str, count: int) -> list[float]:
    """Return the seconds from key presses to the next pair; nothing without a browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    path = shutil.which("chromium")
    if path is None:
        return []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector("#pair[aria-busy=false]:not([hidden])")
        times: list[float] = page.evaluate(KEYS, count)
        browser.close()
    return [time / 1e3 for time in times]


# Runs in the page itself, so that the driver is not measured.
KEYS = """async (count) => {
  const pair = document.getElementById("pair");
  const name = document.getElementById("pair-name");
  const times = [];
  for (let n = 0; n < count; n += 1) {
    while (pair.ariaBusy !== "false") await new Promise(requestAnimationFrame);
    const before = name.textContent;
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true }));
    while (name.textContent === before) await new Promise((next) => setTimeout(next));
    times.push(performance.now() - begun);
  }
  return times;
}"""


if __name__ == "__main__":
    main()
