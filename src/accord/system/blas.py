"""BLAS and LAPACK in one thread: with several, their sums depend on the number of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits

_LOCK = Lock()


@contextmanager
def limit_blas_to_one_thread() -> Iterator[None]:
    """Run BLAS and LAPACK in one thread.

    The limit applies to the whole process, so only one of our threads may set and reset it.
    """
    with _LOCK, threadpool_limits(limits=1, user_api="blas"):
        yield
