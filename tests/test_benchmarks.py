"""The benchmarks run, and report what they measured; their numbers are not checked here."""

import gzip
import json
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.experiments.artificial import plant
from accord.learning.task import Task
from accord.runs.inputs import Inputs
from accord.settings import Settings
from accord.system.runners.threads import Threads
from benchmarks import (
    accuracy,
    baselines,
    calibration,
    decisions,
    decoding,
    domains,
    export,
    halves,
    ingest,
    language_model,
    mine,
    profiler,
    query,
    review,
    scale,
    search,
    segmenting,
    sized_corpora,
    startup,
    translation,
    tuning,
    vectors,
)
from benchmarks.harness import format_rounded, name_figure, write_figures
from benchmarks.real import __main__ as real
from benchmarks.real import fit
from benchmarks.real.counting import SMOOTHING, WINDOW, CountedText, CountVectors
from benchmarks.real.mapping import ANCHORED, VECMAP, Recipe, map_vectors
from benchmarks.real.probabilities import fit_temperature, translate
from benchmarks.vectors import MappedVectors, Rows, normalise, to_unit_length


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    search.main(["--fast", "--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    for kind in ("outer", "inner"):
        for name in baselines.BASELINES:
            assert answer[kind][f"{name}_seconds_over_accord_seconds"] > 0
        assert answer[kind]["sparse_dot_topn_seconds_over_accord_iteration_seconds"] > 0
    assert answer["posterior"]["sparse_dot_topn_seconds_over_accord_with_sums_seconds"] > 0
    assert answer["posterior"]["accord_with_sums_seconds_over_accord_seconds"] > 0


def test_vectors_are_mapped_by_a_rotation() -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(50, 6)).astype(np.float32)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    turn, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    Y = (X @ turn).astype(np.float32)
    np.testing.assert_allclose(vectors.fit_rotation(X[:20], Y[:20]), turn, atol=1e-5)
    nearest = np.sort(X @ Y.T, axis=1)[:, -vectors.NEIGHBOURS :].mean(axis=1)
    np.testing.assert_allclose(vectors.average_similarity(X, Y), nearest, atol=1e-5)
    names = [f"w{n}" for n in range(50)]
    index = {name: n for n, name in enumerate(names)}
    same = {name: name for name in names}
    mapped = vectors.MappedVectors.by((index, X), (index, Y), [*same.items()][:20])
    assert mapped.translations(names) == same
    assert {*mapped.mutual()} == {*same.items()}


def test_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    decisions.main(["--fast", "--json", "--noise", "300", "--decisions", "20"])
    none, informative, random = json.loads(capsys.readouterr().out)
    assert none["decisions"] == none["accepted"] == 0
    assert none["f1"] == none["without_learning_f1"]
    for row in (informative, random):
        assert row["decisions"] == 20
        assert none["f1"] <= row["without_learning_f1"] <= 1
        assert 0 < row["f1"] <= 1
    assert informative["accepted"] < random["accepted"]


def test_translation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    figures = tmp_path / "figures.json"
    translation.main(["--json", "--figures", str(figures)])
    tables = json.loads(figures.read_text())
    rows = tables["translation_en_de"]["rows"]
    assert rows["first_table"]["unknown"].endswith("%")
    answer = json.loads(capsys.readouterr().out)
    bleu = {(row["method"], row["iteration"]): row["bleu"] for row in answer["rows"]}
    last = max(number for method, number in bleu if method == "posterior")
    assert bleu["first table", 0] < bleu["outer", 10] < bleu["posterior", last]
    assert bleu["posterior", last] < bleu["parallel text", 0]
    assert rows["parallel_text"]["bleu"] == f"{bleu['parallel text', 0]:.2f}"
    assert "case:lc" in answer["signatures"]["BLEU"]
    shown = "\n".join(translation.format_lines(answer))
    assert "| back-translation 1 |" in shown
    with pytest.raises(SystemExit, match="--text needs --outside and --work"):
        translation.main(["--text", "none.tsv"])


def test_domains_are_those_of_their_text(tmp_path: Path) -> None:
    def align(folder: Path, *sides: list[str]) -> None:
        for name, side in zip(("source", "target"), sides, strict=True):
            (folder / f"{name}.txt").write_text("\n".join(side))
        for name in ("forward", "backward"):
            (folder / f"{name}.pharaoh").write_text("0-0\n" * len(sides[0]))

    def made(
        outside: str = "u", languages: tuple[str, str] = ("en", "de"), held_out: int = 1
    ) -> bytes:
        inside = [(letter, letter * 2) for letter in "abcdef"]
        sizes = domains.Sizes(held_out, 9)
        arguments = inside, [(outside, "x")], languages, sizes, Threads(1), align
        return domains.make_domains(tmp_path / "work", *arguments).test.read_bytes()

    assert made() == made()
    others: list[dict[str, Any]] = [
        {"outside": "v"},
        {"languages": ("en", "fr")},
        {"held_out": 2},
    ]
    for other in others:
        with pytest.raises(SystemExit, match="work: holds data that is not known to come"):
            made(**other)
    (tmp_path / "work" / "origin.json").unlink()
    with pytest.raises(SystemExit, match="work: holds data that is not known"):
        made()


def test_query(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    flags = ["--fast", "--repeats", "1", "--queries", "10", "--work", str(tmp_path)]
    query.main([*flags, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["phrases"] > 2_000
    for kind in ("random", "frequent"):
        most = answer[f"{kind}_95_percent_milliseconds"]
        assert 0 < answer[f"{kind}_median_milliseconds"] <= most
    assert answer["command_seconds"] > 0
    figures = tmp_path / "figures.json"
    query.main([*flags, "--figures", str(figures)])  # the model exists already
    (table,) = json.loads(figures.read_text()).values()
    assert table["command"] == "python -m benchmarks.query --phrases 3000"
    assert set(table["rows"]) == {"command", "random", "frequent"}
    assert "command cpu seconds" in capsys.readouterr().out


def test_search_in_text(
    capsys: pytest.CaptureFixture[str], aligned_text: tuple[list[str], Path]
) -> None:
    flags, _ = aligned_text
    search.main([*flags, "--phrases", "500", "--repeats", "1"])
    assert "500 x 500 phrases" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="--text needs --source-lang"):
        search.main(["--text", "none.tsv"])


def test_search_finds_wrong_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one row lacks its best phrase, the benchmark stops."""

    def careless(product: baselines.Matrices, count: int, threads: int) -> baselines.BestPhrases:
        phrases, sums = baselines.with_scipy(product, count, threads)
        sums[-1, 0] = 0.0
        return phrases, sums

    monkeypatch.setitem(baselines.BASELINES, "scipy", careless)
    with pytest.raises(AssertionError, match="Mismatched elements"):
        search.main(["--fast", "--repeats", "1"])


def test_language_model(capsys: pytest.CaptureFixture[str]) -> None:
    language_model.main(["--words", "2000", "--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["words"] == 2000
    for name in ("training_words_per_cpu_second", "accord_words_per_second", "training_peak_mb"):
        assert answer[name] > 0


def test_language_model_finds_wrong_scores() -> None:
    language_model.check([-1.0, -2.0], [[-1.0, -2.00005]])
    with pytest.raises(SystemExit, match="the scores are not the same"):
        language_model.check([-1.0, -2.0], [[-1.0, -2.001]])


def test_export(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    export.main(["--pairs", "300", "--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["pairs"] == 300
    assert answer["accord_seconds_over_sort_and_gzip_seconds"] > 0
    figures = tmp_path / "figures.json"
    flags = ["--repeats", "1", "--to", "hunalign", "--figures", str(figures)]
    export.main(["--pairs", "300", *flags])
    assert json.loads(figures.read_text())["export"]["rows"]["hunalign_300"]["pairs"] == "300"
    assert "accord seconds" in capsys.readouterr().out


def test_review(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    arguments = ["--pairs", "300", "--actions", "4", "--work", str(tmp_path)]
    review.main([*arguments, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["pairs"] >= 300
    for name in ("decide", "undo", "paging", "matrix", "filter", "contains"):
        assert (
            0 < answer[f"{name}_median_milliseconds"] <= answer[f"{name}_95_percent_milliseconds"]
        )
    figures = tmp_path / "figures.json"
    review.main([*arguments, "--figures", str(figures)])
    rows = json.loads(figures.read_text())["review"]["rows"]
    assert rows["decide_and_the_next_pair"]["action"] == "decide, and the next pair"
    assert {"undo", "alignment_matrix"} < set(rows)
    assert "first page seconds" in capsys.readouterr().out


def test_decoding(capsys: pytest.CaptureFixture[str]) -> None:
    decoding.main(["--pairs", "500", "--sentences", "5", "--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["few_over_many"] > 0
    assert answer["mean_score_stack_100"] >= answer["mean_score_stack_10"]
    decoding.main(["--pairs", "500", "--sentences", "5", "--repeats", "1", "--stack", "20"])
    assert "sentences per cpu second stack 20" in capsys.readouterr().out


def test_export_finds_a_table_that_is_not_sorted(tmp_path: Path) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"b\na\n"))
    with pytest.raises(SystemExit, match="the table is not sorted"):
        export.time_sort(table)


def test_most_frequent_phrases() -> None:
    counts = np.array([2, 5, 1, 5, 2])
    assert halves.most_frequent(3)(counts).tolist() == [1, 3, 0]
    assert halves.with_count(2)(counts).tolist() == [0, 1, 3, 4]


def test_scale(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    flags = ["--fast", "--iterations", "2", "--threads", "1"]
    figures = tmp_path / "figures.json"
    flags += ["--figures", str(figures)]
    scale.main([*flags, "--json", "--sizes", "400", "200", "--agreement", "inner"])
    rows = json.loads(figures.read_text())["scale"]["rows"]
    assert rows["inner_400"]["phrases"] == "400"
    assert rows["inner_400"]["memory"].endswith(" GB")
    answer = json.loads(capsys.readouterr().out)
    assert [run["size"] for run in answer["runs"]] == [200, 400]
    for run in answer["runs"]:
        assert run["source_phrases"] == run["target_phrases"] == run["size"]
        assert [row["iteration"] for row in run["iterations"]] == [1, 2]
        assert run["iterations"][-1]["agreed_links"] > 0
        assert run["iterations"][-1]["lexicon_entries"] > 0
        assert run["peak_mb"] > 50
        assert set(run["shares"]) == {"search", "closer look", "matching", "update", "rest"}
    assert set(answer["exponents"]["inner"]) == {
        "exponent_of_last_iteration_seconds",
        "exponent_of_last_iteration_cpu_seconds",
        "exponent_of_peak_mb",
    }
    scale.main([*flags, "--sizes", "300", "--agreement", "posterior"])
    shown = capsys.readouterr().out
    assert "posterior agreement, 300 phrases per side (0 and 0 padded)" in shown
    assert "peak memory" in shown
    with pytest.raises(SystemExit):
        scale.main(["--text", "none.tsv", "--source-lang", "en"])


def test_scale_fits_exponents() -> None:
    assert scale.fit_exponent([10, 100, 1000], [3.0, 30.0 * 10**0.5, 3000.0]) == pytest.approx(1.5)


def test_scale_continues_after_a_process_was_killed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_isolated(task: Callable[..., Any], *arguments: object) -> Any:
        if task is scale.learn:
            raise BrokenProcessPool
        return task(*arguments)

    monkeypatch.setattr(scale, "run_isolated", run_isolated)
    scale.main(["--sizes", "100", "200", "--agreement", "inner"])
    assert "inner agreement, 200 phrases per side: killed" in capsys.readouterr().out


def test_parts_are_found_by_the_innermost_module() -> None:
    def frame_in(module: str, inside: str = "sys._getframe()") -> Any:
        space = {"__name__": module, "sys": sys, "frame_in": frame_in}
        return eval(compile(inside, module, "eval"), space)

    assert profiler.find_part(frame_in("accord.learning.search.retrieval")) == "search"
    assert (
        profiler.find_part(
            frame_in("accord.learning.posterior", "frame_in('accord.learning.search.retrieval')")
        )
        == "search"
    )
    assert profiler.find_part(frame_in("accord.learning.update", "frame_in('numpy')")) == "update"
    assert profiler.find_part(frame_in("elsewhere")) == "rest"
    assert profiler.compute_shares({"search": 3.0, "rest": 1.0}) == {"search": 0.75, "rest": 0.25}


def test_growing(tmp_path: Path) -> None:
    """Source phrases are of the first half, target phrases of the second; the rest is padding."""
    first = [("one two three four", "eins zwei drei vier"), ("one two", "eins zwei")]
    second = [("five six", "fünf sechs"), ("six seven eight, 9", "sechs sieben acht, 9")]
    text = tmp_path / "made.en-de.tsv"
    text.write_text("\n".join("\t".join(pair) for pair in first + second), encoding="utf-8")
    work = tmp_path / "work"
    sized_corpora.write_phrases([text], ("en", "de"), 20, work)
    source, target = (
        list(sized_corpora.read_first_phrases(work, side, 20, 20)) for side in sized_corpora.SIDES
    )
    assert len(source) == len(set(source)) == 20
    assert set(" ".join(source).split()) == {"one", "two", "three", "four"}
    assert set(" ".join(target).split()) == {"fünf", "sechs", "sieben", "acht"}
    # Four words have ten n-grams.
    assert sized_corpora.count_padding(work, "source", 20, 20) == 10
    assert "one two three" in source
    assert list(sized_corpora.read_first_phrases(work, "source", 20, 5)) == source[:5]
    # Four words, three pairs in two orders and three words in six: these are all.
    assert len(target) == len(set(target)) == 16
    made = sized_corpora.phrase_file(work, "source", 20).stat().st_mtime_ns
    sized_corpora.write_phrases([text], ("en", "de"), 20, work)
    assert sized_corpora.phrase_file(work, "source", 20).stat().st_mtime_ns == made
    sized_corpora.write_phrases([text], ("en", "de"), 3, work)
    assert set(sized_corpora.read_first_phrases(work, "source", 3, 3)) == {"one", "two", "one two"}
    with pytest.raises(SystemExit, match="is not known to come from these texts"):
        sized_corpora.write_phrases([text], ("de", "en"), 20, work)
    dictionary = tmp_path / "dictionary.txt"
    dictionary.write_text("two sechs\nnine acht\none\tfünf\nthree acht\n", encoding="utf-8")
    seeds = sized_corpora.read_seeds(dictionary, 2, work, 20, 20)
    assert seeds == [("two", "sechs"), ("one", "fünf")]


def test_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    accuracy.main(["--fast", "--json", "--noise", "1500"])
    rows = json.loads(capsys.readouterr().out)
    assert [(row["noise"], row["seeds"]) for row in rows] == [(1500, 20), (1500, 100)]
    noisy = rows[-1]
    assert noisy["outer_f1"] > noisy["none_forward_f1"]
    assert noisy["inner_f1"] > noisy["none_backward_f1"]
    assert noisy["posterior_f1"] > 0.7


def test_accuracy_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accuracy, "last_row", lambda *_, **__: {"f1": 0.5})
    accuracy.main(["--methods", "outer"])
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "| noise | seeds | outer f1 |"
    assert table[-1] == "| 1,500 | 100 | 0.500 |"
    accuracy.main(["--ablation", "--json", "--seeds", "50"])
    rows = json.loads(capsys.readouterr().out)
    assert rows[0] == {"without": "nothing", "50_seeds_f1": 0.5}
    accuracy.main(["--ablation"])
    assert "| context | 0.500 | 0.500 |" in capsys.readouterr().out


def test_every_part_can_be_removed() -> None:
    for settings in accuracy.WITHOUT.values():
        Settings(**settings)


def test_calibration(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calibration.main(["--fast", "--json", "--picture", str(tmp_path / "synthetic.png")])
    assert (tmp_path / "synthetic.png").read_bytes().startswith(b"\x89PNG")
    rows = json.loads(capsys.readouterr().out)
    assert [row["seeds"] for row in rows] == [20, 20, 100, 100]
    assert [row["pairs"] for row in rows[:2]] == ["phrases", "words"]
    assert 0 < rows[0]["ece"] < 0.5
    figures = tmp_path / "figures.json"
    calibration.main(["--figures", str(figures)])
    tables = json.loads(figures.read_text())
    row = tables["calibration_error"]["rows"]["word_noise_1500_seeds_100"]
    assert (row["pairs"], row["seeds"]) == ("word pairs", "100")
    assert 0 < float(row["synthetic"]) < 0.5
    assert tables["calibration"]["rows"]["synthetic_phrases"]["pairs"] == "synthetic, phrases"
    assert "| 1,500 | 100 | words |" in capsys.readouterr().out


def test_figures_that_are_written_again_replace_only_themselves(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_figures(path, "a", "first", {"x": "X"}, {"one": {"x": "1"}, "two": {"x": "2"}})
    write_figures(path, "b", "other", {"x": "X"}, {})
    write_figures(path, "a", "second", {"y": "Y"}, {"one": {"y": "3"}})
    tables = json.loads(path.read_text())
    assert tables["a"] == {
        "command": "second",
        "columns": {"x": "X", "y": "Y"},
        "rows": {"one": {"x": "1", "y": "3"}, "two": {"x": "2"}},
    }
    assert list(tables) == ["a", "b"]


def test_names_and_numbers_of_figures() -> None:
    assert name_figure("posterior, chunks of it") == "posterior_chunks_of_it"
    assert [format_rounded(n) for n in (0.04, 9.94, 9.96, 1012)] == ["0.0", "9.9", "10", "1,012"]


def test_expected_calibration_error() -> None:
    said = np.array([0.05, 0.05, 0.95, 0.95])
    evaluated = calibration.EvaluatedPairs(said, np.array([0.0, 1.0, 1.0, 1.0]))
    assert evaluated.error == pytest.approx((0.45 * 2 + 0.05 * 2) / 4)


def test_startup(capsys: pytest.CaptureFixture[str]) -> None:
    startup.main(["--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {
        "first_run_seconds",
        "second_run_seconds",
        "first_run_seconds_over_second_run_seconds",
    }


def test_ingest(capsys: pytest.CaptureFixture[str]) -> None:
    ingest.main(["--fast", "--json", "--repeats", "1", "--phrases", "2000"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["plain_loop_cpu_seconds_over_accord_cpu_seconds"] > 0
    assert answer["accord_peak_mb"] > 0
    ingest.main(["--repeats", "1", "--phrases", "10"])
    assert "pyarrow seconds" in capsys.readouterr().out


def test_segmenting(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    segmenting.main(["--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    for name in ("unicode", "regex", "expression", "moses"):
        assert answer[f"accord_mb_per_second_over_{name}_mb_per_second"] > 0
    (tmp_path / "text.txt").write_text("Ein Satz, und noch einer.\n" * 5000)
    segmenting.main(["--text", str(tmp_path / "text.txt"), "--lang", "de", "--repeats", "1"])
    assert "accord mb per second over moses" in capsys.readouterr().out


def test_ingest_writes_the_requested_number_of_lines(tmp_path: Path) -> None:
    ingest.write_synthetic_phrases(tmp_path / "made.txt", 3000)
    lines = (tmp_path / "made.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3000
    assert len(set(lines)) < 2800


def test_tuning(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "SWEEPS", {"floor": [1e-3, 1e-4], "candidates": [5]})
    tuning.main(["--fast"])
    table = capsys.readouterr().out.splitlines()
    assert table[2].startswith("| floor | 0.001 | 0.")
    assert table[4].startswith("| candidates | 5 |  | 0.")
    tuning.main(["--json"])
    assert len(json.loads(capsys.readouterr().out)) == 3


@pytest.fixture
def aligned_text(tmp_path: Path) -> tuple[list[str], Path]:
    """Synthetic sentences, translated word by word, with existing alignments: the flags
    that name them, and their lexicon."""
    planted = plant(words=200, phrases=800, noise=0)
    lexicon = planted.lexicon
    translation = dict(lexicon)
    order = np.random.default_rng(0).permutation(10 * len(planted.gold)) % len(planted.gold)
    drawn = [planted.source[number].split() for number in order]
    source = [" ".join(words) for words in drawn]
    target = [" ".join(translation[word] for word in words) for words in drawn]
    links = [" ".join(f"{i}-{i}" for i in range(len(words))) for words in drawn]
    for name, lines in [
        ("source.txt", source),
        ("target.txt", target),
        ("forward.pharaoh", links),
        ("backward.pharaoh", links),
    ]:
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    dictionary = tmp_path / "dictionary.txt"
    dictionary.write_text("\n".join("\t".join(pair) for pair in lexicon), encoding="utf-8")
    flags = ["--text", "none.tsv", "--source-lang", "xx", "--target-lang", "yy"]
    return [*flags, "--work", str(tmp_path), "--seeds", "60"], dictionary


def test_mine(
    capsys: pytest.CaptureFixture[str], aligned_text: tuple[list[str], Path], tmp_path: Path
) -> None:
    flags, dictionary = aligned_text
    arguments = [*flags, "--dictionary", str(dictionary)]
    mine.main([*arguments, "--vectors", "--chunks-alone", "--json"])
    rows = {row["method"]: row for row in json.loads(capsys.readouterr().out)}
    best, helped, vectors = rows["posterior"], rows["posterior with vectors"], rows["vectors alone"]
    assert rows["outer"]["pairs"] > 100
    assert 0 < rows["posterior, chunks of it"]["pairs"] < best["pairs"]
    assert rows["posterior of chunks alone"]["pairs"] > 0
    assert vectors["pairs"] > 0
    assert best["precision_at_1000"] > 0.8
    assert best["pairs"] > 300
    assert helped["precision_at_1000"] > 0.8
    assert best["evaluated_words"] == vectors["evaluated_words"] > 100
    assert best["p_at_1"] > 0.8 > vectors["p_at_1"]
    figures = tmp_path / "figures.json"
    mine.main([*arguments, "--methods", "posterior", "--figures", str(figures)])
    rows = json.loads(figures.read_text())["mine_xx_yy"]["rows"]
    assert float(rows["posterior"]["top_1000"]) > 0.8
    assert "posterior_chunks_of_it" in rows
    assert "| posterior |" in capsys.readouterr().out


def test_real(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    real.main(["--fast", "--json", "--methods", *real.METHODS])
    rows = {row["method"]: row for row in json.loads(capsys.readouterr().out)}
    assert [*rows] == [*real.METHODS]
    p_at_1 = {}
    for name, row in rows.items():
        words = row["words"]["any_confidence"]["all"]
        assert words["words"] > 100
        assert words["coverage"] > 0.9 if name == real.ACCORD else words["coverage"] == 1
        p_at_1[name] = words["p_at_1"]
        assert row["pairs"] > 0
    assert min(p_at_1.values()) > 0.2
    assert p_at_1["ppmi"] < p_at_1["vecmap-anchored"] < p_at_1["accord"]
    assert rows["monoses"]["yield_80"] > 10
    figures = tmp_path / "figures.json"
    real.main(["--fast", "--methods", "ppmi", "--figures", str(figures)])
    assert "artificial_seeds_80_ppmi" in json.loads(figures.read_text())["real_text"]["rows"]
    assert "| artificial | 80 | ppmi |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        real.main(["--methods", "ppmi"])
    assert "give --data and --work, or --fast" in capsys.readouterr().err


def draw_lines() -> list[list[str]]:
    """Lines of random words; some words are too rare to have a vector."""
    generator = np.random.default_rng(0)
    lines = [generator.zipf(1.5, generator.integers(1, 30)) for _ in range(60)]
    return [[f"w{number % 40}" for number in line] for line in lines]


def test_contexts_are_counted_by_side_and_distance() -> None:
    """The counts are those of plain loops, and PPMI is that of its formula."""
    lines = draw_lines()
    text = CountedText(lines)
    size = len(text.words)
    for units in (list(text.words), ["w1 w2", "w1", "w2 w1 w1", "w1 missing"]):
        expected = np.zeros((len(units), 2 * size))
        for line in lines:
            for number, words in enumerate(unit.split() for unit in units):
                for i in range(len(line) - len(words) + 1):
                    if line[i : i + len(words)] != words:
                        continue
                    for distance in range(1, WINDOW + 1):
                        for place, side in ((i - distance, 0), (i + len(words) - 1 + distance, 1)):
                            if 0 <= place < len(line) and line[place] in text.words:
                                column = side * size + text.words[line[place]]
                                expected[number, column] += 1 / distance
        counts = text.count(text.find(units), len(units))
        np.testing.assert_allclose(counts.toarray(), expected, rtol=1e-5)
        share = text.counts.toarray().sum(axis=0) ** SMOOTHING
        chance = expected.sum(axis=1, keepdims=True) * share / share.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            ppmi = np.maximum(0, np.nan_to_num(np.log(expected / chance)))
        np.testing.assert_allclose(text.compute_ppmi(counts).toarray(), ppmi, atol=1e-5)


def test_single_words_have_their_own_vector_as_phrases() -> None:
    made = CountVectors.of(draw_lines(), 8)
    words, rows = made.normalised
    np.testing.assert_allclose(made.embed([*words]), rows, atol=1e-3)


def draw_rows(size: int, dimensions: int) -> Rows:
    return normalise(np.random.default_rng(0).normal(size=(size, dimensions)).astype(np.float32))


@pytest.mark.parametrize("recipe", [VECMAP, ANCHORED, Recipe((50, 300), anchored=False)])
def test_vecmap_finds_a_rotation(recipe: Recipe) -> None:
    """From a few known words, it finds the map of all."""
    X = draw_rows(300, 10)
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(10, 10)))[0]
    Y: Rows = X @ rotation.astype(np.float32)
    seed = np.arange(12), np.arange(12)
    A, B = map_vectors(X, Y, seed, recipe)
    names = {str(number): number for number in range(len(X))}
    sides = (names, to_unit_length(X @ A)), (names, to_unit_length(Y @ B))
    found = translate(MappedVectors.of(*sides))
    np.testing.assert_array_equal(found.best, np.arange(len(X)))
    np.testing.assert_array_equal(found.matches, [np.arange(len(X))] * 2)


def test_translations_have_the_probabilities_of_a_softmax() -> None:
    X, Y = draw_rows(1_100, 5), draw_rows(900, 5)
    sides = [({str(number): number for number in range(len(rows))}, rows) for rows in (X, Y)]
    mapped = MappedVectors.of(sides[0], sides[1])
    scores = mapped.score(np.arange(len(X))).astype(np.float64) / fit_temperature(mapped)
    forward = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    product = forward * np.exp(scores) / np.exp(scores).sum(axis=0)
    found = translate(mapped)
    np.testing.assert_array_equal(found.best, forward.argmax(axis=1))
    np.testing.assert_allclose(found.probability, forward.max(axis=1), rtol=1e-3)
    e = np.flatnonzero(product.argmax(axis=0)[product.argmax(axis=1)] == np.arange(len(X)))
    np.testing.assert_array_equal(found.matches, [e, product.argmax(axis=1)[e]])
    np.testing.assert_allclose(found.products, product[found.matches], rtol=1e-3)


def test_the_fit_of_the_confidence() -> None:
    """On a planted corpus, a pair is likelier to be right with the fitted coefficients."""
    planted = plant(words=120, phrases=500, noise=200)
    given = Inputs.of(planted.source, planted.target, planted.lexicon[:30], None, 20)
    learned = fit.learn_set("planted", given)
    learned = learned._replace(task=Task(*learned.task[:3], Threads(), *learned.task[4:]))
    seed = {*planted.lexicon[:30]}
    gold = fit.Gold(
        {*planted.gold}.__contains__,
        {*planted.lexicon}.__contains__,
        lambda pair: pair not in seed,
        None,
    )
    words = fit.collect_words(learned, gold)
    assert 0 < words.right.sum() < len(words.right)
    coefficients = fit.fit_logistic([words], fit.WORD_PENALTY)
    confidence = fit.predict(words, coefficients)
    assert confidence[words.right].mean() > 0.7 > 0.2 > confidence[~words.right].mean()
    assert confidence.mean() == pytest.approx(words.right.mean(), abs=0.01)
    phrases, is_word = fit.collect_phrases(learned, gold, coefficients)
    assert len(is_word) == len(phrases.right)
    fitted = fit.fit_logistic([phrases, phrases.where(~is_word)], fit.PHRASE_PENALTY)
    confidence = fit.predict(phrases, fitted)
    assert confidence[phrases.right].mean() > confidence[~phrases.right].mean() + 0.3
