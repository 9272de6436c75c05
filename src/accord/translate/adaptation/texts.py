"""The two texts as sentences: language models, and which sentences are translated.

Some sentences are held out for cyclic tuning (`accord.translate.adaptation.evaluation`), and others
are the sample that back-translation uses. Both are chosen once, and written to a folder.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.errors import InputError
from accord.system.reading import read_lines
from accord.system.writing import write_text
from accord.translate import LANGUAGE_MODEL
from accord.translate.adaptation.back_translation import rank_sentences
from accord.translate.adaptation.inputs import AdaptationPlan
from accord.translate.language_model.arpa import read_arpa, write_arpa
from accord.translate.language_model.kneser_ney import train_language_model
from accord.translate.language_model.training_text import read_training_text
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import Sentence, split_sentences

BACKWARD_MODEL = "backward.arpa"
SIDES = "source", "target"
# Sentences of each text that cyclic tuning uses, at most; and the greatest share of the text.
HELD_OUT, HELD_OUT_SHARE = 1_000, 0.1
# Lines that are prepared at a time.
BLOCK = 10_000


class Texts(NamedTuple):
    """Both texts, source language first."""

    models: tuple[LanguageModel, LanguageModel]  # of the target language, and of the source
    held_out: tuple[list[Sentence], list[Sentence]]
    sample: tuple[list[Sentence], list[Sentence]]

    @classmethod
    def read(cls, folder: Path) -> "Texts":
        """Read what `write_texts` has written."""

        def read_both(name: str) -> tuple[list[Sentence], list[Sentence]]:
            source, target = (
                split_sentences(line for _, line in read_lines(folder / f"{name}.{side}.txt"))
                for side in SIDES
            )
            return source, target

        models = read_arpa(folder / LANGUAGE_MODEL), read_arpa(folder / BACKWARD_MODEL)
        return cls(models, read_both("held-out"), read_both("sample"))


def write_texts(plan: AdaptationPlan, folder: Path) -> None:
    """Train the language models, and choose the sentences."""
    models = (LANGUAGE_MODEL, plan.lm_text, 1), (BACKWARD_MODEL, plan.texts[0], 0)
    held_out = [_choose_sentences(plan, side, folder) for side in (0, 1)]
    for name, path, side in models:
        model = _train(plan, path, side, held_out[side])
        write_arpa(folder / name, model)


def _choose_sentences(plan: AdaptationPlan, side: int, folder: Path) -> list[Sentence]:
    """Write the sentences of a text that are held out, and the sample; return the former."""
    path, prepare = plan.texts[side], plan.preparations[side]
    ranked = rank_sentences(_read_sentences(path, prepare))
    size = min(HELD_OUT, int(HELD_OUT_SHARE * len(ranked))) if plan.is_cyclic else 0
    if plan.is_cyclic and not size:
        raise InputError(
            f"{path}: expected at least {1 / HELD_OUT_SHARE:.0f} sentences to tune on, found "
            f"{len(ranked)}; give more text, or sentence pairs to tune on"
        )
    held_out, sample = ranked[:size], ranked[size:][: plan.sample]
    for name, sentences in (("held-out", held_out), ("sample", sample)):
        write_text(folder / f"{name}.{SIDES[side]}.txt", map(" ".join, sentences))
    return held_out


def _train(
    plan: AdaptationPlan, path: Path, side: int, held_out: Sequence[Sentence]
) -> LanguageModel:
    """Train a language model, without sentences that are held out: they would be too probable."""
    prepare, left_out = plan.preparations[side], {"", *map(" ".join, held_out)}

    def prepare_lines(block: str) -> str:
        lines = prepare(block).split("\n")
        return "".join(f"{line}\n" for line in lines if line not in left_out)

    return train_language_model(read_training_text([path], prepare=prepare_lines), plan.order)


def _read_sentences(path: Path, prepare: Preparation) -> Iterator[str]:
    """Yield the lines of a text as space-separated words."""
    lines = (f"{line}\n" for _, line in read_lines(path))
    while block := "".join(islice(lines, BLOCK)):
        yield from prepare(block).split("\n")
