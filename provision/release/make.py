# SPDX-License-Identifier: Apache-2.0
"""Make, audit and try what is published; :mod:`.asked` describes the steps."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from provision import commands, packages, paths, tools, wheels, workshop
from provision.interpreters import Interpreter, Missing
from provision.packages import Package
from provision.release import audits, installs
from provision.release.audits import Audited
from provision.wheels import Wheel

CONFIGURATION = Path(__file__).with_name("cibuildwheel.toml")
"""For cibuildwheel, of all packages with compiled files."""


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    tag: str
    audit: str
    tried: str


def folder() -> Path:
    """Where the wheels and source distributions are left."""
    return paths.STATE / "release"


def release(names: Iterable[str], only: Iterable[str], programs: Path) -> list[Row]:
    """Do all steps for these interpreters and bindings. ``programs`` is the folder of the tools.

    A cell of the table that says ``FAILED`` has the reason after it. Raises `Problem` where
    something cannot be built, or a wheel cannot be repaired.
    """
    found = _interpreters(names)
    wanted = workshop.buildable(only)
    built = workshop.build(found, wanted)
    shutil.rmtree(folder(), ignore_errors=True)
    folder().mkdir(parents=True)
    published: dict[str, Audited] = {}
    for each in found:
        for wheel in built[each.label]:
            if wheel.path.name not in published:  # otherwise it is one that serves this interpreter too
                commands.say(f"{wheel.path.name}: repairing and auditing it")
                published[wheel.path.name] = audits.repaired(wheel.path, folder(), programs)
                audits.audit(published[wheel.path.name], programs)
    rows = []
    tried = {each.label: _tried(each, wanted, built[each.label]) for each in found}
    for name, one in published.items():
        users = [each.label for each in found if any(wheel.path.name == name for wheel in built[each.label])]
        audit = "; ".join([*dict.fromkeys(one.said), *(f"FAILED: {problem}" for problem in one.problems)])
        rows.append(
            Row(one.path.name.split("-")[0], one.tag, audit, "; ".join(f"{label} {tried[label]}" for label in users))
        )
    timed = workshop.designated(found)
    held = {wheel.distribution: wheel for wheel in built[timed.label]}
    for package in [packages.native(), *wanted]:
        if package.distribution in held:  # an interpreter beyond the matrix may lack one
            rows.append(_source_distribution(package, held[package.distribution], timed, programs))
    rows.append(_configuration(wanted, programs))
    commands.say(
        f"{timed.label}: pip install from the checkout, with build isolation; it builds libcside for every binding"
    )
    rows.append(Row("checkout", "", "", _outcome(lambda: "; ".join(installs.from_checkout(timed, wanted)))))
    return rows


def _interpreters(names: Iterable[str]) -> list[Interpreter]:
    """The interpreters of these names that are there, CPythons first and the oldest of them at the front."""
    asked = [workshop.interpreter(name) for name in names]
    for each in asked:
        if isinstance(each, Missing):
            commands.say(str(each))
    found = [each for each in asked if isinstance(each, Interpreter)]
    if not found:
        raise commands.Problem("none of the interpreters asked for is there")
    return sorted(found, key=lambda each: (each.is_pypy, each.facts["version"]))


def _outcome(attempt: Callable[[], str]) -> str:
    try:
        return attempt()
    except commands.Problem as problem:
        commands.say(str(problem))
        return f"FAILED: {str(problem).splitlines()[0]}"


def _tried(interpreter: Interpreter, wanted: Sequence[Package], held: Sequence[Wheel]) -> str:
    """Try those of the bindings that this interpreter has a wheel of."""
    distributions = {wheel.distribution for wheel in held}
    there = [package for package in wanted if package.distribution in distributions]

    def attempt() -> str:
        commands.say(f"{interpreter.label}: installing the wheels into an empty environment")
        installs.from_wheels(interpreter, there, folder())
        return "works"

    return _outcome(attempt)


def _source_distribution(package: Package, plain: Wheel, interpreter: Interpreter, programs: Path) -> Row:
    """Make a source distribution, check it, and compare the wheel built from it with the one built before."""
    work = paths.BUILD / "release" / "sources" / package.distribution

    def attempt() -> str:
        commands.say(f"{package.distribution}: making its source distribution, and a wheel from that")
        package.copy_to(work / "source")
        shutil.rmtree(work / "made", ignore_errors=True)
        build = [tools.uv(), "build", "--python", interpreter.executable, "--find-links", folder()]
        log = f"sdist-{package.distribution}"
        commands.run([*build, "--out-dir", work / "made", work / "source"], log=log, timeout=3600)
        (wheel,) = (work / "made").glob("*.whl")
        (source,) = (work / "made").glob("*.tar.gz")
        shutil.copy2(source, folder())
        commands.run([programs / "twine", "check", "--strict", source], log=f"twine-{source.name}")
        differing = _files(wheel) ^ _files(plain.path)
        if differing:
            raise commands.Problem(f"a wheel from it differs in {', '.join(sorted(differing))}")
        return f"{interpreter.label} builds the same files"

    said = _outcome(attempt)
    return Row(package.distribution.replace("-", "_"), "source", "twine" if "FAILED" not in said else "", said)


def _files(wheel: Path) -> set[str]:
    """The names of the files in a wheel that are not metadata."""
    return {name for name in wheels.names(wheel) if ".dist-info/" not in name}


def _configuration(wanted: Sequence[Package], programs: Path) -> Row:
    """Let cibuildwheel read its configuration for each package that is compiled."""

    def attempt() -> str:
        counts = []
        for package in [packages.native(), *(each for each in wanted if each.needs_native)]:
            command = [
                programs / "cibuildwheel",
                "--print-build-identifiers",
                "--platform",
                "linux",
                "--archs",
                "x86_64",
            ]
            said = commands.output([*command, "--config-file", CONFIGURATION, package.folder])
            counts.append(f"{package.name} for {len(said.split())}")
        return ", ".join(counts)

    return Row("cibuildwheel", "", "reads its configuration", _outcome(attempt))


def table(rows: Sequence[Row]) -> str:
    """The rows in columns."""
    lines = [("package", "tag", "audit", "tried"), *(astuple(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
