# SPDX-License-Identifier: Apache-2.0
"""Runs trials: one process per function and size, forked from one that has read the project."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.project.overrides import Recipe
from cside_wrap.roles.form import Library, Plan
from cside_wrap.roles.vocabulary import Role
from cside_wrap.trial.call import Caller, Failed, Handle, NoValue
from cside_wrap.trial.values import SIZES, Values, names_of_objects

__all__ = ["Outcome", "Tell", "Trial", "process", "run"]

PATIENCE_S = 10.0
INPUTS = (Role.BYTES_IN, Role.BYTES_INOUT, Role.TEXT_IN)
MEMORY = 1 << 32
"""Bytes of address space of a trial's process."""


class Outcome(StrEnum):
    """What became of a function in its trials; of several, the last in this order counts."""

    NO_VALUE = "no value"
    """There was nothing to pass for an argument."""
    FAILED = "failed"
    """It ran, and said by its status that it failed; at every size."""
    RAN = "ran"
    KEEPS = "keeps"
    """It ran, and crashed when it was called again after the inputs of the first call were freed."""
    HUNG = "hung"
    CRASHED = "crashed"


@dataclass
class Trial:
    """The outcome of one function, and what there is to say of it."""

    function: str
    outcome: Outcome
    said: str
    sizes: dict[int, str] = field(default_factory=dict)
    """The outcome at each size of free inputs."""
    worked: bool = False
    """Whether at some size it returned and did not fail."""

    def plain(self) -> dict[str, object]:
        """The trial for JSON."""
        sizes = {str(size): outcome for size, outcome in self.sizes.items()}
        return {"function": self.function, "outcome": self.outcome, "said": self.said, "sizes": sizes}


def run(
    form: Library, libraries: Sequence[Path], recipes: Sequence[Recipe], only: Callable[[str], bool] = lambda _: True
) -> Iterator[Trial]:
    """Try each bound function, and give its outcome when it is known.

    Raises `WrapError` where the system has no fork, and for a recipe that is wrong.
    """
    if not hasattr(os, "fork") or sys.platform == "win32":
        raise WrapError("trials need fork, which this system does not have", "Run them on Linux.")
    known = set().union(*names_of_objects(form).values())
    for one in recipes:
        if one.type and one.type not in known:
            raise WrapError(f"a recipe is for the type {one.type}, of which no bound function has an object")
    for name, plan in form.plans.items():
        if only(name):
            yield _tried(form, plan, libraries, recipes)


def _tried(form: Library, plan: Plan, libraries: Sequence[Path], recipes: Sequence[Recipe]) -> Trial:
    sized = any(one.role in (*INPUTS, Role.STRUCT) for one in plan.parameters)
    sizes = SIZES if sized else SIZES[-1:]
    found: list[tuple[Outcome, str]] = []
    trial = Trial(plan.symbol, Outcome.NO_VALUE, "")
    for size in sizes:
        outcome, said = process(partial(_work, form, plan, libraries, recipes, size))
        found.append((outcome, said))
        trial.sizes[size] = str(outcome)
    order = list(Outcome)
    trial.outcome, trial.said = max(found, key=lambda one: order.index(one[0]))
    kept = {one.kept for one in plan.keeps}
    loose = [one.name for one in plan.parameters if one.role in INPUTS and one.name not in kept]
    if trial.outcome == Outcome.KEEPS and loose:
        trial.outcome = Outcome.CRASHED
        trial.said += f"; and nothing keeps {', '.join(loose)} alive"
    trial.worked = any(outcome in (Outcome.RAN, Outcome.KEEPS) for outcome, _ in found)
    if trial.outcome == Outcome.RAN and len(failed := [said for outcome, said in found if outcome == Outcome.FAILED]):
        trial.said = f"at {len(failed)} of {len(found)} sizes: {failed[0]}"
    return trial


Tell = Callable[[str, str], None]


def _work(
    form: Library, plan: Plan, libraries: Sequence[Path], recipes: Sequence[Recipe], size: int, tell: Tell
) -> None:
    """In the trial's process: make values, call, free the inputs, call again."""
    caller = Caller(form, libraries)
    values = Values(form, caller, recipes, size)
    tell("preparing", "")
    try:
        given = values.of_plan(plan)
    except (NoValue, Failed) as error:
        tell("done", json.dumps([Outcome.NO_VALUE, str(error)]))
        return
    caller.inputs = []
    tell("calling", "")
    try:
        caller.call(plan, given)
        outcome, said = Outcome.RAN, ""
    except Failed as error:
        outcome, said = Outcome.FAILED, str(error)
    except NoValue as error:
        tell("done", json.dumps([Outcome.NO_VALUE, str(error)]))
        return
    if damaged := caller.memory.damaged():
        tell("done", json.dumps([Outcome.CRASHED, f"wrote before the first byte of {damaged} buffers"]))
        return
    tell("again", json.dumps([outcome, said]))
    caller.memory.free(caller.inputs)
    caller.inputs = []
    if not plan.closes:
        with contextlib.suppress(NoValue, Failed):
            caller.call(plan, values.of_plan(plan))
        for kind, handle in values.made.items():
            _close(form, caller, kind, handle)
    tell("done", json.dumps([outcome, said]))


def _close(form: Library, caller: Caller, kind: str, handle: Handle) -> None:
    """Close an object, which may be when the library touches what it kept."""
    its = form.objects.get(kind)
    closing = form.plans.get(its.close) if its is not None else None
    if closing is not None and len(closing.parameters) == 1 and not handle.closed:
        try:
            caller.call(closing, [handle])
        except (NoValue, Failed):
            return


def process(work: Callable[[Tell], None]) -> tuple[Outcome, str]:
    """Do the work in a process of its own, in an empty folder, and say what became of it.

    Raises `WrapError` where the work does.
    """
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory(prefix="cside-try-") as folder:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(work, folder, writing)  # does not return
        os.close(writing)
        told, late = _listen(reading)
        os.close(reading)
        if late:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        printed = Path(folder, ".printed").read_text(errors="replace") if Path(folder, ".printed").exists() else ""
    stage, text = told[-1] if told else ("starting", "")
    if stage == "done":
        outcome, said = json.loads(text)
        return Outcome(outcome), said
    if stage == "error":
        raise WrapError(text)
    if stage == "unexpected":
        return Outcome.NO_VALUE, text
    last = printed.strip().splitlines()[-1] if printed.strip() else ""
    if late:
        why = f"did not return in {PATIENCE_S:.0f} s"
    elif os.WIFSIGNALED(status):
        why = f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    else:
        why = f"ended the process with exit code {os.WEXITSTATUS(status)}"
    why += f" ({last[:120]})" if last else ""
    if stage == "again":
        return Outcome.KEEPS, f"{why} when called again or closed after its first inputs were freed"
    if stage == "calling":
        return (Outcome.HUNG if late else Outcome.CRASHED), why
    return Outcome.NO_VALUE, f"while its values were made, {why}"


def _child(work: Callable[[Tell], None], folder: str, writing: int) -> None:
    """Be the trial's process."""
    try:
        faulthandler.disable()  # a crash is an outcome, and its traceback is that of this program
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDONLY)
        printed = os.open(os.path.join(folder, ".printed"), os.O_WRONLY | os.O_CREAT)
        os.dup2(null, 0)
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24))

        def tell(stage: str, text: str) -> None:
            os.write(writing, (json.dumps([stage, text]) + "\n").encode())

        try:
            work(tell)
        except WrapError as error:
            tell("error", str(error))
        except Exception as error:  # a mistake of the trial's own is no crash of the library
            tell("unexpected", f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _listen(reading: int) -> tuple[list[tuple[str, str]], bool]:
    """What the process tells until it ends, and whether it had to be given up."""
    data = b""
    end = time.monotonic() + PATIENCE_S
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], left)
        if not ready:
            continue
        part = os.read(reading, 1 << 16)
        if not part:
            break
        data += part
    lines = data.decode("utf-8", "replace").splitlines()
    return [(stage, text) for stage, text in map(json.loads, lines)], left <= 0
