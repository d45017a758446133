# SPDX-License-Identifier: Apache-2.0
"""Conduct a campaign: send the benchmark to each worker, show what the workers print, and collect their runs.

A worker that fails or is lost does not stop the others. A run that arrives is written to disk and to the record at
once, so that an interruption does not lose it.
"""

import contextlib
import json
import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from distributed import Client, Future, KilledWorker

from cside_bench.lab import archive, job
from cside_bench.lab.campaign import ARRIVED, Campaign, Entry
from cside_bench.machine import identity

RESOURCE: Final = "cside-bench"
"""The dask resource of which each worker offers one, so that dask gives it one benchmark at a time."""
PAUSE_S: Final = 0.5
"""Time between two checks of the workers' tasks."""
LOOK_S: Final = 2.0
"""Time between two checks whether the workers are still there."""
STOP_S: Final = 90.0
"""Time for workers to end a benchmark; a keeper needs less."""
TAIL: Final = 12
"""How many of the last lines are shown of a worker that failed or was lost."""


class LabError(Exception):
    """The lab cannot be used as it is; the text says what to do."""


@dataclass(slots=True)
class Seat:
    """A worker that takes part."""

    called: str
    address: str
    machine: str | None
    """The name that its user gave it, which becomes the name of its machine; ``None`` where it has none."""
    described: dict[str, Any]
    future: Any = None
    begun: bool = False
    """Whether the benchmark has begun there."""
    ended: bool = False
    """Whether the benchmark has ended there."""
    missed: int = 0
    """How many checks in a row the scheduler did not know the worker."""
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL))

    def entry(self) -> Entry:
        """The worker's entry for the record."""
        told = self.described
        return Entry(self.called, told["id"], told["commit"], told["library"], told["sources"])


def survey(
    client: Client, wanted: Sequence[str], checkout: str | None, command: list[str] | None, *, local: bool = False
) -> list[Seat]:
    """Find the workers that offer the resource, describe them, give them unique names, and sort them by these.

    ``wanted`` limits them to those of these names. Raises :class:`LabError` where there is no worker, or where one
    cannot measure.
    """
    offering = {
        address: told
        for address, told in client.scheduler_info(n_workers=-1)["workers"].items()
        if told.get("resources", {}).get(RESOURCE, 0) >= 1
    }
    if not offering:
        raise LabError(
            f"no worker offers the resource {RESOURCE}. To start one, in a checkout on each machine: "
            f'dask worker SCHEDULER --nthreads 1 --resources "{RESOURCE}=1" --name NAME'
        )
    if not local and (why := dumb(client)):
        raise LabError(why)
    names = {address: given(told["name"], local=local) for address, told in offering.items()}
    if missing := sorted(set(wanted) - {name for name in names.values() if name}):
        known = ", ".join(sorted(name or "(one without a name)" for name in names.values()))
        raise LabError(f"there is no worker {', '.join(missing)}; there are: {known}")
    chosen = [address for address in offering if not wanted or names[address] in wanted]
    answers = client.run(job.describe, checkout, command, workers=chosen, on_error="return")
    seats: list[Seat] = []
    problems = []
    for address in chosen:
        told = answers.get(address)
        name = names[address]
        if not isinstance(told, dict) or told["problem"]:
            why = told["problem"] if isinstance(told, dict) else explained(told)
            problems.append(f"{name or 'a worker without a name'}: {why}")
            continue
        seats.append(Seat(name or f"machine-{told['id'] or 'unknown'}", address, None if local else name, told))
    if problems:
        raise LabError("\n".join(problems))
    seats.sort(key=lambda seat: (seat.called, seat.address))
    number_alike(seats)
    return sorted(seats, key=lambda seat: seat.called)


def given(name: object, *, local: bool) -> str | None:
    """The name that a worker's user gave it; None where dask made the name from its address."""
    if local:
        return f"local-{int(str(name)) + 1}"
    text = str(name)
    return None if "://" in text else identity.cleaned(text) or None


def number_alike(seats: Iterable[Seat]) -> None:
    """Append a number to the names of workers that have the same name."""
    seen: dict[str, int] = {}
    for seat in seats:
        seen[seat.called] = seen.get(seat.called, 0) + 1
        if seen[seat.called] > 1:
            seat.called = f"{seat.called}-{seen[seat.called]}"


def explained(error: object) -> str:
    """Why a worker did not answer; dask sends some exceptions as texts."""
    if "No module named 'cside_bench" in str(error):
        return (
            "it cannot import cside_bench. Start it in a checkout, as: "
            "PYTHONPATH=bench/src:bench/suite/src dask worker … (docs/lab.md)"
        )
    return "it did not answer" if error is None else f"it did not answer: {type(error).__name__}: {error}"


def dumb(client: Client) -> str | None:
    """Why the scheduler cannot pass on requests, which it has to unpickle; None where it can."""
    try:
        client.run_on_scheduler(job.topic, "")  # type: ignore[no-untyped-call]  # dask has no types
    except Exception as error:  # as a text, or as what it was
        if "No module named 'cside_bench" in str(error):
            return (
                "the scheduler cannot import cside_bench. Start it in a checkout, as: "
                "PYTHONPATH=bench/src:bench/suite/src dask scheduler … (docs/lab.md)"
            )
        return f"the scheduler does not answer: {type(error).__name__}: {error}"
    return None


class Conductor:
    """Runs a campaign on its workers."""

    def __init__(
        self,
        client: Client,
        campaign: Campaign,
        results: Path,
        say: Callable[[str], None],
        *,
        checkout: str | None = None,
        lock: str | None = None,
    ) -> None:
        self.client, self.campaign, self.results, self.say = client, campaign, results, say
        self.checkout, self.lock = checkout, lock
        self.messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.seats: dict[str, Seat] = {}

    def run(self, seats: Sequence[Seat]) -> None:
        """Measure on these workers and keep the record up to date. On `KeyboardInterrupt`, stop all workers first."""
        self.seats = {seat.called: seat for seat in seats}
        for seat in seats:
            self.campaign.workers[seat.called] = seat.entry()
        self.campaign.save()
        self.client.subscribe_topic(  # type: ignore[no-untyped-call]  # dask has no types
            job.topic(self.campaign.name), lambda event: self.messages.put(event[1])
        )
        try:
            for seat in seats:
                seat.future = self.submit(seat)
            self.watch(list(seats))
        except KeyboardInterrupt:
            self.stop()
            raise
        finally:
            self.campaign.save()
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self.client.unsubscribe_topic(job.topic(self.campaign.name))  # type: ignore[no-untyped-call]  # dask has no types

    def request(self, seat: Seat) -> dict[str, Any]:
        """The request to :func:`job.measure`."""
        return {
            "campaign": self.campaign.name,
            "called": seat.called,
            "key": f"{job.topic(self.campaign.name)}-{seat.called}",
            "arguments": self.campaign.arguments,
            "checkout": self.checkout,
            "command": self.campaign.command,
            "machine": seat.machine,
            "lock": self.lock,
        }

    def submit(self, seat: Seat) -> Future[Any]:
        """Send the benchmark to this worker and to no other."""
        request = self.request(seat)
        return self.client.submit(
            job.measure,
            request,
            key=request["key"],
            workers=[seat.address],
            allow_other_workers=False,
            resources={RESOURCE: 1},
            retries=0,
            pure=False,
        )

    def watch(self, active: list[Seat]) -> None:
        """Wait until every worker is done, has failed, or is lost."""
        looked = time.monotonic()
        while active:
            self.hear(PAUSE_S)
            for seat in [it for it in active if it.future.done()]:
                active.remove(seat)
                self.settle(seat)
            if time.monotonic() - looked >= LOOK_S:
                looked = time.monotonic()
                for seat in self.missing(active):
                    active.remove(seat)
                    self.lose(seat, "the worker is gone")

    def hear(self, patience_s: float) -> None:
        """Show what workers print; return once nothing has arrived for ``patience_s`` seconds."""
        with contextlib.suppress(queue.Empty):
            while True:
                message = self.messages.get(timeout=patience_s)
                patience_s = 0.0
                self.note(message)

    def note(self, message: dict[str, Any]) -> None:
        """Handle one message of a worker."""
        seat = self.seats.get(message["called"])
        if seat is None:
            return
        if message["kind"] != "line":
            seat.begun, seat.ended = True, message["kind"] == "ended"
            return
        text = "".join(letter for letter in message["text"] if letter.isprintable())
        seat.lines.append(text)
        with self.campaign.log(seat.called).open("a", encoding="utf-8") as log:
            log.write(f"{text}\n")
        self.say(f"{seat.called}: {text}")

    def missing(self, active: list[Seat]) -> list[Seat]:
        """The workers that the scheduler did not know in two checks in a row."""
        try:
            there = self.client.scheduler_info(n_workers=-1)["workers"]
        except Exception:  # whatever dask raises where the scheduler does not answer; the futures will tell
            return []
        for seat in active:
            seat.missed = 0 if seat.address in there else seat.missed + 1
        return [seat for seat in active if seat.missed >= 2 and not seat.future.done()]

    def settle(self, seat: Seat) -> None:
        """Handle the result of a worker's task."""
        entry = self.campaign.workers[seat.called]
        if seat.future.status != "finished":
            error = seat.future.exception() if seat.future.status == "error" else None
            why = f"{type(error).__name__}: {str(error).splitlines()[0]}" if str(error or "") else "it was dropped"
            self.lose(seat, why, "lost" if error is None or isinstance(error, KilledWorker) else "failed")
            return
        found: dict[str, Any] = seat.future.result()
        seat.future.release()
        self.hear(0.0)
        entry.seconds = round(found["seconds"], 1)
        entry.outcome = found["outcome"]
        if found["outcome"] == "done":
            self.take(seat, entry, found)
        elif found["outcome"] == "failed":
            entry.says = f"exit code {found['exit_code']}; unfinished work is kept on the worker, in {found['kept']}"
            self.report(seat, "failed", entry.says)
            entry.says = f"exit code {found['exit_code']}"
        self.campaign.save()

    def take(self, seat: Seat, entry: Entry, found: dict[str, Any]) -> None:
        """Unpack a run, name it, and let the worker remove its copy."""
        packed: bytes = found["packed"]
        entry.packed_nbytes = len(packed)
        try:
            beside = self.campaign.folder / f".{seat.called}"
            entry.nbytes = archive.unpack(packed, beside)
            environment = json.loads((beside / "environment.json").read_text(encoding="utf-8"))
            plan = json.loads((beside / "run.json").read_text(encoding="utf-8"))
            entry.machine, entry.seed = identity.machine_name(environment), plan.get("seed")
            folder = fresh(self.results, f"{identity.cleaned(found['run'])}@{entry.machine}")
            beside.rename(folder)
        except (archive.ArchiveError, OSError, ValueError) as error:
            entry.outcome, entry.says = "refused", str(error)
            self.report(seat, "what came back is no run", str(error))
            return
        entry.outcome, entry.run, entry.void = ARRIVED, folder.name, found["void"]
        says = "cells of it are void" if found["void"] else f"exit code {found['exit_code']} after all was measured"
        entry.says = "" if found["exit_code"] == 0 else says
        self.say(
            f"{seat.called}: arrived: {folder.name}, {len(packed) / 1e6:.1f} MB over the network, "
            f"{entry.nbytes / 1e6:.1f} MB unpacked"
        )
        with contextlib.suppress(Exception):  # the run has arrived, whether the worker is still there or not
            self.client.run(job.discard, self.request(seat), workers=[seat.address], on_error="ignore")

    def lose(self, seat: Seat, why: str, outcome: str = "lost") -> None:
        """Record that a worker will not send a run."""
        entry = self.campaign.workers[seat.called]
        entry.outcome, entry.says = outcome, why
        with contextlib.suppress(Exception):
            seat.future.cancel(force=True)
        self.report(seat, outcome, why)
        self.campaign.save()

    def report(self, seat: Seat, what: str, why: str) -> None:
        """Say what became of a worker, and show the last lines that it printed."""
        self.say(f"{seat.called}: {what}: {why}")
        for line in seat.lines:
            self.say(f"{seat.called}: | {line}")

    def stop(self) -> None:
        """Keep the runs that have arrived, cancel the others, and wait until the workers have ended them."""
        active = [seat for seat in self.seats.values() if seat.future is not None]
        for seat in [it for it in active if it.future.done()]:
            if self.campaign.workers[seat.called].outcome == "not run":
                self.settle(seat)
        running = [seat for seat in active if self.campaign.workers[seat.called].outcome == "not run"]
        for seat in running:
            self.campaign.workers[seat.called].outcome = "stopped"
        self.campaign.save()
        if not running:
            return
        self.client.cancel([it.future for it in running], force=True)  # type: ignore[no-untyped-call]  # dask has no types
        self.say(f"stopping {', '.join(seat.called for seat in running)}; press Ctrl-C again not to wait for them")
        end = time.monotonic() + STOP_S
        while (waiting := [it for it in running if it.begun and not it.ended]) and time.monotonic() < end:
            self.hear(PAUSE_S)
            for seat in self.missing_any(waiting):
                seat.ended = True  # the keeper ends with its worker
        for seat in running:
            stopped = seat.ended or not seat.begun
            self.say(f"{seat.called}: {'stopped' if stopped else f'did not stop within {STOP_S:.0f} s'}")

    def missing_any(self, seats: list[Seat]) -> list[Seat]:
        """The workers that the scheduler does not know."""
        try:
            there = self.client.scheduler_info(n_workers=-1)["workers"]
        except Exception:  # as in `missing`
            return seats
        return [seat for seat in seats if seat.address not in there]


def fresh(results: Path, name: str) -> Path:
    """A folder of this name that does not exist yet, with a number where the name is taken."""
    for suffix in ("", *(f"-{number}" for number in range(2, 100))):
        if not (results / f"{name}{suffix}").exists():
            return results / f"{name}{suffix}"
    raise OSError(f"{results} has a hundred runs called {name}")
