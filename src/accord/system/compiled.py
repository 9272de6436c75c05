"""The decorator of every kernel: compiled by Numba, kept on disk, without the interpreter lock.

Numba takes compiled code for up to date if the file of the function has not changed. But the code
contains all functions that it calls, and these may be in other files. Therefore the names of the
files on disk contain a hash of all kernel files, and files with another hash are removed.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache

PACKAGE = Path(__file__).parent.parent
# All files of ours that kernels use. Other files may define named tuples that kernels take.
SOURCES = ("system/compiled.py", "system/arrays.py", "**/*_kernels.py")


def hash_sources() -> str:
    """Return a hash of Numba's version and of all kernel files."""
    hashed = sha256(numba.__version__.encode())
    for path in sorted(path for pattern in SOURCES for path in PACKAGE.glob(pattern)):
        hashed.update(f"{path.relative_to(PACKAGE).as_posix()}\n".encode() + path.read_bytes())
    return hashed.hexdigest()[:16]


STAMP = hash_sources()


class KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    """Names the files on disk by the hash, instead of by the line of the function."""

    _locator_classes = [  # noqa: RUF012
        type(locator.__name__, (locator,), {"get_disambiguator": lambda _: STAMP})
        for locator in CompileResultCacheImpl._locator_classes
    ]


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The compiled versions of one kernel on disk."""

    _impl_class = KernelCacheImpl

    def _index_key(self, sig: Iterable[Any], codegen: Any) -> tuple[Any, ...]:
        _, *rest = super()._index_key(sig, codegen)
        return (tuple(map(describe_type, sig)), *rest)

    def save_overload(self, sig: Iterable[Any], data: Any) -> None:
        super().save_overload(sig, data)
        module = self._impl.filename_base.partition(".")[0]
        for path in Path(self.cache_path).glob(f"{module}.*.nb?"):
            if STAMP not in path.name:
                with suppress(OSError):  # another process has removed it, or has it open
                    path.unlink()

    def is_filled(self) -> bool:
        """Return whether the kernel has been compiled by any process."""
        base = self._impl.filename_base
        return (Path(self.cache_path) / f"{base}.nbi").exists()


def describe_type(type_: Any) -> str:
    """Describe the type of an argument, with the fields of named tuples.

    Numba identifies a named tuple by its class, whatever the order of the fields, and cannot read
    what it kept if the class is now in another module.
    """
    parts = [describe_type(part) for part in getattr(type_, "types", ())]
    if not parts:
        return str(type_)
    made = getattr(type_, "instance_class", tuple)
    names = getattr(made, "_fields", range(len(parts)))
    fields = (f"{name}={part}" for name, part in zip(names, parts, strict=True))
    return f"{made.__module__}.{made.__qualname__}({', '.join(fields)})"


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a kernel when it is first called, or load it from disk."""
    kernel = numba.njit(nogil=True)(function)
    # What Numba does if it is called with cache=True.
    kernel._cache = KernelCache(function)
    return kernel


def is_compiled(kernel: Any) -> bool:
    """Return whether an earlier process has compiled this kernel, from the present source."""
    return bool(kernel._cache.is_filled())
