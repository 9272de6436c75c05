"""Plain-text formats: any phrase is written and read back, or counted as left out."""

import gzip
import shutil
import subprocess
from collections.abc import Callable, Iterable
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError, OutputError
from accord.formats import bicleaner, bitextor, eflomal, fast_align, hunalign, moses, muse
from accord.formats.records import LanguageCodes, LeftOut, Record

HARD = ["|||", "@", "@V", "@é", "&amp;", "&bar;", "<s>", '"', "'", "[X]", "NULL", "<NULL>", "=1+1"]
HARD += ["\t", "\n", " ", "  ", "\r", "\x00", "\x1f", "\x85", "\u2028", "\xa0", "\u200f", "\ufeff"]
HARD += ["e\u0301", "שלום", "\ud800", "🙂", "a|||b", "||||"]
PHRASES = st.lists(st.sampled_from(HARD) | st.text(max_size=4), max_size=4).map(" ".join)
WORDS = PHRASES | st.text(max_size=5)
RECORDS = st.lists(
    st.builds(Record, WORDS, WORDS, *[st.floats(0.0, 1.0)] * 3, st.just(((0, 0),))), max_size=6
)

Pair = tuple[str, str]
Writer = Callable[[Path, Iterable[Record], LanguageCodes], LeftOut]


def lines_of(path: Path) -> list[str]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode().split("\n")[:-1]


def read_parallel(path: Path) -> list[Pair]:
    """Read like fast_align and eflomal."""
    return [(e, f) for e, f in (line.split(" ||| ") for line in lines_of(path))]


def read_extract(path: Path) -> list[Pair]:
    return [record[:2] for record in moses_pairs(path)]


def moses_pairs(path: Path) -> list[Record]:
    columns = [line.split(" ||| ") for line in lines_of(path)]
    assert all(len(fields) == 3 for fields in columns)
    return [Record(moses.unescape_words(e), moses.unescape_words(f)) for e, f, _ in columns]


def read_hunalign(path: Path) -> list[Pair]:
    """Read like hunalign: bytes, white space of C, and any token of up to two bytes with @."""
    pairs = []
    for line in path.read_bytes().split(b"\n")[:-1]:
        sides: tuple[list[bytes], list[bytes]] = [], []
        side = 0
        for token in line.split():
            if len(token) <= 2 and token.startswith(b"@"):
                side = 1
            else:
                sides[side].append(token)
        target, source = (b" ".join(side).decode() for side in sides)
        pairs.append((source, target))
    return pairs


def read_bitextor(path: Path) -> list[Pair]:
    head, *lines = (line.split("\t") for line in lines_of(path))
    assert head == ["xx", "yy"]
    return [(e, f) for e, f in lines]


def read_eflomal(path: Path) -> list[Pair]:
    return [(e, f) for _, e, f, _ in (line.split("\t") for line in lines_of(path))]


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (muse.write_muse, lambda path: [record[:2] for record in muse.read_muse(path)]),
        (fast_align.write_fast_align, read_parallel),
        (moses.write_extract, read_extract),
        (hunalign.write_hunalign, read_hunalign),
        (bitextor.write_bitextor, read_bitextor),
        (eflomal.write_eflomal, read_eflomal),
    ],
)
@given(records=RECORDS)
def test_any_phrase_comes_back_or_is_counted(
    write: Writer, read: Callable[[Path], list[Pair]], records: list[Record]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        left_out = write(path, records, ("xx", "yy"))
        back = read(path)
    assert len(back) == len(records) - left_out.total()
    given = [record[:2] for record in records]
    assert not set(back) - set(given)
    if not left_out:
        assert sorted(back) == sorted(given)


@pytest.mark.parametrize("write", [muse.write_muse, moses.write_extract])
def test_plain_words_are_not_left_out(write: Writer, tmp_path: Path) -> None:
    words = ["a|b", "@", "|||", "&amp;", "<s>", "[X]", "'", '"', "e\u0301", "🙂", "שלום", "=1+1"]
    records = [Record(word, word[::-1]) for word in words]
    assert not write(tmp_path / "out", records, ("", ""))


@pytest.mark.parametrize(
    ("write", "record", "reason"),
    [
        (muse.write_muse, Record("a b", "c"), "the format holds only single words"),
        (muse.write_muse, Record("a\tb", "c"), "they are not Unicode words with single spaces"),
        (muse.write_muse, Record("\ud800", "c"), "they are not Unicode words with single spaces"),
        (muse.write_muse, Record("", "c"), "they are not Unicode words with single spaces"),
        (hunalign.write_hunalign, Record("a @ b", "c"), "words such as @ separate"),
        (hunalign.write_hunalign, Record("a", "@N c"), "words such as @ separate"),
        (fast_align.write_fast_align, Record("a ||| b", "c"), "||| separates"),
        (eflomal.write_eflomal, Record("<NULL>", "c"), "<NULL> is its name for the empty word"),
        (bitextor.write_bitextor, Record("a", "b c"), "the format holds only single words"),
    ],
)
def test_pairs_are_left_out_for_a_reason(
    write: Writer, record: Record, reason: str, tmp_path: Path
) -> None:
    left_out = write(tmp_path / "out", [record, Record("x", "y")], ("", ""))
    ((found, count),) = left_out.items()
    assert found.startswith(reason)
    assert count == 1
    assert "x" in (tmp_path / "out").read_text(encoding="utf-8")


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_moses_tables_come_back(pairs: list[Pair]) -> None:
    plain = [
        (e, f)
        for e, f in pairs
        if all(
            p and p == " ".join(p.split()) and p[0] != "\ufeff" and "\ud800" not in p
            for p in (e, f)
        )
        and all(p.encode(errors="ignore").decode() == p for p in (e, f))
    ]
    rows = [moses.TableRow(e, f, (0.25, 0.5, 0.125, 1e-30), "0-0", 0.9) for e, f in plain]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.gz"
        moses.write_table(path, rows)
        back = [*moses.read_moses(path)]
        lines = lines_of(path)
    assert sorted(record[:2] for record in back) == sorted(plain)
    assert all(record[2:4] == (0.125, 0.25) for record in back)
    assert all(record.alignment == ((0, 0),) for record in back)
    assert all(line.count("|||") == 6 and line.count("|") == 18 for line in lines)
    assert [line.encode() for line in lines] == sorted(line.encode() for line in lines)


@given(st.text(max_size=12) | st.sampled_from(HARD))
def test_sacremoses_unescapes_what_moses_has_escaped(text: str) -> None:
    sacremoses = pytest.importorskip("sacremoses")
    assert moses.unescape_words(moses.escape_words(text)) == text
    assert sacremoses.MosesDetokenizer().unescape_xml(moses.escape_words(text)) == text
    assert sacremoses.MosesTokenizer().escape_xml(text) == moses.escape_words(text)


def test_reading_tables_of_other_programs(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text(
        "\n".join(
            [
                "das &bar; ||| the ||| 0.1 0.2 0.3 0.4 2.718 ||| 0-0 1-0 ||| 10 20 5 ||| |||",
                "",
                "haus ||| house ||| 0.5",
                "ein  ||| a ||| 0.1 0.2 0.3 0.4 |||  ||| 1 1 1",
            ]
        ),
        encoding="utf-8",
    )
    assert [*moses.read_moses(table)] == [
        Record("das |", "the", 0.3, 0.1, alignment=((0, 0), (1, 0))),
        Record("haus", "house"),
        Record("ein", "a", 0.3, 0.1),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *((line, "a line of a Moses phrase table") for line in ("a ||| b", "a b", " ||| b ||| 1")),
        ("a ||| b ||| x", "a line of a Moses phrase table"),
        ("a ||| b ||| 1 ||| 0:0", "a line of a Moses phrase table"),
        (
            "a ||| b ||| 1 ||| 1-0",
            "links between words of the phrases, from 0, found '1-0'",
        ),
        ("a b ||| c ||| 1 ||| 1-0 0-1", "links .* found '1-0 0-1'"),
    ],
)
def test_malformed_moses_tables(line: str, expected: str, tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text(f"a ||| b ||| 1\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"table, line 2: expected {expected}"):
        list(moses.read_moses(table))


def test_reading_muse(tmp_path: Path) -> None:
    file = tmp_path / "dictionary"
    file.write_text("haus house\n\ngrünes haus\tgreen  house\na\tb\n", encoding="utf-8")
    assert [record[:2] for record in muse.read_muse(file)] == [
        ("haus", "house"),
        ("grünes haus", "green house"),
        ("a", "b"),
    ]
    for line in ("a", "a b c", "a\tb\tc", "a\t "):
        file.write_text(line, encoding="utf-8")
        with pytest.raises(
            InputError, match="line 1: expected two words or two tab-separated columns"
        ):
            list(muse.read_muse(file))


def test_bicleaner_prunes_both_directions(tmp_path: Path) -> None:
    out = tmp_path / "dictionary.gz"
    records = [
        Record("haus", "house", 0.9, 0.8),
        Record("haus", "the", 0.05, 0.001),
        Record("die", "the", 0.5, 0.7),
        Record("heim", "house", 0.8, 0.05),
        Record("die", "nothing", 0.0, 0.5),
        Record("das haus", "house", 1.0, 1.0),
        Record("x", "y"),
    ]
    left_out = bicleaner.write_bicleaner(out, records, ("", ""))
    # bicleaner expects the given word second.
    assert lines_of(out) == ["house haus 0.9000000", "the die 0.5000000", "house heim 0.8000000"]
    assert lines_of(tmp_path / "dictionary.reverse.gz") == [
        "haus house 0.8000000",
        "die the 0.7000000",
        "die nothing 0.5000000",
    ]
    assert left_out == {
        "both probabilities are less than a tenth of the best for the word": 1,
        "the format holds only single words": 1,
        "their probabilities are not known": 1,
    }
    with pytest.raises(
        OutputError, match=r"bicleaner reads only gzip; choose a name that ends with \.gz"
    ):
        bicleaner.write_bicleaner(tmp_path / "dictionary", records, ("", ""))
    with pytest.raises(OutputError, match="bicleaner reads only gzip"):
        bicleaner.write_bicleaner(Path("-"), records, ("", ""))


def test_eflomal_reads_the_priors(tmp_path: Path) -> None:
    aligner = pytest.importorskip("eflomal")
    priors = tmp_path / "priors"
    records = [Record("Haus", "house", 0.64, 0.25, 0.5), Record("das", "the"), Record("l'eau", '"')]
    assert not eflomal.write_eflomal(priors, records, ("", ""))
    with priors.open(encoding="utf-8") as file:
        entries, *others = aligner.read_priors(file)
    assert entries == [("Haus", "house", 0.2), ("das", "the", 1.0), ("l'eau", '"', 1.0)]
    assert not any(others)
    links = tmp_path / "links"
    with priors.open(encoding="utf-8") as file:
        aligner.Aligner(n_samplers=1).align(
            ["das Haus\n"] * 3,
            ["house the\n"] * 3,
            links_filename_fwd=str(links),
            priors_input=file,
        )
    assert len(lines_of(links)) == 3


@pytest.mark.skipif(not shutil.which("hunalign"), reason="hunalign is not installed")
def test_hunalign_reads_the_dictionary(tmp_path: Path) -> None:
    dictionary = tmp_path / "dictionary.dic"
    hunalign.write_hunalign(dictionary, [Record("das haus", "house"), Record("x", "y")], ("", ""))
    (tmp_path / "source").write_text("das haus\nx\n", encoding="utf-8")
    (tmp_path / "target").write_text("house\ny\n", encoding="utf-8")
    command = ["hunalign", "-text", "dictionary.dic", "source", "target"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[0].startswith("das haus\thouse\t")


def test_alpha_grows_with_the_probabilities() -> None:
    strong, weak = Record("a", "b", 0.9, 0.9, 0.9), Record("a", "b", 0.9, 0.1, 0.5)
    alphas = [float(eflomal._format_prior(record).split("\t")[-1]) for record in (strong, weak)]
    assert isclose(alphas[0], 0.81)
    assert alphas[0] > alphas[1] > 0
