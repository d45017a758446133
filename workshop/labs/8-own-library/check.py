# SPDX-License-Identifier: Apache-2.0
"""Lab 8: a library is described, every question about it is answered, and every function was called."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.project import reading
from cside_wrap.project.reading import Project
from cside_wrap.roles.form import Library
from cside_wrap.roles.vocabulary import Role

from workshop.checking import Findings

NAME = "gauge"
FUNCTIONS = 6
INIT = "cside init --header gauge.h --library ./libgauge.so gauge"


def check(found: Findings) -> None:
    """Look at the description of the gauge, and at those of other libraries beside it."""
    if not found.build():
        return
    with contextlib.chdir(found.folder):  # paths in cside.toml may be relative to it
        if not (found.folder / NAME / "cside.toml").exists():
            found.add(False, "gauge/ describes the library", seen="there is no gauge/cside.toml", why=INIT)
            return
        done = cside("init", "--update", NAME)
        if not found.add(done.returncode == 0, "gauge/ describes the library", seen=done.stderr.strip(), why=INIT):
            return
        described(found, reading.read(Path(NAME)).form())
        tried(found)
        for other in sorted(Path().glob("*/cside.toml")):
            if other.parent.name != NAME:
                own(found, other.parent)


def cside(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in the current folder."""
    return subprocess.run(
        [sys.executable, "-m", "cside_bench", *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def described(found: Findings, form: Library) -> None:
    """Find out whether the answers say what the header's comments say."""
    opened = ", ".join(f"{name} ({' and '.join(arguments)})" for name, arguments in form.asked.items())
    why = (
        "cside review gauge asks; the comments in gauge.h answer. Function by function: cside review gauge --roles NAME"
    )
    if not found.add(
        len(form.plans) == FUNCTIONS, f"all {FUNCTIONS} functions are bound", seen=f"open: {opened}", why=why
    ):
        return
    outputs = [each for each in form.plans["gauge_title"].results if each.role == Role.BYTES]
    filled = [each.filled for each in outputs]
    why = "The function returns how many bytes it wrote: filled=result. Without that, Python gets the whole room."
    found.add(
        filled == ["result"], "gauge_title returns the bytes that were written", seen=f"filled: {filled}", why=why
    )
    for name in ("gauge_add", "gauge_mean", "gauge_title"):
        status = form.plans[name].status
        message = status.message if status else ""
        seen = f"its failures are told by {message or 'nobody'}"
        why = "A rule for the argument `return`: when the call succeeded (ok), and gauge_message as the message."
        found.add(message == "gauge_message", f"a failure of {name} becomes an exception", seen=seen, why=why)


def tried(found: Findings) -> None:
    """Call every function, in a process that has no threads."""
    done = cside("try", "--json", NAME)
    try:
        trials = {each["function"]: each for each in json.loads(done.stdout)}
    except ValueError:
        found.add(False, "the functions can be tried", seen=done.stderr.strip(), why="cside try gauge")
        return
    wrong = [f"{name}: {each['outcome']}, {each['said']}" for name, each in trials.items() if each["outcome"] != "ran"]
    why = (
        "cside try gauge. A function that fails because its object is empty needs a recipe, to make an object that is "
        "not, as make = [\"gauge_create('a')\", \"gauge_add(it, b'abc')\"]."
    )
    right = not wrong and len(trials) == FUNCTIONS
    found.add(
        right, f"all {FUNCTIONS} functions were called and ran", seen="\n".join(wrong) or "not all are bound", why=why
    )


def own(found: Findings, folder: Path) -> None:
    """Say how far a library of the participant's own is."""
    try:
        project: Project = reading.read(folder)
        form = project.form()
    except (WrapError, OSError) as error:
        found.add(False, f"{folder.name}: the description can be read", seen=str(error))
        return
    told = f"{len(form.plans)} functions are bound, {len(form.asked)} asked, {len(form.refused)} refused"
    found.add(
        bool(form.plans), f"{folder.name}: {told}", seen="no function is bound", why=f"cside review {folder.name}"
    )
