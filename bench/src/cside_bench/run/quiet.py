# SPDX-License-Identifier: Apache-2.0
"""The machine during a run: the CPU that measuring processes are pinned to, and the load by other programs."""

from dataclasses import dataclass
from typing import Self

from cside_bench.machine.cpu import Placement, place
from cside_bench.machine.guard import Guard
from cside_bench.run.progress import Display


@dataclass(frozen=True, slots=True)
class Machine:
    """CPU and load guard that the driver consults before each process."""

    placement: Placement | None
    """The chosen CPU; None if the user asked for processes that are not pinned."""
    guard: Guard

    @classmethod
    def prepare(cls, display: Display, *, pin: bool, load_limit: float, patience_s: float) -> Self:
        """Choose a CPU and set up the load guard."""
        return cls(place() if pin else None, Guard(load_limit, patience_s, display))

    @property
    def cpu(self) -> int | None:
        """CPU to which a single-threaded measuring process is pinned; None if processes are not pinned."""
        return self.placement.cpu if self.placement is not None else None

    @property
    def says(self) -> str:
        """The reason for the choice of the CPU, as one sentence."""
        return self.placement.reason if self.placement is not None else "processes are not pinned, as the options ask"

    def wait(self) -> None:
        """Wait until the load by other programs is low enough. Raises :class:`cside_bench.machine.guard.TooBusy`."""
        self.guard.wait()
