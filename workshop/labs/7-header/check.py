# SPDX-License-Identifier: Apache-2.0
"""Lab 7: a change of one's own applies, C says what is right after it, and the drill has been asked."""

import json
import os
import shlex
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from provision import packages
from provision.commands import Problem
from provision.drill import changes, libraries
from provision.drill.changes import Change
from workshop.checking import Findings

OUTCOMES = ("unaffected", "works", "build", "import", "call", "silent", "crash")
PASSES = ("library", "rebuilt")
BINDINGS = ("ctypes", "cffi")
FACTS = 4


def check(found: Findings) -> None:
    """Look at the predictions, at the change, and at the newest drill of it."""
    told = predictions(found)
    file = found.folder / "change.toml"
    try:
        mine = changes.read(file=file)[0]
    except Problem as problem:
        found.add(False, "change.toml describes a change", seen=str(problem), why="The sheet shows an entry.")
        return
    asked = asks(file)
    missing = f"{len(asked)} are asked"
    why = "Names in [change.ask] are those of WHOLE() and REAL(); the expressions are Python."
    found.add(len(asked) >= FACTS, f"{FACTS} facts or more are asked in Python", seen=missing, why=why)
    if applies(found, mine):
        drilled(found, mine, told)


def predictions(found: Findings) -> dict[str, dict[str, str]]:
    """Find out whether the four predictions are there."""
    try:
        told: dict[str, dict[str, str]] = tomllib.loads((found.folder / "predictions.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        found.add(False, "predictions.toml can be read", seen=str(error))
        return {}
    given = [told.get(name, {}).get(each) for name in BINDINGS for each in PASSES]
    filled = sum(each in OUTCOMES for each in given)
    why = f"Each is one of {', '.join(OUTCOMES)}. docs/drill.md says what they mean."
    found.add(filled == len(given), f"{len(given)} outcomes are predicted", seen=f"{filled} are", why=why)
    return told


def asks(file: Path) -> dict[str, Any]:
    """The expressions of the first change."""
    asked: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["change"][0].get("ask", {})
    return asked


def applies(found: Findings, change: Change) -> bool:
    """Make the change in a copy of the library, and compile the program that tells what is right, before and after."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "native"
        packages.native().copy_to(copy)
        try:
            diff = changes.apply(change, copy)
        except Problem as problem:
            why = "The text under `old` has to be in the file exactly once, with every space."
            return found.add(False, "the change applies to the header", seen=str(problem), why=why)
        found.add("include/cside/" in diff, "the change applies to the header", seen=diff, why="It changes no header.")
        source = Path(place) / "truth.c"
        source.write_text(libraries.TRUTH + change.truth + libraries.MAIN, encoding="utf-8")
        for when, native, macros in (
            ("today's", packages.native().folder, []),
            ("the changed", copy, ["-DCHANGED"]),
        ):
            seen = compiled(source, native / "include", macros)
            why = "The truth is C, as somebody writes it who has this header. WHOLE and REAL report a fact."
            if not found.add(not seen, f"the truth compiles with {when} header", seen=seen, why=why):
                return False
    facts = change.truth.count("WHOLE(") + change.truth.count("REAL(")
    return found.add(facts >= FACTS, f"the truth reports {FACTS} facts or more", seen=f"it reports {facts}")


def compiled(source: Path, include: Path, macros: list[str]) -> str:
    """The compiler's first messages; an empty text if there are none."""
    command = [
        *shlex.split(os.environ.get("CC", "cc")),
        "-std=c11",
        "-Wall",
        "-fsyntax-only",
        *macros,
        "-I",
        str(include),
    ]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    return "\n".join(done.stderr.replace(str(source), "truth").splitlines()[:6]) if done.returncode else ""


def drilled(found: Findings, change: Change, told: dict[str, dict[str, str]]) -> None:
    """Put what the newest drill of this change found beside what was predicted."""
    why = "nox -s drill -- --python 3.13 --binding ctypes --binding cffi --file my-labs/7-header/change.toml"
    documents = (json.loads(file.read_text("utf-8")) for file in sorted(found.results.glob("drills/*/drill.json")))
    mine = [each for each in documents if change.id in {one["id"] for one in each["changes"]}]
    if not mine:
        found.add(False, "the change has been drilled", seen=f"no drill has a change {change.id}", why=why)
        return
    outcomes = {(each["binding"], each["pass"]): each for each in mine[-1]["outcomes"] if each["change"] == change.id}
    for name in BINDINGS:
        for each in PASSES:
            outcome = outcomes.get((name, each))
            guess = told.get(name, {}).get(each) or "nothing"
            said = f"predicted {guess}, found {outcome['outcome']}: {outcome['says']}" if outcome else "was drilled"
            found.add(outcome is not None, f"{name}, {each}: {said}", seen="the newest drill does not have it", why=why)
