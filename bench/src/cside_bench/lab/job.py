# SPDX-License-Identifier: Apache-2.0
"""What a worker does: describe what it would measure, measure once, and send the run.

dask sends these functions to workers by their names, so that a worker runs those of its own checkout. They take and
return plain data. A request is one object: ``campaign``, ``called`` (the worker's name in it), ``key`` of the task,
``arguments`` of the benchmark, and the following, each of which may be null: ``checkout`` (folder), ``command`` (a
list), ``machine`` (the name that the user gave it), ``lock`` (path).
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

import dask.config
from distributed import get_worker

from cside_bench.lab import archive, keeper
from cside_bench.machine import identity

CHECKOUT: Final = "CSIDE_CHECKOUT"
"""Environment variable of a worker: the folder of its checkout, where the worker was started in another folder."""
EXIT_CODE_FILE: Final = "CSIDE_EXIT_CODE_FILE"
"""Environment variable: the file into which ``cside`` writes its exit code. nox itself only passes on success or
failure.
"""
LIBRARY: Final = ("native",)
"""The folder of the library's sources."""
SOURCES: Final = ("bindings", "bench/src", "bench/suite/src", "headers/src", "provision", "noxfile.py")
"""The folders of all other sources that a run depends on."""
BUILT: Final = frozenset({"build", "dist", "__pycache__", ".cside", ".mypy_cache", ".ruff_cache", ".pytest_cache"})
"""Folders that hold no sources."""
COMPILED: Final = frozenset({".so", ".pyd", ".pyc", ".o"})
LOOK_S: Final = 1.0
"""Time between two checks whether the run is still wanted."""
DRAIN_S: Final = 5.0
"""Time for the last lines of a benchmark that has ended."""
EXIT_LOOK: Final = 1
"""The driver's exit code where everything was measured and a cell is void."""
LONGEST: Final = 400
"""Characters of a printed line that are sent at most."""


class Worker(Protocol):
    """The part of dask's worker that is used here."""

    state: Any

    def log_event(self, topic: str, msg: Any) -> None:
        """Send a message to the subscribers of a topic."""


def topic(campaign: str) -> str:
    """The topic of the messages about a campaign."""
    return f"cside-lab-{campaign}"


def describe(checkout: str | None = None, command: list[str] | None = None) -> dict[str, Any]:
    """Describe what this worker would measure.

    ``commit``; digests of the ``library``'s sources and of all other ``sources``; ``id`` and ``name`` of its machine as
    :func:`identity.recorded` has them; and ``problem``: why it cannot measure, or None.
    """
    folder = place(checkout)
    problem = None
    if not (folder / "noxfile.py").is_file() and command is None:
        problem = f"{folder} is no checkout of cside: start the worker in one, or name it with {CHECKOUT} or --checkout"
    elif not folder.is_dir():
        problem = f"there is no folder {folder}"
    elif command is None and nox() is None:
        problem = f"it has no nox; to install it: {sys.executable} -m pip install nox"
    return {
        "commit": commit(folder),
        "library": digest(folder, LIBRARY),
        "sources": digest(folder, SOURCES),
        **identity.recorded(),
        "problem": problem,
    }


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Run the benchmark once, by a keeper that holds the machine's lock, and return the outcome.

    ``outcome`` is ``done``, ``failed`` or ``stopped``; ``exit_code``; where it is done, ``run`` is the run's name and
    ``packed`` the archive of its folder; ``seconds`` has the time with waiting; ``kept`` is the folder on the worker
    where unfinished work lies. An unfinished run of the same campaign is continued.
    """
    worker: Worker = get_worker()
    folder = place(request["checkout"])
    results = results_of(request)
    results.mkdir(parents=True, exist_ok=True)
    words = [*(request["command"] or [*(nox() or []), "-s", "bench", "--"]), *request["arguments"]]
    words += ["--results", str(results)]
    if begun := newest(results):
        words += ["--resume", begun.name]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cside-lab-") as beside:
        told = Path(beside) / "exit-code"
        environment = own_environment(request["machine"]) | {EXIT_CODE_FILE: str(told)}
        asked = {"command": words, "folder": str(folder), "environment": environment, "lock": request["lock"]}
        asked["what"] = f"{request['called']} of lab campaign {request['campaign']}"
        stopped, code = attend(asked, request, worker)
        exact = read_code(told)
    found: dict[str, Any] = {
        "exit_code": code if exact is None else exact,
        "seconds": time.monotonic() - began,
        "kept": str(results),
    }
    run = newest(results)
    if stopped:
        return found | {"outcome": "stopped"}
    if run is None or not (found["exit_code"] == 0 or complete(run, exact)):
        return found | {"outcome": "failed"}
    return found | {"outcome": "done", "run": run.name, "packed": archive.pack(run), "void": has_void(run)}


def discard(request: dict[str, Any]) -> None:
    """Remove the run from the worker, once it has arrived."""
    results = results_of(request)
    shutil.rmtree(results, ignore_errors=True)
    with contextlib.suppress(OSError):
        results.parent.rmdir()  # unless another worker of this checkout has something there


def attend(asked: dict[str, Any], request: dict[str, Any], worker: Worker) -> tuple[bool, int]:
    """Let a keeper run a command, and send what it prints; return whether it was stopped, and its exit code."""
    ours = {"PYTHONPATH": os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))}
    process = subprocess.Popen(
        [sys.executable, "-m", keeper.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | ours,
        start_new_session=True,  # Ctrl-C at the terminal of a local worker is not for it
    )
    assert process.stdin is not None and process.stdout is not None
    output = process.stdout

    def send() -> None:
        for line in output:
            text = line.decode(errors="replace").rstrip()[:LONGEST]
            if text:
                tell(worker, request, "line", text)

    tell(worker, request, "begun", "")
    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    stopped = False
    try:
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        while sender.is_alive() and process.poll() is None:
            sender.join(LOOK_S)  # it ends once the keeper and all that it started have closed their output
            if not stopped and not wanted(worker, request["key"]):
                stopped = True
                process.stdin.close()
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()
        code = process.wait()
    sender.join(DRAIN_S)
    tell(worker, request, "ended", str(code))
    return stopped, code


def tell(worker: Worker, request: dict[str, Any], kind: str, text: str) -> None:
    """Send a message to the process that conducts the campaign."""
    worker.log_event(topic(request["campaign"]), {"called": request["called"], "kind": kind, "text": text})


def wanted(worker: Worker, key: str) -> bool:
    """Whether a task is still wanted: dask forgets it when it is cancelled or when the client is gone."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state not in {"cancelled", "released", "forgotten"}


def place(checkout: str | None) -> Path:
    """The checkout: that in the request, else that of the worker's environment, else where the worker was started."""
    return Path(checkout or os.environ.get(CHECKOUT) or os.getcwd()).expanduser().resolve()


def results_of(request: dict[str, Any]) -> Path:
    """The folder of a worker's own run of a campaign, until the run has arrived."""
    return Path(place(request["checkout"]), ".cside", "lab", request["campaign"], request["called"])


def nox() -> list[str] | None:
    """The command that runs nox: by this Python, else from the PATH; None where there is none."""
    if find_spec("nox") is not None:
        return [sys.executable, "-m", "nox"]
    found = shutil.which("nox")
    return None if found is None else [found]


def own_environment(machine: str | None) -> dict[str, str]:
    """The worker's environment without dask's variables, and with the machine's name where the user gave one.

    dask's nanny sets variables for its worker. One of them configures the C library's memory allocator, which would
    change what is measured.
    """
    environment = dict(os.environ)
    for name in ("distributed.nanny.environ", "distributed.nanny.pre-spawn-environ"):
        for variable, value in (dask.config.get(name, default=None) or {}).items():
            if environment.get(variable) == str(value):
                del environment[variable]
    if machine is not None:
        environment.setdefault(identity.VARIABLE, machine)
    return environment


def newest(results: Path) -> Path | None:
    """The newest run in a folder; None where there is none."""
    runs = sorted(path.parent for path in results.glob("*/run.json") if not path.parent.is_symlink())
    return runs[-1] if runs else None


def complete(run: Path, code: int | None) -> bool:
    """Whether a run has measured everything. Its report may have failed nevertheless, and can be drawn again.

    Of a run that counts instructions, this is known only from the driver's exit ``code``.
    """
    counted = code == EXIT_LOOK and any((run / "counts").glob("*.json"))
    return counted or bool(summary_of(run).get("complete"))


def has_void(run: Path) -> bool:
    """Whether a cell of a run is void."""
    return any(cell.get("void") is not None for cell in summary_of(run).get("cells", ()))


def summary_of(run: Path) -> dict[str, Any]:
    """The contents of ``summary.json``; empty where the file is missing or damaged."""
    try:
        found = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def read_code(path: Path) -> int | None:
    """The exit code in the file that :data:`EXIT_CODE_FILE` names; None where there is none."""
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text())
    return None


def commit(folder: Path) -> str | None:
    """The commit of a checkout, with a ``+`` where it has changes; ``None`` where git cannot tell."""
    git = ["git", "-C", str(folder)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return head + ("+" if changed else "")


def digest(folder: Path, places: tuple[str, ...]) -> str:
    """The first twelve digits of the SHA-256 over names and contents of the sources in these places of a checkout."""
    found = hashlib.sha256()
    for path in sorted(it for name in places for it in sources(folder / name)):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]


def sources(top: Path) -> list[Path]:
    """The files of a folder, or the one file, without what a build leaves there."""
    if top.is_file():
        return [top]
    found = []
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if name not in BUILT and not name.endswith(".egg-info")]
        found += [path for name in files if (path := Path(folder, name)).suffix not in COMPILED and path.is_file()]
    return found
