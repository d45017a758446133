# SPDX-License-Identifier: Apache-2.0
"""Runs the drill: today's library first, then every change for every binding. Each outcome is kept when it is found."""

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from pathlib import Path
from random import SystemRandom
from typing import Any, Final, TypeVar

from cside_suite.files import write_json

from cside_bench.drill.asking import Place, rounds, truth
from cside_bench.drill.changes import Change
from cside_bench.drill.outcomes import FINE, LEGEND, Answer, Finding, classify, shorten, worst
from cside_bench.drill.prepared import UNCHANGED, Binding, Build, Changed, Interpreter, Prepared
from cside_bench.machine.identity import cpu_model, machine_name, recorded
from cside_bench.results.drill import PASSES, REBUILT, DrillError

PROCESSES: Final = 3
"""Fresh processes for each cell. The worst outcome counts, because memory contents differ between processes."""

WORKERS: Final = min(2, os.cpu_count() or 1)

DECIDES: Final = ("probe.py", "asking.py", "outcomes.py", "drilling.py")
"""Modules that an outcome depends on; a changed version of them invalidates kept outcomes."""

SHOWN: Final = 6
"""The number of build messages that the document holds; the log has all."""

OWN_FRAMES: Final = re.compile(r'"<string>"|/probe\.py"')
"""Stack frames of the probe, and of the expression that it evaluates."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the table."""

    interpreter: Interpreter
    binding: Binding
    change: Changed
    which: str
    """The pass of the drill."""

    @property
    def title(self) -> str:
        """Return the name of the cell, for people and for the name of a log."""
        return f"{self.interpreter.label}-{self.binding.name}-{self.change.id}-{self.which}"


class Drill:
    """A drill over the prepared builds. It passes each outcome to ``say``; ``again`` repeats even known cells."""

    def __init__(
        self, prepared: Prepared, changes: Mapping[str, Change], say: Callable[[str], None], *, again: bool = False
    ) -> None:
        self._prepared = prepared
        self._changes = changes
        self._say = say
        self._again = again
        self._code = "".join(_sha256(Path(str(files("cside_bench.drill").joinpath(name)))) for name in DECIDES)

    def run(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the document, and logs by name. Known outcomes are reused.

        Raises `DrillError` if a binding is wrong with today's library, or if anything fails that is not an outcome.
        Outcomes that were found before are kept, and the next drill continues from there.
        """
        errors: list[str] = []
        pairs = [(each, binding) for each in self._prepared.interpreters for binding in self._prepared.bindings]
        self._say(f"asking today's library first, through {len(pairs)} bindings and interpreters")
        for _ in self._each([partial(self._rehearse, *pair) for pair in pairs], errors):
            pass
        if errors:
            raise DrillError("nothing was changed yet, and this failed:\n" + "\n".join(errors))
        cells = list(self._cells())
        outcomes: dict[str, dict[str, Any]] = {}
        logs: dict[str, str] = {}
        done = self._each([partial(self._outcome, cell) for cell in cells], errors)
        for count, (cell, outcome, log) in enumerate(done, 1):
            outcomes[cell.title] = outcome
            if log:
                logs[cell.title] = log
            self._say(
                f"[{count}/{len(cells)}] {cell.interpreter.label} {cell.binding.name} {cell.change.id} "
                f"({cell.which}): {outcome['outcome']}"
            )
        if errors:
            raise DrillError("these are no outcomes, so the table is not written:\n" + "\n".join(errors))
        return self._document([outcomes[cell.title] for cell in cells]), logs

    def _document(self, outcomes: list[dict[str, Any]]) -> dict[str, Any]:
        prepared = self._prepared
        return {
            "format": 1,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine_name({"machine": {"cpu": cpu_model(), "cpus": os.cpu_count(), **recorded()}}),
            "compiler": prepared.compiler,
            "library": prepared.unchanged.sha256,
            "interpreters": [{"label": each.label, "release": each.release} for each in prepared.interpreters],
            "bindings": [each.name for each in prepared.bindings],
            "changes": [
                {
                    "id": each.id,
                    "title": self._changes[each.id].title,
                    "says": self._changes[each.id].says,
                    "diff": each.diff,
                    "library": each.library.sha256,
                }
                for each in prepared.changes
            ],
            "outcomes": outcomes,
            "legend": dict(LEGEND),
        }

    def _cells(self) -> Iterator[Cell]:
        for change in self._prepared.changes:
            for interpreter in self._prepared.interpreters:
                for binding in self._prepared.bindings:
                    for which in PASSES:
                        yield Cell(interpreter, binding, change, which)

    def _each(self, jobs: Sequence[Callable[[], T]], errors: list[str]) -> Iterator[T]:
        """Yield results as they come. The message of a failure is added to ``errors``, and the rest continues."""
        with ThreadPoolExecutor(WORKERS) as pool:
            futures = [pool.submit(job) for job in jobs]
            try:
                for future in as_completed(futures):
                    try:
                        yield future.result()
                    except DrillError as error:
                        errors.append(f"- {error}")
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _build(self, interpreter: Interpreter, binding: Binding, change: str) -> Build:
        return self._prepared.builds[interpreter.label, binding.distribution, change]

    def _wheel(self, interpreter: Interpreter, binding: Binding) -> Path:
        wheel = self._build(interpreter, binding, UNCHANGED).wheel
        assert wheel is not None  # a failed build against today's library ends the preparation
        return wheel

    def _rehearse(self, interpreter: Interpreter, binding: Binding) -> None:
        """Ask all questions with today's library. All answers have to be right, or a change would show nothing."""
        asked = rounds(SystemRandom())
        asks: dict[str, str] = {}
        facts: list[dict[str, float]] = [{} for _ in asked]
        for changed in self._prepared.changes:
            asks |= {f"{changed.id}/{name}": text for name, text in self._changes[changed.id].ask.items()}
            for total, each in zip(facts, truth(changed.truth_unchanged, asked), strict=True):
                total |= {f"{changed.id}/{name}": value for name, value in each.items()}
        wheel, library = self._wheel(interpreter, binding), self._prepared.unchanged
        with Place(interpreter, binding, wheel, library) as place:
            answer = place.ask(asks, asked, facts)
            finding = classify(answer)
            place.confirm(finding.libraries, library)
        if finding.outcome != FINE:
            raise DrillError(f"{interpreter.label} {binding.name}, with today's library: {finding.says}")

    def _outcome(self, cell: Cell) -> tuple[Cell, dict[str, Any], str]:
        """Return the outcome of a cell and its log: the kept ones, or new ones, which are then kept."""
        kept = self._prepared.kept / f"{self._key(cell)}.json"
        if not self._again:
            try:
                told = json.loads(kept.read_text(encoding="utf-8"))
                return cell, told["outcome"], told["log"]
            except (OSError, ValueError, KeyError):
                pass
        outcome, log = self._found_out(cell)
        write_json(kept, {"outcome": outcome, "log": log})
        return cell, outcome, log

    def _found_out(self, cell: Cell) -> tuple[dict[str, Any], str]:
        change = self._changes[cell.change.id]
        builds = cell.which == REBUILT and cell.binding.compiled
        build = self._build(cell.interpreter, cell.binding, cell.change.id if builds else UNCHANGED)
        known = self._build(cell.interpreter, cell.binding, UNCHANGED).messages
        new = [message for message in build.messages if message not in known]
        began = time.monotonic()
        answers: list[Answer] = []
        if build.wheel is None:
            named = [message for message in new if change.named_in(message)]
            if not named:
                raise DrillError(f"{cell.title}: the build fails, and names nothing that changed: {build.problem}")
            finding = Finding("build", _first_error(named))
        else:
            finding = self._asked(cell, build.wheel, change, answers)
        outcome = finding.outcome
        if outcome == FINE:
            outcome = "works" if builds else "unaffected"
        warned = bool(new) and build.wheel is not None
        says = finding.says + (", after a warning at build" if warned and outcome != "works" else "")
        if cell.which == REBUILT and not builds:
            says = f"nothing of it is compiled, so nothing is built: {says}"
        trace = next((answer.errors for answer in answers if answer.errors), "")
        detail = "\n".join(new[:SHOWN]) or (_where(trace) if outcome == "crash" else "")
        log = _log(build if builds else None, answers) if outcome not in ("works", "unaffected") or warned else ""
        took = time.monotonic() - began + (build.seconds if builds else 0.0)
        return {
            "interpreter": cell.interpreter.label,
            "binding": cell.binding.name,
            "change": cell.change.id,
            "pass": cell.which,
            "rebuilt": builds,
            "outcome": outcome,
            "warned": warned,
            "says": shorten(says),
            "detail": detail,
            "library": cell.change.library.sha256,
            "seconds": round(took, 2),
            "log": f"logs/{cell.title}.txt" if log else None,
        }, log

    def _asked(self, cell: Cell, wheel: Path, change: Change, answers: list[Answer]) -> Finding:
        """Ask in fresh processes, each with different arguments."""
        findings = []
        with Place(cell.interpreter, cell.binding, wheel, cell.change.library) as place:
            for _ in range(PROCESSES):
                asked = rounds(SystemRandom())
                answer = place.ask(change.ask | change.gained, asked, truth(cell.change.truth, asked))
                answers.append(answer)
                try:
                    finding = classify(answer)
                except DrillError as error:
                    raise DrillError(f"{cell.title}: {error}") from error
                place.confirm(finding.libraries, cell.change.library)
                findings.append(finding)
                if finding.outcome == "import":  # the arguments make no difference then
                    break
            found = worst(findings)
            return replace(found, says=found.says.replace(f"{place.site}/", ""))

    def _key(self, cell: Cell) -> str:
        """Return the digest of everything that decides the outcome."""
        change = self._changes[cell.change.id]
        build = self._build(cell.interpreter, cell.binding, UNCHANGED)
        if cell.which == REBUILT and cell.binding.compiled:
            build = self._build(cell.interpreter, cell.binding, cell.change.id)
        ingredients = {
            "code": self._code,
            "interpreter": cell.interpreter.digest,
            "package": cell.binding.package,
            "pass": cell.which,
            "change": [change.id, change.names, change.ask, change.gained],
            "truth": _sha256(cell.change.truth),
            "library": cell.change.library.sha256,
            "wheel": None if build.wheel is None else _sha256(build.wheel),
            "messages": build.messages,
        }
        return hashlib.sha256(json.dumps(ingredients, sort_keys=True).encode()).hexdigest()[:24]


def _first_error(messages: Sequence[str]) -> str:
    """Return the first message that contains 'error', or else the first message."""
    return next((message for message in messages if "error" in message.lower()), messages[0])


def _where(trace: str) -> str:
    """Return faulthandler's first line and the binding's innermost Python frame, if there are any."""
    lines = trace.splitlines()
    fatal = [line for line in lines if line.startswith("Fatal Python error")]
    frames = [line.strip() for line in lines if line.strip().startswith("File ")]
    inside = [re.sub(r'"[^"]*/(?=[^/"]+/[^/"]+")', '"', frame) for frame in frames if OWN_FRAMES.search(frame) is None]
    return "\n".join(fatal[:1] + inside[:1])


def _log(build: Build | None, answers: Sequence[Answer]) -> str:
    parts = []
    if build is not None and (build.messages or build.problem):
        parts.append("build:\n" + "\n".join((*build.messages, build.problem)))
    for number, answer in enumerate(answers, 1):
        told = "\n".join(json.dumps(event, ensure_ascii=False) for event in answer.events)
        parts.append(f"process {number}, exit code {answer.code}:\n{told}\n{answer.errors}")
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
