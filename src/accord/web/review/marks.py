"""What is decided of each pair, as a number in an array."""

from accord.evidence.decisions import STATUSES

UNDECIDED = 0
NUMBERS: dict[str, int] = {status: number for number, status in enumerate(STATUSES, start=1)}
ACCEPTED, SKIPPED = NUMBERS["accepted"], NUMBERS["skipped"]
