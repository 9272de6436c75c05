"""As many phrases a side as are wanted, out of parallel texts of which each side has one half.

They are n-grams, without digits and punctuation, the most frequent first. Where the texts have
too few, the words of real phrases in another order make up the rest: there are as many of each
length, and words are as frequent as before. The lines of a file come in random order, so that its
first ones are a random subset, and the smaller job is like the larger one.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from accord.corpus.text.tokenisers import tokenise_texts
from accord.experiments.synthesis.recipe import wanted_words
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.reading import read_lines
from accord.system.runners.threads import available_cores
from accord.system.writing import write_file, write_text
from accord.translate.extraction import Sentences, gram_texts, number_grams
from benchmarks.halves import check_origin, tell

LONGEST = 5
SIDES = "source", "target"
# Every round fills what the one before has left, because its phrases were there already.
ROUNDS = 20


def phrase_file(folder: Path, side: str, largest: int) -> Path:
    return folder / f"{side}.{largest}.txt"


def padding_file(folder: Path, side: str, largest: int) -> Path:
    return folder / f"{side}.{largest}.padded.npy"


def grow(texts: list[Path], languages: tuple[str, str], largest: int, folder: Path) -> None:
    """Files of phrases of both sides, made once."""
    folder.mkdir(parents=True, exist_ok=True)
    check_origin(folder, texts=[text.name for text in texts], languages=languages)
    for side in SIDES:
        if padding_file(folder, side, largest).exists():
            continue
        tell(f"{side} phrases")
        segment_halves(texts, languages, folder)
        sentences = Sentences.of([line for _, line in read_lines(words_file(folder, side))])
        phrases, padded = chosen_phrases(sentences, largest)
        write_text(phrase_file(folder, side, largest), phrases)
        write_file(padding_file(folder, side, largest), partial(np.save, arr=padded))


def words_file(folder: Path, side: str) -> Path:
    return folder / f"{side}.words.txt"


def segment_halves(texts: list[Path], languages: tuple[str, str], folder: Path) -> None:
    """The words of the first half of each text on the source side, of the second on the target
    side."""
    if words_file(folder, SIDES[-1]).exists():
        return
    pairs = [read_sentence_pairs([text], *languages) for text in texts]
    sides = (
        [line for source, _ in pairs for line in source[: len(source) // 2]],
        [line for _, target in pairs for line in target[len(target) // 2 :]],
    )
    for side, lines, language in zip(SIDES, sides, languages, strict=True):
        write_text(words_file(folder, side), tokenise_texts(lines, language, available_cores()))


def chosen_phrases(sentences: Sentences, largest: int) -> tuple[list[str], NDArray[np.bool_]]:
    """So many phrases in random order, and which of them are padding."""
    generator = np.random.default_rng(0)
    grams = number_grams(sentences, wanted_words(sentences), LONGEST)
    # Shuffled before they are sorted: which of the rare ones are taken is left to chance.
    shuffled = generator.permutation(len(grams.counts))
    frequent = shuffled[np.argsort(-grams.counts[shuffled], kind="stable")[:largest]]
    real = gram_texts(sentences, grams, frequent)
    phrases = real + padding(real, largest - len(real))
    order = generator.permutation(len(phrases))
    return [phrases[n] for n in order.tolist()], order >= len(real)


def padding(real: list[str], wanted: int) -> list[str]:
    """So many new phrases, or as many as there can be, of the words of real ones."""
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


def first_phrases(folder: Path, side: str, largest: int, size: int) -> Iterator[str]:
    return (line for _, line in islice(read_lines(phrase_file(folder, side, largest)), size))


def padded_phrases(folder: Path, side: str, largest: int, size: int) -> int:
    """How many of the first phrases are padding."""
    return int(np.load(padding_file(folder, side, largest))[:size].sum())


def first_seeds(
    dictionary: Path, seeds: int, folder: Path, largest: int, size: int
) -> list[tuple[str, str]]:
    """The first entries of the dictionary whose words both sides have in the smallest job, and so
    in all."""
    source, target = (
        set(chain.from_iterable(map(str.split, first_phrases(folder, side, largest, size))))
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
