"""ARPA files: language models as text, which every toolkit reads.

    \\data\\
    ngram 1=3000
    ngram 2=20000

    \\1-grams:
    -3.412345<tab>word<tab>-0.301030

    \\2-grams:
    -1.204120<tab>two words

    \\end\\

log10 p of the last word, the words, and log10 of the back-off weight, which may be missing where
it is 0 and is never there for the longest n-grams.
"""

DATA, END_OF_FILE = "\\data\\", "\\end\\"


def title(length: int) -> str:
    """What the n-grams of a length stand under."""
    return f"\\{length}-grams:"
