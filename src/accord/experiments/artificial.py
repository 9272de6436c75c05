"""Phrases of two artificial languages, whose lexicon is known.

Every source word has one translation. A phrase is translated word by word, in random order; noise
phrases have no translation. Word frequencies follow Zipf's law, as in real text, so that most
phrases contain a word of a seed of frequent words.
"""

from dataclasses import dataclass

import numpy as np

SOURCE_SYLLABLES = ("ka", "lo", "mi", "nu", "re", "sa", "ti", "vo", "xu", "zha")
TARGET_SYLLABLES = ("bel", "dor", "fen", "gra", "hil", "jun", "pol", "quo", "wim", "yat")


@dataclass(frozen=True)
class Planted:
    """Two corpora, the lexicon they were made with (most frequent first), and the gold pairs."""

    source: list[str]
    target: list[str]
    lexicon: list[tuple[str, str]]
    gold: list[tuple[str, str]]


def plant(*, words: int, phrases: int, noise: int, longest: int = 5, random: int = 0) -> Planted:
    """Generate `phrases` pairs and `noise` other phrases per side from a lexicon of `words`."""
    generator = np.random.default_rng(random)
    lexicon = list(
        zip(
            _make_words(SOURCE_SYLLABLES, words, generator),
            _make_words(TARGET_SYLLABLES, words, generator),
            strict=True,
        )
    )
    weights = 1 / np.arange(2, words + 2)
    weights /= weights.sum()
    used: set[tuple[int, ...]] = set()

    def new_phrase() -> list[int]:
        # No two phrases have the same words: both translations would be correct.
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


def _make_words(
    syllables: tuple[str, ...], count: int, generator: np.random.Generator
) -> list[str]:
    """Return distinct words in random order, with as few syllables as possible."""
    made = list(syllables)
    while len(made) < count:
        made += [start + syllable for start in made for syllable in syllables]
        made = list(dict.fromkeys(made))
    return [made[number] for number in generator.permutation(len(made))[:count]]
