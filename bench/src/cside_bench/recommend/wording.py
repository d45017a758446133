# SPDX-License-Identifier: Apache-2.0
"""Writes the sentences of an answer."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from cside_bench.recommend.facts import PASSES
from cside_bench.recommend.flips import significant
from cside_bench.recommend.packaging import base_of, from_sources, skills_of
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules
from cside_bench.recommend.scoring import Array, Scoring
from cside_bench.results.evidence import Run


def listed(names: Sequence[str], last: str = "and") -> str:
    """Join names to a list in prose: ``a, b and c``."""
    return f" {last} ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), *names[-1:]])


def sentence(text: str) -> str:
    """Return the text with exactly one full stop at its end."""
    return f"{text.rstrip('.')}."


def chance(probability: float) -> str:
    """Format a probability, rounded down so that it does not seem to reach a threshold that it misses.

    It is never shown as 0 or 1, since the number of draws is finite.
    """
    if probability > 0.99 or probability < 0.01:
        return "above 0.99" if probability > 0.5 else "below 0.01"
    return f"{math.floor(100 * probability + 1e-9) / 100:.2f}"


def indicative(run: Run) -> str:
    """Return the sentence that says why an answer is indicative only."""
    return (
        f"Indicative only: the {run.tier} tier measures too few processes for verdicts and does not check itself. "
        "It is not known whether the numbers can be trusted on this machine."
    )


def set_aside(title: str, label: str, aside: Mapping[str, Sequence[str]], rules: Rules) -> str:
    """Return the sentence that says which workloads of a kind of call price nobody, and for want of whose number."""
    of = listed([f"{workload} (none of {listed([rules.title(it) for it in who])})" for workload, who in aside.items()])
    return (
        f"“{title}” on {label} is priced, for all approaches alike, by calls that all were timed with. Left out, since "
        f"numbers are missing: {of}. To measure them: nox -s bench -- --python {label.removeprefix('cpython-')}."
    )


def missing(rules: Rules, criterion: str, contenders: Sequence[str]) -> str:
    """Return the sentence for the case that a criterion without evidence could turn the lead."""
    it = rules.criteria[criterion]
    may = f"any of {listed([rules.title(name) for name in contenders])} may turn out best"
    return f"Not answered yet: “{it.title}” was not measured, and by its result {may}. To settle it: {it.settled_by}."


def veto_missing(rules: Rules) -> str:
    """Return the sentence for the case that crashes must never happen and no drill tells where they do."""
    return (
        "Not answered yet: a wrong result or a crash after an upgrade must never happen, and which approaches let one "
        f"happen was not measured. To settle it: {rules.criteria['safety'].settled_by}."
    )


def stands(rules: Rules, criteria: Sequence[str]) -> str:
    """Return the sentence for criteria without evidence that cannot turn the lead."""
    titles = listed([f"“{rules.criteria[name].title}”" for name in criteria])
    return (
        f" The answer stands without {titles}, not measured here: no result of it would give another approach the lead."
    )


def tie(rules: Rules, names: list[str], equal: int, what: str, margin: float, within: float) -> str:
    """Return the sentence of a tie; ``names`` has the simplest approach first."""
    titles = [rules.title(name) for name in names]
    says = f"A tie between {listed(titles)}: their overall costs differ by less than "
    says += f"{percent(2**margin - 1)}, which is no difference, by the estimates and in {percent(within)} of the draws."
    if what:
        is_simpler = "is the simpler one" if equal == 1 else "are the simpler ones"
        return f"{says} {listed(titles[:equal])} {is_simpler}: {what}."
    return f"{says} Nothing in the rules tells which is simpler."


def open_choice(rules: Rules, names: list[str], shares: list[float]) -> str:
    """Return the sentence for the case that no approach is best with enough probability."""
    likely = [f"{rules.title(it)} ({chance(share)})" for it, share in zip(names, shares, strict=True)]
    return (
        f"The measurements do not settle it: {listed(likely, 'or')}. No approach reaches the probability of "
        f"{rules.deciding.sure:g} that a recommendation needs."
    )


def _spread(values: Array, form: str) -> str:
    """Format an estimate with its interval, unless all three look the same."""
    low, high = np.quantile(values[1:], [0.025, 0.975])
    texts = [form.format(it) for it in (values[0], low, high)]
    return texts[0] if texts[1] == texts[2] == texts[0] else f"{texts[0]} ({texts[1]} to {texts[2]})"


def percent(value: float) -> str:
    """Format a share in percent, or as a factor from 10 on."""
    if abs(value) >= 10:
        return f"{value:.3g} times"
    return f"{100 * value:.0f} %" if abs(value) >= 0.1 else f"{100 * value:.2g} %"


def _share(values: Array) -> str:
    low, high = np.quantile(values[1:], [0.025, 0.975])
    texts = [percent(float(it)) for it in (values[0], low, high)]
    return texts[0] if texts[0] == texts[1] == texts[2] else f"{texts[0]} ({texts[1]} to {texts[2]})"


def contribution(scoring: Scoring, profile: Profile, name: str, column: int) -> str:
    """Return the value of a criterion for an approach, in words and with its unit."""
    every = slice(None)
    subject = scoring.subjects[column]
    if name == "time":
        running = scoring.running(profile, every)
        added = []
        for label in scoring.shares:
            values = running.share[label][:, column] + (running.start[label][:, column] if running.start else 0.0)
            added.append((float(values[0]), f"{_share(values)} on {label}"))
        if profile.worst:
            return f"calls and import add {max(added)[1]} to the program's own time"
        return f"calls and import add {listed([it for _, it in added])} to the program's own time"
    if name == "effort":
        lines = scoring.lines(profile, every)
        assert lines is not None
        tools = scoring.facts.written_by_tools(subject)
        also = f"; its tools write {tools:,} more for this library, which are not scored" if tools else ""
        if subject != base_of(subject):
            also = f", counted together with those of {base_of(subject)}{also}"
        if profile.kept_lines is not None:
            kept = f"{profile.kept_lines:,.0f} lines to keep, from which bindings are generated"
            if not profile.functions_by_hand:
                return kept
            by_hand = lines[:, column] - profile.kept_lines
            return f"{kept}, and about {_lines(by_hand)} for {profile.functions_by_hand:,.0f} functions by hand"
        return f"about {_lines(lines[:, column])} lines for {profile.numbers['functions']:,.0f} functions{also}"
    if name == "safety":
        wrong, library = scoring.wrong(profile), profile.choices["library"]
        assert wrong is not None
        if not PASSES[library]:
            return "header and binding change together in one repository, so no change comes unnoticed"
        number = len(scoring.facts.drill["changes"])
        when = "after a rebuild" if library == "bundled" else "after a rebuild, or with the library replaced"
        return (
            f"{float(wrong[0, column]) * number:.2g} of the drill's {number} changes end in a wrong result or a crash "
            f"{when}, on average"
        )
    if name == "mistakes":
        share = scoring.mistaken(profile)
        assert share is not None
        number = len(scoring.rules.mistakes(profile.idioms, profile.choices["threads"], scoring.tried))
        return (
            f"{float(share[0, column]) * number:.3g} of the {number} mistakes that it allows end in a wrong result, a "
            "crash or a leak, on average over interpreters"
        )
    if name == "wheels":
        wheels = scoring.release(subject, profile)
        if wheels.compiled and from_sources(profile):
            return "sources that users compile: no wheel has to be built"
        source = "from the tags of the wheels built" if wheels.measured else "from the technique"
        later = ", and more for each new Python" if wheels.per_version else ""
        return f"{wheels.total} wheel{'s' if wheels.total != 1 else ''} per release{later} ({source})"
    if name == "build":
        seconds = scoring.seconds(profile)
        assert seconds is not None
        return f"{seconds[column]:.2g} s after an edit"
    technique = scoring.rules.technique(subject)
    if name == "tools" and technique.known:
        needs = {"build": "a tool to build it", "run": "a package at run time"}
        return listed([needs[it] for it in technique.tools]) or "nothing beside Python and a compiler"
    if not technique.known:
        return "not known; the median of the known techniques is assumed"
    missing = [scoring.rules.skills[it].title for it in skills_of(technique, profile) if it not in profile.knows]
    return f"to learn: {listed(missing)}" if missing else "nothing to learn"


def _lines(values: Array) -> str:
    low, high = np.quantile(values[1:], [0.025, 0.975])
    texts = [significant(float(it)) for it in (values[0], low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"
