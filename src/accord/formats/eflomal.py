"""Priors of eflomal: `LEX source target alpha`, tab-separated; single words only.

alpha is a pseudo-count: how often the two words were linked before the text is read. Here it is the
confidence of the pair times √(p(target|source)·p(source|target)). So all pairs of a word together
count about as much as one occurrence of the word, and a thousand times as much as a pair that
eflomal does not know. Text in which the word is frequent overrules the prior.
"""

from collections.abc import Iterable
from math import sqrt
from pathlib import Path

from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import refuse_phrases, write_record_lines

NULL = "<NULL>"


def write_eflomal(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one prior per pair of words."""
    return write_record_lines(path, records, _format_prior, _refuse_null)


def _refuse_null(record: Record) -> str:
    """Refuse pairs with the word <NULL>, and all but single words."""
    if NULL in record[:2]:
        return f"{NULL} is its name for the empty word"
    return refuse_phrases(record)


def _format_prior(record: Record) -> str:
    # Pairs from elsewhere may lack probabilities, which then count as 1.
    forward, backward, confidence = (1.0 if p is None else p for p in record[2:5])
    alpha = confidence * sqrt(forward * backward)
    return f"LEX\t{record.source}\t{record.target}\t{alpha:.6g}"
