"""The probabilities, word links and status of a pair as named texts: its annotations.

Formats that have properties or remarks store them there.
"""

import re
from collections.abc import Mapping
from typing import cast

from accord.formats.records import Record, RecordStatus, WordAlignment

# The fields of a record by the names they have in files.
NUMBERS = {
    "confidence": "confidence",
    "p_target_given_source": "forward",
    "p_source_given_target": "backward",
}
NAMES = (*NUMBERS, "alignment", "status", "relation")
# Files of earlier versions have the confidence under this name.
OLD_CONFIDENCE = "probability"
LINK = re.compile(r"(\d{1,9})-(\d{1,9})")

Annotations = dict[str, str]


def annotate(record: Record) -> Annotations:
    """Return the annotations of a record, with probabilities to six digits."""
    values = {name: getattr(record, field) for name, field in NUMBERS.items()}
    annotations = {name: f"{value:.6g}" for name, value in values.items() if value is not None}
    if record.alignment:
        annotations["alignment"] = format_alignment(record.alignment)
    if record.status:
        annotations["status"] = record.status
    if record.relation:
        annotations["relation"] = record.relation
    return annotations


def parse_record(source: str, target: str, annotations: Mapping[str, str]) -> Record:
    """Return the record with these annotations.

    Invalid values are ignored: the names can mean something else in files of other programs.
    """
    if OLD_CONFIDENCE in annotations:
        annotations = {"confidence": annotations[OLD_CONFIDENCE], **annotations}
    forward, backward, confidence = (
        _parse_probability(annotations.get(name, ""))
        for name in ("p_target_given_source", "p_source_given_target", "confidence")
    )
    return Record(
        source,
        target,
        forward,
        backward,
        confidence,
        alignment=parse_alignment(annotations.get("alignment", "")) or (),
        status=parse_status(annotations.get("status", "")) or "",
    )


def format_alignment(links: WordAlignment) -> str:
    """Return word links as text, for example 0-0 1-2."""
    return " ".join(f"{i}-{j}" for i, j in links)


def parse_alignment(text: str) -> WordAlignment | None:
    """Return the word links of a text such as 0-0 1-2, or None if the text is something else."""
    found = [LINK.fullmatch(link) for link in text.split()]
    links = tuple((int(link[1]), int(link[2])) for link in found if link)
    return links if len(links) == len(found) else None


def parse_status(text: str) -> RecordStatus | None:
    """Return the status, which may be empty, or None if the text is not a status."""
    found = text.strip().lower()
    return cast(RecordStatus, found) if found in ("", "accepted", "rejected") else None


def format_remark(annotations: Mapping[str, str]) -> str:
    """Return a human-readable remark: `rejected; confidence 0.93; …`, without word links."""
    numbers = [f"{name} {annotations[name]}" for name in NUMBERS if name in annotations]
    return "; ".join([annotations["status"], *numbers] if "status" in annotations else numbers)


def parse_remark(text: str) -> Annotations:
    """Return the annotations in a remark, to which users may have added other text."""
    annotations: Annotations = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if name in NUMBERS or name == OLD_CONFIDENCE:
            annotations[name] = value
        elif not value and parse_status(name):
            annotations["status"] = name
    return annotations


def _parse_probability(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
