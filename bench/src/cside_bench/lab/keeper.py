# SPDX-License-Identifier: Apache-2.0
"""Hold the machine's lock while a worker's benchmark runs, and end the benchmark when the worker ends.

A worker starts this process, ``python -m cside_bench.lab.keeper``, and this process starts the benchmark. It does two
things that a thread of the worker cannot do. It holds the lock as long as the benchmark runs, even where the worker is
killed meanwhile. And when the worker closes the pipe to it, on purpose or because it was killed, it ends the benchmark
with all processes that the benchmark started.
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
"""Time after the interrupt (SIGINT), for the driver to save what is finished."""
LAST_S: Final = 5.0
"""Time after the request to end (SIGTERM), which follows."""
STDIN: Final = 0
EXIT_STOPPED: Final = 130
EXIT_NO_COMMAND: Final = 127


def main() -> int:
    """Run the command that the first line of standard input describes; return its exit code, or one of this module's.

    The line is a JSON object: ``command`` (a list), ``folder`` to run it in, its ``environment``, ``what`` others that
    wait for the lock are told, ``lock`` (a path, or null for the machine's lock). The output of the command, and lines
    about waiting, are printed on standard output.
    """
    asked: dict[str, Any] = json.loads(os.fdopen(STDIN, "rb", buffering=0, closefd=False).readline())
    unwanted = threading.Event()

    def watch() -> None:
        while os.read(STDIN, 1):
            pass
        say("the worker has closed the connection: ending the benchmark")
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
    """Run the command until it ends or is not wanted any more; return its exit code."""
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
        ender.join()  # until all processes that the command started have ended
        return EXIT_STOPPED
    return code if code >= 0 else 128 - code


def say(text: str) -> None:
    """Print a line for the worker, which may have ended."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def end(child: "subprocess.Popen[bytes]") -> None:
    """End a command and all processes that it started: by SIGINT, then by SIGTERM, then by SIGKILL."""
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
            process.kill()  # psutil compares start times, so that no other process with the same number is ended
    child.wait()


def signal_group(group: int, name: signal.Signals) -> None:
    """Send a signal to a group of processes, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, name)


def started_by(pid: int) -> set[psutil.Process]:
    """A process and all that it started, directly or not."""
    try:
        process = psutil.Process(pid)
        return {process, *process.children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


if __name__ == "__main__":
    sys.exit(main())
