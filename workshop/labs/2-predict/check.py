# SPDX-License-Identifier: Apache-2.0
"""Lab 2: predictions before the measurement, and an interval whose replicates are processes."""

import json
import tomllib
from typing import Any

import numpy as np
from cside_bench.results.evidence import Run, RunError

from workshop.checking import Findings

CELLS = 12
KNOWN = "from verdict import interval\nlow, high = interval([1.02, 0.97, 1.05, 1.01])\n"
SIMULATED = """
import numpy as np
from verdict import interval
random = np.random.default_rng(1)
held = sum(low <= 1 <= high for low, high in (interval(np.exp(random.normal(0, 0.05, 10))) for _ in range(2000)))
assert 0.935 <= held / 2000 <= 0.965, f'of 2000 intervals {held} hold the truth, which is {held / 20:.1f} %'
"""
MEASURE = (
    "nox -s bench -- --quick --binding cext --binding cython --binding swig --binding cffi --binding ctypes "
    '--python 3.13 --only idioms.noop --only "idioms.add[i32-small]" --only "codec.crc32[65536]"'
)


def check(found: Findings) -> None:
    """Look at the predictions, at the interval, at the experiment and at the newest run."""
    told = predictions(found)
    found.ask(
        "interval() of four processes is 0.9607 to 1.0663",
        KNOWN + "same((round(low, 4), round(high, 4)), (0.9607, 1.0663))",
        why="Logarithms; their mean and standard error, with n - 1 in the variance; 3.182 of these to each side, which "
        "is Student's t for 3 degrees of freedom (scipy.stats.t.ppf(0.975, 3)); and back by exp.",
    )
    found.ask(
        "of 2000 intervals from simulated processes 95 % hold the truth",
        SIMULATED,
        why="An interval from the least to the greatest value, or from 1.96 standard errors, holds it too often or too "
        "seldom.",
    )
    experiment(found)
    measured(found, told)


def predictions(found: Findings) -> dict[str, dict[str, float]]:
    """Find out whether all predictions are there."""
    try:
        told: dict[str, dict[str, float]] = tomllib.loads(
            (found.folder / "predictions.toml").read_text(encoding="utf-8")
        )
        numbers = [float(value) for each in told.values() for value in each.values()]
    except (OSError, ValueError, AttributeError, TypeError) as error:
        found.add(False, "predictions.toml can be read", seen=str(error), why="It has three tables of four numbers.")
        return {}
    filled = sum(number > 0 for number in numbers)
    found.add(
        filled == CELLS,
        f"{CELLS} predictions are written down",
        seen=f"{filled} are above 0",
        why="A prediction that is made afterwards is always right. Guess, and keep the guess.",
    )
    return told


def experiment(found: Findings) -> None:
    """Apply the participant's interval to the participant's processes."""
    file = found.folder / "samples.json"
    what = "the experiment has been made"
    if not found.add(file.exists(), what, seen="there is no samples.json", why="python experiment.py: half a minute."):
        return
    runs: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    ratios = [float(np.median(run["first"]) / np.median(run["second"])) for run in runs]
    found.ask(
        f"interval() of its {len(ratios)} processes can be computed",
        "from verdict import interval\n"
        f"low, high = interval({ratios!r})\nassert 0 < low < high, f'it is {{low}} to {{high}}'",
    )


def measured(found: Findings, told: dict[str, dict[str, float]]) -> None:
    """Put what was measured beside what was predicted. A prediction that was wrong is not a mistake."""
    try:
        run = Run.load(found.results / "latest")
    except RunError as error:
        found.add(False, "a run has been measured", seen=str(error), why=MEASURE)
        return
    label = next((each for each in reversed(run.labels) if each.startswith("cpython")), run.labels[-1])
    for workload, each in told.items():
        for name, guess in each.items():
            cell = run.cell(label, workload, name)
            ratio = cell["ratio"] if cell else None
            seen = f"the newest run, {run.name}, has no ratio of it"
            said = f": predicted {guess:g}, measured {ratio:.2f}" if ratio else " was measured"
            found.add(ratio is not None, f"{workload} with {name}{said}", seen=seen, why=MEASURE)
