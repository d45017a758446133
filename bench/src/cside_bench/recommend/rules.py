# SPDX-License-Identifier: Apache-2.0
"""Reads ``rules.toml``: the inputs of a profile, the constraints, the criteria with their weights, the judgements."""

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

SIZE: Final = "{bytes}"
"""Placeholder in the name of a workload that stands for any measured size."""


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric input, with its valid range and the range that is searched for flip points."""

    name: str
    question: str
    unit: str
    default: float
    least: float
    most: float
    scan_from: float
    scan_to: float
    above: str
    """The condition of an upward flip, as worded after “if”."""
    below: str
    """The condition of a downward flip, as worded after “if”."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An input with a fixed set of values."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str
    becomes: dict[str, str]
    """Value -> the condition that it is chosen, as worded after “if”."""
    asked_with: str
    """Kind of call without which the question makes no difference and is not asked; empty for none."""


@dataclass(frozen=True, slots=True)
class Idiom:
    """A kind of call. Its time is the mean over its workloads, in whose names ``{bytes}`` stands for a size."""

    name: str
    title: str
    workloads: tuple[str, ...]
    instead: tuple[str, ...]
    each: float
    structs: bool
    """Whether structs are passed whose layout a binding has to know."""

    @property
    def sized(self) -> bool:
        """Return whether the time of this kind of call depends on its bytes."""
        return any(SIZE in workload for workload in self.workloads)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A hard constraint: a rule that excludes approaches."""

    name: str
    title: str
    says: str
    reason: str
    relax: str


@dataclass(frozen=True, slots=True)
class Criterion:
    """A cost that is scored. ``kind`` is ``measured`` or ``judgement``."""

    name: str
    title: str
    kind: str
    weight: float
    says: str
    reason: str
    settled_by: str
    """The command that measures it; empty for a cost that needs no measurement."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that maintainers may have; ``loss`` is in doublings of the criterion's cost."""

    name: str
    title: str
    loss: float
    reason: str


@dataclass(frozen=True, slots=True)
class Technique:
    """The properties of an approach that are not measured. ``known`` is false for one that the rules do not name."""

    subject: str
    title: str
    skills: tuple[str, ...]
    tools: tuple[str, ...]
    """What it depends on beside Python and a compiler: a tool to ``build``, a package to ``run``."""
    binary: str
    """``pure``, ``abi3`` or ``per version``: the wheels that it needs, used where the run has no wheel of it."""
    free_threading: bool
    free_threading_says: str
    """What is known of the technique beside the wheels that were built, as worded after “;”."""
    one_binary_variant: str
    one_binary_from: tuple[int, ...]
    """The first version of CPython that a wheel for the stable ABI serves; older ones have wheels of their own."""
    stable_abi: str
    """What is known of wheels for the stable ABI, as worded after “;”, where no variant is measured."""
    declares_by_hand: bool
    """Whether layouts of structs are written down a second time, and neither a compiler nor the tool checks them."""
    takes_loops: bool
    """Whether a loop of the caller over arrays can be written in it, so that overhead is paid once for each loop."""
    calls_c_plus_plus: bool
    """Whether it calls C++ without a layer in C."""
    needs_c_plus_plus: bool
    """Whether it is written in C++."""
    run_time_code: bool
    """Whether its callbacks may need code that is made at run time."""
    known: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """The constants of the costs; ``rules.toml`` has their units and reasons."""

    free_share: float
    base_lines: float
    years: float
    touched: float
    base_wheels: float
    base_seconds: float
    platform_wheels: float
    element_ns: float
    pythons_per_year: float
    mistakes_per_function: float
    layer_lines: float
    functions: dict[str, float]
    generated: tuple[str, ...]
    """Nouns whose declarations are generated."""
    most_lines: float
    most_seconds: float
    crash_weight: dict[str, float]
    forgotten: dict[str, float]
    tool: dict[str, float]


@dataclass(frozen=True, slots=True)
class Deciding:
    """The thresholds that turn scores into an outcome."""

    draws: int
    sure: float
    close: float
    """Difference of overall costs, as a share, up to which approaches tie."""
    bias: float
    """Most that the times of an interpreter may be off, by checks of the run that failed, as a difference of logs."""
    second: float
    """Share of overall cost up to which two backends are an answer beside a single one."""
    minor: float
    """Weight up to which a criterion without evidence holds up no answer."""
    unchecked: float
    """Share of the drill's changes: where more end wrong, nothing checks the interface."""
    simpler: tuple[str, ...]
    simpler_reason: str
    concentration: float
    least_weight: float
    missing_share: float
    interval: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The contents of ``rules.toml``."""

    numbers: dict[str, Number]
    choices: dict[str, Choice]
    idioms: dict[str, Idiom]
    constraints: dict[str, Constraint]
    criteria: dict[str, Criterion]
    skills: dict[str, Skill]
    techniques: dict[str, Technique]
    scale: Scale
    deciding: Deciding
    unknown: dict[str, Any]
    mistakes_of: dict[str, dict[str, tuple[str, ...]]]
    """Mistake -> what a profile has of which one is needed, so that the mistake can be made: idioms, threads."""

    def mistakes(self, idioms: Collection[str], threads: str, tried: Sequence[str]) -> list[str]:
        """Return the mistakes that a profile allows, of those that were tried."""
        return [
            name
            for name in tried
            if (needs := self.mistakes_of.get(name)) is None
            or set(needs.get("idioms", ())) & set(idioms)
            or threads in needs.get("threads", ())
        ]

    def technique(self, subject: str) -> Technique:
        """Return the technique of a subject; if the file does not name it, neutral values with ``known`` false."""
        if subject in self.techniques:
            return self.techniques[subject]
        return Technique(
            subject,
            subject,
            (),
            (),
            self.unknown["binary"],
            self.unknown["free_threading"],
            "",
            "",
            one_binary_from=(),
            stable_abi="",
            declares_by_hand=False,
            takes_loops=False,
            calls_c_plus_plus=False,
            needs_c_plus_plus=False,
            run_time_code=False,
            known=False,
        )

    def title(self, subject: str) -> str:
        """Return the technique's title and, if it differs, the subject's name: ``C extension (cext)``."""
        title = self.technique(subject).title
        return title if title.lower() == subject.lower() else f"{title} ({subject})"


def _number(name: str, table: dict[str, Any]) -> Number:
    return Number(
        name=name,
        question=table["question"],
        unit=table["unit"],
        default=table["default"],
        least=table["least"],
        most=table["most"],
        scan_from=table.get("scan_from", table["least"]),
        scan_to=table.get("scan_to", table["most"]),
        above=table["above"],
        below=table["below"],
    )


def parse(text: str) -> Rules:
    """Parse the text of a file like ``rules.toml``."""
    table = tomllib.loads(text)
    scale, decide = table["scale"], table["decide"]
    return Rules(
        numbers={name: _number(name, it) for name, it in table["input"].items()},
        choices={
            name: Choice(
                name, it["question"], tuple(it["values"]), it["default"], it["becomes"], it.get("asked_with", "")
            )
            for name, it in table["choice"].items()
        },
        idioms={
            name: Idiom(
                name,
                it["title"],
                tuple(it["workloads"]),
                tuple(it.get("instead", ())),
                it.get("each", 1.0),
                it.get("structs", False),
            )
            for name, it in table["idiom"].items()
        },
        constraints={
            name: Constraint(name, it["title"], it["says"], it["reason"], it["relax"])
            for name, it in table["constraint"].items()
        },
        criteria={
            name: Criterion(
                name, it["title"], it["kind"], it["weight"], it["says"], it["reason"], it.get("settled_by", "")
            )
            for name, it in table["criterion"].items()
        },
        skills={name: Skill(name, it["title"], it["loss"], it["reason"]) for name, it in table["skill"].items()},
        techniques={
            name: Technique(
                subject=name,
                title=it["title"],
                skills=tuple(it["skills"]),
                tools=tuple(it.get("tools", ())),
                binary=it["binary"],
                free_threading=it["free_threading"],
                free_threading_says=it.get("free_threading_says", ""),
                one_binary_variant=it.get("one_binary_variant", ""),
                one_binary_from=tuple(it.get("one_binary_from", ())),
                stable_abi=it.get("stable_abi", ""),
                declares_by_hand=it.get("declares_by_hand", False),
                takes_loops=it.get("takes_loops", False),
                calls_c_plus_plus=it.get("calls_c_plus_plus", False),
                needs_c_plus_plus=it.get("needs_c_plus_plus", False),
                run_time_code=it.get("run_time_code", False),
                known=True,
            )
            for name, it in table["technique"].items()
        },
        scale=Scale(
            free_share=scale["free_share"],
            base_lines=scale["base_lines"],
            years=scale["years"],
            touched=scale["touched"],
            base_wheels=scale["base_wheels"],
            base_seconds=scale["base_seconds"],
            platform_wheels=scale["platform_wheels"],
            element_ns=scale["element_ns"],
            pythons_per_year=scale["pythons_per_year"],
            mistakes_per_function=scale["mistakes_per_function"],
            layer_lines=scale["layer_lines"],
            generated=tuple(scale["generated"]),
            functions={name: float(value) for name, value in scale["functions"].items()},
            most_lines=scale["most_lines"],
            most_seconds=scale["most_seconds"],
            crash_weight={name: value for name, value in scale["crash_weight"].items() if name != "reason"},
            forgotten={name: value for name, value in scale["forgotten"].items() if name != "reason"},
            tool={name: value for name, value in scale["tool"].items() if name != "reason"},
        ),
        deciding=Deciding(
            draws=decide["draws"],
            sure=decide["sure"],
            close=decide["close"],
            bias=decide["bias"],
            second=decide["second"],
            minor=decide["minor"],
            unchecked=decide["unchecked"],
            simpler=tuple(decide["simpler"]),
            simpler_reason=decide["simpler_reason"],
            concentration=decide["concentration"],
            least_weight=decide["least_weight"],
            missing_share=decide["missing_share"],
            interval=decide["interval"],
        ),
        unknown=table["unknown"],
        mistakes_of={name: {key: tuple(values) for key, values in it.items()} for name, it in table["mistake"].items()},
    )


@cache
def load() -> Rules:
    """Return the shipped rules."""
    return parse(files(__package__).joinpath("rules.toml").read_text(encoding="utf-8"))
