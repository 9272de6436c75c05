"""A run from its inputs to its results: the EM loop with its trace, saved after every iteration."""

from collections.abc import Callable
from contextlib import nullcontext
from time import perf_counter

from accord.evidence.constraints import Constraints
from accord.evidence.odds import collect_evidence
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.evidence.similar_words import SimilarWords, find_similar_words
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.runs.changes import list_changes
from accord.runs.evaluation import GoldLinks
from accord.runs.folder import IfExists, RunFolder, RunResults
from accord.runs.inputs import Inputs
from accord.runs.quality import Quality
from accord.runs.record import record_learning
from accord.runs.results import build_lexicon, build_phrase_pairs, count_word_pairs
from accord.runs.trace import TraceRow, make_trace_row
from accord.runs.trained import Trained
from accord.runs.transfer import continue_odds, continue_state
from accord.settings import Settings
from accord.system.runners import Runner


def learn(
    inputs: Inputs,
    settings: Settings,
    runner: Runner,
    folder: RunFolder | None = None,
    *,
    if_exists: IfExists = "refuse",
    watch: Callable[[TraceRow], object] = lambda _: None,
    tell: Callable[[str], object] = lambda _: None,
) -> RunResults:
    """Run the EM loop; with a folder, save every iteration and the results there."""
    source, target = inputs.source, inputs.target
    seed, _ = inputs.split_seed(settings)
    task = Task(source, target, settings, runner, Constraints.of(seed, source, target))
    prior = Prior.of(seed, source, target, settings)
    gold = GoldLinks(inputs.gold, source, target) if inputs.gold else None
    kept: tuple[State, list[TraceRow]] | None = None
    with folder.claim(record_learning(inputs, settings), if_exists) if folder else nullcontext():
        if folder:
            kept = folder.read_last_state(source, target, settings)
            if folder.is_finished:
                tell(f"{folder.path} has this very run already; nothing was done (see --force)")
            elif kept:
                tell(f"Continuing after iteration {kept[0].iteration}")
            elif if_exists == "resume":
                tell(f"Nothing to resume in {folder.path}: starting")
        if folder and folder.is_finished:
            prior = prior._replace(odds=folder.read_trained().odds)
        else:
            if message := describe_comparison(inputs, settings):
                tell(message)
            prior, _ = add_similar_words(prior, inputs, settings, runner)
        task = task._replace(odds=prior.odds)
        state, trace = kept or (_make_first_state(inputs, seed, task, prior), [])
        for row in trace:
            watch(row)
        begun = perf_counter()
        for following in em_iterations(task, prior, state):
            state = following
            seconds = round(perf_counter() - begun, 3)
            words = count_word_pairs(task, state)
            trace.append(make_trace_row(state, words, seconds, gold))
            if folder:
                folder.save_iteration(state, trace)
            watch(trace[-1])
            begun = perf_counter()
        trained = inputs.to_trained(state, settings, prior.odds)
        return finish_run(folder, trained, trace, trained.held_out, inputs.start)


def describe_comparison(inputs: Inputs, settings: Settings) -> str:
    """Return a message for `add_similar_words`, which may take long; "" if there is no evidence."""
    sources = {
        "sentences": inputs.sentences if settings.context else None,
        "vectors": inputs.vectors,
    }
    names = [name for name, sides in sources.items() if sides]
    return f"Comparing the words by their {' and '.join(names)}" if names else ""


def add_similar_words(
    prior: Prior, inputs: Inputs, settings: Settings, runner: Runner
) -> tuple[Prior, SimilarWords]:
    """Add what vectors, and sentences unless contexts are off, say about words; and the odds of
    word pairs by all evidence. Return the comparison of the words, too."""
    words = inputs.word_evidence
    if not settings.context:
        words = words._replace(sentences=None)
    similar = find_similar_words(words, prior.seed, runner)
    evidence = collect_evidence(prior, similar, inputs.source, inputs.target, settings.seed_weight)
    odds = evidence.odds
    if inputs.start:
        odds = continue_odds(inputs.start, inputs.source, inputs.target, odds)
    return prior.with_similar_words(similar.counts, odds), similar


def finish_run(
    folder: RunFolder | None,
    trained: Trained,
    trace: list[TraceRow],
    held_out: SeedLexicon,
    start: Trained | None = None,
) -> RunResults:
    """Return the results in words, with their quality by held-out words; save them if there is a
    folder."""
    lexicon, pairs = build_lexicon(trained), build_phrase_pairs(trained)
    changes = None
    if start:
        before = (entry[:2] for entry in build_lexicon(start))
        changes = [
            *list_changes("phrase", start.pairs(), (pair[:2] for pair in pairs)),
            *list_changes("word", before, (entry[:2] for entry in lexicon)),
        ]
    quality = Quality.of(held_out, lexicon, pairs, trained.whole_seed.entries)
    is_old = folder is not None and folder.is_finished
    results = RunResults(trained, trace, lexicon, pairs, quality, changes, is_old)
    if folder and not is_old:
        folder.save_results(results)
    return results


def _make_first_state(inputs: Inputs, seed: SeedLexicon, task: Task, prior: Prior) -> State:
    """Return Θ⁽⁰⁾: from the seed, or from the model that is continued and new seed entries."""
    start = inputs.start
    if start is None:
        return initial_state(task, prior)
    new = seed.subtract(start.seed).pseudo_counts(task.source.vocabulary, task.target.vocabulary)
    return continue_state(start, task, new.times(task.settings.seed_weight), prior.rejected)
