"""The decorator of every kernel: compiled by Numba, kept on disk, without the interpreter lock."""

from numba import njit

compiled = njit(cache=True, nogil=True)
