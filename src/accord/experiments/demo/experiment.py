"""The demo's experiment: real pairs of phrases with the pairing hidden, and noise."""

from collections import Counter
from itertools import chain
from random import Random
from typing import NamedTuple

from accord.experiments.demo.cleaning import clean_pairs
from accord.experiments.demo.languages import DemoLanguage
from accord.experiments.demo.packages import read_translations
from accord.experiments.demo.seeds import choose_seed
from accord.experiments.synthesis.experiment import TextPairs

# Of eleven pairs, five stay whole, three lose their target and three their source: on either side,
# three in eight phrases have no translation.
WHOLE, NOISE = 5, 3
RANDOM = 0


class Demo(NamedTuple):
    """What the learner is given (source, target and seed), and what is hidden from it."""

    source: list[str]
    target: list[str]
    seed: TextPairs
    gold: TextPairs

    def files(self) -> dict[str, list[str]]:
        """Return the lines of the files that `learn` reads."""
        return {
            "source.txt": self.source,
            "target.txt": self.target,
            "seed.tsv": ["\t".join(entry) for entry in self.seed],
            "gold.tsv": ["\t".join(pair) for pair in self.gold],
        }

    def count_without_evidence(self) -> int:
        """Return the number of gold pairs with a side whose words occur in no other phrase.

        Only spelling and length distinguish such a phrase from others.
        """
        source, target = (
            Counter(chain.from_iterable(set(phrase.split()) for phrase in side))
            for side in (self.source, self.target)
        )
        return sum(
            all(source[word] == 1 for word in e.split())
            or all(target[word] == 1 for word in f.split())
            for e, f in self.gold
        )


def make_demo(language: DemoLanguage) -> Demo:
    """Make the demo with English as source and this language as target."""
    pairs = clean_pairs(read_translations(language), ("en", language.code))
    return hide_pairing(pairs, choose_seed(pairs, language.code))


def hide_pairing(pairs: TextPairs, seed: TextPairs) -> Demo:
    """Separate some pairs at random, and shuffle each side.

    Pairs that are entries of the seed are left out: they are given, and would be no discovery.
    """
    random = Random(RANDOM)
    known = set(seed)
    hidden = [pair for pair in pairs if pair not in known]
    random.shuffle(hidden)
    noise = len(hidden) * NOISE // (WHOLE + 2 * NOISE)
    gold = hidden[2 * noise :]
    source = [e for e, _ in gold + hidden[:noise]]
    target = [f for _, f in gold + hidden[noise : 2 * noise]]
    random.shuffle(source)
    random.shuffle(target)
    return Demo(source, target, seed, sorted(gold))
