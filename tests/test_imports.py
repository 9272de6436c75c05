"""What may be imported where."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import accord
from accord.system.compiled import SOURCES

PACKAGE = Path(accord.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
# The packages, lowest first: each imports only from itself and from those before it.
LAYERS = (
    *("version", "errors", "settings"),
    *("system", "corpus", "formats", "evidence", "learning", "runs"),
    *("translate", "web", "experiments"),
    *("estimator", "api", "accord", "cli", "__main__"),
)
# Where each heavy library may be imported: files whose path matches.
ONLY_IN = {
    "numba": "system/compiled.py",
    "rich": "cli/*",
    "typer": "cli/*",
    "filelock": "system/locks.py",
    "psutil": "system/memory.py",
    "threadpoolctl": "system/blas.py",
    "ray": "system/runners/ray.py",
    "starlette": "web/review/*",
    "uvicorn": "web/review/*",
    "jinja2": "web/templates.py",
}
# Modules of the standard library that Windows does not have.
UNIX_ONLY = ["fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"]


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
    assert len(entries) <= 17


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


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*_kernels.py")), ids=module_of)
def test_changes_in_what_kernels_import_are_noticed(path: Path) -> None:
    """Compiled code is kept with a hash of these files, and with the fields of named tuples."""
    hashed = {module_of(source) for pattern in SOURCES for source in PACKAGE.glob(pattern)}
    named_tuples = {"learning.model.word_order"}
    assert imports_of(path) & MODULES.keys() <= hashed | named_tuples


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


def test_the_commands_start_without_the_modules_of_unix() -> None:
    """As on Windows: every module can be imported, and the help be read."""
    names = sorted(f"accord.{name}".removesuffix(".accord") for name in MODULES)
    code = f"""
import importlib, sys
import psutil  # has a version for each system
for name in {UNIX_ONLY}:
    sys.modules[name] = None
import accord.cli
for name in {names}:
    if name != "accord.__main__":
        importlib.import_module(name)
sys.argv = ["accord", "--help"]
accord.cli.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"mine" in done.stdout, done.stderr.decode()
    assert done.returncode == 0


def test_exported_names() -> None:
    names = "Accord AccordError InputError OutputError SettingError Settings __version__"
    functions = """
        adapt apply evaluate export extract_phrases import_seed learn list_languages load
        make_experiment mine query report reproduce_paper review run_demo select_seed
        train_language_model translate_sentences write_sample"""
    assert accord.__all__ == [*names.split(), *functions.split()]
    assert all(hasattr(accord, name) for name in accord.__all__)


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_functions_have_at_most_seven_parameters(path: Path) -> None:
    """All but the commands and the Python interface, whose parameters users give by name."""
    own = path.relative_to(PACKAGE)
    if own.match("cli/*") or own.match("api/*") or module_of(path) == "estimator":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            names = [one.arg for one in given if one.arg not in ("self", "cls")]
            assert len(names) <= 7, f"{node.name}: {', '.join(names)}"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_functions_have_at_most_sixty_lines(path: Path) -> None:
    """Without their docstrings. Kernels may be longer if they say why they are one function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            text = ast.get_docstring(node) or ""
            if path.name.endswith("_kernels.py") and re.search("one (long )?function", text):
                continue
            first = node.body[0]
            documented = (first.end_lineno or 0) - first.lineno + 1 if text else 0
            assert (node.end_lineno or 0) - node.lineno + 1 - documented <= 60, node.name


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_arguments_are_not_grouped(path: Path) -> None:
    """Calls such as `score(*(source, target), *(e, f))` hide which argument is which."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            unpacked = [given.value for given in node.args if isinstance(given, ast.Starred)]
            assert not any(isinstance(given, ast.List | ast.Tuple) for given in unpacked)


def test_em_fits_one_screen() -> None:
    tree = ast.parse(MODULES["learning.em"].read_text(encoding="utf-8"))
    (loop,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "em_iterations"
    )
    assert loop.end_lineno is not None
    assert loop.end_lineno - loop.lineno < 50
