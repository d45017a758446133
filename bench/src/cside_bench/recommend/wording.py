# SPDX-License-Identifier: Apache-2.0
"""The sentences of an answer."""

import math
from collections.abc import Sequence

import numpy as np

from cside_bench.recommend.facts import base_of
from cside_bench.recommend.flips import significant
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules
from cside_bench.recommend.scoring import Array, Scoring
from cside_bench.results.evidence import Run


def listed(names: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return f" {last} ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), *names[-1:]])


def sentence(text: str) -> str:
    """With one full stop at its end."""
    return f"{text.rstrip('.')}."


def chance(probability: float) -> str:
    """A probability, never as 0 or 1, since draws are finite; rounded down, so that none seems to reach a limit."""
    if probability > 0.99 or probability < 0.01:
        return "above 0.99" if probability > 0.5 else "below 0.01"
    return f"{math.floor(100 * probability + 1e-9) / 100:.2f}"


def indicative(run: Run) -> str:
    """Why an answer is indicative only."""
    if run.summary["isolated"]:
        return "Indicative only: bindings in processes of their own have no pairs, and the run gives no verdicts."
    return (
        f"Indicative only: the {run.tier} tier measures too few processes for verdicts and does not check itself. "
        "Nothing here says that the numbers can be trusted on this machine."
    )


def tie(rules: Rules, names: list[str], equal: int, what: str, margin: float, within: float) -> str:
    """The sentence of a tie, the simplest first."""
    titles = [rules.title(name) for name in names]
    says = f"A tie between {listed(titles)}: their overall costs differ by less than the run's margin, "
    says += f"{percent(2**margin - 1)}, by the estimates and in {percent(within)} of the draws."
    if what:
        is_simpler = "is the simpler one" if equal == 1 else "are the simpler ones"
        return f"{says} {listed(titles[:equal])} {is_simpler}: {what}."
    return f"{says} Nothing in the rules tells which is simpler."


def open_choice(rules: Rules, names: list[str], shares: list[float]) -> str:
    """The sentence where nobody leads with enough probability."""
    told = [f"{rules.title(it)} ({chance(share)})" for it, share in zip(names, shares, strict=True) if share >= 0.05]
    return (
        f"The measurements do not settle it: {listed(told, 'or')}. None reaches the probability of "
        f"{rules.deciding.sure:g} that a recommendation needs."
    )


def _spread(values: Array, form: str) -> str:
    """The estimate and, where it has one, its interval."""
    low, high = np.quantile(values[1:], [0.025, 0.975])
    told = [form.format(it) for it in (values[0], low, high)]
    return told[0] if told[1] == told[2] == told[0] else f"{told[0]} ({told[1]} to {told[2]})"


def percent(value: float) -> str:
    """A share."""
    if abs(value) >= 10:
        return f"{value:.3g} times"
    return f"{100 * value:.0f} %" if abs(value) >= 0.1 else f"{100 * value:.2g} %"


def _share(values: Array) -> str:
    low, high = np.quantile(values[1:], [0.025, 0.975])
    told = [percent(float(it)) for it in (values[0], low, high)]
    return told[0] if told[0] == told[1] == told[2] else f"{told[0]} ({told[1]} to {told[2]})"


def contribution(scoring: Scoring, profile: Profile, name: str, column: int) -> str:
    """What a criterion found of an approach, with its unit."""
    every = slice(None)
    subject = scoring.subjects[column]
    if name == "time":
        running = scoring.running(profile, every)
        told = []
        for label in scoring.shares:
            values = running.share[label][:, column] + (running.start[label][:, column] if running.start else 0.0)
            told.append((float(values[0]), f"{_share(values)} on {label}"))
        if profile.worst:
            return f"calls and import add {max(told)[1]} to the program's own time"
        return f"calls and import add {listed([it for _, it in told])} to the program's own time"
    if name == "effort":
        lines = scoring.lines(profile, every)
        assert lines is not None
        tools = scoring.facts.written_by_tools(subject)
        also = f"; its tools write {tools:,} more for this library, which are not scored" if tools else ""
        if subject != base_of(subject):
            also = f", counted together with those of {base_of(subject)}{also}"
        return f"about {_lines(lines[:, column])} lines for {profile.numbers['functions']:,.0f} functions{also}"
    if name == "safety":
        assert scoring.wrong is not None
        number = len(scoring.facts.drill["changes"])
        share = float(scoring.wrong[0, column])
        return (
            f"{share * number:.2g} of the drill's {number} changes end in a wrong result or a crash, with the binding "
            "rebuilt, on average over interpreters"
        )
    if name == "wheels":
        wheels = scoring.facts.wheels(subject, profile)
        source = "by the tags of those built" if wheels.measured else "by the technique"
        return f"{wheels.total} wheel{'s' if wheels.total != 1 else ''} per release ({source})"
    if name == "build":
        seconds = scoring.seconds(profile)
        assert seconds is not None
        return f"{seconds[column]:.2g} s after an edit"
    technique = scoring.rules.technique(subject)
    if not technique.known:
        return "not known; the middle one of the known techniques is assumed"
    missing = [scoring.rules.skills[it].title for it in technique.skills if it not in profile.knows]
    return f"to be learnt: {listed(missing)}" if missing else "nothing to be learnt"


def _lines(values: Array) -> str:
    low, high = np.quantile(values[1:], [0.025, 0.975])
    told = [significant(float(it)) for it in (values[0], low, high)]
    return f"{told[0]} ({told[1]} to {told[2]})"
