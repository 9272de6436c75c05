"""Translation by Moses itself, if it is installed."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from accord.errors import SettingError
from accord.formats.moses import (
    BACK_OFF_NAME,
    escape_words,
    format_feature,
    format_path,
    unescape_words,
)
from accord.system.writing import write_text
from accord.translate.decoder import DecoderLimits
from accord.translate.phrase_table import BACK_OFF_SCORES, Sentence
from accord.translate.weights import Weights

PROGRAM = "moses"


class MosesModel(NamedTuple):
    """The files and settings that Moses translates with."""

    table: Path
    lm: Path
    weights: Weights
    limits: DecoderLimits
    back_off: Path | None = None

    def ini_lines(self) -> list[str]:
        """Return a moses.ini with which Moses does the same as the decoder here."""
        limits = self.limits
        table_limit = f"table-limit={limits.options}"
        back_off = []
        if self.back_off:
            feature = format_feature(self.back_off, BACK_OFF_NAME, len(BACK_OFF_SCORES))
            back_off = [f"{feature} {table_limit}"]
        return [
            "[input-factors]",
            "0",
            "[mapping]",
            "0 T 0",
            # The second table is used for single words that the first one does not have.
            *(["1 T 1", "[decoding-graph-backoff]", "0", "1"] if back_off else []),
            "[distortion-limit]",
            str(limits.distortion),
            "[stack]",
            str(limits.stack),
            "[beam-threshold]",
            f"{limits.beam:g}",
            "[feature]",
            "UnknownWordPenalty",
            "WordPenalty",
            "PhrasePenalty",
            "Distortion",
            f"{format_feature(self.table)} {table_limit}",
            *back_off,
            f"KENLM name=LM0 factor=0 {format_path(self.lm)}",
            *self.weights.format_lines(has_back_off=bool(back_off)),
        ]


def translate_with_moses(
    sentences: Sequence[Sentence], model: MosesModel, threads: int, count: int = 0
) -> list[str]:
    """Return the best translation of each sentence; with a count, the lines of n-best lists."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise SettingError(
            f"decoder: expected a program {PROGRAM} on the PATH, found none; install Moses, or "
            "leave --decoder out"
        )
    with TemporaryDirectory() as folder:
        ini, n_best = Path(folder) / "moses.ini", Path(folder) / "n-best"
        write_text(ini, model.ini_lines())
        command = [program, "-f", str(ini), "-threads", str(threads)]
        if count:
            command += ["-n-best-list", str(n_best), str(count)]
        lines = "".join(escape_words(" ".join(sentence)) + "\n" for sentence in sentences)
        done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8")
        if done.returncode:
            messages = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
            raise SettingError(f"decoder: {PROGRAM} failed: {messages[-1]}")
        out = n_best.read_text(encoding="utf-8") if count else done.stdout
    if count:
        return [_unescape_n_best(line) for line in out.splitlines()]
    return [" ".join(unescape_words(line).split()) for line in out.split("\n")[: len(sentences)]]


def _unescape_n_best(line: str) -> str:
    """Return a line of an n-best list with its words unescaped."""
    number, words, *rest = line.split(" ||| ")
    return " ||| ".join([number, unescape_words(words), *rest])
