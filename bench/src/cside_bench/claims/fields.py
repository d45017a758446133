# SPDX-License-Identifier: Apache-2.0
"""The fields of each kind of hypothesis in the catalogue, and the values that each field accepts.

A checker gets a value as TOML gave it and returns it in the shape that judging wants, or raises :class:`Wrong` with
what is allowed.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

SHARES: Final = {"all": 1.0, "most": 0.75, "half": 0.5}
"""Named shares of the cells that a hypothesis needs; a number above 0 and up to 1 may be given instead."""
WHERE: Final = ("every", "any")
RATIOS: Final = ("faster", "slower", "equivalent", "at-least-factor", "at-most-factor")
FACTORS: Final = ("at-least-factor", "at-most-factor")
BOUNDS: Final = ("at-least", "at-most")
MEASURES: Final = ("lines", "pypy-lines", "wheels", "build", "size", "import")
ELSEWHERE: Final = "elsewhere"
OF: Final = ("contract", ELSEWHERE)
ORIGINS: Final = ("written", "generated")
STATES: Final = ("flat", "warmup", "slowdown", "no steady state")


class Wrong(ValueError):
    """A field does not accept a value; the message says what it accepts."""


Checker = Callable[[Any], Any]


def text(value: Any) -> str:
    """Check for a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise Wrong("a text is needed")
    return " ".join(value.split())


def texts(value: Any) -> tuple[str, ...]:
    """Check for one text or a list of texts."""
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not several or not all(isinstance(it, str) and it.strip() for it in several):
        raise Wrong("a text or a list of texts is needed")
    return tuple(several)


def one_of(*allowed: str) -> Checker:
    """Return a check for one of these words."""

    def check(value: Any) -> str:
        if value not in allowed:
            raise Wrong(f"allowed: {', '.join(allowed)}")
        return str(value)

    return check


def some_of(*allowed: str) -> Checker:
    """Return a check for a list of these words."""

    def check(value: Any) -> tuple[str, ...]:
        found = texts(value)
        if set(found) - set(allowed):
            raise Wrong(f"allowed: {', '.join(allowed)}")
        return found

    return check


def above(least: float) -> Checker:
    """Return a check for a number greater than this one."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= least:
            raise Wrong(f"a number above {least:g} is needed")
        return float(value)

    return check


def share(value: Any) -> float:
    """Check for a named share, or a number above 0 and up to 1."""
    if isinstance(value, str) and value in SHARES:
        return SHARES[value]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise Wrong(f"allowed: {', '.join(SHARES)}, or a number above 0 and up to 1")
    return float(value)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a hypothesis."""

    check: Checker
    default: Any = None
    needed: bool = False


def needed(check: Checker) -> Field:
    """Return a field that has to be given."""
    return Field(check, needed=True)


COMMON: Final[Mapping[str, Field]] = {
    "interpreters": Field(texts, default=("*",)),
    "needs": Field(texts, default=()),
    "where": Field(one_of(*WHERE), default="every"),
    "share": needed(share),
}
"""Fields of every hypothesis: the interpreters (patterns), those that the run must have for the claim to be judged at
all, whether it has to hold on every or on any of them, and in what share of the cells of each."""

KINDS: Final[Mapping[str, Mapping[str, Field]]] = {
    "ratio": {
        "workloads": needed(texts),
        "except": Field(texts, default=()),
        "subject": needed(texts),
        "against": needed(texts),
        "direction": needed(one_of(*RATIOS)),
        "factor": Field(above(0)),
        "at-least-ns": Field(above(0)),
    },
    "difference": {
        "workload": needed(text),
        "minus": needed(text),
        "subject": needed(texts),
        "direction": needed(one_of(*BOUNDS)),
        "ns": Field(above(0)),
        "percent": Field(above(0)),
    },
    "available": {
        "subject": needed(texts),
        "direction": needed(one_of("complete", "lacking")),
        "least": needed(share),
        "of": Field(one_of(*OF), default="contract"),
    },
    "model": {
        "families": needed(texts),
        "at-most-bytes": needed(above(0)),
    },
    "threads": {
        "calls": needed(texts),
        "subject": needed(texts),
        "measure": needed(one_of("efficiency", "speed_up")),
        "direction": needed(one_of(*BOUNDS)),
        "value": needed(above(0)),
    },
    "steady": {
        "workloads": needed(texts),
        "except": Field(texts, default=()),
        "subject": needed(texts),
        "states": needed(some_of(*STATES)),
    },
    "cost": {
        "measure": needed(one_of(*MEASURES)),
        "noun": Field(texts, default=()),
        "origin": Field(some_of(*ORIGINS), default=("written",)),
        "subject": needed(texts),
        "against": Field(texts, default=()),
        "direction": needed(one_of(*FACTORS, *BOUNDS)),
        "factor": Field(above(0)),
        "value": Field(above(0)),
    },
}
"""Fields of each kind, in addition to the common ones. ``docs/claims.md`` says what each kind judges."""


def together(kind: str, rule: Mapping[str, Any]) -> list[str]:
    """Return the errors in the combination of fields that are each valid."""
    direction = rule.get("direction")
    found = []
    if kind == "ratio":
        if direction in ("faster", "slower") and rule["factor"] is not None:
            found.append(f"factor does not go with {direction}, which is judged by the run's margin")
        if direction in (*FACTORS, "equivalent") and rule["factor"] is None:
            found.append(f"factor is missing: {direction} needs it")
        if direction == "equivalent" and rule["factor"] is not None and rule["factor"] <= 1:
            found.append("factor has to be above 1 for equivalent: 1.1 means within 10 % either way")
    if kind == "difference" and (rule["ns"] is None) == (rule["percent"] is None):
        found.append("one of ns and percent is needed, and not both")
    if kind == "cost":
        wanted = ("factor", "against") if direction in FACTORS else ("value",)
        missing = [name for name in wanted if not rule[name]]
        if missing:
            found.append(f"{' and '.join(missing)} missing: {direction} needs {'it' if len(missing) == 1 else 'them'}")
        if direction in BOUNDS and (rule["factor"] or rule["against"]):
            found.append(f"factor and against do not go with {direction}, which takes a value")
        if rule["measure"] == "import" and direction in BOUNDS:
            found.append(f"import is judged as a ratio; allowed directions: {', '.join(FACTORS)}")
        if rule["noun"] and rule["measure"] != "lines":
            found.append("noun goes with lines only")
        if rule["origin"] != ("written",) and rule["measure"] != "lines":
            found.append("origin goes with lines only")
    return found
