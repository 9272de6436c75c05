"""One run from its inputs to its results: the EM loop, watched, traced and kept on disk."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter

from accord.em import State, em_iterations, initial_state
from accord.evaluate import GoldLinks
from accord.folder import RunFolder
from accord.inputs import Inputs
from accord.known import Known
from accord.quality import Quality
from accord.results import LexiconEntry, PhrasePair, lexicon, phrase_pairs
from accord.runners import Runner
from accord.settings import Settings
from accord.trace import TraceRow, trace_row
from accord.trained import Trained
from accord.version import __version__


@dataclass(frozen=True)
class Learned:
    """What a run has learned."""

    state: State
    trace: list[TraceRow]
    lexicon: list[LexiconEntry]
    phrases: list[PhrasePair]
    quality: Quality


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
    seed, held_out = inputs.seed.parted(settings.held_out)
    known = Known.of(seed, source, target, settings, inputs.vectors)
    gold = GoldLinks(inputs.gold, source, target) if inputs.gold else None
    kept: tuple[State, list[TraceRow]] | None = None
    if folder:
        record = {
            "accord": __version__,
            "settings": asdict(settings),
            "inputs": inputs.hashes(),
            "lines": inputs.record(),
        }
        folder.claim(record, force=force, resume=resume)
        kept = folder.last_state(source, target, settings)
        if folder.finished:
            tell(f"{folder.path} has this very run already; --force makes it again")
        elif kept:
            tell(f"Going on after iteration {kept[0].iteration}")
        elif resume:
            tell(f"Nothing to resume in {folder.path}: starting")
    state, trace = kept or (initial_state(source, target, known, settings, runner), [])
    for row in trace:
        watch(row)
    begun = perf_counter()
    for following in em_iterations(source, target, known, settings, runner, state):
        state = following
        trace.append(trace_row(state, round(perf_counter() - begun, 3), gold))
        if folder:
            folder.keep(state, trace)
        watch(trace[-1])
        begun = perf_counter()
    words = lexicon(source, target, state, settings)
    pairs = phrase_pairs(source, target, state, settings)
    pairs = [pair for pair in pairs if inputs.is_wanted(pair.source, pair.target)]
    quality = Quality.of(held_out, words, pairs)
    if folder and not folder.finished:
        trained = Trained(source, target, state, settings, inputs.seed)
        folder.finish(trained, trace, words, pairs, quality)
    return Learned(state, trace, words, pairs, quality)
