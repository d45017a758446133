# SPDX-License-Identifier: Apache-2.0
"""The record of a campaign: ``results/labs/<stamp>/lab.json``, and what each worker printed beside it.

A worker is called as its user named it, else by the digest of its machine: neither hosts nor addresses are recorded.
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
    "lost": "the worker or the connection to it went away",
    "stopped": "interrupted",
    "refused": "what came back is no run",
    "not run": "never asked",
}


class CampaignError(Exception):
    """A campaign that is not there or cannot be read, and why."""


@dataclass(slots=True)
class Entry:
    """One worker of a campaign."""

    called: str
    """Its name within the campaign."""
    machine_id: str | None
    """Digest of its machine's identifier; workers of one machine share it."""
    commit: str | None
    library: str
    """Digest of the library's sources."""
    sources: str
    """Digest of the sources of all else."""
    outcome: str = "not run"
    """One of :data:`OUTCOMES`."""
    says: str = ""
    """Why, where it did not arrive."""
    run: str | None = None
    """Folder of the arrived run, under ``results/``."""
    machine: str | None = None
    """What results call the machine."""
    seed: int | None = None
    nbytes: int | None = None
    """Of the run's files."""
    packed_nbytes: int | None = None
    """That went over the network."""
    seconds: float | None = None
    """That the benchmark took there, waiting included."""
    void: bool = False
    """Whether the run says that cells of it are void."""


@dataclass(slots=True)
class Campaign:
    """One benchmark, on any number of workers."""

    folder: Path
    arguments: list[str]
    """Of the benchmark."""
    command: list[str] | None
    """In the place of nox; ``None`` for nox."""
    allow_different: bool
    started: str
    workers: dict[str, Entry] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The stamp."""
        return self.folder.name

    @classmethod
    def new(cls, results: Path, arguments: list[str], command: list[str] | None, *, allow_different: bool) -> Self:
        """One that is to begin, named by the time; its folder is made when it is first saved."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        names = itertools.chain([stamp], (f"{stamp}-{number}" for number in itertools.count(2)))
        folder = next(it for name in names if not (it := results / FOLDER / name).exists())
        started = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
        return cls(folder, arguments, command, allow_different, started)

    @classmethod
    def load(cls, results: Path, name: str) -> Self:
        """One that was begun, by its stamp or as ``latest``. Raises :class:`CampaignError`."""
        labs = results / FOLDER
        known = sorted(path.parent.name for path in labs.glob(f"*/{FILE}"))
        wanted = known[-1] if name == LATEST and known else name
        try:
            found: dict[str, Any] = json.loads((labs / wanted / FILE).read_text(encoding="utf-8"))
        except OSError as error:
            there = f"there are: {', '.join(known[-5:])}" if known else "there is none"
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
        """Where what a worker printed is kept."""
        return self.folder / f"{called}.log"

    def arrived(self) -> list[Entry]:
        """Workers whose runs are here."""
        return [entry for entry in self.workers.values() if entry.outcome == ARRIVED]


def differing(described: dict[str, dict[str, Any]]) -> list[str]:
    """By what the checkouts of workers differ, in words; empty where they do not.

    ``described`` has what :func:`cside_bench.lab.job.describe` found, by the name of the worker.
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
