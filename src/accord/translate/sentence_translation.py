"""From sentences to their translations, with the decoder here or with Moses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.formats.moses import write_table
from accord.runs.export.contents import ALL, Contents
from accord.runs.export.moses import make_moses_rows
from accord.runs.folder import RunFolder
from accord.system.runners.threads import Threads, checked_threads
from accord.translate import DecoderName
from accord.translate.decoder import Decoder, DecoderLimits, n_best_lines
from accord.translate.language_model.arpa import read_arpa
from accord.translate.model_files import ModelFiles
from accord.translate.moses_decoder import MosesModel, translate_with_moses
from accord.translate.orthography import Orthography
from accord.translate.phrase_table import (
    Sentence,
    read_phrase_table,
    read_run_table,
    split_sentences,
)
from accord.translate.raw_text import RawText
from accord.translate.weights import Weights, read_weights

# Sentences are translated in blocks of so many.
BLOCK = 200


class TextOptions(NamedTuple):
    """How lines become words, and words lines again.

    The folder of `adapt` knows its languages; others have to be named.
    """

    pretokenised: bool = False  # words are space-separated, in translations, too
    source_language: str | None = None
    target_language: str | None = None
    lower: bool = False


class TranslationRequest(NamedTuple):
    """How sentences are to be translated."""

    files: ModelFiles
    limits: DecoderLimits
    decoder: DecoderName = "accord"
    top: int | None = None  # the length of n-best lists; None for the best translation only
    text: TextOptions = TextOptions()
    threads: int | None = None


class TranslationJob(NamedTuple):
    """Sentences, and what they are translated with."""

    sentences: Sequence[Sentence]
    request: TranslationRequest
    weights: Weights
    raw: RawText | None = None  # if translations are written as text, and not as words

    @classmethod
    def read(cls, lines: Iterable[str], request: TranslationRequest) -> "TranslationJob":
        """Read the weights, and prepare the sentences. The lines are read last."""
        files, text = request.files, request.text
        prepare: Callable[[str], str] = str
        source, target, lower = text.source_language, text.target_language, text.lower
        orthography = Orthography()
        if files.results:
            (source, target), lower = files.read_languages(), True
            orthography = files.read_orthography()
        if source:
            prepare = Preparation(source, lower, pretokenised=text.pretokenised)
        weights = read_weights(files.weights) if files.weights else Weights()
        if text.pretokenised or not target:
            return cls(split_sentences(lines, prepare), request, weights)
        raw = RawText.of(lines, orthography, target)
        return cls(raw.split(prepare), request, weights, raw)

    def list_sources(self) -> list[str]:
        """Return the words of each sentence, with what is not translated."""
        sources = [" ".join(sentence) for sentence in self.sentences]
        if self.raw is None:
            return sources
        return [line.restore(words) for line, words in zip(self.raw.lines, sources, strict=True)]

    def translate(self, translated: Callable[[int], object] = lambda _: None) -> Iterator[str]:
        """Yield the translation of each sentence; with `top`, the lines of its n-best list.

        `translated` is called with the number of sentences just done.
        """
        moses = self.request.decoder == "moses"
        lines = self._translate_with_moses() if moses else self._translate(translated)
        if self.raw is None:
            return lines
        if self.request.top:
            return map(self.raw.restore_n_best, lines)
        return map(self.raw.write, count(), lines)

    def _translate(self, translated: Callable[[int], object]) -> Iterator[str]:
        files, top = self.request.files, self.request.top
        runner = Threads(self.request.threads)
        if files.is_run:
            table = read_run_table(files.pairs, self.sentences)
        else:
            table = read_phrase_table(files.pairs, self.sentences, files.back_off)
        decoder = Decoder(table, read_arpa(files.lm), self.weights, self.request.limits)
        for first in range(0, len(self.sentences), BLOCK):
            some = self.sentences[first : first + BLOCK]
            for number, best in enumerate(decoder.translate(some, runner, top or 1), first):
                if top:
                    yield from n_best_lines(number, best, has_back_off=table.has_back_off)
                else:
                    yield best[0].words
            translated(len(some))

    def _translate_with_moses(self) -> Iterator[str]:
        request, files = self.request, self.request.files
        with TemporaryDirectory() as folder:
            table = files.pairs
            if files.is_run:
                table = Path(folder) / "table.gz"
                write_table(table, make_moses_rows(Contents(RunFolder(files.pairs), ALL)))
            workers = checked_threads(request.threads)
            model = MosesModel(table, files.lm, self.weights, request.limits, files.back_off)
            yield from translate_with_moses(self.sentences, model, workers, request.top or 0)
