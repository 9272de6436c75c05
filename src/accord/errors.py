"""The exceptions of Accord, and the exit codes of the commands.

AccordError            an error that a user can correct                            exit code 2
├── SettingError       a setting outside its limits                                          2
├── InputError         a file, a line, or a set of phrases that cannot be used               2
├── OutputError        a place that cannot be written, or that has other contents            2
└── ResourceError      the machine fails: a full disk, an unreadable device, a worker        1

The other exit codes are 0 (success), 1 (any other failure at run time, such as too little memory),
3 (`--strict`: the run has failed) and 130 (interrupted).
"""

import errno

FAILED_RUN, INTERRUPTED = 3, 130
# What the machine fails to do, whatever the command line says.
MACHINE_ERRORS = {
    getattr(errno, name)
    for name in ("EIO", "ENOSPC", "EDQUOT", "EFBIG", "ENOMEM", "EMFILE", "ENFILE", "ENXIO")
    if hasattr(errno, name)
}


class AccordError(Exception):
    """An error whose message says what is wrong, where, and what to do."""

    exit_code = 2


class SettingError(AccordError):
    """A setting outside its limits."""


class InputError(AccordError):
    """A file, a line, or a set of phrases that cannot be used."""


class OutputError(AccordError):
    """A place that cannot be written, or that has other contents."""


class ResourceError(AccordError):
    """The machine fails: the disk is full, a device is unreadable, or a worker has died."""

    exit_code = 1


def is_machine_error(error: BaseException) -> bool:
    """Return whether an error is a failure of the machine, which no other input would avoid."""
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno in MACHINE_ERRORS
    )
