"""Translation by Moses itself, where it is installed."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.errors import SettingError
from accord.formats.moses import escape_words, format_feature, format_path, unescape_words
from accord.system.writing import write_text
from accord.translate.decoder import Limits
from accord.translate.table import Sentence
from accord.translate.weights import Weights

PROGRAM = "moses"


def ini_lines(table: Path, lm: Path, weights: Weights, limits: Limits) -> list[str]:
    """A moses.ini that does as the decoder here."""
    return [
        *("[input-factors]", "0", "[mapping]", "0 T 0"),
        *("[distortion-limit]", str(limits.distortion), "[stack]", str(limits.stack)),
        *("[beam-threshold]", f"{limits.beam:g}", "[feature]"),
        *("UnknownWordPenalty", "WordPenalty", "PhrasePenalty", "Distortion"),
        f"{format_feature(table)} table-limit={limits.options}",
        f"KENLM name=LM0 factor=0 {format_path(lm)}",
        *weights.lines,
    ]


def with_moses(
    sentences: Sequence[Sentence],
    table: Path,
    lm: Path,
    weights: Weights,
    limits: Limits,
    threads: int,
    count: int = 0,
) -> list[str]:
    """The best translation of each sentence; or, with a count, the lines of its list of so many."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise SettingError(
            f"decoder: expected a program {PROGRAM} on the PATH, found none; install Moses, or "
            "leave --decoder out"
        )
    with TemporaryDirectory() as folder:
        ini, n_best = Path(folder) / "moses.ini", Path(folder) / "n-best"
        write_text(ini, ini_lines(table, lm, weights, limits))
        command = [program, "-f", str(ini), "-threads", str(threads)]
        if count:
            command += ["-n-best-list", str(n_best), str(count)]
        lines = "".join(escape_words(" ".join(sentence)) + "\n" for sentence in sentences)
        done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8")
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
            raise SettingError(f"decoder: {PROGRAM} failed: {said[-1]}")
        out = n_best.read_text(encoding="utf-8") if count else done.stdout
    if count:
        return [_unescaped_words(line) for line in out.splitlines()]
    return [" ".join(unescape_words(line).split()) for line in out.split("\n")[: len(sentences)]]


def _unescaped_words(line: str) -> str:
    number, words, *rest = line.split(" ||| ")
    return " ||| ".join([number, unescape_words(words), *rest])
