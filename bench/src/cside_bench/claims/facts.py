# SPDX-License-Identifier: Apache-2.0
"""Evidence that is not about time: ``available``, and costs that follow from the sources.

They are judged from a quick run, and from one that is not trustworthy, as from any other.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cside_bench.claims import choosing
from cside_bench.claims.bounds import Bound
from cside_bench.claims.catalogue import Workloads
from cside_bench.claims.fields import ELSEWHERE
from cside_bench.claims.rows import ALL, Found, Row, side
from cside_bench.claims.timings import import_rows
from cside_bench.claims.wording import joined, measured_as, several, times
from cside_bench.results.evidence import Run
from cside_bench.results.starts import COUNTED, SHARED

Sets = Mapping[str, Workloads]
Rule = Mapping[str, Any]


def available(run: Run, rule: Rule, labels: Sequence[str], _: Sets) -> Found:
    """Return one row per interpreter and subject: the share of its possible workloads that it has.

    These are what any whole binding has there or, ``of`` what it has ``elsewhere``, what the subject itself has on any
    interpreter of the run: then what a technique cannot do anywhere says nothing of an interpreter.
    """
    found = Found(absent="the run has none of these subjects on any interpreter")
    everywhere = {
        subject: {
            workload
            for label in run.labels
            for workload in run.workloads(label)
            if run.cell(label, workload, subject) is not None
        }
        for subject in choosing.subjects(run, rule["subject"])
    }
    offered = {
        subject: {
            workload
            for label in run.labels
            for workload in measured
            if (cell := run.cell(label, workload, subject)) is not None and cell["void"] is None
        }
        for subject, measured in everywhere.items()
    }
    for label in labels:
        for subject, measured in everywhere.items():
            could = _could(run, label, subject, measured)
            if rule["of"] == ELSEWHERE:
                if len(run.labels) < 2:
                    found.absent = "the run has one interpreter, so that there is no other to compare with"
                    continue
                could = [it for it in could if it in offered[subject]]
            if not could:
                continue
            has = [it for it in could if (cell := run.cell(label, it, subject)) is not None and cell["void"] is None]
            gaps = [
                it
                for it in run.summary["parity"]
                if (it["interpreter"], it["subject"]) == (label, subject) and it["workload"] in could
            ]
            part = len(has) / len(could)
            complete = part >= rule["least"]
            what = f"{subject} has {len(has)} of {several(len(could), 'workload')}"
            what += " that it has on some interpreter" if rule["of"] == ELSEWHERE else ""
            what += f", {several(len(gaps), 'declared gap')}" if gaps else ""
            position = 1 if complete == (rule["direction"] == "complete") else -1
            found.rows.append(Row(label, "", subject, "", Bound(part, part, part), "share", side(position), what))
    return found


def _could(run: Run, label: str, subject: str, everywhere: set[str]) -> list[str]:
    """Return the workloads that a subject could have: those of any whole binding or, for a partial variant, its own.

    The list is empty for a subject that the run measured nowhere: it was not built, or not asked for.
    """
    if not everywhere:
        return []
    measured = [it for it in run.workloads(label) if any(run.cell(label, it, name) for name in run.bindings)]
    if subject in run.bindings:
        return measured
    return [it for it in measured if it in everywhere]


def cost(run: Run, rule: Rule, labels: Sequence[str], _: Sets) -> Found:
    """Return rows of a binding's costs beside speed: lines written, wheels for the matrix, time to import."""
    if rule["measure"] == "import":
        return Found(rows=import_rows(run, rule, labels), absent="the run has not timed these imports")
    costs = run.summary["costs"] or {}
    entries = {entry["binding"]: entry for entry in costs.get("bindings", [])}
    absent = costs.get("static_reason") or "the run's summary holds no costs of these bindings"
    found = Found(absent=f"no costs beside speed: {absent}")
    read = READ[rule["measure"]]
    unit, after = measured_as(rule)
    for one in (it for it in choosing.subjects(run, rule["subject"]) if it in entries):
        mine = read(entries[one], rule)
        if mine is None:
            found.absent = f"the run has no count of the {''.join(measured_as(rule))} of {one}"
            continue
        if not rule["against"]:
            position = _position(mine, rule["direction"], rule["value"])
            what = f"{one}: {several(int(mine), unit.removesuffix('s'))}{after}{_of(entries[one], rule)}"
            row = Row(ALL, "", one, "", Bound(mine, mine, mine), unit, side(position), what)
            found.rows.append(row)
        for two in (it for it in choosing.subjects(run, rule["against"]) if it in entries and it != one):
            other = read(entries[two], rule)
            if not other:
                continue
            if differ := _differing(entries[one], entries[two], rule):
                found.absent = f"{one} and {two} do not bind the same: one of them leaves out {joined(differ)}"
                continue
            bound = Bound(mine / other, mine / other, mine / other)
            position = _position(bound.value, rule["direction"], rule["factor"])
            what = f"{one}: {mine:,.0f} {unit}{after}, {times(bound.value)} the {other:,.0f} of {two}"
            known = {it: read(entries[it], rule) for it in entries if it not in (one, two)}
            rest = ", ".join(f"{it} {number:,.0f}" for it, number in known.items() if number is not None)
            what += f" (others: {rest})" if rest else ""
            found.rows.append(Row(ALL, "", one, two, bound, "ratio", side(position), what))
    return found


def _differing(one: Mapping[str, Any], two: Mapping[str, Any], rule: Rule) -> list[str]:
    """Return the nouns that one of two bindings leaves out, where all of a binding is compared."""
    if rule["noun"] or rule["measure"] == "wheels":
        return []
    held = [{it["noun"] for it in entry["lines"] or ()} & set(COUNTED) - {SHARED} for entry in (one, two)]
    return sorted(held[0] ^ held[1])


def _position(value: float, direction: str, limit: float) -> int:
    """Return 1 if an exact number is at the limit or on the side that the rule names, and -1 otherwise."""
    fits = value >= limit if direction.startswith("at-least") else value <= limit
    return 1 if fits else -1


def _lines(entry: Mapping[str, Any], rule: Rule) -> float | None:
    """Return the lines of the rule's nouns, or of everything except variants and tests.

    By default these are the lines written by hand, with templates. Where generated lines are wanted, they stand for
    what a person would have written, so the templates that they come from, and stubs, are left out.
    """
    nouns = rule["noun"] or COUNTED
    chosen = [it for it in entry["lines"] or () if it["origin"] in rule["origin"] and it["noun"] in nouns]
    if "generated" in rule["origin"]:
        if any("template" not in it for it in chosen):
            return None
        chosen = [it for it in chosen if not it["template"] and not it["language"].endswith(" stub")]
    return float(sum(it["code_lines"] for it in chosen)) if chosen else None


def _pypy_lines(entry: Mapping[str, Any], _: Rule) -> float | None:
    """Return the lines written by hand in which the code names PyPy, without variants and tests."""
    chosen = [it for it in entry["lines"] or () if it["origin"] == "written" and it["noun"] in COUNTED]
    if not chosen or any("pypy_lines" not in it for it in chosen):
        return None
    return float(sum(it["pypy_lines"] for it in chosen))


def _wheels(entry: Mapping[str, Any], _: Rule) -> float | None:
    """Return the number of wheels that cover the matrix of interpreters on one platform."""
    coverage = entry["coverage"]
    return None if coverage is None or coverage["wheels"] is None else float(coverage["wheels"])


def _build(entry: Mapping[str, Any], _: Rule) -> float | None:
    """Return the CPU seconds of a build from nothing."""
    took = entry["clean_build_cpu_s"]
    return None if took is None else float(took["median"])


def _size(entry: Mapping[str, Any], _: Rule) -> float | None:
    """Return the bytes of the compiled modules without symbols, in the wheel for the newest CPython."""
    sizes = {it["interpreter"]: it["stripped_bytes"] for it in entry["wheels"] if it["stripped_bytes"]}
    newest = max((it for it in sizes if it.startswith("cpython-")), default=None)
    return None if newest is None else float(sizes[newest])


READ: Final = {"lines": _lines, "pypy-lines": _pypy_lines, "wheels": _wheels, "build": _build, "size": _size}
"""What reads each cost from the section of a binding."""


def _of(entry: Mapping[str, Any], rule: Rule) -> str:
    coverage = entry["coverage"]
    return f" for {coverage['of_interpreters']} interpreters on one platform" if rule["measure"] == "wheels" else ""
