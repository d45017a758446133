# SPDX-License-Identifier: Apache-2.0
"""The machine during a run: which CPU measuring processes stay on, and whether others leave it alone."""

from dataclasses import dataclass
from typing import Self

from cside_bench.machine.cpu import Placement, place
from cside_bench.machine.guard import Guard
from cside_bench.run.progress import Display


@dataclass(frozen=True, slots=True)
class Machine:
    """What the driver asks before each process."""

    placement: Placement | None
    """None where processes are not pinned because the user said so."""
    guard: Guard

    @classmethod
    def prepare(cls, display: Display, *, pin: bool, load_limit: float, patience_s: float) -> Self:
        """Choose a CPU, and set up the guard."""
        return cls(place() if pin else None, Guard(load_limit, patience_s, display))

    @property
    def cpu(self) -> int | None:
        """For a single-threaded measuring process."""
        return self.placement.cpu if self.placement is not None else None

    @property
    def says(self) -> str:
        """One sentence on the CPU."""
        return self.placement.reason if self.placement is not None else "processes are not pinned, as asked"

    def wait(self) -> None:
        """Return when others leave enough of the machine alone. Raises :class:`cside_bench.machine.guard.TooBusy`."""
        self.guard.wait()
