"""Phrases with a planted lexicon: two made-up languages whose true translations are known.

Every source word has one translation. A phrase is translated word by word, and the words may
change places; noise phrases have no translation. Frequencies fall as in real text (Zipf), so that
a seed of the most frequent words says something about most phrases.
"""

from dataclasses import dataclass

import numpy as np

SOURCE_SYLLABLES = ("ka", "lo", "mi", "nu", "re", "sa", "ti", "vo", "xu", "zha")
TARGET_SYLLABLES = ("bel", "dor", "fen", "gra", "hil", "jun", "pol", "quo", "wim", "yat")


@dataclass(frozen=True)
class Planted:
    """Two corpora, the lexicon they were made with (most frequent first), and the true pairs."""

    source: list[str]
    target: list[str]
    lexicon: list[tuple[str, str]]
    gold: list[tuple[str, str]]


def plant(*, words: int, phrases: int, noise: int, longest: int = 5, random: int = 0) -> Planted:
    """`phrases` pairs, and `noise` phrases more on either side, over a lexicon of `words` words."""
    generator = np.random.default_rng(random)
    lexicon = list(
        zip(
            _made_up_words(SOURCE_SYLLABLES, words, generator),
            _made_up_words(TARGET_SYLLABLES, words, generator),
            strict=True,
        )
    )
    weights = 1 / np.arange(2, words + 2)
    weights /= weights.sum()
    used: set[tuple[int, ...]] = set()

    def new_phrase() -> list[int]:
        # Words that were a phrase before are not drawn again: their translation would be true too.
        while True:
            length = generator.integers(1, longest + 1)
            chosen = [int(word) for word in generator.choice(words, length, p=weights)]
            if tuple(sorted(chosen)) not in used:
                used.add(tuple(sorted(chosen)))
                return chosen

    def source_of(chosen: list[int]) -> str:
        return " ".join(lexicon[word][0] for word in chosen)

    def target_of(chosen: list[int]) -> str:
        return " ".join(lexicon[word][1] for word in generator.permutation(chosen))

    drawn = (new_phrase() for _ in range(phrases))
    gold = [(source_of(chosen), target_of(chosen)) for chosen in drawn]
    source = [e for e, _ in gold] + [source_of(new_phrase()) for _ in range(noise)]
    target = [f for _, f in gold] + [target_of(new_phrase()) for _ in range(noise)]
    return Planted(source, target, lexicon, gold)


def _made_up_words(
    syllables: tuple[str, ...], count: int, generator: np.random.Generator
) -> list[str]:
    """Distinct words of the fewest syllables that suffice, in random order."""
    made = list(syllables)
    while len(made) < count:
        made += [start + syllable for start in made for syllable in syllables]
        made = list(dict.fromkeys(made))
    return [made[number] for number in generator.permutation(len(made))[:count]]
