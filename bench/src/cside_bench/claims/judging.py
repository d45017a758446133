# SPDX-License-Identifier: Apache-2.0
"""Judges claims by a run, and writes ``claims.json``.

Each row of evidence is for a claim, against it, or unclear. On an interpreter a claim is confirmed if the share of
rows that its hypothesis needs is for it; refuted if so many rows are against it that the share could not be reached
even if all unclear rows were for it; and undecided otherwise. The hypothesis says whether it has to hold on every
interpreter or on any. Claims about time are decided only where the run gives verdicts and is trustworthy.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any, Final

import jsonschema
from cside_suite.files import write_json

from cside_bench.claims import choosing, facts, timings, wording
from cside_bench.claims.catalogue import Catalogue, Claim, Workloads
from cside_bench.claims.rows import AGAINST, ALL, FOR, UNCLEAR, Found, Row, counts
from cside_bench.results.evidence import Run
from cside_bench.results.files import CLAIMS_FILE

FORMAT: Final = 1
FILE: Final = CLAIMS_FILE
CONFIRMED: Final = "confirmed"
REFUTED: Final = "refuted"
UNDECIDED: Final = "undecided"
UNTESTABLE: Final = "untestable"
LISTED: Final = ("available", "model", "cost")
"""Kinds of claims whose rows are listed one by one if there are few."""
MOST_LISTED: Final = 4

Gather = Callable[[Run, Mapping[str, Any], Sequence[str], Mapping[str, Workloads]], Found]

KINDS: Final[Mapping[str, Gather]] = {
    "ratio": timings.ratio,
    "difference": timings.difference,
    "model": timings.model,
    "threads": timings.threads,
    "steady": timings.steady,
    "available": facts.available,
    "cost": facts.cost,
}


def judge(run: Run, catalogue: Catalogue | None = None) -> dict[str, Any]:
    """Return the document of ``claims.json``, checked against its schema, by default for the claims that ship."""
    known = Catalogue.shipped() if catalogue is None else catalogue
    document = {"format": FORMAT, "run": run.name, "claims": [judge_claim(run, it, known) for it in known.claims]}
    schema = json.loads(files("cside_bench.claims").joinpath("claims.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    return document


def write(run: Run) -> Path:
    """Judge the claims that are shipped and write ``claims.json`` into the run's folder; return its path."""
    path = run.folder / FILE
    write_json(path, judge(run))
    return path


def judge_claim(run: Run, claim: Claim, catalogue: Catalogue) -> dict[str, Any]:
    """Return the entry of ``claims.json`` for one claim."""
    rule = claim.rule
    labels = choosing.matching(run.labels, rule["interpreters"])
    missing = [it for it in rule["needs"] if not choosing.matching(run.labels, [it])]
    found = Found()
    if labels and not missing:
        found = KINDS[claim.kind](run, rule, labels, catalogue.sets)
    verdict, why = UNTESTABLE, ""
    if not labels or missing:
        wanted = wording.joined(missing or rule["interpreters"])
        why = (
            f"This run has no interpreter like {wanted} (it has {wording.joined(run.labels)}). To test it: {claim.run}."
        )
    elif not found.rows:
        where = "" if rule["interpreters"] == ("*",) else f" on {wording.joined(labels)}"
        why = f"Nothing to judge it by{where}: {found.absent}. To test it: {claim.run}."
    else:
        verdict, why = decide(run, claim, found, labels)
    return {
        "id": claim.id,
        "title": claim.title,
        "text": claim.text,
        "source": {"title": claim.source.title, "where": claim.source.where},
        "kind": claim.kind,
        "hypothesis": wording.hypothesis(claim, catalogue),
        "verdict": verdict,
        "why": why,
        "counts": dict(counts(found.rows)),
        "evidence": [row.plain() for row in found.rows],
    }


def timed(claim: Claim) -> bool:
    """Return whether a claim is about time, so that its verdict depends on the trustworthiness of the run."""
    return claim.kind not in ("available", "cost") or claim.rule.get("measure") == "import"


def decide(run: Run, claim: Claim, found: Found, labels: Sequence[str]) -> tuple[str, str]:
    """Return the verdict on a claim that has rows, and the reason as a sentence with the numbers."""
    groups: dict[str, list[Row]] = {}
    for row in found.rows:
        groups.setdefault(row.interpreter, []).append(row)
    barred = {label: reason for label in groups if timed(claim) and (reason := bar(run, label))}
    each = {
        label: UNDECIDED if label in barred else of_rows(rows, claim.rule["share"]) for label, rows in groups.items()
    }
    verdict = combined(list(each.values()), claim.rule["where"])
    sentence = tell(claim, groups, each, barred)
    if barred and verdict == UNDECIDED:
        reasons: dict[str, list[str]] = {}
        for label, reason in barred.items():
            reasons.setdefault(reason, []).append(label)
        said = " and ".join(f"{reason} ({', '.join(where)})" for reason, where in reasons.items())
        sentence = f"Indicative only, as {said}: {sentence}"
    absent = [label for label in labels if label not in groups and ALL not in groups]
    notes = [*found.notes, *([f"no such cells on {wording.joined(absent)}"] if absent else [])]
    return verdict, f"{'; '.join([sentence, *notes])}."


def bar(run: Run, label: str) -> str:
    """Return why no claim about time is decided on an interpreter; an empty text if claims can be decided."""
    if not run.judged:
        return f"the {run.tier} tier gives no verdicts"
    if run.trusted(label):
        return ""
    entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
    failed = [str(check["name"]) for check in entry["checks"] if check["passed"] is False]
    if not failed:
        return "the run could not check itself"
    return f"the run failed its own check{'s' if len(failed) > 1 else ''} {wording.joined(failed)}"


def of_rows(rows: Sequence[Row], share: float) -> str:
    """Return the verdict of the rows of one interpreter."""
    found = counts(rows)
    least = needed(len(rows), share)
    if found[FOR] >= least:
        return CONFIRMED
    return REFUTED if found[FOR] + found[UNCLEAR] < least else UNDECIDED


def needed(rows: int, share: float) -> int:
    """Return how many rows have to be for a claim: the share, rounded up, and at least one."""
    return max(1, math.ceil(share * rows - 1e-9))


def combined(verdicts: Sequence[str], where: str) -> str:
    """Return the verdict over all interpreters, for a claim about every interpreter or about any."""
    strong, weak = (REFUTED, CONFIRMED) if where == "every" else (CONFIRMED, REFUTED)
    if strong in verdicts:
        return strong
    return weak if all(verdict == weak for verdict in verdicts) else UNDECIDED


def tell(claim: Claim, groups: Mapping[str, Sequence[Row]], each: Mapping[str, str], barred: Mapping[str, str]) -> str:
    """Return the numbers behind a verdict as a sentence without the full stop."""
    rows = [row for group in groups.values() for row in group]
    goal = wording.phrase(claim.kind, claim.rule)
    if len(rows) == 1 or (claim.kind in LISTED and len(rows) <= MOST_LISTED):
        said = [f"{row.what}{'' if row.interpreter == ALL else f' on {row.interpreter}'}" for row in rows]
        return f"{'; '.join(said)} (claimed: {goal})"
    total = counts(rows)
    text = f"{wording.about(claim.kind, claim.rule)}: {goal} in {total[FOR]} of {wording.several(len(rows), 'cell')}"
    text += not_so(claim, rows)
    text += f", unclear in {total[UNCLEAR]}" if total[UNCLEAR] else ""
    if len(groups) == 1:
        label = next(iter(groups))
        text += f" ({needed(len(rows), claim.rule['share'])} needed){spread(claim, rows)}"
        return text + (f"; on {label}" if label != ALL else "")
    return f"{text}{spread(claim, rows)}; {by_interpreter(claim, groups, each, barred)}"


def not_so(claim: Claim, rows: Sequence[Row]) -> str:
    """Return how many rows are against a claim and, for a claim of equivalence, to which side they differ."""
    against = [row for row in rows if row.supports == AGAINST]
    if not against:
        return ""
    text = f", not so in {len(against)}"
    if claim.rule.get("direction") == "equivalent":
        less = sum(row.bound is not None and row.bound.value < 1 for row in against)
        text += f" ({less} faster, {len(against) - less} slower)"
    return text


def by_interpreter(
    claim: Claim, groups: Mapping[str, Sequence[Row]], each: Mapping[str, str], barred: Mapping[str, str]
) -> str:
    """Return how many rows are for a claim on each interpreter, with the verdicts there if they differ."""
    share = claim.rule["share"]
    sizes = {len(group) for group in groups.values()}
    mixed = len(set(each.values())) > 1
    parts = []
    for label, group in groups.items():
        count = f"{counts(group)[FOR]}" if len(sizes) == 1 else f"{counts(group)[FOR]} of {len(group)}"
        parts.append(f"{label} {count}" + (f" ({each[label]})" if mixed and label not in barred else ""))
    if len(sizes) == 1:
        size = sizes.pop()
        return f"{', '.join(parts)} of {size} each ({needed(size, share)} needed)"
    return f"{', '.join(parts)} ({wording.part(share)} needed on each)"


def spread(claim: Claim, rows: Sequence[Row]) -> str:
    """Return the median and the range of the rows' values, by topic."""
    if claim.kind in ("available", "steady"):
        return ""
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    return "".join(f"; {topic}{': ' if topic else ''}{middle(claim, own)}" for topic, own in topics.items())


def middle(claim: Claim, rows: Sequence[Row]) -> str:
    """Return the median and the range of the values of one topic."""
    values = [row.bound.value for row in rows if row.bound is not None and math.isfinite(row.bound.value)]
    beyond = f", {len(rows) - len(values)} beyond the sweep" if len(values) < len(rows) else ""
    if not values:
        return "none"
    shown: Callable[[float], str] = {"ns": wording.ns, "bytes": wording.nbytes}.get(rows[0].unit, wording.digits)
    measure = str(claim.rule.get("measure", "")).replace("_", "-")
    name = {"ratio": "ratio", "ns": "difference", "bytes": "size"}.get(rows[0].unit, measure)
    return f"median {name} {shown(median(values))} ({shown(min(values))} to {shown(max(values))}{beyond})"
