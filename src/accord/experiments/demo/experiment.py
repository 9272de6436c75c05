"""The demo's experiment: real pairs of phrases, the pairing hidden, half of the strings noise."""

from collections import Counter
from itertools import chain
from random import Random
from typing import NamedTuple

from accord.experiments.demo.cleaning import phrase_pairs
from accord.experiments.demo.languages import Language
from accord.experiments.demo.packages import translations
from accord.experiments.demo.seeds import seed_of
from accord.experiments.synthesis.experiment import Pairs

# Of eleven pairs five stay whole, three lose their target and three their source: of the phrases
# of either side, three in eight have no translation on the other.
WHOLE, NOISE = 5, 3
RANDOM = 0


class Demo(NamedTuple):
    """What the learner gets, source, target and seed, and what is hidden from it."""

    source: list[str]
    target: list[str]
    seed: Pairs
    gold: Pairs

    def files(self) -> dict[str, list[str]]:
        """The lines of the files that `learn` reads."""
        return {
            "source.txt": self.source,
            "target.txt": self.target,
            "seed.tsv": ["\t".join(entry) for entry in self.seed],
            "gold.tsv": ["\t".join(pair) for pair in self.gold],
        }

    def without_evidence(self) -> int:
        """How many true pairs have a side whose words occur in no other phrase.

        Only spelling and length tell such a phrase from others.
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


def demo_of(language: Language) -> Demo:
    """The demo with English as source and this language as target."""
    pairs = phrase_pairs(translations(language), ("en", language.code))
    return hide(pairs, seed_of(pairs, language.code))


def hide(pairs: Pairs, seed: Pairs) -> Demo:
    """Part the pairs at random, and shuffle either side by itself.

    A pair that is an entry of the seed is left out: it is given, and would be no discovery.
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
