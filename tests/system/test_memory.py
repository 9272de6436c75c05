"""The memory that the index of the search may take: how it is said, and that it changes nothing."""

from pathlib import Path

import pytest

from accord.errors import SettingError
from accord.experiments.artificial import Planted
from accord.learning.search.index import group_blocks
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Agreement, Settings
from accord.system.memory import checked_memory, free_memory
from accord.system.runners.threads import Threads
from tests.conftest import Run, files_of
from tests.runs.test_folder import LEARN, learned_from


@pytest.mark.parametrize(
    ("said", "bytes_"),
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
def test_sizes(said: str | int, bytes_: int) -> None:
    assert checked_memory(said) == bytes_


@pytest.mark.parametrize("said", ["", "0", "0.1", "much", "-1G", "4X", "G", -8])
def test_no_sizes(said: str | int) -> None:
    with pytest.raises(SettingError, match="memory: must be a size such as 500M or 4G, found"):
        checked_memory(said)


def test_half_of_what_is_free() -> None:
    assert 2**20 < Threads().memory < free_memory() < 2**50


@pytest.mark.parametrize(("agreement", "little"), [("posterior", "9K"), ("inner", "17K")])
def test_the_same_bytes(small: Planted, tmp_path: Path, agreement: Agreement, little: str) -> None:
    """With room for a few blocks at a time, of many."""
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
    assert answer.stderr.strip().splitlines()[-1].startswith("accord: memory: must be at least ")
