# SPDX-License-Identifier: Apache-2.0
"""Finds flip points: the values of one input, all others kept, at which an approach outside the answer takes the lead.

A numeric input is varied from its present value outwards, on a logarithmic grid, until another approach costs less;
bisection on the estimates then finds the value. The interval of a flip point is that of the same crossing in the
draws. An end of the interval is open if its quantile falls on draws that do not cross within the range or that cross
before the present value.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Number, Rules
from cside_bench.recommend.scoring import Scoring

Array = NDArray[np.float64]

PER_DECADE: Final = 6
DRAWS: Final = 400
"""Number of draws for the interval; a share of 2.5 % among 400 draws has a standard error of 0.8 %."""
HALVINGS: Final = 40
CLOSE: Final = 1e-4
"""Relative width at which bisection ends; only two digits are shown."""

LOAD: Final = ("calls_per_second", "bytes_per_call")
"""Inputs that are raised only as long as the calls in C fit into the program's own time."""

Lead = Callable[[Profile], str | None]
"""Function that returns the leading approach for a profile: empty if none fits, None if the run cannot answer."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A value of one input at which the answer changes."""

    variable: str
    unit: str
    now: float | str
    at: float | str
    low: float | None
    high: float | None
    direction: str
    """``above``, ``below`` or ``becomes``."""
    then: str
    """The approach that leads there; empty if none fits."""
    if_: str
    """The condition, as worded after “if”."""


def significant(value: float, digits: int = 2) -> str:
    """Format a number with a few significant digits: ``12,000``, ``0.35``."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 10 else f"{rounded:g}"


def grid(spec: Number, now: float, *, up: bool) -> Array:
    """Return values from ``now`` outwards to the end of the range, ``now`` first."""
    start = max(now, spec.scan_from) if up else min(now, spec.scan_to)
    end = spec.scan_to if up else max(spec.scan_from, spec.least)
    if (start >= end) if up else (start <= end or end <= 0):
        return np.array([now])
    number = max(2, int(abs(np.log10(end / start)) * PER_DECADE) + 1)
    values = np.geomspace(start, end, number)
    return values if start == now else np.concatenate([[now], values])


def leader(scoring: Scoring, profile: Profile, fits: list[int]) -> int:
    """Return the position in ``fits`` of the approach that costs least by the estimates."""
    return int(np.argmin(scoring.overall(profile, fits, slice(0, 1))[0]))


def crossing(
    scoring: Scoring, profile: Profile, fits: list[int], led: set[int], spec: Number, *, up: bool, share: float
) -> Flip | None:
    """Return the nearest flip in one direction to a leader not in ``led`` (positions in ``fits``), or None."""
    now = profile.numbers[spec.name]
    values = grid(spec, now, up=up)
    if up and spec.name in LOAD:
        values = values[
            [n == 0 or scoring.native(profile.with_number(spec.name, it)) <= 1 for n, it in enumerate(values)]
        ]
    inside = now
    for value in values[1:]:
        if leader(scoring, profile.with_number(spec.name, float(value)), fits) not in led:
            outside = float(value)
            break
        inside = float(value)
    else:
        return None
    for _ in range(HALVINGS):
        middle = float(np.sqrt(inside * outside)) if inside > 0 else outside / 2
        if leader(scoring, profile.with_number(spec.name, middle), fits) not in led:
            outside = middle
        else:
            inside = middle
        if abs(outside - inside) <= CLOSE * outside:
            break
    then = leader(scoring, profile.with_number(spec.name, outside), fits)
    low, high = bounds(scoring, profile, fits, led, spec.name, values, share)
    ends = (low, high) if up else (high, low)
    condition = (spec.above if up else spec.below).format(at=significant(outside))
    return Flip(
        variable=spec.name,
        unit=spec.unit,
        now=now,
        at=outside,
        low=ends[0],
        high=ends[1],
        direction="above" if up else "below",
        then=scoring.subjects[fits[then]],
        if_=condition + _interval(ends[0], ends[1], outside),
    )


def _interval(low: float | None, high: float | None, at: float) -> str:
    """Return the interval in words; empty if its ends look the same as the estimate."""
    if low is None and high is None:
        return " (by the estimates; the draws give no bound on either side)"
    if low is not None and high is not None:
        if significant(low) == significant(high) == significant(at):
            return ""
        return f" ({significant(low)} to {significant(high)})"
    return f" ({significant(low)} or more)" if low is not None else f" ({significant(high or 0.0)} or less)"


def bounds(
    scoring: Scoring, profile: Profile, fits: list[int], led: set[int], name: str, values: Array, share: float
) -> tuple[float | None, float | None]:
    """Return the interval, over the draws, of the value along ``values`` at which ``led`` loses the lead.

    The nearest end comes first; None stands for an open end.
    """
    rows = slice(1, DRAWS + 1)
    leading, others = sorted(led), [n for n in range(len(fits)) if n not in led]
    gaps = []
    for value in values:
        overall = scoring.overall(profile.with_number(name, float(value)), fits, rows)
        gaps.append(overall[:, others].min(axis=1) - overall[:, leading].min(axis=1))
    table = np.column_stack(gaps)  # draws x values; negative where one of the others leads
    over = table < 0
    place = np.argmax(over, axis=1)
    logs = np.log(np.maximum(values, values[1] * 1e-9))
    rows_ = np.arange(len(table))
    before = np.maximum(place - 1, 0)
    start, end = table[rows_, before], table[rows_, place]
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(place > before, start / (start - end), 0.0)
    step = logs[before] + part * (logs[place] - logs[before])
    sign = 1.0 if values[-1] > values[0] else -1.0
    way = np.where(over.any(axis=1), sign * step, np.inf)
    way[over[:, 0]] = -np.inf  # one of the others leads at the present value
    edges = np.quantile(way, [(1 - share) / 2, (1 + share) / 2], method="inverted_cdf")
    near, far = (float(np.exp(sign * edge)) if np.isfinite(edge) else None for edge in edges)
    return near, far


def numeric(scoring: Scoring, profile: Profile, fits: list[int], led: set[int], rules: Rules) -> Iterator[Flip]:
    """Yield the flips of every numeric input, upwards and downwards, to a leader not in ``led``."""
    share = rules.deciding.interval
    for spec in rules.numbers.values():
        for up in (True, False):
            if (found := crossing(scoring, profile, fits, led, spec, up=up, share=share)) is not None:
                yield found


def breaking(
    scoring: Scoring, profile: Profile, tied: list[int], margin: float, rules: Rules
) -> Iterator[tuple[float, str, str]]:
    """Yield what breaks a tie between the columns ``tied``: how far it is, the condition, the approach that leads then.

    A tie is broken where one of the tied approaches costs less than all others of them by more than ``margin`` (log2),
    by the estimates. The distance is the factor of the nearest such value, as an absolute logarithm.
    """
    for spec in rules.numbers.values():
        now = profile.numbers[spec.name]
        for up in (True, False):
            values = grid(spec, now, up=up)
            for value in values[1:]:
                changed = profile.with_number(spec.name, float(value))
                if up and spec.name in LOAD and scoring.native(changed) > 1:
                    break
                costs = scoring.overall(changed, tied, slice(0, 1))[0]
                first, second = np.argsort(costs)[:2]
                if costs[second] - costs[first] > margin:
                    condition = (spec.above if up else spec.below).format(at=significant(float(value)))
                    far = float("inf") if now <= 0 else abs(float(np.log(value / now)))
                    yield far, condition, scoring.subjects[tied[int(first)]]
                    break


def alternatives(profile: Profile, rules: Rules, labels: list[str]) -> Iterator[tuple[str, str, str, str, Profile]]:
    """Yield the profiles that differ in one choice: variable, present value, new value, condition in words, profile."""
    families = sorted({label.partition("-")[0] for label in labels})
    wanted = {name.partition("-")[0] for name in profile.interpreters}
    for family in families:
        if family not in wanted:
            many = {**dict.fromkeys(profile.interpreters, 1.0), family: 1.0}
            changed = replace(profile, interpreters={it: 1 / len(many) for it in many}, worst=True)
            yield "interpreters", "not required", family, f"{family} is required as well", changed
    if len(wanted) > 1:
        for family in sorted(wanted):
            left = {name: it for name, it in profile.interpreters.items() if name.partition("-")[0] != family}
            changed = replace(profile, interpreters={name: it / sum(left.values()) for name, it in left.items()})
            yield "interpreters", family, "not required", f"{family} is not required", changed
    for name, choice in rules.choices.items():
        now = profile.choices[name]
        for value in choice.values:
            if value != now:
                yield name, now, value, choice.becomes[value], profile.with_choice(name, value)
    for name, skill in rules.skills.items():
        known = name in profile.knows
        changed = replace(profile, knows=profile.knows ^ {name})
        now, becomes = ("known", "not known") if known else ("not known", "known")
        condition = f"the maintainers {'do not know' if known else 'know'} {skill.title}"
        yield f"knows {name}", now, becomes, condition, changed


def categorical(profile: Profile, led: set[str], rules: Rules, labels: list[str], lead: Lead) -> Iterator[Flip]:
    """Yield the flips of every choice; the profile is answered again with the choice changed."""
    for variable, now, becomes, condition, changed in alternatives(profile, rules, labels):
        then = lead(changed)
        if then is not None and then not in led:
            yield Flip(variable, "", now, becomes, None, None, "becomes", then, condition)
