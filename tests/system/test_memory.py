"""The memory that the search may use: how it is set, how it is counted, and equal results."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from accord.errors import SettingError
from accord.experiments.artificial import Planted
from accord.learning.search.index import count_bytes, group_blocks
from accord.learning.search.queries import make_queries
from accord.learning.search.retrieval import search_all_but_last
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Agreement, Settings
from accord.system import memory
from accord.system.arrays import Array
from accord.system.memory import checked_memory, free_memory
from accord.system.runners.threads import Threads
from tests.conftest import Run, files_of
from tests.runs.test_folder import LEARN, learned_from


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [
        ("8", 8),
        (4096, 4096),
        ("1K", 2**10),
        ("500M", 500 * 2**20),
        ("1.5g", 3 * 2**29),
        ("4 GiB", 4 * 2**30),
        ("2TB", 2 * 2**40),
    ],
)
def test_sizes(given: str | int, bytes_: int) -> None:
    assert checked_memory(given) == bytes_


@pytest.mark.parametrize("given", ["", "0", "0.1", "much", "-1G", "4X", "G", -8])
def test_invalid_sizes(given: str | int) -> None:
    with pytest.raises(SettingError, match="memory: must be a size such as 500M or 4G, found"):
        checked_memory(given)


def test_by_default_half_of_the_free_memory() -> None:
    assert 2**20 < Threads().memory < free_memory() < 2**50


def test_a_container_may_have_less_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "CONTAINER", str(tmp_path))
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("700\n")
    assert free_memory() > 2**20
    (tmp_path / "memory.max").write_text("1000\n")
    assert free_memory() == 300
    (tmp_path / "memory.stat").write_text("anon 100\ninactive_file 500\n")
    assert free_memory() == 800
    (tmp_path / "memory.current").write_text("5000\n")
    assert free_memory() == 0


@pytest.mark.parametrize("growths", [True, False])
def test_what_grows_with_blocks_and_vocabulary_is_counted(
    small: Planted, monkeypatch: pytest.MonkeyPatch, growths: bool
) -> None:
    monkeypatch.setattr("accord.corpus.phrases.BLOCK", 30)
    inputs = Inputs.of(*learned_from(small), None, Settings().max_words)
    model = learn(inputs, Settings(iterations=1), Threads(2)).trained.state.forward
    task = Task(inputs.source, inputs.target, Settings(), Threads(2))
    limits = SearchLimits(2, sum_all=growths)
    queries = make_queries(task.source, task.target, model.translation)
    log_empty = np.zeros(task.target.max_length + 1)
    (search, _) = search_all_but_last(task, model, queries, limits, log_empty)
    need = count_bytes(task.source, model.translation, growths=growths)
    blocks = task.source.blocks
    fixed = [*(block.offsets for block in blocks), search.length_scores.log_base]
    postings = search.phrase_index.postings
    assert 0.9 * need.fixed < sum_bytes(fixed) + search.length_scores.log_base.nbytes
    assert sum_bytes(fixed) < need.fixed
    assert sum_bytes(postings) < sum(need.blocks)
    # Of all that is made in shards, one part exists twice while the shards are joined.
    assert sum_bytes(postings) + max(part.nbytes for part in postings) < sum(need.blocks)


def sum_bytes(arrays: Iterable[Array]) -> int:
    return sum(array.nbytes for array in arrays)


@pytest.mark.parametrize(("agreement", "little"), [("posterior", "15K"), ("inner", "19K")])
def test_the_same_bytes(small: Planted, tmp_path: Path, agreement: Agreement, little: str) -> None:
    """With memory for only a few of many blocks at a time."""
    settings = Settings(agreement=agreement, iterations=3)
    inputs = Inputs.of(*learned_from(small), None, settings.max_words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.corpus.phrases.BLOCK", 30)
        learn(inputs, settings, Threads(2, memory="1G"), RunFolder(tmp_path / "much"))
        learned = learn(inputs, settings, Threads(2, memory=little), RunFolder(tmp_path / "little"))
        translation = learned.trained.state.forward.translation
        groups = group_blocks(
            inputs.source, translation, checked_memory(little), growths=agreement == "posterior"
        )
    assert len(groups) > 1
    assert files_of(tmp_path / "little") == files_of(tmp_path / "much")


@pytest.mark.usefixtures("laid_out")
def test_too_little(accord: Run) -> None:
    answer = accord(*LEARN, "out", "--memory", "1K")
    assert answer.returncode == 2
    assert answer.stderr.strip().splitlines()[-1].startswith("accord: --memory: must be at least ")
