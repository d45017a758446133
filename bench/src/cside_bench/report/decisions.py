# SPDX-License-Identifier: Apache-2.0
"""Reads recommendations, claims and the drill for ``report.md`` and the terminal.

Other modules compute them; this module reads their files. The page shows them in full.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from cside_bench.recommend.wording import chance
from cside_bench.results.drill import origin
from cside_bench.results.files import CLAIMS_FILE, DRILL_FILE, RECOMMENDATIONS_FILE

LIKELY: Final = 0.1
"""Least probability of an approach that is named in an unresolved choice."""
VERDICTS: Final = ("confirmed", "refuted", "undecided", "untestable")


def percent(value: float | None) -> str:
    """Format a probability as :func:`cside_bench.recommend.wording.chance` does, in percent."""
    if value is None:
        return "—"
    number = chance(value)
    return {"below 0.01": "< 1 %", "above 0.99": "> 99 %"}.get(number) or f"{int(number.removeprefix('0.'))} %"


class Decisions:
    """The recommendations, claims and drill in a run's folder; empty if a file is missing."""

    def __init__(self, folder: Path) -> None:
        self.answers: list[dict[str, Any]] = read(folder / RECOMMENDATIONS_FILE).get("answers", [])
        self.claims: list[dict[str, Any]] = read(folder / CLAIMS_FILE).get("claims", [])
        self.drill: dict[str, Any] = read(folder / DRILL_FILE)
        self.drill_notes: list[str] = origin(self.drill)

    def counts(self) -> dict[str, int]:
        """Return the number of claims with each verdict."""
        found = Counter(claim["verdict"] for claim in self.claims)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def drill_tables(self) -> list[dict[str, Any]]:
        """Return, for each pass and interpreter, the bindings and the outcome of each change with each binding."""
        outcomes = self.drill.get("outcomes", [])
        found = {(it["pass"], it["interpreter"], it["binding"], it["change"]): it["outcome"] for it in outcomes}
        tables = []
        for way, label in dict.fromkeys((it["pass"], it["interpreter"]) for it in outcomes):
            names = list(dict.fromkeys(key[2] for key in found if key[:2] == (way, label)))
            rows = [
                (change["title"], [found.get((way, label, name, change["id"]), "—") for name in names])
                for change in self.drill["changes"]
            ]
            tables.append({"pass": way, "interpreter": label, "bindings": names, "rows": rows})
        return tables


def told(answer: dict[str, Any]) -> str:
    """Return what to take by one answer, in a few words; of an answer that is open, no approach."""
    names = ", ".join(answer["recommended"])
    return {
        "recommended": names,
        "tie": f"tie: {names}",
        "unresolved": "open" if between(answer) else "not ranked by this run",
        "nothing fits": "nothing fits",
    }.get(str(answer["outcome"]), str(answer["outcome"]))


def between(answer: dict[str, Any]) -> list[str]:
    """Return the approaches that an open answer is between; empty for another answer, or if nothing was ranked."""
    if answer["outcome"] != "unresolved":
        return []
    likely = [it["subject"] for it in answer["candidates"] if (it["probability"] or 0.0) >= LIKELY]
    return answer.get("contenders") or likely


def settled_by(answer: dict[str, Any]) -> list[str]:
    """Return the commands that measure what keeps an answer open; empty if nothing that is missing does."""
    return list(dict.fromkeys(it["settled_by"] for it in answer.get("missing", ()) if it["turns"]))


def read(path: Path) -> dict[str, Any]:
    """Read a JSON document; empty if the file does not exist."""
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
