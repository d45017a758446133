# SPDX-License-Identifier: Apache-2.0
"""The record of a campaign, ``results/labs/<stamp>/lab.json``, and beside it what each worker printed.

A worker has the name that its user gave it, else the digest of its machine. Hosts and addresses are not recorded.
"""

import itertools
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from cside_suite.files import write_json

FORMAT: Final = 1
FILE: Final = "lab.json"
FOLDER: Final = "labs"
LATEST: Final = "latest"
ARRIVED: Final = "arrived"
OUTCOMES: Final = {
    ARRIVED: "its run is here",
    "failed": "the benchmark ended with an error",
    "lost": "the worker ended, or the connection to it was lost",
    "stopped": "it was interrupted",
    "refused": "what the worker sent is no run",
    "not run": "the benchmark was not begun",
}


class CampaignError(Exception):
    """A campaign does not exist or cannot be read; the text says why."""


@dataclass(slots=True)
class Entry:
    """One worker of a campaign."""

    called: str
    """Its name within the campaign."""
    machine_id: str | None
    """Digest of its machine's identifier, which workers of one machine share."""
    commit: str | None
    library: str
    """Digest of the library's sources."""
    sources: str
    """Digest of all other sources."""
    outcome: str = "not run"
    """One of :data:`OUTCOMES`."""
    says: str = ""
    """Why its run did not arrive, or what is wrong with the run."""
    run: str | None = None
    """Folder of the arrived run, under ``results/``."""
    machine: str | None = None
    """The name of its machine in results."""
    seed: int | None = None
    nbytes: int | None = None
    """Bytes of the run's files."""
    packed_nbytes: int | None = None
    """Bytes that were sent over the network."""
    seconds: float | None = None
    """Time that the benchmark took on the worker, with the time that it waited."""
    void: bool = False
    """Whether cells of the run are void."""


@dataclass(slots=True)
class Campaign:
    """One benchmark, on any number of workers."""

    folder: Path
    arguments: list[str]
    """The arguments of the benchmark."""
    command: list[str] | None
    """The command that workers run; ``None`` for nox."""
    allow_different: bool
    started: str
    workers: dict[str, Entry] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The stamp, which is the name of the folder."""
        return self.folder.name

    @classmethod
    def new(cls, results: Path, arguments: list[str], command: list[str] | None, *, allow_different: bool) -> Self:
        """Begin a campaign, named by the time. Its folder is made when it is saved for the first time."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        names = itertools.chain([stamp], (f"{stamp}-{number}" for number in itertools.count(2)))
        folder = next(it for name in names if not (it := results / FOLDER / name).exists())
        started = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
        return cls(folder, arguments, command, allow_different, started)

    @classmethod
    def load(cls, results: Path, name: str) -> Self:
        """Load a campaign by its stamp or as ``latest``. Raises :class:`CampaignError`."""
        labs = results / FOLDER
        known = sorted(path.parent.name for path in labs.glob(f"*/{FILE}"))
        wanted = known[-1] if name == LATEST and known else name
        try:
            found: dict[str, Any] = json.loads((labs / wanted / FILE).read_text(encoding="utf-8"))
        except OSError as error:
            there = f"the newest are: {', '.join(known[-5:])}" if known else "there is none"
            raise CampaignError(f"{name} is no campaign in {labs} ({there})") from error
        except ValueError as error:
            raise CampaignError(f"{labs / wanted / FILE} is damaged: {error}") from error
        if found.get("format") != FORMAT:
            raise CampaignError(
                f"{labs / wanted / FILE} has format {found.get('format')}, and this cside reads {FORMAT}"
            )
        campaign = cls(labs / wanted, *(found[it] for it in ("arguments", "command", "allow_different", "started")))
        campaign.workers = {entry["called"]: Entry(**entry) for entry in found["workers"]}
        return campaign

    def save(self) -> None:
        """Write ``lab.json`` in one step."""
        found = {
            "format": FORMAT,
            "campaign": self.name,
            "started": self.started,
            "arguments": self.arguments,
            "command": self.command,
            "allow_different": self.allow_different,
            "workers": [asdict(entry) for entry in self.workers.values()],
        }
        write_json(self.folder / FILE, found, indent=1)

    def log(self, called: str) -> Path:
        """The file that keeps what a worker printed."""
        return self.folder / f"{called}.log"

    def arrived(self) -> list[Entry]:
        """The workers whose runs have arrived."""
        return [entry for entry in self.workers.values() if entry.outcome == ARRIVED]


def differing(described: dict[str, dict[str, Any]]) -> list[str]:
    """Describe how the checkouts of workers differ, one line for each difference; empty where they are the same.

    ``described`` has the result of :func:`cside_bench.lab.job.describe` by the name of the worker.
    """
    found = []
    for name, what in (
        ("commit", "commit"),
        ("library", "sources of the library"),
        ("sources", "sources of bindings and bench"),
    ):
        by_value: dict[str, list[str]] = {}
        for called, told in described.items():
            by_value.setdefault(told[name] or "not known", []).append(called)
        if len(by_value) > 1:
            parts = (
                f"{value[:12]}{'+' if value.endswith('+') else ''} on {', '.join(who)}"
                for value, who in by_value.items()
            )
            found.append(f"{what}: {'; '.join(parts)}")
    return found
