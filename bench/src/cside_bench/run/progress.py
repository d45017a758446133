"""Shows the progress of a run: a bar with the time left on a terminal, else one line per process."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

SHARES: Final = {
    "start": (0.0, 0.4),
    "calibrate": (0.3, 1.0),
    "warm-up": (0.15, 0.4),
    "measure": (0.4, 0.9),
    "latency": (0.9, 1.0),
}
"""Fractions of a process's time at which each phase begins and ends, accurate enough for a progress bar."""


class Display:
    """The progress that the user sees during a run."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._bar = Progress(
            TextColumn("[bold]{task.description:<28}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            speed_estimate_period=600,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=1.0, start=False)
        self._total = 0
        self._done = 0
        self._skipped = 0
        self._started = time.monotonic()

    def start(self, total: int) -> None:
        """Start the bar with the number of processes to run."""
        self._total = total
        self._started = time.monotonic()
        self._bar.start()
        self._bar.update(self._task, total=float(total))
        self._bar.start_task(self._task)

    def extend(self, total: int) -> None:
        """Set the number of processes when it is known."""
        self._total = total
        self._bar.update(self._task, total=float(total))

    def more(self, count: int) -> None:
        """Add processes to those that are to be run."""
        self.extend(self._total + count)

    def stop(self) -> None:
        """Remove the bar."""
        self._bar.stop()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self.console.print(text, highlight=False)

    @contextmanager
    def step(self, title: str, *, done: bool) -> Iterator[bool]:
        """Show one process; the context's value tells whether it has to be run."""
        self._bar.update(self._task, description=title)
        began = time.monotonic()
        yield not done
        self._done += 1
        self._skipped += done
        self._bar.update(self._task, completed=float(self._done))
        if not self.console.is_terminal and not done:
            ran = self._done - self._skipped
            left = (time.monotonic() - self._started) / ran * (self._total - self._done)
            self.say(
                f"[{self._done}/{self._total}] {title}: {time.monotonic() - began:.0f} s; "
                f"about {left / 60:.0f} min left"
            )

    def within(self, phase: str, fraction: float) -> None:
        """Show how far the running process has come."""
        low, high = SHARES.get(phase, (0.0, 0.15))
        self._bar.update(self._task, completed=self._done + low + (high - low) * fraction)
