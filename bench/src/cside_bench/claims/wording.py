# SPDX-License-Identifier: Apache-2.0
"""Formats numbers and hypotheses as text."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cside_bench.claims.bounds import Bound
from cside_bench.claims.catalogue import AT, Catalogue, Claim
from cside_bench.claims.fields import ELSEWHERE

WITHIN: Final = "5 %"
"""How close to the fastest an approach is that ``summary.json`` calls near."""


def several(count: int, noun: str) -> str:
    """Format a count with its noun: ``1 cell``, ``2 cells``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def digits(value: float) -> str:
    """Format a number with three digits and without an exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def times(value: float) -> str:
    """Format a ratio, as ``0.65 times``."""
    return f"{digits(value)} times"


def ns(value: float | None) -> str:
    """Format a time with its unit."""
    if value is None:
        return "unknown"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= size:
            return f"{digits(value / size)} {unit}"
    return f"{digits(value)} ns"


def nbytes(value: float) -> str:
    """Format a size, as ``512 bytes`` or ``6.1 KiB``."""
    if not math.isfinite(value):
        return "beyond the sweep"
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= size:
            return f"{digits(value / size)} {unit}"
    return f"{value:.0f} bytes"


def between(bound: Bound) -> str:
    """Format the bounds of a value after a comma; an empty text if it has none."""
    if bound.low is None or bound.high is None:
        return ""
    return f", 95 % between {digits(bound.low)} and {digits(bound.high)}"


def joined(names: Iterable[str], last: str = "and") -> str:
    """Join names to a list, as ``a, b and c``."""
    *first, end = list(names)
    return f"{', '.join(first)} {last} {end}" if first else end


def part(share: float) -> str:
    """Format a share of cells."""
    known = {1.0: "all", 0.75: "at least three quarters", 0.5: "at least half"}
    return known.get(share, f"at least {100 * share:.3g} %")


def percent(factor: float) -> str:
    """Format a factor: ``10 %`` for 1.1, ``a factor of 2`` for 2."""
    return f"a factor of {factor:.3g}" if factor >= 1.5 else f"{100 * (factor - 1):.3g} %"


def phrase(kind: str, rule: Mapping[str, Any]) -> str:
    """Say what a row shows that is for the claim; ``… in 12 of 14 cells`` follows."""
    direction = str(rule.get("direction", ""))
    factor: Any = rule.get("factor")
    if kind == "difference":
        limit = ns(rule["ns"]) if rule["ns"] is not None else f"{rule['percent']:g} %"
        return f"{direction.replace('-', ' ')} {limit} more"
    if kind == "model":
        return f"all within {WITHIN} from {nbytes(rule['at-most-bytes'])} on at the latest"
    if kind == "threads":
        return f"{rule['measure'].replace('_', '-')} of {direction.replace('-', ' ')} {rule['value']:g}"
    if kind == "steady":
        return joined(rule["states"], "or")
    if kind == "available":
        measured = (
            f"{100 * rule['least']:.3g} % of {'what it has elsewhere' if rule['of'] == ELSEWHERE else 'its workloads'}"
        )
        return f"at least {measured}" if direction == "complete" else f"less than {measured}"
    if kind == "cost" and factor is None:
        unit, after = measured_as(rule)
        return f"{direction.replace('-', ' ')} {several(int(rule['value']), unit.removesuffix('s'))}{after}"
    if direction in ("faster", "slower"):
        return f"{direction} by more than the margin"
    if direction == "equivalent":
        return f"within {percent(factor)} of each other"
    bound = direction.removesuffix("-factor").replace("-", " ")
    if kind == "cost" and rule["measure"] != "import":
        return f"{bound} {factor:g} times as many {''.join(measured_as(rule))}"
    return f"{bound} {factor:g} times the time"


def measured_as(rule: Mapping[str, Any]) -> tuple[str, str]:
    """Return the unit of a cost in the plural, and what follows it: ``lines`` and ``that name PyPy``."""
    if rule["measure"] == "pypy-lines":
        return "lines", " that name PyPy"
    if rule["measure"] == "build":
        return "CPU seconds", " of a build from nothing"
    if rule["measure"] == "size":
        return "bytes", " of compiled modules without symbols"
    if "generated" in rule["origin"]:
        return "lines", " (generated ones included)"
    return rule["measure"], ""


def about(kind: str, rule: Mapping[str, Any]) -> str:
    """Say which subjects are compared."""
    one = named(rule.get("subject") or ())
    if kind == "difference":
        return f"{one}, {rule['workload']} against {rule['minus']}"
    return f"{one} against {joined(rule['against'])}" if rule.get("against") else one


def named(subjects: Iterable[str]) -> str:
    """Format subjects for a reader."""
    names = list(subjects)
    return "each binding" if names == ["*"] else (joined(names) if names else "all approaches")


def pattern(text: str, catalogue: Catalogue) -> str:
    """Format a pattern of workloads for a reader, as ``idioms.spin_held[…]``, or give the description of a set."""
    if text.startswith(AT):
        return catalogue.sets[text.removeprefix(AT)].says
    return "all workloads" if text == "*" else text.replace("[[]*", "[…]").replace("[[]", "[")


def hypothesis(claim: Claim, catalogue: Catalogue) -> str:
    """Format the hypothesis as a sentence that contains the whole rule."""
    rule, kind = claim.rule, claim.kind
    like = "" if rule["interpreters"] == ("*",) else f" like {joined(rule['interpreters'], 'or')}"
    where = f"On {rule['where']} interpreter{like}, "
    if kind == "cost" and rule["measure"] != "import":
        where = ""
    chosen = [pattern(it, catalogue) for it in rule.get("workloads") or rule.get("calls") or rule.get("families") or ()]
    share = f", in {part(rule['share'])} of the cells" if rule["share"] < 1 or chosen else ""
    if rule.get("at-least-ns"):
        share += f" that take at least {ns(rule['at-least-ns'])} in C,"
    text = f"{where}{told(kind, rule)}{share}" + (f" of {joined(chosen)}" if chosen else "")
    if rule.get("except"):
        text += f", without {joined(pattern(it, catalogue) for it in rule['except'])}"
    return f"{text}."


def told(kind: str, rule: Mapping[str, Any]) -> str:
    """Format the claim of a hypothesis as a clause."""
    one = named(rule.get("subject") or ())
    many = len(rule.get("subject") or ()) > 1
    two = joined(rule["against"]) if rule.get("against") else ""
    direction = str(rule.get("direction", ""))
    bound = direction.removesuffix("-factor").replace("-", " ")
    if kind == "difference":
        limit = ns(rule["ns"]) if rule["ns"] is not None else f"{rule['percent']:g} %"
        return f"{rule['workload']} takes {bound} {limit} more time than {rule['minus']} by {one}"
    if kind == "available":
        verb, much = (
            ("has at least", rule["least"]) if direction == "complete" else ("lacks more than", 1 - rule["least"])
        )
        what = "has on some interpreter" if rule["of"] == ELSEWHERE else "could have"
        return f"{one} {verb} {100 * much:.3g} % of the workloads that it {what}"
    if kind == "model":
        return (
            f"all approaches are within {WITHIN} of the fastest from {nbytes(rule['at-most-bytes'])} on at the latest"
        )
    if kind == "threads":
        what = "a speed-up" if rule["measure"] == "speed_up" else "an efficiency (its speed-up over C's)"
        return f"{one} has {what} of {bound} {rule['value']:g} with a thread for each CPU"
    if kind == "steady":
        return f"the series of calls by {one} is {joined(rule['states'], 'or')}"
    if kind == "cost" and rule["measure"] == "wheels" and not two:
        return f"{one} needs {bound} {several(int(rule['value']), 'wheel')} for the matrix of interpreters"
    if kind == "cost" and rule["measure"] != "import":
        what = "".join(measured_as(rule)) + (f" for {joined(rule['noun'])}" if rule["noun"] else "")
        return f"{one} {'take' if many else 'takes'} {bound} " + (
            f"{rule['factor']:g} times as many {what} as {two}" if two else f"{rule['value']:g} {what}"
        )
    if direction in ("faster", "slower"):
        return f"{one} {'are' if many else 'is'} {direction} than {two} by more than the run's margin"
    if direction == "equivalent":
        return f"{one} and {two} are within {percent(rule['factor'])} of each other"
    if kind == "cost":
        return f"to import {joined(rule['subject'], 'or')} takes {bound} {rule['factor']:g} times the time of {two}"
    return f"{one} {'take' if many else 'takes'} {bound} {rule['factor']:g} times the time of {two}"
