"""Fit the coefficients of the confidence of words and phrases, and print them.

    python -m benchmarks.real.fit --data FOLDER --work FOLDER --synthetic FOLDER

Pairs of development parts of real text are right if the judge accepts them, those of synthetic sets
by their gold pairs and their dictionary. Every set has the same weight, but for NOISE_WEIGHT.
Entries of the seed and identical strings are known and not fitted. What a set has learned is kept
in --work, unless --again is given: features can then be changed without learning again, as long as
the E-step stays as it is.
"""

import argparse
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from accord.evidence.constraints import Constraints
from accord.evidence.counts import Counts
from accord.evidence.odds import Evidence, Feature, collect_evidence
from accord.evidence.prior import Prior
from accord.evidence.similar_words import find_similar_words
from accord.experiments.synthesis.experiment import Experiment
from accord.learning.confidence import (
    WORD_CERTAINTY,
    WORD_COEFFICIENTS,
    ScoredPairs,
    compute_phrase_features,
    compute_word_features,
    find_single_words,
    measure_certainty,
    measure_translated,
)
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.parameters import Models
from accord.learning.model.state import State
from accord.learning.model.translation import find_shared_entries
from accord.learning.posterior import find_posteriors, match_posteriors
from accord.learning.search.pairs import CandidatePairs
from accord.learning.task import Task
from accord.runs.inputs import Inputs
from accord.settings import Settings
from accord.system.arrays import Floats, Mask, pair_keys, split_keys
from accord.system.runners import Runner
from accord.system.runners.threads import Threads
from benchmarks.halves import report
from benchmarks.harness import make_inputs
from benchmarks.real.judge import Judge, Pair
from benchmarks.real.measures import Judged, measure_pairs
from benchmarks.real.sets import SETS, align_collection, cut_set
from benchmarks.real.systems import MIN_CONFIDENCE, read_inputs

REAL = [
    ("technology", 10_000, 1_000),
    ("technology", 10_000, None),
    ("parliament", 10_000, 1_000),
    ("parliament", 10_000, None),
    ("sources", 10_000, 1_000),
    ("sources", 10_000, None),
    ("technology", 200_000, 1_000),
    ("parliament", 200_000, None),
    ("sources", 200_000, 1_000),
]
# Noise phrases and seeds.
SYNTHETIC = [(0, 50), (0, 1_000), (20_000, 50), (20_000, 1_000)]
NOISY = "synthetic-20000"
# How much the phrases of each of these sets count. With the weight of the others, lists of phrases
# get too little confidence, and F1 falls.
NOISE_WEIGHT = 3.0
# Coefficients that are not fitted.
KNOWN = {Feature.SEED: 5.0, Feature.IDENTICAL: 5.0}
# The least mean coverage of phrases that are fitted to: others are never delivered.
LEAST_COVERAGE = 0.03
# The features that compare a pair with others are the last ones.
MARGINS = len(Feature) - Feature.FORM_MARGIN
WORD_PENALTY, PHRASE_PENALTY = 1e-3, 1e-4
# The word features whose coefficients depend on how certain the run is.
CERTAIN = np.flatnonzero(WORD_CERTAINTY[0])


class Learned(NamedTuple):
    """What a run has learned from a development set, before confidence matters."""

    name: str
    task: Task
    models: Models
    pairs: CandidatePairs
    log_qq: Floats
    translated: float
    evidence: Evidence
    variants: tuple[csr_array, csr_array] | None
    iterations: int

    def with_margins(self, compared: Floats) -> "Learned":
        """The same, with the margins that follow from these coefficients."""
        return self._replace(evidence=self.evidence.with_margins(self.variants, compared))


class Examples(NamedTuple):
    """Pairs of a set, by their features, and which of them are right."""

    features: Floats
    right: Mask
    known: Floats  # what known coefficients contribute
    weight: float  # of each pair

    def weighted(self, factor: float) -> "Examples":
        return self._replace(weight=factor * self.weight)

    def where(self, kept: Mask) -> "Examples":
        return Examples(self.features[kept], self.right[kept], self.known[kept], self.weight)


class Gold(NamedTuple):
    """What is right in a set, and which pairs can be evaluated."""

    accepts_phrases: Callable[[Pair], bool]
    accepts_words: Callable[[Pair], bool]
    evaluates_words: Callable[[Pair], bool]
    wanted: tuple[Mask, Mask] | None  # phrases that may be delivered


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of parallel texts")
    parser.add_argument("--work", type=Path, required=True, help="folder for what takes long")
    parser.add_argument("--synthetic", type=Path, required=True, help="folder with gold.tsv.xz")
    parser.add_argument("--again", action="store_true", help="learn again")
    options = parser.parse_args(arguments)
    sets = [*list_sets(options)]
    compared = fit_compared([collect_words(learned, gold) for learned, gold in sets])
    print(f"compared: {np.round(compared, 3).tolist()}")
    sets = [(learned.with_margins(compared), gold) for learned, gold in sets]
    words = [collect_words(learned, gold) for learned, gold in sets]
    word_coefficients = fit_logistic(words, WORD_PENALTY)
    for label, part in zip(
        ("words", "certainty", "odds"), split_coefficients(word_coefficients), strict=True
    ):
        print(f"{label}: {np.round(part, 3).tolist()}")
    names = [learned.name for learned, _ in sets]
    evaluate("words", names, words, [predict(part, word_coefficients) for part in words])
    collected = [collect_phrases(*each, word_coefficients) for each in sets]
    phrases = [
        examples.weighted(NOISE_WEIGHT if name.startswith(NOISY) else 1)
        for name, (examples, _) in zip(names, collected, strict=True)
    ]
    confidences = [np.zeros(len(examples.right)) for examples in phrases]
    for kind, single in (("single words", True), ("other phrases", False)):
        masks = [is_word == single for _, is_word in collected]
        some = [part.where(mask) for part, mask in zip(phrases, masks, strict=True)]
        coefficients = fit_logistic(some, PHRASE_PENALTY)
        print(f"{kind}: {np.round(coefficients, 3).tolist()}")
        for confidence, mask, examples in zip(confidences, masks, some, strict=True):
            confidence[mask] = predict(examples, coefficients)
    evaluate("phrases", names, phrases, confidences)


def fit_compared(words: "list[Examples]") -> Floats:
    """Fit the coefficients of the odds by which pairs are compared: without the margins."""
    first = [part._replace(features=part.features[:, :-MARGINS]) for part in words]
    _, _, of_evidence = split_coefficients(fit_logistic(first, WORD_PENALTY))
    return np.append(of_evidence, np.zeros(MARGINS))


def predict(examples: "Examples", coefficients: Floats) -> Floats:
    confidence: Floats = expit(examples.features @ coefficients + examples.known)
    return confidence


def evaluate(
    kind: str, names: list[str], sets: "list[Examples]", confidences: list[Floats]
) -> None:
    """Print how good the confidences are on the sets that they were fitted to."""
    for name, examples, confidence in zip(names, sets, confidences, strict=True):
        judged = Judged.of(confidence, examples.right)
        measured = measure_pairs(judged, MIN_CONFIDENCE)
        figures = (f"{part} {measured.get(part, 0):.3f}" for part in ("precision", "ece"))
        numbers = f"{measured['pairs']:,} pairs, yield at 80% {measured['yield_80']:,}"
        print(f"{kind} {name}: {numbers}, {', '.join(figures)}", flush=True)


def list_sets(options: argparse.Namespace) -> Iterator[tuple[Learned, Gold]]:
    """Yield what was learned from each development set, and its gold."""
    for name, size, seeds in REAL:
        cut = cut_set(name, "dev", size, seeds, options.data, options.work)
        collection = SETS[name].collection
        inputs = read_inputs(cut, collection)
        learned = learn_once(f"{cut.name}-{seeds or 'all'}", inputs, options)
        aligned = align_collection(collection, options.data, options.work)
        accepts = Judge.of(aligned, cut).accepts
        seed = {*inputs.seed.entries}
        is_new = lambda pair, seed=seed: pair not in seed and pair[0] != pair[1]  # noqa: E731
        yield learned, Gold(accepts, accepts, is_new, inputs.wanted)
    made = Experiment.read(options.synthetic, ".xz")
    for noise, seeds in SYNTHETIC:
        inputs = make_inputs(made, noise, seeds)
        learned = learn_once(f"synthetic-{noise}-{seeds}", inputs, options)
        assert inputs.gold is not None
        gold = {*inputs.gold.pairs}
        lexicon = set(made.seed) - {*inputs.seed.entries}
        seeded = {word for pair in inputs.seed.entries for word in pair}
        listed = {word for pair in lexicon for word in pair} - seeded

        def evaluates(pair: Pair, listed: set[str] = listed) -> bool:
            return pair[0] in listed or pair[1] in listed

        yield learned, Gold(gold.__contains__, lexicon.__contains__, evaluates, None)


def learn_once(name: str, inputs: Inputs, options: argparse.Namespace) -> Learned:
    """Learn from a set, or read what was learned before."""
    path = options.work / "fit" / f"{name}.pickle"
    if options.again or not path.exists():
        report(f"learning from {name}")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pickle.dumps(learn_set(name, inputs)))
    kept: Learned = pickle.loads(path.read_bytes())
    return kept._replace(task=Task(*kept.task[:3], Threads(), *kept.task[4:]))


def learn_set(name: str, inputs: Inputs) -> Learned:
    settings = Settings(min_confidence=1.0)
    source, target = inputs.source, inputs.target
    seed, _ = inputs.split_seed(settings)
    task = Task(source, target, settings, Threads(), Constraints.of(seed, source, target))
    prior = Prior.of(seed, source, target, settings)
    similar = find_similar_words(inputs.word_evidence, prior.seed, task.runner)
    evidence = collect_evidence(prior, similar, source, target, settings.seed_weight)
    prior = prior.with_similar_words(similar.counts, evidence.odds)
    state: State = initial_state(task, prior)
    for following in em_iterations(task, prior, state):
        before, state = state, following
    found = find_posteriors(task, before.models)
    best = match_posteriors(found, "intersection", settings)
    translated = measure_translated(found.log_qq[best], min(len(source), len(target)) - 1)
    iterations = state.iteration
    report(f"{name}: {iterations} iterations, {translated:.3f} translated")
    # Runners cannot be pickled.
    task = Task(source, target, settings, cast("Runner", None), task.constraints)
    return Learned(
        name,
        task,
        before.models,
        found.pairs,
        found.log_qq,
        translated,
        evidence,
        prior.variants,
        iterations,
    )


def collect_words(learned: Learned, gold: Gold) -> Examples:
    """Return all word pairs that the run has learned, or of which something else is known."""
    task, evidence = learned.task, learned.evidence
    there, back = (model.translation for model in learned.models)
    shared = find_shared_entries(there, back)
    keys = np.union1d(pair_keys(shared.e, shared.f), pair_keys(evidence.source, evidence.target))
    e, f = split_keys(keys)
    one, other = task.source.vocabulary.words, task.target.vocabulary.words
    pairs = [(one[a], other[b]) for a, b in zip(e.tolist(), f.tolist(), strict=True)]
    kept = np.array([gold.evaluates_words(pair) for pair in pairs], np.bool_)
    right = np.array(
        [gold.accepts_words(pair) for pair, has in zip(pairs, kept, strict=True) if has], np.bool_
    )
    e, f, keys = e[kept], f[kept], keys[kept]
    p, q = there.learned_probability(e, f), back.learned_probability(f, e)
    frequency = task.source.frequency[e], task.target.frequency[f]
    prior = np.zeros((len(e), len(Feature)))
    of_evidence = pair_keys(evidence.source, evidence.target)
    rows = np.searchsorted(of_evidence, keys)
    rows[rows == len(of_evidence)] = 0
    found = of_evidence[rows] == keys
    prior[found] = evidence.features[rows[found]]
    features = compute_word_features(p, q, frequency)
    known = np.zeros(len(e))
    for feature, coefficient in KNOWN.items():
        known += coefficient * prior[:, feature]
        prior[:, feature] = 0
    below, above = measure_certainty(learned.translated)
    certainty = below * features[:, CERTAIN], above * features[:, CERTAIN]
    weight = 1 / max(1, right.sum())
    return Examples(np.hstack([features, *certainty, prior]), right, known, weight)


def collect_phrases(learned: Learned, gold: Gold, coefficients: Floats) -> tuple[Examples, Mask]:
    """Return the candidate pairs of a run that are new and may be delivered, and which of them are
    of single words."""
    task, pairs = learned.task, learned.pairs
    of_words, certainty, of_evidence = split_coefficients(coefficients)
    of_words += measure_certainty(learned.translated) @ certainty
    evidence = learned.evidence
    odds = Counts(evidence.source, evidence.target, evidence.features @ of_evidence)
    features = compute_phrase_features(
        task._replace(odds=odds),
        learned.models,
        ScoredPairs.of(task, pairs, learned.log_qq),
        learned.translated,
        of_words,
    )
    kept = features[:, 1] >= LEAST_COVERAGE
    if gold.wanted:
        kept &= gold.wanted[0][pairs.source] & gold.wanted[1][pairs.target]
    kept &= ~task.constraints.given.contains(pairs.source, pairs.target)
    places = np.flatnonzero(kept)
    names = [(task.source[pairs.source[n]], task.target[pairs.target[n]]) for n in places]
    is_new = np.array([e != f for e, f in names], np.bool_)
    right = np.array([gold.accepts_phrases(pair) for pair in names], np.bool_)
    places = places[is_new]
    lengths = task.source.lengths[pairs.source[places]], task.target.lengths[pairs.target[places]]
    right = right[is_new]
    examples = Examples(features[places], right, np.zeros(len(places)), 1 / max(1, right.sum()))
    return examples, find_single_words(lengths)


def split_coefficients(coefficients: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the coefficients of the word features, of certainty, and of the evidence."""
    first, second = len(WORD_COEFFICIENTS), 2 * len(CERTAIN)
    of_words, fitted, of_evidence = np.split(coefficients.copy(), [first, first + second])
    certainty = np.zeros_like(WORD_CERTAINTY)
    certainty[:, CERTAIN] = fitted.reshape(2, -1)
    for feature, coefficient in KNOWN.items():
        of_evidence[feature] = coefficient
    return of_words, certainty, of_evidence


def fit_logistic(sets: list[Examples], penalty: float) -> Floats:
    """Fit a logistic regression; the right pairs of every set have the same weight together."""
    features = np.concatenate([each.features for each in sets])
    right = np.concatenate([each.right for each in sets])
    known = np.concatenate([each.known for each in sets])
    weights = np.concatenate([np.full(len(each.right), each.weight) for each in sets])

    def loss(coefficients: Floats) -> float:
        odds = features @ coefficients + known
        lost = weights @ (np.logaddexp(0, odds) - right * odds)
        return float(lost + penalty * coefficients @ coefficients / 2)

    def slopes(coefficients: Floats) -> Floats:
        predicted = expit(features @ coefficients + known)
        slopes: Floats = features.T @ (weights * (predicted - right)) + penalty * coefficients
        return slopes

    def curvature(coefficients: Floats) -> Floats:
        predicted = expit(features @ coefficients + known)
        weighted = features * (weights * predicted * (1 - predicted))[:, None]
        curvature: Floats = weighted.T @ features + penalty * np.eye(features.shape[1])
        return curvature

    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=slopes, hess=curvature, method="trust-exact")
    coefficients: Floats = found.x
    return coefficients


if __name__ == "__main__":
    main()
