# SPDX-License-Identifier: Apache-2.0
"""One benchmark at a time on a machine, whoever starts it: another checkout, another user, a worker of a lab.

Two that measure at the same time measure each other. The guard (:mod:`cside_bench.machine.guard`) would see that and wait, but
both may look at the same quiet moment; a lock cannot be had twice. It is the system's own lock on a file (``flock``),
gone with the process that holds it however that ends, so that it cannot be left behind. The file stays; it names the
holder, for the one that waits. It lies in ``/tmp`` and not where ``TMPDIR`` points, since that differs between users.
Containers with a ``/tmp`` of their own do not see each other's, and Windows has no such lock: there, only the guard
notices.
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

LOCK: Final = Path("/tmp/cside-benchmark.lock")
HELD: Final = "CSIDE_EXCLUSIVE"
"""Environment variable: what is started by the holder, and names this lock's token in it, need not wait for it."""
PAUSE_S: Final = 0.5
"""Between two tries."""
MOST_NBYTES: Final = 4096
"""Of the file that are read; a holder writes about 100."""


class Occupied(Exception):
    """Another benchmark holds the machine and went on for longer than was to be waited; the text says which."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The machine, held for as long as the block lasts."""

    token: str | None
    """For :data:`HELD` in the environment of what is started in the block; ``None`` where nothing is locked."""
    waited_s: float
    """For how long another benchmark was waited for."""

    def environment(self) -> dict[str, str]:
        """The variable for what is started in the block and asks for the machine itself."""
        return {} if self.token is None else {HELD: self.token}


@contextlib.contextmanager
def alone(
    what: str,
    *,
    patience_s: float | None = None,
    say: Callable[[str], None] | None = None,
    path: Path = LOCK,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Slot]:
    """Have the machine for oneself, as far as other benchmarks go, until the block ends.

    ``what`` tells others who holds it, as “run 20261121-120000”. Where another one holds it, ``say`` gets a line about
    that, and a second one when it is over; after ``patience_s`` seconds (``None``: never) this gives up with
    :class:`Occupied`. Whatever ``sleep`` raises ends the wait. A process that was started by the holder, with
    :meth:`Slot.environment`, goes on at once. `OSError` where the file can be neither opened nor made.
    """
    if sys.platform == "win32":
        yield Slot(None, 0.0)
        return
    descriptor = _open(path)
    try:
        began = clock()
        told = False
        while not _taken(descriptor):
            holder = _read(descriptor)
            if holder.get("token") and holder["token"] == os.environ.get(HELD):
                yield Slot(holder["token"], 0.0)
                return
            waited = clock() - began
            if patience_s is not None and waited >= patience_s:
                raise Occupied(
                    f"this machine is measured on by {_words(holder)}, and {waited:.0f} s of waiting did not help. "
                    "Let it finish and go on with --resume, or wait for longer with --patience MINUTES"
                )
            if say is not None and not told:
                told = True
                say(f"waiting: this machine is measured on by {_words(holder)}")
            sleep(PAUSE_S if patience_s is None else min(PAUSE_S, patience_s - waited))
        waited = clock() - began
        if say is not None and told:
            say(f"the machine is free after {waited:.0f} s; going on")
        token = secrets.token_hex(8)
        _write(descriptor, {"token": token, "what": what, "pid": os.getpid(), "since": time.strftime("%H:%M:%S")})
        try:
            yield Slot(token, waited if told else 0.0)
        finally:
            _write(descriptor, {})
    finally:
        os.close(descriptor)  # and with it the lock, where this process has it


def _open(path: Path) -> int:
    """A descriptor of the lock's file, which any user of the machine may open; no other program inherits it.

    It is made, where it has to be, in a step of its own: some systems refuse to create a file of another user's that
    is there (``fs.protected_regular``), while opening it is allowed.
    """
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(3):  # somebody else may make it, or take it away, in between
        try:
            descriptor = os.open(path, flags)
            break
        except FileNotFoundError:
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
                os.fchmod(descriptor, 0o666)  # whatever the umask
                break
        except PermissionError:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)  # enough to lock
            break
    else:
        raise FileNotFoundError(f"{path} comes and goes")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no ordinary file: somebody has put something else in the lock's place")
    return descriptor


def _taken(descriptor: int) -> bool:
    """Whether the lock is ours now."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(descriptor: int) -> dict[str, Any]:
    """What the holder wrote; empty where it has not yet, or could not."""
    try:
        found = json.loads(os.pread(descriptor, MOST_NBYTES, 0) or b"{}")
    except (ValueError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(descriptor: int, holder: dict[str, Any]) -> None:
    """Tell others who holds it; where the file is another user's and closed to this one, nobody is told."""
    text = json.dumps(holder).encode() if holder else b""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text, 0)


def _words(holder: dict[str, Any]) -> str:
    if not holder.get("what"):
        return "another benchmark"
    what = "".join(letter for letter in str(holder["what"])[:100] if letter.isprintable())  # another user may write it
    return f"{what} (process {holder.get('pid')}, since {holder.get('since')})"
