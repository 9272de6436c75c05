"""What may be imported where."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import accord

PACKAGE = Path(accord.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
# The packages, lowest first: each imports only from itself and from those before it.
LAYERS = (
    *("version", "errors", "settings"),
    *("system", "corpus", "formats", "evidence", "learning", "runs"),
    *("translate", "web", "experiments"),
    *("estimator", "accord", "cli", "__main__"),
)
# Where each heavy library may be imported: files whose path matches.
ONLY_IN = {
    "numba": "system/compiled.py",
    "rich": "cli/*",
    "typer": "cli/*",
    "ray": "system/runners/ray.py",
    "starlette": "web/review/*",
    "uvicorn": "web/review/*",
    "jinja2": "web/templates.py",
}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "accord"


MODULES = {module_of(path): path for path in FILES}


def imports_of(path: Path) -> set[str]:
    """The names of the modules that a file imports; ours without "accord."."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            package = node.module.removeprefix("accord.")
            inside = {f"{node.module}.{alias.name}".removeprefix("accord.") for alias in node.names}
            # `from accord.corpus import phrases` imports a module, not a name of the package.
            found |= {name for name in inside if name in MODULES} or {package}
    return found


def layer_of(module: str) -> int:
    return LAYERS.index(module.split(".")[0])


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_lower_layers_never_import_upper_ones(path: Path) -> None:
    own = module_of(path)
    for name in imports_of(path) & MODULES.keys():
        assert layer_of(name) <= layer_of(own), f"{own} imports {name}"


def test_modules_do_not_import_each_other_in_cycles() -> None:
    graph = {own: imports_of(path) & MODULES.keys() - {own} for own, path in MODULES.items()}
    # Raises CycleError, which names the cycle.
    assert [*TopologicalSorter(graph).static_order()]


def test_the_tree_is_a_table_of_contents() -> None:
    entries = {path.relative_to(PACKAGE).parts[0] for path in FILES}
    assert len(entries) <= 16


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_heavy_libraries_stay_in_their_files(path: Path) -> None:
    for name in imports_of(path):
        if allowed := ONLY_IN.get(name.split(".")[0]):
            assert path.relative_to(PACKAGE).match(allowed)


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_no_pickle(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "import pickle" not in text
    assert "allow_pickle=True" not in text
    assert text.count("np.load(") == text.count(", allow_pickle=False)")


def test_kernels_import_nothing_of_ours() -> None:
    ours = imports_of(MODULES["learning.search.search_kernels"]) & MODULES.keys()
    assert ours == {"system.arrays", "system.compiled"}


def test_both_parts_of_the_kernels_have_the_same_grid() -> None:
    """Compiled code is kept by file: were one to import it, a change would not reach the other."""
    from accord.learning import word_kernels as word_kernels
    from accord.learning.search import search_kernels as kernels

    assert kernels.GRID == word_kernels.GRID


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("accord", ["jinja2", "numba", "ray", "rich", "typer"]),
        ("accord.cli", ["jinja2", "numba", "numpy", "pycountry", "ray", "scipy"]),
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
    tree = ast.parse(MODULES["learning.em"].read_text(encoding="utf-8"))
    (loop,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "em_iterations"
    )
    assert loop.end_lineno is not None
    assert loop.end_lineno - loop.lineno < 50
