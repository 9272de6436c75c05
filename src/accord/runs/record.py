"""run.json: the version, the settings and hashes of the inputs of a run, and its model's checksums.

accord     the version
settings   all settings by name
options    how phrases were extracted from the texts (only `mine`)
inputs     a hash of each input; null for one that was not given
lines      how many lines or entries of each input were used
languages  the codes of both languages, if they are known
model      the version and the checksums of the model folder, once the run has finished

Version, settings, options and inputs are the signature of a run: runs with equal signatures have
equal results.
"""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from accord.corpus.loading import LoadedCorpus
from accord.corpus.phrases import Phrases
from accord.errors import SettingError
from accord.runs.inputs import Inputs
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.writing import write_text
from accord.version import __version__

RunRecord = dict[str, Any]

# What the inputs are called in messages; the others have the names of their keys.
INPUT_NAMES = {
    "gold": "gold pairs",
    "vectors": "word vectors",
    "wanted": "choice of phrases",
    "start": "model to continue",
}


def record_learning(inputs: Inputs, settings: Settings) -> RunRecord:
    """Return the record of a run that learns."""
    hashes, lines = inputs.compute_hashes(), _count_entries(inputs)
    return make_record(settings, hashes, lines, inputs.languages, inputs.options)


def record_application(
    model: Trained, corpora: tuple[LoadedCorpus, LoadedCorpus], phrases: tuple[Phrases, Phrases]
) -> RunRecord:
    """Return the record of a run that applies a model to phrases."""
    hashes = {
        "source": phrases[0].signature,
        "target": phrases[1].signature,
        "model": model.signature,
    }
    lines = {"source": asdict(corpora[0].lines), "target": asdict(corpora[1].lines)}
    return make_record(model.settings, hashes, lines, model.languages)


def make_record(
    settings: Settings,
    inputs: dict[str, str | None] | dict[str, str],
    lines: dict[str, dict[str, int]],
    languages: tuple[str, str] | None,
    options: dict[str, object] | None = None,
) -> RunRecord:
    return {
        "accord": __version__,
        "settings": asdict(settings),
        **({"options": options} if options else {}),
        "inputs": inputs,
        "lines": lines,
        **({"languages": languages} if languages else {}),
    }


def _count_entries(inputs: Inputs) -> dict[str, dict[str, int]]:
    """Return how many lines or entries of each input were used."""
    seed = {"entries": inputs.seed_entries, "used": len(inputs.seed.entries)}
    for status in ("accepted", "rejected"):
        if reviewed := getattr(inputs.seed, status):
            seed[status] = len(reviewed)
    lines = {
        "source": asdict(inputs.source_lines),
        "target": asdict(inputs.target_lines),
        "seed": seed,
    }
    if inputs.decisions:
        accepted, rejected = len(inputs.decisions.accepted), len(inputs.decisions.rejected)
        lines["decisions"] = {"accepted": accepted, "rejected": rejected}
    return lines


def write_record(path: Path, record: RunRecord) -> None:
    write_text(path, [json.dumps(record, indent=2, ensure_ascii=False)])


def add_model(path: Path, model: dict[str, object]) -> None:
    """Add the record of the model folder to run.json."""
    write_record(path, read_record(path) | {"model": model})


def read_record(path: Path) -> RunRecord:
    """Read run.json; return an empty record if there is none."""
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_bytes())
    except ValueError:
        record = None
    return record if isinstance(record, dict) else {"accord": "unreadable"}


def extract_signature(record: RunRecord) -> RunRecord:
    """Return the part of a record that determines the results."""
    settings, inputs = (
        part if isinstance(part := record.get(name), dict) else {}
        for name in ("settings", "inputs")
    )
    # A record of an older version may name the same settings differently.
    with suppress(KeyError, TypeError, SettingError):
        settings = asdict(Settings.from_record(settings))
    options = record.get("options")
    return {
        "accord": record.get("accord"),
        "settings": settings,
        **({"options": options} if isinstance(options, dict) else {}),
        "inputs": inputs,
    }


def describe_differences(then: RunRecord, now: RunRecord, *, every: bool = False) -> list[str]:
    """Return where two signatures differ, in words.

    Without `every`, inputs that may differ only because others do are left out: decisions add
    phrases and entries of the seed, and options for phrases change what is read from the texts.
    """
    if then["accord"] != now["accord"]:
        return [f"made by accord {then['accord']}, this is {now['accord']}"]
    differing = {
        name for name, content in now["inputs"].items() if content != then["inputs"].get(name)
    }
    options = describe_other_options(then, now)
    if not every:
        if "decisions" in differing:
            differing -= {"source", "target", "seed", "sentences", "wanted"}
        if options or differing & {"source", "target"}:
            differing -= {"sentences", "wanted"}
    text = "text" if "options" in now else "phrases"
    names = {"source": f"source {text}", "target": f"target {text}"} | INPUT_NAMES
    return options + [
        f"different {names.get(name, name)}" for name in now["inputs"] if name in differing
    ]


def describe_other_options(then: RunRecord, now: RunRecord) -> list[str]:
    """Return where the settings and the options of two signatures differ, in words."""
    found = []
    for part in ("settings", "options"):
        before = then.get(part)
        if before is None:  # a record of an older version, or of another command
            continue
        found += [
            f"different --{name.replace('_', '-')} "
            f"({_format_value(before.get(name))}, now {_format_value(value)})"
            for name, value in now.get(part, {}).items()
            if value != before.get(name)
        ]
    return found


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)
