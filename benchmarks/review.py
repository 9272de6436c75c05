"""How long the page of `accord review` takes: to come up, and for every action.

    python -m benchmarks.review --pairs 1000000 [--actions 200] [--work FOLDER] [--json]
    python -m benchmarks.review --fast

The run is made up, as that of benchmarks.export; with --work it is kept there for the next time.
The server is the command itself, asked over HTTP as the page asks it. The first page is all that a
browser loads until a pair stands there: the page, its scripts and styles, the run, the pairs in
turn, the first pair. `decide` is a key press: the decision, which is on the disk when it is
answered, and the next pair with its contexts; 95 percent is the 95th percentile. Filters are asked
for once each, as nothing is kept of them then. In a browser, where Chromium and Playwright are
there, `key` is from the key press to the next pair on the screen. On a busy machine the server's
own CPU time, where the system tells it, says more than the clock.
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
from benchmarks.alone import alone
from benchmarks.export import FEW, make_run
from benchmarks.setting import options_of

Json = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    options = options_of(__doc__, arguments, add_flags)
    with TemporaryDirectory() as name:
        folder = Path(options.work or name) / f"pairs-{options.pairs}"
        if not RunFolder(folder).finished:
            alone(make_run, folder, options.pairs)
        answer = measure(folder, options.actions)
    if options.json:
        print(json.dumps(answer))
        return
    for key, value in answer.items():
        print(f"{key.replace('_', ' '):40s} {value:12,.3f}")


def add_flags(parser: ArgumentParser) -> None:
    parser.add_argument("--pairs", type=int, default=FEW, help="phrase pairs")
    parser.add_argument("--actions", type=int, default=200, help="of each kind")
    parser.add_argument("--work", help="folder where the run is kept")


class Client:
    """Asks a server as the page does, over one connection."""

    def __init__(self, url: str) -> None:
        self.address = urlsplit(url)
        self.connection = http.client.HTTPConnection(self.address.netloc, timeout=120)
        self.cookie = ""
        answer = self._ask("GET", f"/?{self.address.query}")
        self.cookie = (answer.getheader("set-cookie") or "").split(";")[0]
        answer.read()

    def get(self, path: str) -> bytes:
        answer = self._ask("GET", path)
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {content.decode()}")
        return content

    def post(self, path: str, body: Json) -> Json:
        answer: Json = json.loads(self._ask("POST", path, json.dumps(body)).read())
        if "error" in answer:
            raise SystemExit(f"{path}: {answer['error']}")
        return answer

    def _ask(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        self.connection.request(method, path, body, headers)
        return self.connection.getresponse()


def measure(folder: Path, actions: int) -> dict[str, float]:
    shutil.rmtree(folder / "review.pairs", ignore_errors=True)
    for left in folder.glob("review.sqlite*"):
        left.unlink()
    answer: dict[str, float] = {}
    server, url, answer["first_opening_seconds"] = started(folder)
    ended(server)
    server, url, answer["opening_seconds"] = started(folder)
    try:
        client = Client(url)
        with closing(client.connection):
            answer["first_page_seconds"], pairs = first_page(client)
            answer["pairs"] = pairs
            answer |= timed(client, server.pid, pairs, actions)
        answer |= in_milliseconds("key", keys_in_a_browser(url, min(actions, 60)))
    finally:
        ended(server)
    return answer


def in_milliseconds(name: str, times: list[float]) -> dict[str, float]:
    if not times:
        return {}
    return {
        f"{name}_median_milliseconds": 1e3 * median(times),
        f"{name}_95_percent_milliseconds": 1e3 * float(np.quantile(times, 0.95)),
        f"{name}_worst_milliseconds": 1e3 * max(times),
    }


def started(folder: Path) -> tuple["subprocess.Popen[str]", str, float]:
    begun = perf_counter()
    command = [sys.executable, "-m", "accord", "review", str(folder), "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=-3, text=True)
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    return server, url, perf_counter() - begun


def ended(server: "subprocess.Popen[str]") -> None:
    server.terminate()
    server.communicate()


def first_page(client: Client) -> tuple[float, int]:
    """The seconds, and how many pairs there are."""
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


def timed(client: Client, server: int, pairs: int, actions: int) -> dict[str, float]:
    """How long each kind of action takes, and what it takes of the server's cores."""
    generator = random.Random(0)

    def decide(place: int) -> None:
        shown = json.loads(client.get(f"/pair?place={place}"))
        kept = {name: shown[name] for name in ("source", "target", "seen")}
        status = generator.choice(["accepted", "accepted", "rejected", "skipped"])
        client.post("/decide", kept | {"status": status, "corrected": None, "tab": "a"})

    places = [generator.randrange(pairs) for _ in range(actions)]
    columns, texts = questions(generator, actions)
    client.get("/picture?place=0")  # loads the model
    kinds: dict[str, list[Callable[[], object]]] = {
        "decide": [partial(decide, place) for place in range(actions)],
        "undo": [partial(client.post, "/undo", {"tab": "a"})] * (actions // 4),
        "paging": [partial(client.get, f"/pairs?begin={place}&size=20") for place in places],
        "picture": [partial(client.get, f"/picture?place={place}") for place in places],
        "filter": [partial(client.get, f"/pairs?begin=0&size=20&{asked}") for asked in columns],
        "contains": [partial(client.get, f"/pairs?begin=0&size=20&{asked}") for asked in texts],
    }
    answer: dict[str, float] = {}
    for name, acts in kinds.items():
        before = cpu_seconds(server)
        answer |= in_milliseconds(name, [seconds_of(act) for act in acts])
        cpu = (cpu_seconds(server) - before) / len(acts)
        answer[f"{name}_mean_cpu_milliseconds"] = 1e3 * cpu
    return answer


def seconds_of(act: Callable[[], object]) -> float:
    begun = perf_counter()
    act()
    return perf_counter() - begun


def cpu_seconds(process: int) -> float:
    """What a process has taken of all cores so far; nothing where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def questions(generator: random.Random, count: int) -> tuple[list[str], list[str]]:
    """Filters, each of them another: of columns, and of text that is frequent, rare or nowhere."""
    columns = [
        f"least={generator.random():.6f}&new=yes&shortest={generator.randint(1, 3)}&kind={kind}"
        for kind in ("all", "phrases") * (count // 2)
    ]
    some = [f"w{generator.randrange(10 ** generator.randint(0, 5))} " for _ in range(count)]
    nowhere = [f"nowhere{n}" for n in range(count // 10)]
    texts = enumerate([*some, *nowhere])
    return columns, [f"contains={quote(text)}&most=0.9{n:03}" for n, text in texts]


def keys_in_a_browser(url: str, count: int) -> list[float]:
    """Seconds from a key press to the next pair; none where there is no browser."""
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


# In the page itself, so that what drives it is not measured.
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
