# SPDX-License-Identifier: Apache-2.0
"""Runs the cases with each package, and says where packages differ."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import Counter as Tally
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cside_wrap.check.counter import Counter
from cside_wrap.packages.make import Built, environment_python

__all__ = ["Difference", "Report", "check"]

RUNNER = Path(__file__).with_name("runner.py")
PATIENCE_S = 600
LEAKS_BYTES = 16.0
"""Bytes for each call that are a leak: the smallest block of malloc."""
LEAKS_SHARE = 0.01
"""Share of what all packages leave, since the library keeps it, that one may leave more."""
LEAKS_OBJECTS = 0.9


@dataclass(frozen=True)
class Difference:
    """Something in which a package is not as the others, or not as it should be."""

    function: str
    technique: str
    what: str
    """The case, or ``leak``."""
    said: str


@dataclass
class Report:
    """What the check of one interpreter found."""

    python: str
    cases: int = 0
    compared: dict[str, int] = field(default_factory=dict)
    """Cases by what was compared: results, exceptions, native calls, leaks."""
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def check(
    folder: Path,
    cases: Sequence[Mapping[str, Any]],
    built: Sequence[Built],
    counter: Counter | None,
    finalizers: Collection[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """Run the cases with the packages of one interpreter. All of `built` have the same one.

    `finalizers` are functions that objects call when they are finalized; PyPy does that at any time, so that their
    calls are not compared there.
    """
    found = Report(built[0].python, len(cases))
    outcomes: dict[str, list[dict[str, Any] | None]] = {}
    for one in built:
        tell(f"{one.python}: {one.technique}")
        outcomes[one.technique] = _run(folder, cases, one, counter)
    lacking = {one.technique: _functions(folder, one) for one in built}
    for number, case in enumerate(cases):
        bound = [one.technique for one in built if case["function"] in lacking[one.technique]]
        if len(bound) > 1:
            these = {name: outcomes[name][number] for name in bound}
            _compare(found, case, these, counter, finalizers if one.python.startswith("pypy") else ())
    return found


def _functions(folder: Path, one: Built) -> set[str]:
    """What a package has."""
    words: list[str | Path] = [
        environment_python(folder, one.python),
        "-c",
        f"import {one.package}; print(*{one.package}.__all__)",
    ]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())


def _run(
    folder: Path, cases: Sequence[Mapping[str, Any]], one: Built, counter: Counter | None
) -> list[dict[str, Any] | None]:
    """The outcome of each case with one package; one that ended the process says so, and the next ones go on."""
    results: list[dict[str, Any] | None] = [None] * len(cases)
    with tempfile.TemporaryDirectory(prefix="cside-test-") as place:
        listed, told = Path(place, "cases.json"), Path(place, "outcomes")
        listed.write_text(json.dumps(list(cases)), encoding="utf-8")
        environment = {**os.environ, **(counter.variables() if counter is not None else {})}
        first = 0
        while first < len(cases):
            told.write_text("", encoding="utf-8")
            words: list[str | Path] = [
                environment_python(folder, one.python),
                RUNNER,
                one.package,
                listed,
                told,
                str(first),
            ]
            if counter is not None:
                words.append(counter.file)
            why = ""
            try:
                done = subprocess.run(
                    words, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
                )
                last = (done.stderr.strip().splitlines() or ["it printed no error"])[-1]
                why = f"ended with {done.returncode}: {last}"
            except subprocess.TimeoutExpired:
                why = f"did not end in {PATIENCE_S} s"
            begun = first - 1
            for line in told.read_text(encoding="utf-8").splitlines():
                try:
                    said = json.loads(line)
                except ValueError:
                    continue
                if "begins" in said:
                    begun = said["begins"]
                else:
                    results[said["case"]] = said
            if begun < first:  # not even the package was imported
                return [{"found": {"process": why}, "calls": {}} for _ in cases]
            if results[begun] is None:
                results[begun] = {"found": {"process": why}, "calls": {}}
            first = begun + 1
    return results


def _compare(
    report: Report,
    case: Mapping[str, Any],
    outcomes: Mapping[str, dict[str, Any] | None],
    counter: Counter | None,
    ignored: Collection[str],
) -> None:
    """Compare one case. Where one package is not as most are, it is the one that is named."""
    function, what = str(case["function"]), str(case["what"])
    present = {name: one for name, one in outcomes.items() if one is not None}

    def odd(values: Mapping[str, str], kind: str) -> None:
        report.compared[kind] = report.compared.get(kind, 0) + 1
        usual, _ = Tally(values.values()).most_common(1)[0]
        for name, value in values.items():
            if value != usual:
                report.differences.append(
                    Difference(function, name, what, f"{kind}: {_short(value)}; the others: {_short(usual)}")
                )

    varies = any(one["found"] != one.get("again") for one in present.values()) and not case["bad"]
    values = {name: _comparable(one["found"], varies) for name, one in present.items()}
    odd(values, "exceptions" if case["bad"] else "results")
    if case["bad"]:
        for name, one in present.items():
            if "returns" in one["found"] and all("returns" in each["found"] for each in present.values()):
                report.differences.append(Difference(function, name, what, "is accepted by all packages"))
                break
    if counter is not None and not varies:
        calls = {
            name: {counter.functions[int(place)]: count for place, count in one["calls"].items()}
            for name, one in present.items()
        }
        odd(
            {
                name: json.dumps({each: one[each] for each in sorted(one) if each not in ignored})
                for name, one in calls.items()
            },
            "native calls",
        )
    leaks = {name: one["leak"] for name, one in present.items() if one.get("leak")}
    if leaks:
        report.compared["searches for leaks"] = report.compared.get("searches for leaks", 0) + 1
        least = [max(0.0, min(one[place] for one in leaks.values())) for place in (0, 1)]
        for name, (nbytes, objects) in leaks.items():
            if nbytes - least[0] >= LEAKS_BYTES + LEAKS_SHARE * least[0] or objects - least[1] >= LEAKS_OBJECTS:
                said = (
                    f"each call leaves {nbytes} bytes and {objects} Python objects; the least: {least[0]}, {least[1]}"
                )
                report.differences.append(Difference(function, name, "leak", said))


def _comparable(found: Mapping[str, Any], varies: bool) -> str:
    """What has to be equal: of exceptions the type, and of the package's Error its status."""
    if "raises" in found:
        return json.dumps([found["raises"], found.get("status") if not varies else None])
    if "returns" in found and varies:
        return json.dumps(["returns", type(found["returns"]).__name__])
    return json.dumps({name: one for name, one in found.items() if name != "text"}, sort_keys=True)


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:157] + "…"
