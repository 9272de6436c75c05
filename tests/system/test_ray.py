"""The runner on Ray, with two workers: the same bytes, whichever process is killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from numpy.typing import NDArray

from accord import Accord
from accord.errors import AccordError, SettingError
from accord.experiments.artificial import Planted
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Agreement, Settings
from accord.system.runners import ray as ray_runner
from accord.system.runners.ray import Ray, probe, run_shard, set_token
from accord.system.runners.threads import Threads
from tests.conftest import Run, files_of
from tests.runs.test_folder import LEARN, learned_from

pytestmark = pytest.mark.xdist_group("ray")  # one Ray for all of them

# The command, but the process kills itself in the middle of iteration 3, while shards run.
KILLED = """
import os, signal
from accord.cli import main
from accord.runs.folder import RunFolder
from accord.system.runners.ray import Ray

save, result, saved = RunFolder.save_iteration, Ray._result, []

def saving(folder, state, trace):
    save(folder, state, trace)
    saved.append(state.iteration)

def killing(runner, done):
    if saved == [1, 2]:
        os.kill(os.getpid(), signal.SIGKILL)
    return result(runner, done)

RunFolder.save_iteration, Ray._result = saving, killing
main()
"""


@pytest.fixture(scope="module", autouse=True)
def ray() -> Iterator[Any]:
    """Ray itself, with two workers, as the runner starts it."""
    with pytest.MonkeyPatch.context() as patch:
        # Or Ray would write a token to the home folder.
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", uuid4().hex)
        import ray  # which reads the token immediately

        with Ray(2):
            yield ray
    assert not ray.is_initialized()


@pytest.fixture
def address(ray: Any) -> str:
    return str(ray.get_runtime_context().gcs_address)


class SmallShards:
    """Makes a runner split the items into at least three shards."""

    def map(self, task: Any, shared: Any, *, items: int, shard: int, worth: float = 0) -> list[Any]:
        small = min(shard, -(-items // 3))
        done: list[Any] = super().map(  # type: ignore[misc]
            task, shared, items=items, shard=small, worth=worth
        )
        return done


class SmallThreads(SmallShards, Threads):
    pass


class SmallRay(SmallShards, Ray):
    pass


def inputs_of(planted: Planted) -> Inputs:
    return Inputs.of(*learned_from(planted), None, Settings().max_words)


@pytest.mark.parametrize("agreement", ["posterior", "inner"])
def test_the_same_bytes_as_on_threads(small: Planted, tmp_path: Path, agreement: Agreement) -> None:
    settings = Settings(agreement=agreement, iterations=3)
    threads, there = SmallThreads(2), RunFolder(tmp_path / "threads")
    expected = learn(inputs_of(small), settings, threads, there)
    assert expected.phrases
    with SmallRay() as runner:
        learn(inputs_of(small), settings, runner, RunFolder(tmp_path / "ray"))
    assert files_of(tmp_path / "ray") == files_of(tmp_path / "threads")


def test_both_sides_in_parts(small: Planted, tmp_path: Path, monkeypatch: Any) -> None:
    """Groups of source blocks by shards of target phrases: no machine has the whole index."""
    monkeypatch.setattr("accord.corpus.phrases.BLOCK", 30)
    settings = Settings(iterations=3)
    learn(inputs_of(small), settings, SmallThreads(2), RunFolder(tmp_path / "threads"))
    with SmallRay(memory="15K") as runner:
        learn(inputs_of(small), settings, runner, RunFolder(tmp_path / "ray"))
    assert files_of(tmp_path / "ray") == files_of(tmp_path / "threads")


def without_times(messages: str) -> str:
    """Without the seconds of each iteration and the time left, which differ between two runs."""
    return re.sub(r" +\d+\.\d(  about \d+ \w+ left|  finished)?$", "", messages, flags=re.M)


@pytest.mark.parametrize("where", ["here", "there"])
def test_the_command(laid_out: Path, accord: Run, address: str, where: str) -> None:
    on_ray = ("--runner", "ray", "--ray-address", address)
    on_ray_here = ("--runner", "ray", "--threads", "1")
    expected = accord(*LEARN, "threads", "--json")
    done = accord(*LEARN, "ray", *(on_ray if where == "there" else on_ray_here))
    assert done.returncode == expected.returncode == 0
    assert without_times(done.stderr) == without_times(expected.stderr)  # Ray is quiet
    assert files_of(laid_out / "ray") == files_of(laid_out / "threads")


def test_the_estimator_takes_the_ray_of_the_program(small: Planted, ray: Any) -> None:
    here = Accord(iterations=2).fit(*learned_from(small))
    there = Accord(iterations=2).fit(*learned_from(small), runner="ray")
    assert there.lexicon_ == here.lexicon_
    assert there.phrases_ == here.phrases_
    assert ray.is_initialized()


def sum_part(values: NDArray[Any], names: tuple[Any, ...], first: int, last: int) -> Any:
    return values[first:last].sum(), names, values.flags.writeable


def test_results_come_in_the_order_of_the_shards() -> None:
    searched: list[float] = []
    values = np.arange(25)
    with Ray(searched=searched.append) as runner:
        found = runner.map(sum_part, (values, ("a", (values[:2],))), items=25, shard=10, worth=50)
    assert [total for total, _, _ in found] == [45, 145, 110]
    assert [names[0] for _, names, _ in found] == ["a", "a", "a"]
    assert [names[1][0].tolist() for _, names, _ in found] == [[0, 1]] * 3
    assert not any(writeable for _, _, writeable in found)
    assert sorted(searched) == [10, 20, 20]


def test_no_shards() -> None:
    with Ray() as runner:
        assert runner.map(sum_part, (np.arange(3), ()), items=0, shard=10) == []


def test_an_array_is_stored_once_and_for_as_long_as_it_lives() -> None:
    first, second = np.arange(3), np.arange(3)
    with Ray() as runner:
        for _ in range(2):
            runner.map(sum_part, (first, (second, second)), items=3, shard=2)
            assert len(runner.stored) == 2
        del second
        assert [*runner.stored] == [id(first)]
        del first
        assert not runner.stored


def test_the_object_store_does_not_grow(small: Planted, ray: Any) -> None:
    stored = []
    with SmallRay() as runner:
        settings = Settings(iterations=4, tolerance=0)
        learn(inputs_of(small), settings, runner, watch=lambda _: stored.append(len(runner.stored)))
    assert len(stored) == 4
    assert max(stored) == stored[0]
    wait_for_free_memory(ray, ray.cluster_resources()["object_store_memory"])


def wait_for_free_memory(ray: Any, expected: float) -> None:
    """Wait until the object store has so many bytes free; Ray counts them periodically."""
    for _ in range(600):
        free = ray.available_resources()["object_store_memory"]
        if free == expected:
            return
        time.sleep(0.1)
    pytest.fail(f"expected {expected} bytes free, found {free}")


def note_and_die(
    folder: str, deaths: int, module: str, name: str, *arguments: Any
) -> tuple[Any, ...]:
    """Run the task of this name, but kill the first workers before they return the result."""
    result: tuple[Any, ...] = getattr(import_module(module), name)(*arguments)
    (Path(folder) / f"{name}-{arguments[-2]}-{uuid4().hex}").touch()
    if len([*Path(folder).iterdir()]) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


class Dying(SmallRay):
    """Kills two workers in the first search."""

    folder = ""

    def map(self, task: Callable[..., Any], shared: tuple[Any, ...], **limits: Any) -> list[Any]:
        if limits.get("worth") and not any(Path(self.folder).iterdir()):
            shared = (self.folder, 2, task.__module__, task.__qualname__, *shared)
            task = note_and_die
        return super().map(task, shared, **limits)


def test_shards_of_killed_workers_are_repeated(small: Planted, tmp_path: Path) -> None:
    settings = Settings(iterations=2)
    learn(inputs_of(small), settings, SmallThreads(2), RunFolder(tmp_path / "threads"))
    (tmp_path / "notes").mkdir()
    with Dying() as runner:
        runner.folder = str(tmp_path / "notes")
        learn(inputs_of(small), settings, runner, RunFolder(tmp_path / "ray"))
    assert files_of(tmp_path / "ray") == files_of(tmp_path / "threads")
    times = Counter(path.name.rpartition("-")[0] for path in (tmp_path / "notes").iterdir())
    assert len(times) == 3
    assert sum(times.values()) == len(times) + 2


def die(first: int, last: int) -> None:
    assert first < last
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_that_always_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_runner, "RETRIES", 0)
    with Ray() as runner, pytest.raises(AccordError, match=r"^the work was lost on Ray: "):
        runner.map(die, (), items=1, shard=1)


def run_out_of_memory(first: int, last: int) -> None:
    raise MemoryError(first, last)


def test_errors_are_those_of_the_task() -> None:
    with Ray() as runner, pytest.raises(MemoryError, match=r"^\(0, 1\)$") as caught:
        runner.map(run_out_of_memory, (), items=1, shard=1)
    assert type(caught.value) is MemoryError


def test_an_address_besides_an_open_connection(address: str) -> None:
    with pytest.raises(SettingError, match=r"^ray_address: Ray is connected already; leave the a"):
        Ray(address=address)


def test_ray_that_does_not_start(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("No room.\nSee the logs.")

    shut_down: list[bool] = []
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", fail)
    monkeypatch.setattr(ray, "shutdown", lambda: shut_down.append(True))
    with pytest.raises(AccordError, match=r"^Ray has not started: No room\.$"):
        Ray()
    assert shut_down


def miss_module(first: int, last: int) -> None:
    raise ModuleNotFoundError(f"No module named {first, last}")


def test_workers_without_accord(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_runner, "greet", miss_module)
    monkeypatch.setattr(ray_runner, "probe", lambda _: None)
    monkeypatch.setattr(Ray, "_init", lambda *_: None)
    with Ray() as runner, pytest.raises(AccordError, match=r"^a worker of Ray cannot import Acc"):
        runner._connect("127.0.0.1:6379")


def test_a_killed_driver_is_resumed(laid_out: Path, accord: Run, address: str) -> None:
    learning = ("--iterations", "5", "--tolerance", "0")
    on_ray = ("--runner", "ray", "--ray-address", address)
    assert accord(*LEARN, "whole", *learning).returncode == 0
    command = [sys.executable, "-c", KILLED, *LEARN, "out", *learning, *on_ray]
    killed = subprocess.run(command, cwd=laid_out, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    done = accord(*LEARN, "out", *learning, *on_ray, "--resume")
    assert done.returncode == 0
    assert "Continuing after iteration 2\n" in done.stderr
    assert files_of(laid_out / "out") == files_of(laid_out / "whole")


@pytest.mark.usefixtures("laid_out")
def test_an_address_where_nobody_listens(accord: Run) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        done = accord(*LEARN, "out", "--runner", "ray", "--ray-address", address)
    assert done.returncode == 1
    assert done.stderr.startswith(f"accord: ray_address: no Ray could be reached at {address} wit")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setattr(ray_runner, "PATIENCE", 1)
    # Or Ray would immediately report that it has no client.
    monkeypatch.setattr(ray_runner, "PROBE", ray_runner.PROBE.replace("argv[1]", "argv[1][-15:]"))
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"{scheme}127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(AccordError, match=rf"at {address} within 1 seconds \(no answer\); "):
            probe(address)


def test_an_address_that_ray_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_runner, "PROBE", "raise SystemExit('[0:00 W 1] a.cc:1: Go away: now')")
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(AccordError, match=r"within 10 seconds \(Go away: now\); leave it out"),
    ):
        probe(f"127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("address", ["auto", "localhost", ":6379", "ray://localhost", "host:port"])
def test_invalid_addresses(address: str) -> None:
    with pytest.raises(SettingError, match=rf"must be HOST:PORT or .*, found {address}$"):
        probe(address)


@pytest.mark.usefixtures("laid_out")
def test_an_address_without_the_runner(accord: Run) -> None:
    done = accord(*LEARN, "out", "--ray-address", "127.0.0.1:6379")
    assert done.returncode == 2
    assert done.stderr == (
        "accord: --ray-address: is for the runner ray only; name it with --runner ray\n"
    )


def test_an_unknown_runner(small: Planted) -> None:
    with pytest.raises(SettingError, match=r"^runner: must be one of threads, ray, found dask$"):
        Accord().fit(*learned_from(small), runner="dask")  # type: ignore[arg-type]


def test_without_ray(laid_out: Path) -> None:
    code = "import sys; sys.modules['ray'] = None; from accord.cli import main; main()"
    command = [sys.executable, "-c", code, *LEARN, "out", "--runner", "ray"]
    done = subprocess.run(command, cwd=laid_out, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr == b"accord: the runner ray needs Ray: pip install 'accord[ray]'\n"


def test_a_worker_with_another_accord() -> None:
    with pytest.raises(AccordError, match=r"^a worker of Ray has Accord .*, this is 0\.0\.0; "):
        run_shard("0.0.0", (__name__, "sum_part"), (), (0, 1))


def test_ray_writes_no_token_to_the_home_folder(
    laid_out: Path, accord: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or two that start at the same time would overwrite the token of each other."""
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
        monkeypatch.delenv(name)
    (laid_out / "home").mkdir()
    monkeypatch.setenv("HOME", str(laid_out / "home"))
    done = accord(*LEARN, "out", "--iterations", "1", "--runner", "ray", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert not (laid_out / "home" / ".ray" / "auth_token").exists()


def test_a_token_of_the_user_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RAY_AUTH_TOKEN", "named")
    set_token()
    assert os.environ["RAY_AUTH_TOKEN"] == "named"
    monkeypatch.delenv("RAY_AUTH_TOKEN")
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("kept")
    set_token()
    assert "RAY_AUTH_TOKEN" not in os.environ
    (tmp_path / ".ray" / "auth_token").unlink()
    set_token()
    assert len(os.environ["RAY_AUTH_TOKEN"]) == 64
