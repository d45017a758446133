# SPDX-License-Identifier: Apache-2.0
"""Lines of a binding by noun, language and origin, counted by pygount.

The package pygount (on PyPI) recognises a language by the lexers of Pygments, which know Cython's three kinds of file,
SWIG's interface files, C and Python's stubs. Of pygount's two counts we take the one that has the same meaning in all
languages: *code lines* are lines that hold more than comments, documentation, string literals and brackets. pygount's
other count of source lines counts a docstring as code in Cython and as documentation in Python. In CMake every word is
a string, so that lines of strings are its code.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pygount  # type: ignore[import-untyped]  # it has no types

from cside_bench.results.starts import SHARED
from cside_bench.run.costs.sources import Sources

NOUNS: Final = {
    "pkcs11": ("pkcs11*",),
    "codec": ("codec*", "stream*", "oneshot*", "checksum*", "compress*", "decompress*", "engine*"),
    "idioms": ("idioms*", "scalars*", "values*", "structs*", "records*", "callbacks*", "memory*", "attributes*"),
}
"""Which files belong to which noun: patterns for the name of a file or folder, without leading ``_`` and ``cside_``.

A file belongs to the first noun of which a pattern matches, and to :data:`SHARED` where none matches.
"""

VARIANTS: Final = "variants"
"""Files of a variant, which are not counted for the binding: the name of the file, or of a folder above it, is that of
the variant's subpackage or matches one of :data:`OF_VARIANTS`."""
OF_VARIANTS: Final = ("variants", "knobs*", "*_knobs")
TESTS: Final = "tests"
STUB: Final = ".pyi"
TEMPLATE: Final = ".j2"
DOCSTRINGS: Final = ".docs"
"""Before :data:`TEMPLATE`, in names of templates that render to docstrings."""

FORMAT: Final = 2
"""Version of what :func:`count` returns, so that counts which another version kept are not read."""
NAMES_PYPY: Final = re.compile("PYPY|pypy")
"""What code calls PyPy, in any of the languages: ``PYPY_VERSION`` of its C API, ``sys.implementation.name``, and names
made of them. Prose in comments and docstrings writes PyPy."""

ONLY_STRINGS: Final = frozenset({"CMake"})
"""Languages whose words are all strings to Pygments, so that pygount counts no line of theirs as code."""

_PREFIXES = re.compile(r"^_*(cside_)?_*")


def noun_of(name: str, variants: Collection[str] = ()) -> str:
    """The noun that a file belongs to, by its path within its package; ``variants`` are names of subpackages."""
    path = PurePosixPath(name)
    parts = [_PREFIXES.sub("", part) for part in path.parts]
    if TESTS in path.parts[:-1]:
        return TESTS
    folders = [part.rpartition(".")[2] for part in parts[:-1]]  # setuptools names a folder after the dotted package
    names = [*folders, parts[-1].partition(".")[0]]
    if any(part in variants or any(fnmatchcase(part, pattern) for pattern in OF_VARIANTS) for part in names):
        return VARIANTS
    for noun, patterns in NOUNS.items():
        if any(fnmatchcase(part, pattern) for part in parts for pattern in patterns):
            return noun
    return SHARED


def count(sources: Sources, variants: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return one object for each source file whose language pygount knows.

    ``file`` (its path within the binding), ``noun``, ``language``, ``origin`` (``written`` or ``generated``),
    ``template``, ``lines`` (all), ``code_lines`` and ``pypy_lines`` (those that match :data:`NAMES_PYPY`, as a
    condition for PyPy does). A template is counted in the language of the file that it renders to, and its own
    directives count as lines of that language.
    """
    found = []
    for name in sorted(sources.files):
        counted = _counted(sources.folder / name)
        if counted.state is pygount.SourceState.analyzed:
            found.append(
                {
                    "file": name,
                    "noun": noun_of(name, variants),
                    "language": counted.language + (" stub" if STUB in Path(name).suffixes else ""),
                    "origin": "generated" if name in sources.generated else "written",
                    "template": name.endswith(TEMPLATE),
                    "lines": counted.line_count,
                    "code_lines": counted.code_count
                    + (counted.string_count if counted.language in ONLY_STRINGS else 0),
                    "pypy_lines": _naming_pypy(sources.folder / name),
                }
            )
    return found


def _counted(path: Path) -> Any:
    """What pygount says of a file; it is not asked to recognise generated files, which the manifest names."""
    if path.suffix != TEMPLATE:
        return pygount.SourceAnalysis.from_file(str(path), "", generated_regexes=[])
    rendered = path.name.removesuffix(TEMPLATE).removesuffix(DOCSTRINGS)  # pygount chooses the language by this name
    with path.open(encoding="utf-8") as text:
        return pygount.SourceAnalysis.from_file(rendered, "", generated_regexes=[], file_handle=text)


def _naming_pypy(path: Path) -> int:
    text = path.read_text(encoding="utf-8", errors="replace")
    return sum(NAMES_PYPY.search(line) is not None for line in text.splitlines())


def grouped(files: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sums over the files of one noun, language and origin, templates apart.

    Files without a line of code, as prose, are left out.
    """
    sums: dict[tuple[str, str, str, bool], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in files:
        if each["code_lines"]:
            total = sums[(each["noun"], each["language"], each["origin"], each["template"])]
            for index, value in enumerate((1, each["lines"], each["code_lines"], each["pypy_lines"])):
                total[index] += value
    named = ("noun", "language", "origin", "template", "files", "lines", "code_lines", "pypy_lines")
    return [dict(zip(named, (*key, *total), strict=True)) for key, total in sorted(sums.items())]


def counter() -> str:
    """The name and version of the package that counts."""
    return f"pygount {pygount.__version__}"
