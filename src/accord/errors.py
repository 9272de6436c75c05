"""What can go wrong, as a user sees it.

AccordError            every error a user can mend; the command line prints it and exits with 2
├── SettingError       a setting outside its limits
├── InputError         a file, a line of it, or a set of phrases that cannot be used
└── OutputError        a folder that cannot be written, or that holds something else
"""


class AccordError(Exception):
    """An error whose message says what was expected, what was found, where, and what to do."""


class SettingError(AccordError):
    """A setting outside its limits."""


class InputError(AccordError):
    """A file, a line of it, or a set of phrases that cannot be used."""


class OutputError(AccordError):
    """A folder that cannot be written, or that holds something else."""
