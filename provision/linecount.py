# SPDX-License-Identifier: Apache-2.0
"""Lines of a package by noun, language and origin, counted by pygount in an environment that has it.

pygount (https://pypi.org/project/pygount/) reads a language by the lexer of Pygments, which knows Cython's three kinds
of file, SWIG's, C and Python's stubs. Of its counts we take the one that means the same in all of them: *code lines*
hold more than comments, documentation, string literals and brackets. Its other count of source lines takes a Cython
docstring for code and a Python docstring for documentation.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, Final

from provision import commands, hygiene
from provision.packages import Package

NOUNS: Final = {
    "pkcs11": ("pkcs11*",),
    "codec": ("codec*", "stream*", "oneshot*", "checksum*", "compress*", "decompress*", "engine*"),
    "idioms": ("idioms*", "scalars*", "values*", "structs*", "records*", "callbacks*", "memory*", "attributes*"),
}
"""What belongs to which noun: patterns of a folder's name or a file's, without leading ``_`` and ``cside_``.

The first noun that has one wins; a file that fits none is :data:`SHARED`.
"""

SHARED: Final = "shared"
VARIANTS: Final = "variants"
"""Of a variant, not of the binding: a file, or a folder on the way to it, has the name of the variant's subpackage, or
one of :data:`OF_VARIANTS`."""
OF_VARIANTS: Final = ("variants", "knobs*", "*_knobs")
TESTS: Final = "tests"
STUB: Final = ".pyi"
TEMPLATE: Final = ".j2"
TEMPLATES: Final = "templates"
NOTHING: Final = "[regex](?!)"
"""A pattern that matches nothing: generated files are counted too, and told apart by us."""

_PREFIXES = re.compile(r"^_*(cside_)?_*")


def noun_of(name: str, variants: Collection[str] = ()) -> str:
    """The noun that a file belongs to, from its path within its package; ``variants`` are names of subpackages."""
    path = PurePosixPath(name)
    parts = [_PREFIXES.sub("", part) for part in path.parts]
    if TESTS in path.parts[:-1]:
        return TESTS
    folders = [part.rpartition(".")[2] for part in parts[:-1]]  # a build may have one named as the dotted package
    names = [*folders, parts[-1].partition(".")[0]]
    if any(part in variants or any(fnmatchcase(part, pattern) for pattern in OF_VARIANTS) for part in names):
        return VARIANTS
    for noun, patterns in NOUNS.items():
        if any(fnmatchcase(part, pattern) for part in parts for pattern in patterns):
            return noun
    return SHARED


def count(package: Package, counter: Path, scratch: Path, variants: Collection[str] = ()) -> list[dict[str, Any]]:
    """One object for each source file that pygount knows the language of.

    ``file`` (within the package), ``noun``, ``language``, ``origin`` (``written`` or ``generated``), ``template``,
    ``lines`` (all) and ``code_lines``. A template is counted in the language that it is a template of: its own
    directives are lines of it. ``scratch`` is overwritten. Raises `Problem` where ``counter`` cannot count.
    """
    package.copy_to(scratch)
    generated = {file.relative_to(package.folder).as_posix() for file in package.files() if hygiene.is_generated(file)}
    templates = {}
    for file in [*scratch.rglob(f"*{TEMPLATE}")]:  # a lexer is chosen by the suffix
        plain = file.rename(file.with_name(f"template-{file.name.removesuffix(TEMPLATE)}"))
        templates[plain] = file
    found = []
    for entry in _pygount(counter, scratch):
        path = Path(entry["path"])
        name = templates.get(path, path).relative_to(scratch).as_posix()
        found.append(
            {
                "file": name,
                "noun": noun_of(name, variants),
                "language": entry["language"] + (" stub" if STUB in path.suffixes else ""),
                "origin": "generated" if name in generated else "written",
                "template": path in templates,
                "lines": entry["lineCount"],
                "code_lines": entry["codeCount"],
            }
        )
    return sorted(found, key=lambda each: str(each["file"]))


def grouped(files: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sums over files of one noun, language and origin; those without a line of code, as prose, are left out."""
    sums: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for each in files:
        if each["code_lines"]:
            total = sums[(each["noun"], each["language"], each["origin"])]
            for index, value in enumerate((1, each["lines"], each["code_lines"])):
                total[index] += value
    return [
        {"noun": noun, "language": language, "origin": origin, "files": files, "lines": lines, "code_lines": code}
        for (noun, language, origin), (files, lines, code) in sorted(sums.items())
    ]


def version(counter: Path) -> str:
    """The counter's name and version."""
    return commands.output([_program(counter), "--version"]).strip()


def _program(counter: Path) -> Path:
    return counter.with_name(f"pygount{counter.suffix}")


def _pygount(counter: Path, folder: Path) -> list[dict[str, Any]]:
    options = ["--format", "json", "--duplicates", "--generated", NOTHING, "--generated-names", NOTHING]
    told = json.loads(commands.output([_program(counter), *options, folder], timeout=120))
    return [entry for entry in told["files"] if entry["state"] == "analyzed"]
