"""One run from its inputs to its results: the EM loop, watched, traced and kept on disk."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter

from accord.evidence.constraints import Constraints
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.runs.changes import Change, changes
from accord.runs.evaluation import GoldLinks
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.quality import Quality
from accord.runs.results import LexiconEntry, PhrasePair, lexicon, lexicon_size, phrase_pairs
from accord.runs.tables import Table
from accord.runs.trace import TraceRow, trace_row
from accord.runs.trained import Trained
from accord.runs.transfer import continued_state
from accord.settings import Settings
from accord.system.runners import Runner
from accord.version import __version__


@dataclass(frozen=True)
class Learned:
    """What a run has learned."""

    trained: Trained
    trace: list[TraceRow]
    lexicon: Table[LexiconEntry]
    phrases: Table[PhrasePair]
    quality: Quality
    changes: list[Change] | None  # since the model that it went on with


def learn(
    inputs: Inputs,
    settings: Settings,
    runner: Runner,
    folder: RunFolder | None = None,
    *,
    force: bool = False,
    resume: bool = False,
    watch: Callable[[TraceRow], object] = lambda _: None,
    tell: Callable[[str], object] = lambda _: None,
) -> Learned:
    """Run the EM loop; with a folder, keep every iteration there and leave the results in it."""
    source, target = inputs.source, inputs.target
    seed, _ = inputs.parted_seed(settings)
    constraints = Constraints.of(seed, source, target)
    task = Task(source, target, settings, runner, constraints)
    prior = Prior.of(seed, source, target, settings, inputs.vectors)
    gold = GoldLinks(inputs.gold, source, target) if inputs.gold else None
    kept: tuple[State, list[TraceRow]] | None = None
    if folder:
        record = {
            "accord": __version__,
            "settings": asdict(settings),
            "inputs": inputs.hashes(),
            "lines": inputs.record(),
        }
        if inputs.languages:
            record["languages"] = inputs.languages
        folder.claim(record, force=force, resume=resume)
        kept = folder.last_state(source, target, settings)
        if folder.finished:
            tell(f"{folder.path} has this very run already; --force makes it again")
        elif kept:
            tell(f"Going on after iteration {kept[0].iteration}")
        elif resume:
            tell(f"Nothing to resume in {folder.path}: starting")
    state, trace = kept or (_first_state(inputs, seed, task, prior), [])
    for row in trace:
        watch(row)
    begun = perf_counter()
    for following in em_iterations(task, prior, state):
        state = following
        seconds = round(perf_counter() - begun, 3)
        words = lexicon_size(source, target, state, settings)
        trace.append(trace_row(state, words, seconds, gold))
        if folder:
            folder.keep(state, trace)
        watch(trace[-1])
        begun = perf_counter()
    trained = inputs.trained(state, settings)
    return left_in(folder, trained, trace, trained.held_out, inputs.start)


def left_in(
    folder: RunFolder | None,
    trained: Trained,
    trace: list[TraceRow],
    held_out: SeedLexicon | None = None,
    start: Trained | None = None,
) -> Learned:
    """What was learned, in words; with a folder, left in it. What was held out tells how well."""
    words, pairs = lexicon(*trained[:4]), phrase_pairs(*trained[:4])
    quality = Quality.of(held_out or SeedLexicon(()), words, pairs)
    since = None
    if start:
        before = lexicon(*start[:4])
        since = [*changes("phrase", start.pairs(), pairs), *changes("word", before, words)]
    if folder and not folder.finished:
        folder.finish(trained, trace, words, pairs, quality, since)
    return Learned(trained, trace, words, pairs, quality, since)


def _first_state(inputs: Inputs, seed: SeedLexicon, task: Task, prior: Prior) -> State:
    """Θ⁽⁰⁾, from the seed; or what was learned before, and what is new in the seed."""
    start = inputs.start
    if start is None:
        return initial_state(task, prior)
    new = seed.subtract(start.seed).pseudo_counts(task.source.vocabulary, task.target.vocabulary)
    weight = task.settings.seed_weight
    return continued_state(start, task, new.times(weight), prior.rejected)
