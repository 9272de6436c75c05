"""What is known of a pair as texts with names: what a format with room for remarks can hold."""

import re
from collections.abc import Mapping
from typing import cast

from accord.formats.records import Record, Status

NUMBERS = {
    "probability": "confidence",
    "p_target_given_source": "forward",
    "p_source_given_target": "backward",
}
NAMES = (*NUMBERS, "alignment", "status")
LINK = re.compile(r"(\d{1,9})-(\d{1,9})")


def evidence(record: Record) -> dict[str, str]:
    """All that is known besides the pair itself, by name; probabilities to six digits."""
    values = {name: getattr(record, field) for name, field in NUMBERS.items()}
    told = {name: f"{value:.6g}" for name, value in values.items() if value is not None}
    if record.alignment:
        told["alignment"] = " ".join(f"{i}-{j}" for i, j in record.alignment)
    return told | ({"status": record.status} if record.status else {})


def with_evidence(source: str, target: str, told: Mapping[str, str]) -> Record:
    """The record again. What others call by these names, but is something else, is passed over."""
    links = [LINK.fullmatch(link) for link in told.get("alignment", "").split()]
    return Record(
        source,
        target,
        **{field: _number(told.get(name, "")) for name, field in NUMBERS.items()},
        alignment=tuple((int(link[1]), int(link[2])) for link in links if link)
        if all(links)
        else (),
        status=status_of(told.get("status", "")) or "",
    )


def status_of(text: str) -> Status | None:
    """The status that this says, be it none; None if it says something else."""
    found = text.strip().lower()
    return cast(Status, found) if found in ("", "accepted", "rejected") else None


def remark(told: Mapping[str, str]) -> str:
    """A line that people read as well: `rejected; probability 0.93; …`. Word links are left out."""
    shown = [f"{name} {told[name]}" for name in NUMBERS if name in told]
    return "; ".join([told["status"], *shown] if "status" in told else shown)


def read_remark(text: str) -> dict[str, str]:
    """What a remark says, if it is one; a person may have written more."""
    told: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if name in NUMBERS:
            told[name] = value
        elif not value and status_of(name):
            told["status"] = name
    return told


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
