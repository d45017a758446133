# SPDX-License-Identifier: Apache-2.0
"""Keeps a machine for one benchmark and the benchmark to its worker: ``python -m cside_bench.lab.keeper``.

A process between a worker and the benchmark, for what a thread of the worker cannot do. It holds the machine's lock
for as long as the benchmark runs, also where the worker is killed meanwhile; and it ends the benchmark with all that it
started when the worker closes the pipe to it, on purpose or by dying.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import psutil

from cside_bench.machine import lock

GRACE_S: Final = 60.0
"""After an interrupt, for the driver to keep what is finished."""
LAST_S: Final = 5.0
"""After the request to end that follows."""
STDIN: Final = 0
EXIT_STOPPED: Final = 130
EXIT_NO_COMMAND: Final = 127


def main() -> int:
    """Run what the first line of standard input says; the exit code is the command's, or one of this module's.

    The line is a JSON object: ``command`` (words), ``folder`` to run it in, ``environment`` of it, ``what`` it is for
    others that wait, ``lock`` (path, or null for the machine's own). Output of the command, and a line about waiting,
    go to standard output.
    """
    asked: dict[str, Any] = json.loads(os.fdopen(STDIN, "rb", buffering=0, closefd=False).readline())
    unwanted = threading.Event()

    def watch() -> None:
        while os.read(STDIN, 1):
            pass
        say("the worker does not want it any more: ending the benchmark")
        unwanted.set()

    def asked_to_end(number: int, _: object) -> None:
        say(f"{signal.Signals(number).name}: ending the benchmark")
        unwanted.set()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, asked_to_end)
    threading.Thread(target=watch, daemon=True).start()
    path = lock.LOCK if asked["lock"] is None else Path(asked["lock"])
    try:
        with lock.alone(asked["what"], say=say, cancelled=unwanted.is_set, path=path) as slot:
            return keep(asked, slot, unwanted)
    except lock.Cancelled:
        return EXIT_STOPPED


def keep(asked: dict[str, Any], slot: lock.Slot, unwanted: threading.Event) -> int:
    """Run the command to its end, or until it is unwanted; its exit code."""
    try:
        child = subprocess.Popen(
            asked["command"],
            cwd=asked["folder"],
            env=asked["environment"] | slot.environment(),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        say(f"cannot run {asked['command'][0]}: {error}")
        return EXIT_NO_COMMAND

    def end_if_unwanted() -> None:
        unwanted.wait()
        end(child)

    ender = threading.Thread(target=end_if_unwanted, daemon=True)
    ender.start()
    code = child.wait()
    if unwanted.is_set():
        ender.join()  # until nothing is left of what the command started
        return EXIT_STOPPED
    return code if code >= 0 else 128 - code


def say(text: str) -> None:
    """A line for the worker, which may be gone."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def end(child: "subprocess.Popen[bytes]") -> None:
    """End a command and everything that it started: an interrupt first, then a request, then by force."""
    family = started_by(child.pid)
    for name, patience_s in ((signal.SIGINT, GRACE_S), (signal.SIGTERM, LAST_S)):
        signal_group(child.pid, name)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(patience_s)
            break
        family |= started_by(child.pid)
    signal_group(child.pid, signal.SIGKILL)
    for process in family:
        with contextlib.suppress(psutil.Error):
            process.kill()  # looks at the time of its start: nobody who has its number by now is meant
    child.wait()


def signal_group(group: int, name: signal.Signals) -> None:
    """Send a signal to a group of processes, if there is one left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, name)


def started_by(pid: int) -> set[psutil.Process]:
    """A process with all below it."""
    try:
        process = psutil.Process(pid)
        return {process, *process.children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


if __name__ == "__main__":
    sys.exit(main())
