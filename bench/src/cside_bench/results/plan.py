"""The plan of a run: which processes run, in which order, with which seeds.

The plan is made once and kept in ``run.json``. An interrupted run is resumed from it.
"""

import json
import math
import random
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from cside_suite.files import write_json

from cside_bench.results.files import RUN_FILE


class PlanError(Exception):
    """A run cannot be planned or resumed; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Tier:
    """How much a run measures; one table of ``tiers.toml``."""

    name: str
    reference: str
    blocks: int
    rounds: int
    least_visits: int
    warm_up_ms: dict[str, float]
    """Warm-up of each target in ms, by the implementation's name in lower case."""
    latency_ms: float
    """Time in ms for timing each target's calls one by one."""
    latency_blocks: int
    """Processes per interpreter that do so."""
    cold_blocks: int
    """Fresh processes per binding that time its import."""
    thread_blocks: int
    """Fresh processes per interpreter that measure threads."""
    thread_s: float
    """How many seconds each of these processes takes."""
    verdicts: bool
    skip: list[str]
    """Patterns of the names of workloads that are left out."""
    warm_calls: int = 0
    """Calls after which a target may be warm; the warm-up then ends once its windows agree, or after its time. 0 for a
    warm-up of fixed time.
    """
    cells: int = 0
    """Largest number of cells of one process, about; a block is divided into as many processes as that takes. 0 for
    one process.
    """
    apart: bool = False
    """Whether each binding has processes of its own, which measure in turns."""
    look: int = 0
    """Processes after which the cells that are decided are left out of the others; 0 for none."""
    keep: list[str] = field(default_factory=list)
    """Patterns of the names of the only workloads that are measured; empty for all but those of ``skip``."""
    without: list[str] = field(default_factory=list)
    """Patterns of the names of bindings and variants that are left out."""
    thread_newest: bool = False
    """Whether threads are measured on the newest version of each implementation only."""
    sample: list[str] = field(default_factory=list)
    """Workloads that are also measured alone and in long chunks, to say whether that moves a ratio."""
    sample_processes: int = 0
    """Processes of each kind for them: one per binding alone, and one for all in long chunks."""
    pypy: dict[str, Any] = field(default_factory=dict)
    """Settings that replace the others on PyPy, where a call has to be made thousands of times before it is warm."""

    @classmethod
    def named(cls, name: str) -> Self:
        """Return the tier of that name. Raises `KeyError` if there is none."""
        table = tomllib.loads(files("cside_bench.results").joinpath("tiers.toml").read_text(encoding="utf-8"))
        own = dict(table[name])
        pypy = dict(own.get("pypy", {}))
        if other := pypy.pop("like", None):
            pypy |= {name: table[other]["pypy"][name] for name in ("keep", "without")}
        return cls(name=name, reference=table["reference"], **(own | {"pypy": pypy}))

    def threaded(self, labels: Iterable[str]) -> list[str]:
        """Return the labels of the interpreters on which threads are measured."""
        known = list(labels)
        return newest(known) if self.thread_newest else known

    def of(self, label: str) -> Self:
        """Return the tier's settings for an interpreter with a label such as ``pypy-3.11``."""
        return replace(self, **self.pypy, pypy={}) if label.startswith("pypy") else self

    def warm_up_ns(self, label: str) -> int:
        """Return the warm-up of each target in ns, for an interpreter with a label such as ``cpython-3.13``.

        It is the longest one where the warm-up goes by calls.
        """
        implementation = label.partition("-")[0]
        return int(self.warm_up_ms.get(implementation, max(self.warm_up_ms.values())) * 1e6)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter whose environment holds the bindings."""

    label: str
    python: str
    facts: dict[str, Any] = field(default_factory=dict)
    """Facts from provisioning: the interpreter's source, the builds of the wheels, the copies in other layouts."""

    def layouts(self, wanted: Collection[str] = ()) -> dict[str, list[str]]:
        """Return the folders with other layouts of each binding, or of those that are wanted."""
        folders = self.facts.get("layouts") or {}
        return {name: list(copies) for name, copies in folders.items() if not wanted or name in wanted}


@dataclass(frozen=True, slots=True)
class Block:
    """One fresh measuring process of one interpreter: a replicate, or the part of one that has some workloads."""

    interpreter: str
    number: int
    seed: int
    alone: str = ""
    """The one binding, variant or control that the process loads, where each has processes of its own."""
    part: int = 0
    """Number of the process, if the block is divided into several."""
    workloads: list[str] = field(default_factory=list)
    """The workloads of this process; empty if it has all of the block's."""
    decided: list[tuple[str, str]] = field(default_factory=list)
    """The cells, (workload, subject), that a look at earlier blocks decided, and that this one leaves out."""

    @property
    def group(self) -> str:
        """The name of the processes that measure in turns with this one, or of this one if none does."""
        return f"{self.interpreter}-{self.number:02d}" + (f"+{self.part}" if self.workloads else "")

    @property
    def name(self) -> str:
        """The stem of the names of the block's files."""
        return self.group + (f"@{self.alone}" if self.alone else "")


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
    """SHA-256 of each corpus by its name."""
    rounds: int = 0
    """Rounds of each process if a budget set them; 0 for the tier's number."""
    budget_minutes: float | None = None
    """Minutes that the run may take; None if the tier decides how much is measured."""
    isolated: bool = False
    """Whether each binding is measured in processes of its own on every interpreter, and not only where the tier says
    so.
    """
    counted: bool = False
    """Whether instructions are counted instead of times measured."""
    handicaps: list[tuple[str, str, float]] = field(default_factory=list)
    """(workload, subject, percent) of each cell that is slowed down on purpose."""
    finished: bool = False
    """Whether every process of the plan has ended."""
    library: str = ""
    """Name of the run's file with the subjects and workloads of a user's library; empty for those of cside."""
    missing: list[dict[str, str]] = field(default_factory=list)
    """Interpreters that were expected and not found, each with the reason and the command that installs it."""

    def save(self, folder: Path) -> None:
        """Write ``run.json``."""
        write_json(folder / RUN_FILE, asdict(self), indent=1)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read ``run.json``. Raises :class:`PlanError` if the folder has none."""
        try:
            raw = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
        except OSError as error:
            raise PlanError(f"{folder} is no run: {RUN_FILE} cannot be read ({error.strerror})") from error
        raw["interpreters"] = [Interpreter(**entry) for entry in raw["interpreters"]]
        raw["blocks"] = [
            Block(**entry | {"decided": [tuple(key) for key in entry.get("decided", [])]}) for entry in raw["blocks"]
        ]
        raw["handicaps"] = [tuple(entry) for entry in raw.get("handicaps", [])]
        return cls(**raw)

    def library_file(self, folder: Path) -> str:
        """Return what the processes of the run in ``folder`` are told of a user's library; empty for those of cside."""
        return str(folder / self.library) if self.library else ""

    def interpreter(self, label: str) -> Interpreter:
        """Return the interpreter with that label."""
        return next(entry for entry in self.interpreters if entry.label == label)


def newest(labels: Iterable[str]) -> list[str]:
    """Return the newest version of each implementation of labels such as ``cpython-3.14``, in the order of the labels.

    Builds without the GIL (``cpython-3.14t``) count as an implementation of their own.
    """

    def version(label: str) -> tuple[int, ...]:
        return tuple(int(part) for part in re.findall(r"\d+", label))

    kinds: dict[str, str] = {}
    for label in labels:
        kind = re.sub(r"[-.\d]", "", label)
        kinds[kind] = max(kinds.get(kind, label), label, key=version)
    return list(kinds.values())


def draw_blocks(counts: Mapping[str, int], seed: int) -> list[Block]:
    """Return the given number of blocks of each interpreter, with the interpreters of each set of blocks in random
    order.

    Blocks of interpreters that have fewer of them are spread over the whole run.
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


def divide(
    blocks: list[Block], members: Mapping[str, Mapping[str, int]], cells: Mapping[str, int], seed: int
) -> list[Block]:
    """Divide each block of an interpreter into processes that have about ``cells`` of its cells at most.

    ``members`` has the number of subjects of each workload, by interpreter. All subjects of a workload are in one
    process, so that ratios stay paired. Each block is divided anew at random, so that a workload has other neighbours
    in each of them. The processes of a block together are one replicate. An interpreter without a number in ``cells``,
    or with so few cells that one process suffices, stays as it is.
    """
    draw = random.Random(f"{seed} divide")  # not the stream of draw_blocks: two processes would have the same seed
    found = []
    for block in blocks:
        sizes = members[block.interpreter]
        most = cells.get(block.interpreter, 0)
        count = math.ceil(sum(sizes.values()) / most) if most else 1
        if count < 2:
            found.append(block)
            continue
        parts: list[list[str]] = [[] for _ in range(min(count, len(sizes)))]
        names = sorted(sizes)
        draw.shuffle(names)
        for name in names:
            min(parts, key=lambda part: sum(sizes[it] for it in part)).append(name)
        found += [
            replace(block, seed=draw.getrandbits(32), part=part, workloads=sorted(its))
            for part, its in enumerate(parts)
        ]
    return found


def set_apart(blocks: list[Block], alone: Mapping[str, Collection[str]]) -> list[Block]:
    """Replace each block of an interpreter that is in ``alone`` by one process for each name that it has there.

    The processes of a block have its seed, so that all bindings are given the same values.
    """
    return [replace(block, alone=name) for block in blocks for name in sorted(alone.get(block.interpreter, ())) or [""]]
