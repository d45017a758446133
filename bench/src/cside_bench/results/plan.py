"""The plan of a run: which processes, in which order, with which seeds. Made once, kept in ``run.json``,
resumed from it.
"""

import json
import random
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from cside_suite.files import write_json
from cside_bench.results.files import RUN_FILE



class PlanError(Exception):
    """A run that cannot be planned or resumed, and why."""


@dataclass(frozen=True, slots=True)
class Tier:
    """How much a run measures, from ``tiers.toml``."""

    name: str
    reference: str
    blocks: int
    rounds: int
    least_visits: int
    warm_up_ms: dict[str, float]
    """By the implementation's name in lower case."""
    latency_ms: float
    """For each target's calls to be timed one by one."""
    cold_blocks: int
    """Fresh processes per binding that time its import."""
    thread_blocks: int
    """Fresh processes per interpreter that measure threads."""
    thread_s: float
    """How long each of them takes."""
    verdicts: bool
    skip: list[str]
    """Patterns of workloads left out."""
    pypy: dict[str, Any] = field(default_factory=dict)
    """What is otherwise for PyPy, each of whose processes takes three to four times as long."""

    @classmethod
    def named(cls, name: str) -> Self:
        """The tier of that name; `KeyError` if there is none."""
        table = tomllib.loads(files("cside_bench.results").joinpath("tiers.toml").read_text(encoding="utf-8"))
        return cls(name=name, reference=table["reference"], **table[name])

    def of(self, label: str) -> Self:
        """The tier for an interpreter labelled as ``pypy-3.11``."""
        return replace(self, **self.pypy, pypy={}) if label.startswith("pypy") else self

    def warm_up_ns(self, label: str) -> int:
        """Warm-up of each target, for an interpreter labelled as ``cpython-3.13``."""
        implementation = label.partition("-")[0]
        return int(self.warm_up_ms.get(implementation, max(self.warm_up_ms.values())) * 1e6)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter whose environment holds the bindings."""

    label: str
    python: str
    facts: dict[str, Any] = field(default_factory=dict)
    """What provisioned it: source, builds of the wheels."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fresh process of one interpreter."""

    interpreter: str
    number: int
    seed: int
    alone: str = ""
    """In isolated mode, the one binding, variant or control that it loads."""

    @property
    def name(self) -> str:
        """Stem of its files."""
        return f"{self.interpreter}-{self.number:02d}" + (f"@{self.alone}" if self.alone else "")


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what a run does."""

    tier: str
    seed: int
    reference: str
    library_sha256: str
    interpreters: list[Interpreter]
    blocks: list[Block]
    bindings: list[str]
    only: list[str]
    corpora: dict[str, str]
    """SHA-256 of each by name."""
    rounds: int = 0
    """Of each process, where a budget set them; 0 for the tier's."""
    budget_minutes: float | None = None
    isolated: bool = False
    """Whether each binding has processes of its own."""
    counted: bool = False
    """Whether instructions are counted and nothing is timed."""
    handicaps: list[tuple[str, str, float]] = field(default_factory=list)
    """(workload, subject, percent) to slow down on purpose."""
    missing: list[dict[str, str]] = field(default_factory=list)
    """Interpreters that were promised and not found, each with the reason and the command that installs it."""

    def save(self, folder: Path) -> None:
        """Write ``run.json``."""
        write_json(folder / RUN_FILE, asdict(self), indent=1)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read ``run.json``. Raises :class:`PlanError` where there is none."""
        try:
            raw = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
        except OSError as error:
            raise PlanError(f"{folder} is no run: {error.strerror} for {RUN_FILE}") from error
        raw["interpreters"] = [Interpreter(**entry) for entry in raw["interpreters"]]
        raw["blocks"] = [Block(**entry) for entry in raw["blocks"]]
        raw["handicaps"] = [tuple(entry) for entry in raw.get("handicaps", [])]
        return cls(**raw)

    def interpreter(self, label: str) -> Interpreter:
        """The interpreter of that label."""
        return next(entry for entry in self.interpreters if entry.label == label)


def draw_blocks(counts: Mapping[str, int], seed: int) -> list[Block]:
    """So many blocks of each interpreter; interpreters in a new random order within each set of blocks.

    Those that have fewer are spread over the whole run.
    """
    draw = random.Random(seed)
    most = max(counts.values(), default=0)
    blocks = []
    done = dict.fromkeys(counts, 0)
    for number in range(most):
        order = [label for label, count in counts.items() if done[label] * most < count * (number + 1)]
        draw.shuffle(order)
        for label in order:
            blocks.append(Block(label, done[label], draw.getrandbits(32)))
            done[label] += 1
    return blocks


def isolate(blocks: list[Block], alone: dict[str, list[str]], seed: int) -> list[Block]:
    """Each block as one process for each of the names that its interpreter has, in random order."""
    draw = random.Random(seed)
    found = []
    for block in blocks:
        names = list(alone[block.interpreter])
        draw.shuffle(names)
        found += [Block(block.interpreter, block.number, draw.getrandbits(32), name) for name in names]
    return found
