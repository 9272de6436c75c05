"""What may be imported where."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import accord

PACKAGE = Path(accord.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
# The layers, lowest first: a file imports only from files before it.
LAYERS = [
    *("version", "errors", "settings", "reading", "writing", "planted", "kernels"),
    *("runners", "runners.memory", "runners.threads", "runners.ray", "runners.choice"),
    *("numbering.kernels", "numbering", "phrases", "intake", "counts", "seed"),
    *("decision", "decisions", "judged", "spelling", "neighbours", "vectors", "known"),
    *("lengths", "translation", "words", "words.kernels", "words.order", "model"),
    *("pairs", "pairs.kernels"),
    *("search", "agreement", "graph", "matching", "viterbi", "confidence", "rivals"),
    *("state", "posterior"),
    *("update", "context", "em", "evaluate", "tables", "results", "quality", "uncertain", "trace"),
    *("storage", "trained", "changes", "folder", "inputs", "transfer", "learning", "applying"),
    *("querying", "querying.kernels", "querying.oneway", "querying.look"),
    *("querying.support", "querying.translator"),
    *("pages", "pages.html", "pages.pair", "pages.picture"),
    *("formats", "formats.records", "formats.lines", "formats.writable", "formats.evidence"),
    *("formats.markup", "formats.concepts", "formats.tmx", "formats.tbx", "formats.omegat"),
    *("formats.csv", "formats.parquet"),
    *("formats.glosses", "formats.cedict", "formats.freedict", "formats.stardict"),
    "formats.dictionaries",
    *("formats.muse", "formats.hunalign", "formats.bicleaner", "formats.eflomal"),
    *("formats.bitextor", "formats.moses", "formats.parallel", "formats.lexical"),
    *("formats.contents", "formats.moses_run", "formats.importing"),
    *("extract", "extract.languages", "extract.boundaries", "extract.segmenters"),
    *("extract.joining", "formats.exporting"),
    *("extract.processes", "extract.linktext", "extract.wikitext", "extract.dump"),
    *("extract.html", "extract.anchors", "extract.constituents"),
    *("extract.grams.kernels", "extract.grams", "extract.text", "extract.chunks"),
    *("extract.contexts", "extract.methods", "extract.mining"),
    *("extract.usage", "extract.seeds", "extract.imports"),
    *("pages.contexts", "pages.report", "pages.report.run", "pages.report.place"),
    *("pages.report.choice", "pages.report.chart", "pages.report.curves", "pages.report.lengths"),
    *("pages.report.calibration", "pages.report.overview", "pages.report.tables"),
    *("pages.report.details", "pages.report.pairs", "pages.report.uncertain"),
    *("pages.report.whole", "pages.report.comparison"),
    *("translate", "translate.lm.kernels", "translate.lm"),
    *("translate.lm.text", "translate.lm.counting", "translate.lm.kneser_ney"),
    "translate.lm.growing",
    *("translate.lm.arpa.kernels", "translate.lm.arpa", "translate.lm.arpa.reading"),
    "translate.lm.arpa.writing",
    *("translate.weights", "translate.table", "translate.kernels", "translate.options"),
    *("translate.decoder", "translate.moses"),
    *("synthetic", "synthetic.kernels"),
    *("synthetic.extraction", "synthetic.alignment", "synthetic.sentences"),
    *("synthetic.experiment", "synthetic.recipe", "synthetic.pipeline"),
    *("translate.training", "translate.bleu", "translate.testset", "translate.tuning.kernels"),
    *("translate.tuning", "translate.adaptation", "translate.plan", "translate.evaluation"),
    *("paper", "paper.published", "paper.corpora", "paper.runs", "paper.tables"),
    "paper.findings",
    *("paper.pictures", "paper.report", "demo", "demo.languages", "demo.packages"),
    *("demo.cleaning", "demo.seeds", "demo.experiment", "demo.samples"),
    *("review", "review.kernels", "review.texts", "review.queue", "review.pairs", "review.marks"),
    *("review.estimate", "review.choosing", "review.board", "review.sending", "review.closeup"),
    *("review.guard", "review.app", "review.serving"),
    *("estimator", "accord", "cli.flags", "cli.settings", "cli.output", "cli.progress"),
    *("cli.interruption", "cli.telling", "cli.learning", "cli.query", "cli.text"),
    *("cli.importing", "cli.exporting", "cli.reporting", "cli.reviewing"),
    *("cli.decoding", "cli.translation", "cli.adapting", "cli.demonstration", "cli.experiments"),
    *("cli", "__main__"),
]
# A file of that name, or any of that folder.
ONLY_IN = {
    "numba": "kernels.py",
    "rich": "cli",
    "typer": "cli",
    "ray": "ray.py",
    "starlette": "review",
    "uvicorn": "review",
}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "accord"


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            # `from accord import kernels` is of that module, not of all that accord exports.
            modules = {name for name in inside if name.removeprefix("accord.") in LAYERS}
            found |= modules or {node.module}
    return found


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_lower_layers_never_import_upper_ones(path: Path) -> None:
    own = LAYERS.index(module_of(path))
    for name in imports_of(path):
        layer = name.removeprefix("accord.")
        if name.split(".")[0] == "accord" and layer in LAYERS:
            assert LAYERS.index(layer) < own, f"{module_of(path)} imports {layer}"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_heavy_libraries_stay_in_their_files(path: Path) -> None:
    for name in imports_of(path):
        if place := ONLY_IN.get(name.split(".")[0]):
            assert place in path.relative_to(PACKAGE).parts


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_no_pickle(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "import pickle" not in text
    assert "allow_pickle=True" not in text
    assert text.count("np.load(") == text.count(", allow_pickle=False)")


def test_kernels_import_nothing_of_ours() -> None:
    assert not [name for name in imports_of(PACKAGE / "kernels.py") if name.startswith("accord")]


def test_both_parts_of_the_kernels_have_the_same_grid() -> None:
    """Compiled code is kept by file: were one to import it, a change would not reach the other."""
    from accord import kernels
    from accord.words import kernels as word_kernels

    assert kernels.GRID == word_kernels.GRID


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("accord", ["numba", "ray", "rich", "typer"]),
        ("accord.cli", ["numba", "numpy", "pycountry", "ray", "scipy"]),
    ],
)
def test_importing_is_light(module: str, heavy: list[str]) -> None:
    """So that `accord --help` answers at once, for one."""
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_exported_names() -> None:
    names = "Accord AccordError InputError OutputError SettingError Settings __version__"
    assert accord.__all__ == names.split()
    assert all(hasattr(accord, name) for name in accord.__all__)


def test_em_fits_one_screen() -> None:
    tree = ast.parse((PACKAGE / "em.py").read_text(encoding="utf-8"))
    (loop,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "em_iterations"
    )
    assert loop.end_lineno is not None
    assert loop.end_lineno - loop.lineno < 50
