"""Phrase files of any size, from parallel texts of which each side uses one half.

Phrases are n-grams without digits and punctuation, the most frequent first. If the texts have too
few, real phrases with their words in another order are added: the lengths and the frequencies of
words stay the same. The lines of a file are in random order, so that its first lines are a random
subset, and the smaller job resembles the larger one.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from accord.corpus.text.tokenisers import tokenise_texts
from accord.experiments.synthesis.recipe import find_wanted_words
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.reading import read_lines
from accord.system.runners.threads import available_cores
from accord.system.writing import write_file, write_text
from accord.translate.phrase_extraction import NumberedSentences, number_ngrams
from benchmarks.halves import check_origin, report

LONGEST = 5
SIDES = "source", "target"
# Each round replaces the phrases of the one before that existed already.
ROUNDS = 20


def phrase_file(folder: Path, side: str, largest: int) -> Path:
    return folder / f"{side}.{largest}.txt"


def padding_file(folder: Path, side: str, largest: int) -> Path:
    return folder / f"{side}.{largest}.padded.npy"


def write_phrases(
    texts: list[Path], languages: tuple[str, str], largest: int, folder: Path
) -> None:
    """Write the phrase files of both sides, unless they exist."""
    folder.mkdir(parents=True, exist_ok=True)
    check_origin(folder, texts=[text.name for text in texts], languages=languages)
    for side in SIDES:
        if padding_file(folder, side, largest).exists():
            continue
        report(f"{side} phrases")
        segment_halves(texts, languages, folder)
        sentences = NumberedSentences.of([line for _, line in read_lines(words_file(folder, side))])
        phrases, padded = choose_phrases(sentences, largest)
        write_text(phrase_file(folder, side, largest), phrases)
        write_file(padding_file(folder, side, largest), partial(np.save, arr=padded))


def words_file(folder: Path, side: str) -> Path:
    return folder / f"{side}.words.txt"


def segment_halves(texts: list[Path], languages: tuple[str, str], folder: Path) -> None:
    """Segment the first half of each text on the source side, the second on the target side."""
    if words_file(folder, SIDES[-1]).exists():
        return
    pairs = [read_sentence_pairs([text], *languages) for text in texts]
    sides = (
        [line for source, _ in pairs for line in source[: len(source) // 2]],
        [line for _, target in pairs for line in target[len(target) // 2 :]],
    )
    for side, lines, language in zip(SIDES, sides, languages, strict=True):
        write_text(words_file(folder, side), tokenise_texts(lines, language, available_cores()))


def choose_phrases(
    sentences: NumberedSentences, largest: int
) -> tuple[list[str], NDArray[np.bool_]]:
    """Return this many phrases in random order, and which of them are padding."""
    generator = np.random.default_rng(0)
    ngrams = number_ngrams(sentences, find_wanted_words(sentences), LONGEST)
    # Shuffled before sorting, so that the choice among equally rare ones is random.
    shuffled = generator.permutation(len(ngrams.counts))
    frequent = shuffled[np.argsort(-ngrams.counts[shuffled], kind="stable")[:largest]]
    real = ngrams.texts(frequent)
    phrases = real + make_padding(real, largest - len(real))
    order = generator.permutation(len(phrases))
    return [phrases[n] for n in order.tolist()], order >= len(real)


def make_padding(real: list[str], wanted: int) -> list[str]:
    """Return up to this many new phrases, with the words of real ones in another order."""
    random = Random(0)
    several = [phrase for phrase in real if " " in phrase]
    known = set(real)
    made: list[str] = []
    for _ in range(ROUNDS if several else 0):
        for phrase in random.choices(several, k=wanted - len(made)):
            words = phrase.split()
            random.shuffle(words)
            if (text := " ".join(words)) not in known:
                known.add(text)
                made.append(text)
    return made


def read_first_phrases(folder: Path, side: str, largest: int, size: int) -> Iterator[str]:
    return (line for _, line in islice(read_lines(phrase_file(folder, side, largest)), size))


def count_padding(folder: Path, side: str, largest: int, size: int) -> int:
    """Return how many of the first phrases are padding."""
    return int(np.load(padding_file(folder, side, largest))[:size].sum())


def read_seeds(
    dictionary: Path, seeds: int, folder: Path, largest: int, size: int
) -> list[tuple[str, str]]:
    """Return the first entries whose words both sides have in the smallest job, and so in all."""
    source, target = (
        set(chain.from_iterable(map(str.split, read_first_phrases(folder, side, largest, size))))
        for side in SIDES
    )
    entries = (
        line.split("\t") if "\t" in line else line.split() for _, line in read_lines(dictionary)
    )
    usable = (
        (entry[0], entry[1])
        for entry in entries
        if len(entry) == 2
        and source.issuperset(entry[0].split())
        and target.issuperset(entry[1].split())
    )
    return list(islice(usable, seeds))
