# SPDX-License-Identifier: Apache-2.0
"""Writes answers as an architecture decision record: what a team keeps of a decision, in Markdown.

The headings are those of M. Nygard, "Documenting architecture decisions" (2011), with the options, the evidence and
what would change the decision beside them.
"""

from typing import Any

from cside_bench.recommend.rules import Rules, load
from cside_bench.recommend.wording import chance, listed
from cside_bench.report.decisions import between, settled_by

SHOWN_FLIPS = 8


def decision(answer: dict[str, Any]) -> str:
    """Return an answer as a sentence or two for a decision record."""
    rules, title = load(), answer["profile"]["title"]
    names = [rules.title(name) for name in answer["recommended"]]
    if answer["indicative"]:
        title += " (indicative only)"
    if answer.get("another_machine"):
        title += " (by another machine's run)"
    match answer["outcome"]:
        case "recommended":
            sure = f" (probability of being best: {chance(answer['probability'])})"
            beside = f"; the runner-up is {rules.title(answer['runner_up'])}" if answer["runner_up"] else ""
            first = f"{title}: we bind the library with {names[0]}{sure}{beside}"
            return f"{first}.{_stands(answer)}{_must_say(answer)}"
        case "tie":
            first = f"{title}: we bind the library with {names[0]} or {listed(names[1:], 'or')}, which tie"
            breaks = answer.get("tie_breakers", ())
            return f"{first}.{''.join(f' {it}' for it in breaks[:1])}{_stands(answer)}{_must_say(answer)}"
        case "nothing fits":
            return f"{title}: {answer['says']}"
    open_ = [rules.title(name) for name in between(answer)]
    if commands := settled_by(answer):
        left = f" The choice is between {listed(open_, 'and')}." if open_ else ""
        what = listed([f"“{it['title']}”" for it in answer["missing"] if it["turns"]])
        return f"{title}: not decided until {what} is measured ({', '.join(commands)}).{left}"
    return f"{title}: not decided. {answer['says']}"


def _must_say(answer: dict[str, Any]) -> str:
    return "".join(
        f" {it}" for it in (*answer.get("must_say", ()), *(it["says"] for it in answer.get("two_backends", ())))
    )


def _stands(answer: dict[str, Any]) -> str:
    """Return what the decision rests without: criteria that could not turn it, and approaches without a number."""
    missing = [f"“{it['title']}”" for it in answer.get("missing", ()) if not it["turns"]]
    says = (
        f" No result of {listed(missing, 'or')}, not measured yet, would give any other approach the lead."
        if missing
        else ""
    )
    rules_of: dict[str, set[str]] = {}
    for it in answer["excluded"]:
        rules_of.setdefault(it["title"], set()).add(it["rule"])
    without = [title for title, by in rules_of.items() if by == {"unmeasured"}]
    return says + (f" {listed(without)} had no valid number to compare." if without else "")


def record(document: dict[str, Any], rules: Rules | None = None) -> str:
    """Return the record of all answers of a document, as Markdown."""
    known = rules if rules is not None else load()
    answers = document["answers"]
    one = answers[0]["profile"]["title"] if len(answers) == 1 else f"{len(answers)} profiles"
    parts = [f"# How to bind the C library to Python: {one}", ""]
    parts += [
        f"Computed by `cside recommend` from run {document['run']} ({document['tier']} tier) on {document['machine']}; "
        f"{document['draws']:,} draws, seed {document['seed']}.",
        *(["", document["another_machine"]] if document["another_machine"] else []),
        "",
    ]
    for answer in answers:
        parts += _one(answer, known, "##" if len(answers) == 1 else "###", several=len(answers) > 1)
    return "\n".join(parts).rstrip() + "\n"


def _one(answer: dict[str, Any], rules: Rules, mark: str, *, several: bool) -> list[str]:
    profile, lines = answer["profile"], []
    if several:
        lines += [f"## {profile['title']}", ""]
    status = {"recommended": "proposed", "tie": "proposed: either"}.get(answer["outcome"], "open")
    lines += [f"{mark} Status", "", f"{status[0].upper()}{status[1:]}.", ""]
    lines += [f"{mark} Context", ""]
    if profile["text"]:
        lines += [profile["text"], ""]
    for section, values in profile["inputs"].items():
        said = "; ".join(f"{name.replace('_', ' ')}: {_value(value)}" for name, value in values.items())
        lines += [f"- {section}: {said}"] if said else []
    lines += [f"- measured on: {', '.join(answer['interpreters']) or 'none that was asked for'}", ""]
    lines += [f"{mark} Options", ""]
    for it in answer["candidates"]:
        chosen = " (taken)" if it["subject"] in answer["recommended"] else ""
        odds = "" if it["probability"] is None else f"; probability of being best {chance(it['probability'])}"
        odds += " together with those it ties with" if odds and it["tied"] else ""
        score = "not scored" if it["score"] is None else f"score {it['score']:.2f}"
        lines.append(f"- {it['title']}{chosen}: {score}{odds}.")
    lines += [f"- {it['title']}: left out by rule `{it['rule']}`. {it['reason']}" for it in answer["excluded"]]
    lines += ["", f"{mark} Decision", "", decision(answer), "", answer["says"], ""]
    lines += [f"{mark} Consequences", "", *(_consequences(answer) or ["None while it is open."]), ""]
    lines += [f"{mark} Evidence", ""]
    for it in answer["evidence"]:
        bounds = f" ({it['low']:.3g} to {it['high']:.3g})" if None not in (it["low"], it["high"]) else ""
        lines.append(
            f"- {it['interpreter']}, `{it['workload']}`: {it['subject']} takes {it['ratio']:.3g}{bounds} times the "
            f"time of {it['against']} ({it['verdict']})."
        )
    lines += [f"- {note}" for note in answer["notes"]]
    lines += ["", f"{mark} What would change it", ""]
    changes = [f"Measuring “{it['title']}”: {it['settled_by']}." for it in answer["missing"] if it["turns"]]
    changes += [*answer["tie_breakers"], *(it["says"] for it in answer["flip_points"][:SHOWN_FLIPS])]
    lines += [f"- {it}" for it in dict.fromkeys(changes)] or ["Nothing within the ranges that were searched."]
    return [*lines, ""]


def _consequences(answer: dict[str, Any]) -> list[str]:
    """Return what the approaches taken cost by each criterion, in the words of the answer."""
    return [
        f"- {it['title']}, {part['title']}: {part['says']}."
        for it in answer["candidates"]
        if it["subject"] in answer["recommended"]
        for part in it["contributions"]
    ]


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(it)}" for name, it in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,.10g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
