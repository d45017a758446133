# SPDX-License-Identifier: Apache-2.0
"""Run a program: its output goes to a log, and the end of the log into the error."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from provision import paths

CLEAR = "\x1b[2K"
"""Clears a terminal's line (ECMA-48, erase in line)."""
TAIL = 40
"""How many of the last lines of a log an error shows."""

_running: set["subprocess.Popen[bytes]"] = set()
_guard = threading.Lock()
_shown = False
"""Whether the terminal's last line is one of :func:`step`."""


class Problem(Exception):
    """A session cannot go on; the text says why, and what the user can do."""


def say(text: str) -> None:
    """Print one line of progress on standard error. Standard output is for the results of commands."""
    settle()
    print(f"cside: {text}", file=sys.stderr, flush=True)


def step(text: str) -> None:
    """Show what is being done: on a terminal in one line that the next one overwrites, else like :func:`say`.

    The line is as wide as the terminal at most, since a line that wraps cannot be overwritten.
    """
    global _shown
    if not sys.stderr.isatty():
        say(text)
        return
    room = shutil.get_terminal_size().columns - 1
    line = f"cside: {text}"
    with _guard:
        print(f"\r{CLEAR}{line if len(line) <= room else line[: room - 1] + '…'}", end="", file=sys.stderr, flush=True)
        _shown = True


def settle() -> None:
    """Remove the line of :func:`step`, before something else is printed."""
    global _shown
    with _guard:
        if _shown:
            print(f"\r{CLEAR}", end="", file=sys.stderr, flush=True)
            _shown = False


atexit.register(settle)


def environment(first_on_path: Path | None = None, **extra: str) -> dict[str, str]:
    """The environment variables for programs that are started here.

    Variables that point to another Python are removed. uv copies files: with hard links, an edited file in an
    environment would change uv's cache too, and would still be edited after it is installed again. Python writes
    bytecode whatever the user's shell says, so that import times are measured as users have them.
    """
    foreign = {"PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "CONDA_PREFIX"}
    env = {name: value for name, value in os.environ.items() if name not in foreign}
    env |= {"UV_LINK_MODE": "copy", "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1", "PYTHONUTF8": "1", **extra}
    if first_on_path is not None:
        env["PATH"] = os.pathsep.join([str(first_on_path), env.get("PATH", "")])
    return env


def run(
    command: Sequence[object],
    *,
    log: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float | None = None,
) -> None:
    """Run ``command`` with its output in ``.cside/logs/<log>.log``.

    Raises `Problem` with the end of the log unless the exit code is 0.
    """
    words = [str(word) for word in command]
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    target = paths.LOGS / f"{log}.log"
    with target.open("wb") as sink:
        sink.write(f"$ {' '.join(words)}\n".encode())
        sink.flush()
        try:
            child = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                env=dict(env if env is not None else environment()),
                cwd=cwd or paths.ROOT,
                start_new_session=True,
            )
        except OSError as error:
            raise Problem(f"cannot run {words[0]}: {error}") from error
        with _guard:
            _running.add(child)
        try:
            code = child.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Problem(f"{words[0]} took longer than {timeout:.0f} s; its output: {target}") from None
        finally:
            if child.poll() is None:
                _end(child)
                child.wait()
            with _guard:
                _running.discard(child)
    if code:
        raise Problem(f"exit code {code} from: {' '.join(words)}\n{tail(target)}\nwhole log: {target}")


def show(command: Sequence[object], *, env: Mapping[str, str] | None = None) -> None:
    """Run ``command`` and show its output. Raises `Problem` unless the exit code is 0."""
    settle()
    words = [str(word) for word in command]
    done = subprocess.run(words, env=dict(env if env is not None else environment()), cwd=paths.ROOT, check=False)
    if done.returncode:
        raise Problem(f"exit code {done.returncode} from: {' '.join(words)}")


def tail(log: Path) -> str:
    """The last lines of a log, indented."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in lines[-TAIL:])


def stop_all() -> None:
    """End all programs that :func:`run` started, also in other threads. This is for use after an interruption."""
    with _guard:
        children = list(_running)
    for child in children:
        _end(child)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End a program with all that it started, as a build with its compilers."""
    if sys.platform == "win32":
        child.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def output(
    command: Sequence[object],
    *,
    timeout: float = 60,
    env: Mapping[str, str] | None = None,
    stdin: str | None = None,
) -> str:
    """What ``command`` prints. Raises `Problem` unless it ends with exit code 0 within ``timeout`` seconds."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            env=dict(env if env is not None else environment()),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem(f"cannot run {words[0]}: {error}") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Problem(f"exit code {done.returncode} from {words[0]}: {last}")
    return done.stdout
