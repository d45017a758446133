# SPDX-License-Identifier: Apache-2.0
"""One benchmark at a time on a machine, whoever starts it: another checkout, another user, a worker of a lab.

Two benchmarks that run at the same time disturb each other's measurements. The guard (:mod:`cside_bench.machine.guard`)
waits for a quiet machine, but two guards may see the same quiet moment; a lock cannot be held twice. The lock is
`filelock.FileLock`, which uses ``flock``: the operating system releases it when the holding process ends, however it
ends, so that no stale lock is left behind. The file stays in place, and the holder writes into it who it is, for those
that wait. It lies in ``/tmp`` and not in the folder of ``TMPDIR``, which differs between users. Two limits: containers
with a
``/tmp`` of their own have a lock of their own each, and on Windows there is no lock and only the guard.
"""

import contextlib
import json
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

LOCK: Final = Path("/tmp/cside-benchmark.lock")
HELD: Final = "CSIDE_EXCLUSIVE"
"""Environment variable with the holder's token. A process that the holder starts with it need not wait for the lock."""
PAUSE_S: Final = 0.5
"""Time between two attempts to get the lock."""
ANY_USER: Final = 0o666
"""Mode of the file, so that every user of the machine can lock it."""
MOST_NBYTES: Final = 4096
"""Bytes of the file that are read at most; a holder writes about 100."""


class Occupied(Exception):
    """Another benchmark held the machine for longer than the user wanted to wait; the text says which one."""


class Cancelled(Exception):
    """The caller did not want to wait any longer."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What the holder of the lock knows while it has the machine."""

    token: str | None
    """For :data:`HELD` in the environment of what is started in the block; ``None`` where nothing is locked."""
    waited_s: float
    """For how long another benchmark was waited for."""

    def environment(self) -> dict[str, str]:
        """The variable for a process that is started in the block and asks for the lock itself."""
        return {} if self.token is None else {HELD: self.token}


@contextlib.contextmanager
def alone(
    what: str,
    *,
    patience_s: float | None = None,
    say: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    path: Path = LOCK,
) -> Iterator[Slot]:
    """Hold the machine's lock until the block ends, so that no other benchmark runs on the machine.

    ``what`` tells others who holds it, as "run 20261121-120000". While another benchmark holds it, this function waits
    and tells ``say`` for whom, and when the wait is over. A process that the holder started with
    :meth:`Slot.environment` does not wait. Raises :class:`Occupied` after ``patience_s`` seconds (``None``: never),
    :class:`Cancelled` once
    ``cancelled`` returns true, and `OSError` where the file cannot be opened or made.
    """
    if sys.platform == "win32":
        yield Slot(None, 0.0)
        return
    if path.is_symlink() or (path.exists() and not stat.S_ISREG(path.stat().st_mode)):
        raise OSError(f"{path} is no ordinary file: somebody has put something else in the place of the lock")
    lock = FileLock(path, mode=ANY_USER)
    waited_s = 0.0
    try:
        lock.acquire(blocking=False)
    except Timeout:
        holder = _read(path)
        if holder.get("token") and holder["token"] == os.environ.get(HELD):
            yield Slot(holder["token"], 0.0)
            return
        waited_s = _wait(lock, path, patience_s, say or (lambda text: None), cancelled)
    try:
        token = secrets.token_hex(8)
        _write(path, {"token": token, "what": what, "pid": os.getpid(), "since": time.strftime("%H:%M:%S")})
        try:
            yield Slot(token, waited_s)
        finally:
            _write(path, {})
    finally:
        lock.release()


def _wait(
    lock: FileLock,
    path: Path,
    patience_s: float | None,
    say: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> float:
    """Wait until the lock is ours; return the seconds that it took."""
    began = time.monotonic()
    say(f"waiting: {_words(_read(path))} is measuring on this machine")
    try:
        lock.acquire(timeout=-1 if patience_s is None else patience_s, poll_interval=PAUSE_S, cancel_check=cancelled)
    except Timeout:
        if cancelled():
            raise Cancelled from None
        raise Occupied(
            f"{_words(_read(path))} is measuring on this machine and did not end within {patience_s:.0f} s. "
            "Let it finish and go on with --resume, or wait longer with --patience MINUTES"
        ) from None
    waited_s = time.monotonic() - began
    say(f"the machine is free after {waited_s:.0f} s; going on")
    return waited_s


def _read(path: Path) -> dict[str, Any]:
    """What the holder wrote; empty where it has not written yet, or could not."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(MOST_NBYTES) or b"{}")
    except (ValueError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, holder: dict[str, Any]) -> None:
    """Tell others who holds the lock. Where the file cannot be written they are told of "another benchmark"."""
    with contextlib.suppress(OSError), path.open("r+", encoding="utf-8") as file:  # some systems refuse "w" in /tmp
        file.truncate()
        file.write(json.dumps(holder) if holder else "")


def _words(holder: dict[str, Any]) -> str:
    """Who holds the lock, for a message."""
    if not holder.get("what"):
        return "another benchmark"
    what = "".join(letter for letter in str(holder["what"])[:100] if letter.isprintable())  # another user may write it
    return f"{what} (process {holder.get('pid')}, since {holder.get('since')})"
