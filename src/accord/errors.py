"""The exceptions of Accord.

AccordError            an error that a user can correct; commands print it and exit with 2
├── SettingError       a setting outside its limits
├── InputError         a file, a line, or a set of phrases that cannot be used
└── OutputError        a folder that cannot be written, or that has other contents
"""


class AccordError(Exception):
    """An error whose message says what is wrong, where, and what to do."""


class SettingError(AccordError):
    """A setting outside its limits."""


class InputError(AccordError):
    """A file, a line, or a set of phrases that cannot be used."""


class OutputError(AccordError):
    """A folder that cannot be written, or that has other contents."""
