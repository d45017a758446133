"""Runs the processes of a plan, one after the other, and keeps the files that they write.

The driver never repeats a block whose file exists: an interrupted run continues where it stopped.
"""

import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_suite.process.request import Request
from cside_suite.process.threads import request as threads_request

from cside_bench.machine import state as machine_state
from cside_bench.results import headline
from cside_bench.results.plan import Block, Interpreter, Plan, Tier, divide, draw_blocks, set_apart
from cside_bench.results.rounds import Key
from cside_bench.run import apart, budget, sample, starts
from cside_bench.run.child import MOST_TRIES, Outcome, describe, environment, follow, last_line, working_folder
from cside_bench.run.progress import Display
from cside_bench.run.quiet import Machine
from cside_bench.run.turns import Job, together

MOST_TWINS: Final = 12
"""Workloads of a user's library in which the twin of each binding takes part."""


class DriverError(Exception):
    """A process failed for a reason other than a crashing target; the message says where its log is."""


class Driver:
    """Runs a plan in a folder."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        display: Display,
        machine: Machine,
        look: Callable[[Path, str], frozenset[Key]] | None = None,
    ) -> None:
        """Make a driver; ``look`` takes the folder and an interpreter's label, and returns the decided cells."""
        self.plan = plan
        self.look = look
        self.folder = folder
        self.display = display
        self.machine = machine
        self.tier = Tier.named(plan.tier)
        for name in ("blocks", "calibration", "cold", "logs", "machine", "requests", "threads"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def run(self) -> None:
        """Run every process whose file does not exist yet."""
        self.display.start(len(self.plan.interpreters) + len({it.group for it in self._measuring()}))
        for interpreter in self.plan.interpreters:
            self._calibrate(interpreter)
        self._complete_plan()
        for group in dict.fromkeys(block.group for block in self.plan.blocks):
            self._look(self._members(group)[0])
            members = self._members(group)
            self._cold(members[0])
            self._block(members)
            self._threads(members[0])
        sample.take(self.plan, self.folder, self.display, self.machine)
        self.plan = replace(self.plan, finished=True)
        self.plan.save(self.folder)
        self.display.stop()

    def _members(self, group: str) -> list[Block]:
        """Return the processes that measure in turns, or the only one of a group."""
        return [block for block in self.plan.blocks if block.group == group]

    def _look(self, block: Block) -> None:
        """Before the first block after a look, leave out of this and later blocks the cells that are decided."""
        tier = self.tier.of(block.interpreter)
        if self.look is None or block.alone or not tier.verdicts or not tier.look:
            return
        if block.number != tier.look or block.decided:
            return
        decided = sorted(self.look(self.folder, block.interpreter))
        self.plan = replace(
            self.plan,
            blocks=[
                replace(it, decided=decided) if it.interpreter == block.interpreter and it.number >= tier.look else it
                for it in self.plan.blocks
            ],
        )
        self.plan.save(self.folder)
        self.display.say(
            f"{block.interpreter}: after {tier.look} processes, {len(decided):,} cells are decided; the other "
            "processes leave them out"
        )

    def _measuring(self) -> list[Block]:
        """Return the plan's processes or, before the plan is complete, the least number that there will be."""
        return self.plan.blocks or draw_blocks(self._counts(), 0)

    def _counts(self) -> dict[str, int]:
        """Return the tier's number of blocks for each interpreter."""
        return {it.label: self.tier.of(it.label).blocks for it in self.plan.interpreters}

    def _pilot(self, label: str) -> dict[str, Any]:
        path = self.folder / "calibration" / f"{label}.json"
        return dict(json.loads(path.read_text(encoding="utf-8")))

    def _complete_plan(self) -> None:
        """Complete the plan after the pilot: fit the blocks into the budget, and divide them into processes."""
        labels = [interpreter.label for interpreter in self.plan.interpreters]
        pilots = {label: self._pilot(label) for label in labels}
        if not self.plan.blocks:
            self._draw_plan(labels, pilots)
        if not any(block.workloads or block.alone for block in self.plan.blocks):
            self._divide(pilots)
        self.plan.save(self.folder)
        self.display.extend(len(labels) + len({block.group for block in self.plan.blocks}))

    def _divide(self, pilots: Mapping[str, Mapping[str, Any]]) -> None:
        """Divide each block into the processes that its tier asks for: by workloads, and by bindings."""
        alone, members = {}, {}
        for label, pilot in pilots.items():
            members[label] = pilot.get("workloads", {})
            if self.plan.isolated or self.tier.of(label).apart:
                whole = self._request(self.plan.interpreter(label), 0, "measure", Path(), {})
                alone[label] = apart.subjects(whole, pilot)
                members[label] = dict.fromkeys(members[label], 1)
        cells = {label: self.tier.of(label).cells for label in pilots}
        blocks = divide(self.plan.blocks, members, cells, self.plan.seed)
        self.plan = replace(self.plan, blocks=set_apart(blocks, alone))

    def _draw_plan(self, labels: list[str], pilots: dict[str, dict[str, Any]]) -> None:
        """Draw the blocks of a plan that depends on the pilot."""
        counts, rounds = self._counts(), 0
        if self.plan.budget_minutes is not None:
            found = budget.fit(pilots, self.tier, self.plan.budget_minutes)
            counts, rounds = dict.fromkeys(labels, found.blocks), found.rounds
            self.display.say(
                f"within {self.plan.budget_minutes:g} minutes, {found.blocks} processes of each interpreter fit, "
                f"each with {rounds} rounds: the run takes about {found.minutes:.0f} minutes"
            )
        self.plan = replace(self.plan, blocks=draw_blocks(counts, self.plan.seed), rounds=rounds)

    def _calibrate(self, interpreter: Interpreter) -> None:
        out = self.folder / "calibration" / f"{interpreter.label}.json"
        with self.display.step(f"{interpreter.label} calibration", done=out.exists()) as todo:
            if todo:
                self._measure(interpreter, self.plan.seed, "calibrate", out, {})

    def _block(self, members: Sequence[Block]) -> None:
        block = members[0]
        interpreter = self.plan.interpreter(block.interpreter)
        part = f" part {block.part + 1}" if self.tier.of(block.interpreter).cells and block.workloads else ""
        title = f"{block.interpreter} block {block.number + 1}{part}"
        with self.display.step(title, done=all(self._out(it).exists() for it in members)) as todo:
            if todo:
                with machine_state.watch(self.machine.cpu) as state:
                    pilot = self._pilot(block.interpreter)
                    if block.alone:
                        self._in_turns(interpreter, members, pilot)
                    else:
                        self._measure(interpreter, block.seed, "measure", self._out(block), pilot["ns"], block)
                write_json(self.folder / "machine" / f"{block.group}.json", state)

    def _out(self, block: Block) -> Path:
        """Return the file that a process writes."""
        return self.folder / "blocks" / f"{block.name}.json"

    def _measure(
        self,
        interpreter: Interpreter,
        seed: int,
        mode: str,
        out: Path,
        calibration: Mapping[str, float],
        block: Block | None = None,
    ) -> None:
        """Run one process. If a target crashes it, record the target and run the process again without it."""
        stem = out.stem if mode == "measure" else f"{out.stem}-{mode}"
        for _ in range(MOST_TRIES):
            request = self._request(interpreter, seed, mode, out, calibration, block)
            outcome = self._process(interpreter, "block", request.seed, asdict(request), stem)
            if outcome.code == 0:
                return
            if outcome.phase != "check" or outcome.blamed is None:
                break
            self._blame(interpreter.label, outcome)
        raise self._ended(interpreter.label, outcome, stem)

    def _in_turns(self, interpreter: Interpreter, members: Sequence[Block], pilot: Mapping[str, Any]) -> None:
        """Run the processes of a block that measure in turns; see :meth:`_measure` for one that crashes."""
        for _ in range(MOST_TRIES):
            self.machine.wait()
            jobs = []
            for block in members:
                whole = self._request(interpreter, block.seed, "measure", self._out(block), pilot["ns"], block)
                request = apart.narrowed(whole, block.alone, block.workloads or pilot["workloads"])
                nuisances = random.Random(f"{block.seed} {block.alone}").getrandbits(32)
                jobs.append(self._job(interpreter, "block", nuisances, asdict(request), block.name))
            draw = random.Random(f"{block.seed} turns")
            draw.shuffle(jobs)  # they are started in this order
            ended = together(jobs, math.inf, draw, self.display.within)
            failed = {stem: outcome for stem, outcome in ended.items() if outcome.code != 0}
            if not failed:
                return
            for stem, outcome in failed.items():
                if outcome.phase != "check" or outcome.blamed is None:
                    raise self._ended(interpreter.label, outcome, stem)
                self._blame(interpreter.label, outcome)
        raise self._ended(interpreter.label, outcome, stem)

    def _ended(self, label: str, outcome: Outcome, stem: str) -> DriverError:
        """Return the error for a process that ended before it should."""
        log = self.folder / "logs" / f"{stem}.log"
        return DriverError(
            f"{label}: the process ended with {describe(outcome.code)} in phase “{outcome.phase}”: "
            f"{last_line(log)}\nits whole output: {log}"
        )

    def _request(
        self,
        interpreter: Interpreter,
        seed: int,
        mode: str,
        out: Path,
        calibration: Mapping[str, float],
        block: Block | None = None,
    ) -> Request:
        """Return the request for a process with all bindings, for the workloads of a block if one is given."""
        tier = self.tier.of(interpreter.label)
        return Request(
            mode=mode,
            interpreter=interpreter.label,
            library_sha256=self.plan.library_sha256,
            out=str(out),
            seed=seed,
            reference=self.plan.reference,
            bindings=self.plan.bindings,
            only=self.plan.only,
            skip=tier.skip,
            keep=[] if self.plan.only or self.plan.library else tier.keep,
            without=[] if self.plan.only or self.plan.bindings or self.plan.library else tier.without,
            workloads=block.workloads if block is not None else [],
            exclude=self._crashed(interpreter.label) + (block.decided if block is not None else []),
            rounds=self.plan.rounds or tier.rounds,
            least_visits=tier.least_visits,
            warm_up_ns=tier.warm_up_ns(interpreter.label),
            warm_calls=tier.warm_calls,
            latency_ns=int(tier.latency_ms * 1e6) if block is None or block.number < tier.latency_blocks else 0,
            calibration=dict(calibration),
            layouts=interpreter.layouts(self.plan.bindings),
            series=self.plan.seed,
            number=block.number if block is not None else 0,
            twins=self._twins(interpreter.label),
            handicaps=self.plan.handicaps,
            cpu=self.machine.cpu,
            library=self.plan.library_file(self.folder),
        )

    def _twins(self, label: str) -> list[str]:
        """Return the workloads of the twin of each binding: the short table or, where warm-up is long, the README's.

        Without verdicts nothing is judged by such twins; that of the reference is measured for the margin.
        """
        if not self.tier.verdicts:
            return []
        if self.plan.library:
            entries = json.loads((self.folder / self.plan.library).read_text(encoding="utf-8"))["workloads"]
            return [it["name"] for it in entries[:MOST_TWINS]]
        rows = [row["workload"] for row in headline.rows()]
        return [it for it in rows if it in headline.readme()] if self.tier.of(label).warm_calls else rows

    def _cold(self, block: Block) -> None:
        """Measure the start of each binding and variant with the whole contract, in fresh processes."""
        out = self.folder / "cold" / f"{block.interpreter}-{block.number:02d}.json"
        cold_blocks = self.tier.of(block.interpreter).cold_blocks
        left_out = self.plan.only or self.plan.library
        if block.part or block.number >= cold_blocks or left_out or out.exists():
            return
        self.machine.wait()
        starts.take(
            self.plan.interpreter(block.interpreter).python,
            self._pilot(block.interpreter)["whole"],
            out,
            environment(block.seed, self.folder),
            block.seed,
        )

    def _threads(self, block: Block) -> None:
        """Measure how bindings scale with threads. These processes use all CPUs."""
        out = self.folder / "threads" / f"{block.interpreter}-{block.number:02d}.json"
        some = self.plan.only or self.plan.isolated or self.plan.library
        left_out = some or block.number >= self.tier.thread_blocks
        left_out = left_out or block.interpreter not in self.tier.threaded(it.label for it in self.plan.interpreters)
        if left_out or block.part or out.exists():  # a process that failed is not started again for every part
            return
        interpreter = self.plan.interpreter(block.interpreter)
        wanted = set(self.plan.bindings)
        request = threads_request.Request(
            interpreter=block.interpreter,
            out=str(out),
            seed=block.seed,
            bindings=[name for name in self._pilot(block.interpreter)["whole"] if not wanted or name in wanted],
            library_sha256=self.plan.library_sha256,
            budget_ms=self.tier.thread_s * 1000,
        )
        outcome = self._process(interpreter, "threads.measure", block.seed, asdict(request), f"{out.stem}-threads")
        if outcome.code != 0:
            ended = describe(outcome.code)
            self.display.say(f"{block.interpreter}: threads were not measured, the process ended with {ended}")

    def _crashed(self, label: str) -> list[tuple[str, str]]:
        path = self.folder / "crashes.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        return [(entry["workload"], entry["subject"]) for entry in entries if entry["interpreter"] == label]

    def _blame(self, label: str, outcome: Outcome) -> None:
        path = self.folder / "crashes.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        assert outcome.blamed is not None
        workload, subject = outcome.blamed
        reason = f"crashed its process with {describe(outcome.code)}"
        entries.append({"interpreter": label, "workload": workload, "subject": subject, "reason": reason})
        path.write_text(json.dumps(entries, indent=1), encoding="utf-8")
        self.display.say(f"{label}: {workload} on {subject} {reason}; the run continues without it")

    def _process(
        self, interpreter: Interpreter, module: str, seed: int, request: Mapping[str, Any], stem: str
    ) -> Outcome:
        """Wait until the machine is quiet, then run one process to its end and show its progress."""
        self.machine.wait()
        job = self._job(interpreter, module, seed, request, stem)
        return follow(job.command, job.log, job.env, self.display.within, job.cwd)

    def _job(self, interpreter: Interpreter, module: str, seed: int, request: Mapping[str, Any], stem: str) -> Job:
        """Write the request for a process; return how it is started. ``seed`` is that of its environment."""
        path = self.folder / "requests" / f"{stem}.json"
        path.write_text(json.dumps(request), encoding="utf-8")
        command = [interpreter.python, "-X", "faulthandler", "-m", f"cside_suite.process.{module}", str(path)]
        log = self.folder / "logs" / f"{stem}.log"
        return Job(stem, command, log, environment(seed, self.folder), working_folder(self.folder))


def new_folder(results: Path) -> Path:
    """Create a new folder for a run, named by the current time."""
    stem = time.strftime("%Y%m%d-%H%M%S")
    for suffix in ("", *(f"-{number}" for number in range(2, 100))):
        folder = results / f"{stem}{suffix}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise DriverError(f"{results} already has a hundred runs that were started in this second: try again")
