"""Compiled code on disk: never stale, wherever it is kept, and never two versions of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof

from accord.system import compiled
from accord.system.compiled import describe_type

HELPER = """
from accord.system.compiled import compiled

@compiled
def scale(number):
    return {factor} * number
"""
CALLER = """
from accord.helper_kernels import scale
from accord.system.compiled import compiled

@compiled
def scale_twice(number):
    return scale(scale(number))
"""
RUN = """
from accord.caller_kernels import scale_twice
from accord.system.compiled import is_compiled

print(is_compiled(scale_twice), scale_twice(1), is_compiled(scale_twice))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with the decorator, and a kernel that calls one of another file."""
    package = tmp_path / "accord"
    (package / "system").mkdir(parents=True)
    for name in ("__init__.py", "system/__init__.py"):
        (package / name).touch()
    for name in ("compiled.py", "arrays.py"):
        shutil.copy(Path(compiled.__file__).with_name(name), package / "system" / name)
    (package / "caller_kernels.py").write_text(CALLER)
    return package


def run(package: Path, factor: int, **environment: str) -> str:
    (package / "helper_kernels.py").write_text(HELPER.format(factor=factor))
    done = subprocess.run(
        [sys.executable, "-B", "-c", RUN],
        env={**os.environ, "PYTHONPATH": str(package.parent), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_a_change_in_a_file_reaches_kernels_of_other_files(package: Path) -> None:
    assert run(package, 2) == "False 4 True"
    kept = sorted((package / "__pycache__").iterdir())
    assert run(package, 2) == "True 4 True"
    assert run(package, 3) == "False 9 True"
    changed = sorted((package / "__pycache__").iterdir())
    assert len(changed) == len(kept)  # what is stale is removed
    assert not {*changed} & {*kept}


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_another_folder_for_compiled_code(package: Path, tmp_path: Path, variable: str) -> None:
    """One that the user names; or that of the user, if the package is read-only."""
    if variable == "XDG_CACHE_HOME":
        (package / "__pycache__").touch()  # even root cannot write into a file
    assert run(package, 2, **{variable: str(tmp_path / "kept")}) == "False 4 True"
    assert run(package, 2, **{variable: str(tmp_path / "kept")}) == "True 4 True"
    assert run(package, 3, **{variable: str(tmp_path / "kept")}) == "False 9 True"
    names = {path.name.partition("-")[0] for path in (tmp_path / "kept").rglob("*.nb?")}
    assert names == {"caller_kernels.scale_twice", "helper_kernels.scale"}
    assert len([*(tmp_path / "kept").rglob("*.nb?")]) == 4


class Point(NamedTuple):
    x: int
    y: float


def test_types_are_described_with_the_fields_of_named_tuples() -> None:
    name = f"{__name__}.Point"
    numbers = np.zeros(2, np.int32)
    assert describe_type(typeof(Point(1, 2.0))) == f"{name}(x=int64, y=float64)"
    assert describe_type(typeof((numbers, Point(1, 2.0)))) == (
        f"builtins.tuple(0=array(int32, 1d, C), 1={name}(x=int64, y=float64))"
    )
    numbers.flags.writeable = False
    assert describe_type(typeof(numbers)) == "readonly array(int32, 1d, C)"
