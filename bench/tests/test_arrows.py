# SPDX-License-Identifier: Apache-2.0
"""The arrows of the architecture, read from the checkout: who may know whom.

Bindings know the native library and nobody else; the native library knows nobody, and the generator neither; the bench
knows bindings only by what entry points say. What a file imports is read from its syntax tree (or, for Cython and C,
from its import and include lines), so that nothing needs to be built or installed for this test.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cside_suite.contract import FEATURES, NOUNS
from repository import ROOT

FOLDERS = sorted(path.parent for path in (ROOT / "bindings").glob("*/pyproject.toml"))
NAMES = [folder.name for folder in FOLDERS]
MODULES = {f"cside_{name}" for name in NAMES}

IGNORED = {"build", "dist", "__pycache__", ".nox", ".cside", ".git", ".venv"}
RUNS = "results"
"""The folder of runs at the top of the checkout; a package has this name too."""

BINDING_NAMES_IN_BENCH: dict[str, str] = {
    "bench/src/cside_bench/claims/claims.toml": "claims are made about techniques, and untestable where one is missing",
    "bench/src/cside_bench/recommend/decisions.toml": "what projects chose in public, and what experts would accept",
    "bench/src/cside_bench/recommend/rules.toml": "what is known of techniques beside measurements; others are unknown",
    "bench/src/cside_bench/results/drill_reference.json": "outcomes of changed headers with bindings, as measured",
    "bench/src/cside_bench/results/hazards_reference.json": "outcomes of mistakes made with techniques, as measured",
    "bench/src/cside_bench/site/idioms.toml": "which technique to prefer for a kind of call is said of techniques",
    "bench/src/cside_bench/summary/targets.toml": "speed targets are stated per technique, and judged if it is there",
    "bench/src/cside_bench/results/tiers.toml": "ratios refer to one binding, and a run without it names another",
}
"""Data files of the bench in which binding names may stand, and why. Code is never in this list."""

NAMES_OUTSIDE: dict[str, str] = {
    "README.md": "the result table and the sentence that says what is compared",
    "CHANGELOG.md": "the history of each binding",
    "CONTRIBUTING.md": "examples of commands",
}
"""Files at the top that may name bindings, since people read them."""

SYSTEM_HEADERS = re.compile(
    r"(assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdatomic|stdbool|stddef|stdint|stdio|"
    r"stdlib|string|strings|threads|time|cpuid|dirent|dlfcn|fcntl|ffi|pthread|sched|semaphore|unistd|x86intrin|zlib|windows|"
    r"sys/\w+)\.h"
)

PYTHON_HEADERS = re.compile(r"(Python|datetime|structmember|structseq|pythread|internal/\w+|cpython/\w+)\.h")

CPP_HEADERS = re.compile(r"[a-z_]+|cxxabi\.h")
"""The standard library of C++ has headers without a suffix; the last is that of its ABI."""
COMPILED = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".i", ".swg")

IMPORT_LINE = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\b|c?import\s+([\w., ]+))", re.MULTILINE)
EXTERN_LINE = re.compile(r"^\s*cdef\s+extern\s+from\s+[\"<]+([^\">]+)", re.MULTILINE)
INCLUDE_LINE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^\">]+)[\">]", re.MULTILINE)


def files(folder: Path, *suffixes: str) -> list[Path]:
    """Source files below a folder, nothing that a build leaves."""
    found = (path for path in sorted(folder.rglob("*")) if path.suffix in suffixes and path.is_file())
    parts = ((path, path.relative_to(ROOT).parts) for path in found)
    return [path for path, its in parts if its[0] != RUNS and not IGNORED & set(its)]


def place(path: Path) -> str:
    """Path as it is written from the top of the checkout."""
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> set[str]:
    """Top-level names of the modules that a Python or Cython file imports; relative imports stay inside."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd", ".pxi"):
        names: set[str] = set()
        for source, several in IMPORT_LINE.findall(text):
            names |= {part.split()[0] for part in (source or several).split(",") if part.strip()}
        return {name.partition(".")[0] for name in names if not name.startswith(".")}
    found: set[str] = set()
    for node in ast.walk(ast.parse(text, filename=str(path))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def named(path: Path) -> Iterator[tuple[int, str]]:
    """String constants of a Python file that are imported by name or mention a package of ours, docstrings aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # a docstring of a variable
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings | bare:
            yield node.lineno, node.value


def includes(path: Path) -> list[tuple[str, str]]:
    """``(bracket, header)`` of every include; in Cython, of every ``cdef extern from``."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd", ".pxi"):
        return [('"', header) for header in EXTERN_LINE.findall(text) if header != "*"]
    return INCLUDE_LINE.findall(text)


def mentions(text: str, module: str) -> bool:
    """Whether a text names this module, not another that begins alike."""
    return re.search(rf"(?<![\w.]){module}(?!\w)", text) is not None


def test_there_is_something_to_check() -> None:
    """The checkout has bindings, or the rest of this file would prove nothing."""
    assert FOLDERS
    assert all(name.isidentifier() for name in NAMES)


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_binding_knows_no_other_and_no_bench(folder: Path) -> None:
    """A binding imports itself, the native package, its own technique and the standard library."""
    forbidden = (MODULES - {f"cside_{folder.name}"}) | {"cside_bench", "cside_headers"}
    wrong: list[tuple[str, object]] = [
        (place(path), sorted(imported(path) & forbidden))
        for path in files(folder, ".py", ".pyi", ".pyx", ".pxd", ".pxi")
        if imported(path) & forbidden
    ]
    for path in files(folder, ".py", ".pyi"):
        wrong += [(place(path), text) for _, text in named(path) for one in sorted(forbidden) if mentions(text, one)]
    assert wrong == []


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_binding_includes_only_what_is_below_it(folder: Path) -> None:
    """It includes ``cside/…``, headers of Python, of its technique and of the system, and files of its own folder."""
    wrong = []
    for path in files(folder, *COMPILED, ".pyx", ".pxd", ".pxi"):
        for bracket, header in includes(path):
            own = bracket == '"' and any(other.name == Path(header).name for other in files(folder, *COMPILED))
            own |= header.startswith(f"{folder.name}/") or CPP_HEADERS.fullmatch(header) is not None
            if header.startswith("cside/"):
                assert (ROOT / "native" / "include" / header).is_file(), f"{place(path)} includes {header}"
            elif not (own or SYSTEM_HEADERS.fullmatch(header) or PYTHON_HEADERS.fullmatch(header)):
                wrong.append((place(path), header))
            if ".." in Path(header).parts:
                wrong.append((place(path), header))
    assert wrong == []


def lacks(declared: str, feature: str) -> bool:
    """Whether the source of a package gives a reason for lacking a feature; the conformance suite reads what it is."""
    return re.search(rf"""["']{feature}["']\]?\s*[:=]""", declared) is not None


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_binding_has_the_shape_of_all(folder: Path) -> None:
    """Distribution, module and entry points carry the folder's name, and all nouns are there that it does not lack."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module = f"cside_{folder.name}"
    assert project["name"] == f"cside-{folder.name}"
    points = project["entry-points"]["cside.bindings"]
    assert points[folder.name] == module
    for name, target in points.items():
        assert name.partition(".")[0] == folder.name
        assert target.partition(".")[0] == module
        package = folder / "src" / Path(*target.split("."))
        declared = (package / "__init__.py").read_text(encoding="utf-8")
        optional = set(NOUNS) & set(FEATURES)
        nouns = [f"{noun}.py" for noun in NOUNS if noun not in optional or not lacks(declared, noun)]
        needed = ["__init__.py"] if "." in name else ["__init__.py", *nouns, "py.typed"]
        missing = [one for one in needed if not (package / one).is_file()]  # a variant may share its parent's sources
        assert not missing, f"{place(package)} lacks {missing}"
    assert (folder / "README.md").is_file()
    assert any(one.startswith("cside-native") for one in project["dependencies"])
    others = {f"cside-{name}" for name in NAMES if name != folder.name} | {"cside-bench"}
    needs = [re.split(r"[^\w-]", one.strip())[0] for one in project["dependencies"]]
    assert not others & set(needs)


def test_the_native_package_knows_nobody() -> None:
    """``native/`` names no binding and no bench in its imports, and includes only its own and the system's headers."""
    above = MODULES | {"cside_bench", "cside_headers"}
    wrong: list[tuple[str, object]] = []
    for path in files(ROOT / "native", ".py", ".pyi"):
        wrong += [(place(path), sorted(imported(path) & above))] if imported(path) & above else []
        wrong += [(place(path), text) for _, text in named(path) for one in sorted(above) if mentions(text, one)]
    own = {other.name for other in files(ROOT / "native", ".c", ".h")} | {"present.h"}  # made as the tests are built
    for path in files(ROOT / "native", ".c", ".h"):
        for bracket, header in includes(path):
            if PYTHON_HEADERS.fullmatch(header):
                wrong.append((place(path), header))
            elif header.startswith("openssl/"):
                wrong += [] if place(path).startswith(("native/token/", "native/fuzz/")) else [(place(path), header)]
            elif not (header.startswith("cside/") or SYSTEM_HEADERS.fullmatch(header)):
                wrong += [] if bracket == '"' and Path(header).name in own else [(place(path), header)]
    assert wrong == []


def test_the_public_headers_include_only_each_other() -> None:
    """An installed header needs C's own headers and its siblings, nothing else."""
    allowed = re.compile(r"cside/\w+\.h|std(bool|def|int)\.h|pkcs11[ft]\.h")  # PKCS #11 comes in three files
    wrong = [
        (place(path), header)
        for path in files(ROOT / "native" / "include", ".h")
        for _, header in includes(path)
        if not allowed.fullmatch(header)
    ]
    assert wrong == []


def test_the_generator_knows_nobody_and_nobody_knows_it() -> None:
    """``headers/`` writes files into the other packages, finds them by folder, and is imported by none of them."""
    above = MODULES | {"cside_bench", "cside_native"}
    wrong: list[tuple[str, object]] = []
    for path in files(ROOT / "headers" / "src", ".py", ".pyi"):
        wrong += [(place(path), sorted(imported(path) & above))] if imported(path) & above else []
        wrong += [(place(path), text) for _, text in named(path) for one in sorted(MODULES) if mentions(text, one)]
    for path in files(ROOT / "bench" / "src", ".py", ".pyi"):
        wrong += [(place(path), "cside_headers")] if "cside_headers" in imported(path) else []
    assert wrong == []


def test_the_bench_imports_no_binding() -> None:
    """The bench reaches bindings by entry points: no import names one."""
    wrong = [
        (place(path), sorted(imported(path) & MODULES))
        for path in files(ROOT / "bench", ".py", ".pyi")
        if imported(path) & MODULES
    ]
    assert wrong == []


def test_the_bench_names_no_binding() -> None:
    """Nor does a string in its code: the standard library's module of a binding's name is imported, not spelled."""
    wrong: list[tuple[str, int, str]] = []
    for path in files(ROOT / "bench" / "src", ".py"):
        for line, text in named(path):
            parts = set(re.split(r"[^\w.-]+", text))
            alone = parts & {*NAMES, *MODULES, *(f"cside-{name}" for name in NAMES)}
            variants = {part for part in parts for name in NAMES if re.fullmatch(rf"{name}\.[a-z]\w*", part)}
            wrong += [(place(path), line, word) for word in sorted(alone | variants)]
    assert wrong == []


def test_data_of_the_bench_names_bindings_only_where_listed() -> None:
    """A data file in which a binding's name stands is listed with the reason, and no other file is listed."""
    words = re.compile(rf"\b({'|'.join(map(re.escape, NAMES))})\b")
    named_in = {
        place(path)
        for path in files(ROOT / "bench" / "src", ".toml", ".json", ".yaml", ".yml", ".ini", ".cfg")
        if words.search(path.read_text(encoding="utf-8"))
    }
    assert named_in == set(BINDING_NAMES_IN_BENCH)


def test_a_sixth_binding_needs_no_line_elsewhere() -> None:
    """What runs the project finds bindings by folder: its scripts and settings name none."""
    distributions = re.compile(
        rf"cside[-_]({'|'.join(map(re.escape, NAMES))})\b|bindings/({'|'.join(map(re.escape, NAMES))})\b"
    )
    candidates = [path for path in sorted(ROOT.iterdir()) if path.is_file()]
    candidates += files(ROOT / ".ci", ".toml", ".sh", "") if (ROOT / ".ci").is_dir() else []
    candidates += [ROOT / folder / "pyproject.toml" for folder in ("bench", "bench/suite", "native")]
    wrong = []
    for path in candidates:
        if path.name in NAMES_OUTSIDE or path.suffix == ".md":
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [(place(path), match.group()) for match in distributions.finditer(text)]
    for path in [ROOT / "noxfile.py"]:
        if path.is_file():
            wrong += [(place(path), text) for _, text in named(path) if text in NAMES]
    assert wrong == []
