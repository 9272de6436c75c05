"""`accord adapt`: translation with a table of another domain and non-parallel text."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from accord.errors import AccordError, InputError
from accord.experiments.artificial import plant
from accord.translate.adaptation.inputs import AdaptationPlan, read_outside_table, seed_from_links
from accord.translate.table_training import LinkedPair
from tests.conftest import Run, tab_separated

pytest.importorskip("sacrebleu")


def test_the_words_of_a_table_are_the_seed() -> None:
    pairs = [
        LinkedPair("a b", "x y", [(0, 0), (1, 1)]),
        LinkedPair("a", "x", [(0, 0)]),
        LinkedPair("a", "z", [(0, 0)]),
        LinkedPair("c d", "w", []),
    ]
    assert seed_from_links(pairs) == [("a", "x"), ("a", "z"), ("b", "y")]
    many = [*pairs, *[LinkedPair("a", "x", [(0, 0)])] * 3]
    assert seed_from_links(many) == [("a", "x"), ("b", "y")]
    assert seed_from_links([LinkedPair("c d", "w", [])]) == []


def test_tables_of_another_domain(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("\nDas Haus\tthe house\n \nHaus\thouse\n\n")
    assert read_outside_table(tmp_path / "t") == [
        LinkedPair("das haus", "the house", []),
        LinkedPair("haus", "house", [(0, 0)]),
    ]
    (tmp_path / "m").write_text("das Haus ||| the house ||| 1 1 1 1 ||| 0-0 1-1 ||| 1 1 1 |||\n")
    assert read_outside_table(tmp_path / "m") == [
        LinkedPair("das haus", "the house", ((0, 0), (1, 1)))
    ]
    (tmp_path / "t").write_text("CAFE\u0301\tO\u0308l\n", encoding="utf-8")
    assert read_outside_table(tmp_path / "t") == [LinkedPair("caf\u00e9", "\u00f6l", [(0, 0)])]
    (tmp_path / "t").write_text("one column\n")
    with pytest.raises(InputError, match="line 1: expected two phrases with a tab between them"):
        read_outside_table(tmp_path / "t")
    (tmp_path / "t").write_text("")
    with pytest.raises(InputError, match="t: expected phrase pairs, found none"):
        read_outside_table(tmp_path / "t")
    with pytest.raises(InputError, match=r"standard input \(-\): expected a file, as the table is"):
        read_outside_table(Path("-"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("table", "a b\tx y\n", "table: expected pairs of single words or word links, which"),
        ("table", "q\tr\n", "table: none of its 1 entries has its words in both corpora"),
        ("words", "", "words: expected sentences, one per line, found no word"),
        ("words", "x\n", "words: expected sentences of 2 or more words, which 4-grams need"),
    ],
)
def test_errors_name_what_was_given(tmp_path: Path, name: str, text: str, message: str) -> None:
    for file, lines in (("table", "a\tx\n"), ("s", "a b\n"), ("t", "x y\n"), ("words", "x y z\n")):
        (tmp_path / file).write_text(lines)
    (tmp_path / "pairs.tsv").write_text("a\tx\n")
    (tmp_path / name).write_text(text)
    table, s, t, pairs, words = (
        tmp_path / file for file in ("table", "s", "t", "pairs.tsv", "words")
    )
    plan = AdaptationPlan(
        outside=table,
        source_text=s,
        target_text=t,
        dev=[pairs],
        test=[pairs],
        lm_text=words,
        languages=("en", "de"),
        iterations=1,
        min_count=1,
        max_words=2,
        order=4,
    )

    def read() -> None:
        plan.read(print)
        plan.train_language_model()

    with pytest.raises(InputError, match=f"^{tmp_path / message}"):
        read()


def test_sacrebleu_is_required_before_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    none = Path("none")
    plan = AdaptationPlan(
        outside=none,
        source_text=none,
        target_text=none,
        dev=[none],
        test=[none],
        lm_text=none,
        languages=("en", "de"),
    )
    with pytest.raises(InputError, match="none: no such file"):
        plan.read(print)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(AccordError, match="BLEU needs sacrebleu: pip install"):
        plan.read(print)


def test_the_command(accord: Run, tmp_path: Path) -> None:
    planted = plant(words=120, phrases=500, noise=0, random=5)
    first, rest = planted.gold[:40], planted.gold[40:]
    held, inside = rest[:60], rest[60:]
    (tmp_path / "outside.tsv").write_text(tab_separated([*planted.lexicon[:40], *first]))
    for name, side in (("s.txt", 0), ("t.txt", 1)):
        lines = sorted(pair[side] for pair in inside)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "test.tsv").write_text(tab_separated(held[1::2]))
    # Word vectors are trained on each language separately.
    rows = np.random.default_rng(0).normal(size=(len(planted.lexicon), 20)).round(3).tolist()
    for name, side in (("s.vec", 0), ("t.vec", 1)):
        pairs = zip(planted.lexicon, rows, strict=True)
        vectors = (" ".join(map(str, [pair[side], *row])) for pair, row in pairs)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in vectors))
    command = (
        *("adapt", "--table", "outside.tsv", "s.txt", "t.txt"),
        *("--test", "test.tsv", "--source-lang", "en", "--target-lang", "de"),
        *("--source-vectors", "s.vec", "--target-vectors", "t.vec"),
        *("--iterations", 2, "--min-count", 1, "--out", "out"),
    )
    # A development set may be two files with equally many lines.
    dev = [[f"{pair[side]}\n" for pair in held[::2]] for side in (0, 1)]
    (tmp_path / "dev.en").write_text("".join(dev[0]))
    (tmp_path / "dev.de").write_text("".join(dev[1][1:]))
    done = accord(*command, "--dev", "dev.en", "--dev", "dev.de")
    assert done.returncode == 2
    assert "dev.en and dev.de: expected the same number of lines, found 30 and 29" in done.stderr
    (tmp_path / "dev.de").write_text("".join(dev[1]))
    done = accord(*command, "--dev", "dev.en", "--dev", "dev.de", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    bleu = {(row["method"], row["iteration"]): row["bleu"] for row in result["rows"]}
    assert len(bleu) == 1 + 6 * 2
    assert bleu["posterior", 2] > bleu["first table", 0] + 3
    assert bleu["vectors", 1] > bleu["posterior", 1]
    assert "case:lc" in result["signature"]
    assert len(result["p_values"]) == 6
    assert result["p_values"]["first table"] < 0.2  # only thirty short sentences
    translated = accord("translate", "out", stdin=f"{held[0][0]}\n\n".encode())
    assert translated.returncode == 0, translated.stderr
    assert len(translated.stdout.splitlines()) == 2
    raw = accord("translate", "out", stdin=f"{held[0][0].upper()}.\n".encode())
    # With so little text, the decoder may move the full stop.
    assert sorted(raw.stdout.split()) == sorted([*translated.stdout.split(), "."])
    again = accord(*command, "--dev", "dev.tsv")
    assert again.returncode == 2
    assert "out: exists; replace it with --force, or choose another folder" in again.stderr
