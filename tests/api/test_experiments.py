"""The sample, the demo, and the experiments of the paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord import (
    InputError,
    OutputError,
    SettingError,
    learn,
    load,
    make_experiment,
    reproduce_paper,
    run_demo,
    write_sample,
)
from accord.experiments.artificial import plant
from accord.experiments.demo import experiment, packages
from tests.experiments.test_synthesis import parallel_text


def test_write_sample(tmp_path: Path) -> None:
    files = write_sample(tmp_path / "new")
    assert {file.name for file in files} == {path.name for path in (tmp_path / "new").iterdir()}
    assert len(files.dictionary.read_text(encoding="utf-8").splitlines()) == 60
    assert "Der" in files.german.read_text(encoding="utf-8")
    files.gold.write_text("mine", encoding="utf-8")
    for name in ("german", "english", "dictionary"):
        getattr(files, name).unlink()
    with pytest.raises(OutputError, match=r"gold\.tsv: exists"):
        write_sample(tmp_path / "new")
    write_sample(tmp_path / "new", force=True)
    assert files.gold.read_text(encoding="utf-8") != "mine"


def test_run_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_translations(_: Any) -> Iterator[tuple[str, str]]:
        made = plant(words=100, phrases=600, noise=0, longest=4)
        yield from made.gold
        yield from made.lexicon[:40]

    monkeypatch.setattr(packages, "require_packages", lambda _: None)
    monkeypatch.setattr(experiment, "read_translations", read_translations)
    monkeypatch.chdir(tmp_path)
    done = run_demo("en-de")
    run = Path("demo", "en-de", "run")
    assert Path(done.files["phrases"]) == run / "phrases.tsv"
    assert done.pairs == len(load(run).phrases_)
    assert 0.3 < done.f1 <= 1
    assert done.new_words > 20
    assert run_demo("en-de", out="demo/en-de") == done
    with pytest.raises(SettingError, match=r"pair: expected one of .* did you mean en-de"):
        run_demo("German")


def test_make_experiment(tmp_path: Path) -> None:
    source, target, links = parallel_text(600)
    names = ["e.txt", "f.txt", "links"]
    for name, lines in zip(names, (source, target, links), strict=True):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def make(**given: Any) -> Any:
        return make_experiment(
            [tmp_path / "e.txt", tmp_path / "f.txt"],
            source_lang="xx",
            target_lang="yy",
            out=tmp_path / "out",
            noise_source=20,
            noise_target=10,
            alignments=(tmp_path / "links", tmp_path / "links"),
            **{"pairs": 50, "seed_lexicon": 30} | given,
        )

    files = make()
    counts = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    assert counts == [70, 60, 30, 50]
    assert len(learn(*files[:3], gold=files.gold).phrases_) > 10
    with pytest.raises(OutputError, match="out: exists; replace it with --force"):
        make()
    for name in ("pairs", "seed_lexicon"):
        with pytest.raises(SettingError, match=f"{name}: must be at least 1, found 0"):
            make(force=True, **{name: 0})
    other = make(force=True, random=1)
    assert other == files


def test_reproduce_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="expected parallel text, found no"):
        reproduce_paper(tmp_path, tmp_path / "out", fast=True)
    asked: list[tuple[list[str], bool]] = []

    def write_results(_: Path, out: Path, sections: list[str], **given: Any) -> Path:
        asked.append((sections, given["fast"]))
        return out / "results.md"

    monkeypatch.setattr("accord.experiments.paper.report.write_results", write_results)
    assert reproduce_paper(tmp_path, tmp_path / "out") == tmp_path / "out" / "results.md"
    reproduce_paper(tmp_path, tmp_path / "out", only="seeds", fast=True)
    sections = ["seeds", "noise", "ratio", "test", "samples", "findings"]
    assert asked == [(sections, False), (["seeds"], True)]
