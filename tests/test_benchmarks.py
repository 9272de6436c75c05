"""The benchmarks run, and say what they measured; their numbers are not judged here."""

import json

import pytest

from benchmarks import search, seeds, startup, tuning


def test_search(capsys: pytest.CaptureFixture[str]) -> None:
    search.main(["--fast", "--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    for kind in ("outer", "inner"):
        assert answer[kind]["sparse_dot_topn_seconds_over_accord_iteration_seconds"] > 0
    search.main(["--repeats", "1"])
    assert "3,000 x 3,000 phrases" in capsys.readouterr().out


def test_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    seeds.main(["--fast", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [(row["noise"], row["seeds"]) for row in rows] == [
        (0, 20),
        (0, 100),
        (1500, 20),
        (1500, 100),
    ]
    noisy = rows[-1]
    assert noisy["outer_f1"] > noisy["none_forward_f1"]
    assert noisy["inner_f1"] > noisy["none_backward_f1"]


def test_seeds_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        seeds, "row", lambda _, noise, size: {"noise": noise, "seeds": size, "f1": 0.5}
    )
    seeds.main([])
    assert "| 1,500 | 100 | 0.500 |" in capsys.readouterr().out


def test_startup(capsys: pytest.CaptureFixture[str]) -> None:
    startup.main(["--json", "--repeats", "1"])
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {
        "first_run_seconds",
        "second_run_seconds",
        "first_run_seconds_over_second_run_seconds",
    }


def test_tuning(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "SWEEPS", {"floor": [1e-3, 1e-4], "candidates": [5]})
    tuning.main(["--fast"])
    table = capsys.readouterr().out.splitlines()
    assert table[2].startswith("| floor | 0.001 | 0.")
    assert table[4].startswith("| candidates | 5 |  | 0.")
    tuning.main(["--json"])
    assert len(json.loads(capsys.readouterr().out)) == 3
