# SPDX-License-Identifier: Apache-2.0
"""What is argued from a synthetic run: claims, recommendations, and the drill's table."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

Cell = Mapping[str, Any]
CHANGES: Final = ("argument-added", "field-inserted", "constant-renumbered", "function-removed", "signedness-changed")
LEGEND: Final = {
    "unaffected": "The change does not reach it.",
    "works": "It was rebuilt and does what the new header says.",
    "build": "It does not build: the compiler says so.",
    "import": "Its import fails and names the symbol.",
    "call": "The call raises an exception.",
    "silent": "It returns a wrong result and says nothing.",
    "crash": "It takes the process down.",
}


def _short_of(cells: Sequence[Cell], subject: str) -> list[Cell]:
    """Cells of a subject with a ratio, a few of them."""
    wanted = [it for it in cells if (f"{it['binding']}.{it['variant']}".rstrip(".")) == subject and it["ratio"]]
    return wanted[:: max(1, len(wanted) // 40)]


def claims(run: str, cells: Sequence[Cell], whole: Sequence[str], markup: str) -> dict[str, Any]:
    """A claim of each verdict."""
    found = []
    for place, verdict in enumerate(("confirmed", "refuted", "undecided", "untestable")):
        subject = whole[min(place + 1, len(whole) - 1)]
        evidence = [
            {
                "interpreter": it["interpreter"],
                "workload": it["workload"],
                "subject": subject,
                "against": whole[0],
                "ratio": it["ratio"],
                "value": it["ratio"],
                "unit": "ratio",
                "low": it["ratio_low"],
                "high": it["ratio_high"],
                "supports": ("for", "against", "unclear")[index % 3],
                "what": "ratio of times",
            }
            for index, it in enumerate(_short_of(cells, subject) if verdict != "untestable" else [])
        ]
        sides = [it["supports"] for it in evidence]
        found.append(
            {
                "id": f"claim-{place + 1}",
                "title": f"Claim {place + 1} <of four>",
                "text": "This way of binding costs more than another one.",
                "source": {"title": "folklore", "where": "told at conferences"},
                "kind": "ratio",
                "hypothesis": f"{subject} takes longer than {whole[0]} wherever a call is short",
                "verdict": verdict,
                "why": f"{sides.count('for')} cells are for it and {sides.count('against')} against it; {markup}",
                "counts": {side: sides.count(side) for side in ("for", "against", "unclear")},
                "evidence": evidence,
            }
        )
    return {"format": 1, "run": run, "claims": found}


def recommendations(run: str, cells: Sequence[Cell], whole: Sequence[str], *, judged: bool) -> dict[str, Any]:
    """An answer of each outcome."""
    labels = list(dict.fromkeys(it["interpreter"] for it in cells))
    answers = []
    for place, outcome in enumerate(("recommended", "tie", "unresolved", "nothing fits")):
        kept = [] if outcome == "nothing fits" else list(whole[:3])
        winners = kept[: {"recommended": 1, "tie": 2}.get(outcome, 0)]
        flips = {
            "variable": "calls_per_second",
            "unit": "1/s",
            "now": 1000,
            "at": 50000,
            "low": 40000,
            "high": 60000,
            "direction": "above",
            "then": whole[min(1, len(whole) - 1)],
            "says": "Above 50,000 calls a second (40,000 to 60,000) another one is ahead.",
        }
        answers.append(
            {
                "profile": {
                    "id": f"profile-{place + 1}",
                    "title": f"Profile {place + 1}",
                    "text": "A small interface that hardly changes.",
                    "inputs": {"calls_per_second": 1000, "bytes_per_call": 64, "interpreters": ["cpython"]},
                },
                "outcome": outcome,
                "recommended": winners,
                "probability": 0.93 / max(1, len(winners)) if winners else None,
                "probability_if_weights_doubted": 0.8 / max(1, len(winners)) if winners else None,
                "measured_weight": 0.5 if kept else None,
                "indicative": not judged,
                "interpreters": labels,
                "evidence": _against(cells, kept),
                "says": f"What the run says of this profile: {outcome}.",
                "runner_up": kept[len(winners)] if len(kept) > len(winners) else None,
                "candidates": [_candidate(cells, subject, 1 / (1 + index)) for index, subject in enumerate(kept)],
                "excluded": [
                    {"subject": it, "title": it, "rule": "compiler", "reason": "It needs a C compiler at install."}
                    for it in whole
                    if it not in kept
                ],
                "flip_points": [flips] if kept else [],
                "rules": ["compiler", "speed"],
                "notes": [] if judged else ["The quick tier gives no verdicts."],
            }
        )
    head = {"format": 1, "run": run, "machine": "a machine", "tier": "default", "seed": 1, "draws": 4000}
    return {**head, "answers": answers}


def _against(cells: Sequence[Cell], kept: Sequence[str]) -> list[dict[str, Any]]:
    """The second of those that fit against the first, which is the reference."""
    if len(kept) < 2:
        return []
    one, two = kept[1], kept[0]
    return [
        {"interpreter": it["interpreter"], "workload": it["workload"], "subject": one, "against": two}
        | {"ratio": it["ratio"], "low": it["ratio_low"], "high": it["ratio_high"], "verdict": it["verdict"]}
        | {"ns": [it["ns_net"], it["ns_net"] / it["ratio"]]}
        for it in _short_of(cells, one)[:3]
    ]


def _candidate(cells: Sequence[Cell], subject: str, score: float) -> dict[str, Any]:
    evidence = [[it["interpreter"], it["workload"], subject] for it in _short_of(cells, subject)[:8]]
    part = {"weight": 0.5, "points": score, "points_low": score * 0.9, "points_high": min(1.0, score * 1.1)}
    return {
        "subject": subject,
        "title": subject,
        "probability": score / 2,
        "probability_if_weights_doubted": score / 2.2,
        "score": score,
        "score_low": score * 0.9,
        "score_high": min(1.0, score * 1.1),
        "contributions": [
            {
                "criterion": "speed",
                "title": "Speed",
                "kind": "measured",
                **part,
                "says": "Time of 1,000 calls a second.",
                "cells": evidence,
            },
            {
                "criterion": "safety",
                "title": "Safety",
                "kind": "judgement",
                **part,
                "says": "What a changed header breaks.",
                "cells": [],
            },
        ],
    }


def drill(labels: Sequence[str], whole: Sequence[str], draw: np.random.Generator, markup: str) -> dict[str, Any]:
    """Every outcome somewhere."""
    bindings = list(dict.fromkeys(it.partition(".")[0] for it in whole))
    tried = labels[: math.ceil(len(labels) / 2)]
    library = "0" * 64
    outcomes = [
        {
            "interpreter": label,
            "binding": binding,
            "change": change,
            "pass": one,
            "rebuilt": one == "rebuilt",
            "outcome": (found := str(draw.choice(list(LEGEND)))),
            "says": LEGEND[found],
            "detail": markup,
            "warned": False,
            "library": library,
            "seconds": 1.5,
            "log": None,
        }
        for label in tried
        for binding in bindings
        for change in CHANGES
        for one in ("library", "rebuilt")
    ]
    changes = [
        {
            "id": it,
            "title": it.replace("-", " "),
            "says": "One line of a header.",
            "diff": "-int a(void);\n+int a(int n);",
            "library": "1" * 64,
        }
        for it in CHANGES
    ]
    created = "2026-11-21T12:00:00+00:00"
    return {
        "format": 1,
        "created": created,
        "machine": "A Processor 9000",
        "compiler": {"name": "gcc 12.2.0"},
        "library": library,
        "interpreters": [{"label": label, "release": "3.14.0"} for label in tried],
        "bindings": bindings,
        "changes": changes,
        "outcomes": outcomes,
        "legend": LEGEND,
    }
