# SPDX-License-Identifier: Apache-2.0
"""Predicted against measured costs of a library's functions: how far off prices were, once a run has measured them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cside_wrap.roles.form import Library

from cside_bench.library.prices import Prices
from cside_bench.library.shapes import shape_of
from cside_bench.predict.price import Pricing
from cside_bench.results.evidence import Run
from cside_bench.results.files import LIBRARY_FILE, NATIVE_FILE
from cside_bench.statistics.shapes import factors


class NotMeasured(Exception):
    """A run has no measured functions of a library that can be priced; the message says why."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A workload with one approach: ns predicted and measured, and C's own."""

    label: str
    workload: str
    function: str
    subject: str
    predicted: float
    measured: float
    native: float | None


def compare(model: Pricing, measured: Run, library: Library, released: Callable[[str], bool]) -> list[Compared]:
    """Return the workloads of a run that were priced and measured. Raises :class:`NotMeasured` if there is none.

    The interpreter whose costs price them is that of the same label. ``released`` says of a function whether the GIL is
    released in its calls.
    """
    file = measured.folder / LIBRARY_FILE
    if not file.exists():
        raise NotMeasured(f"{measured.name} is no run on a library of yours; to make one: cside bench DIR")
    entries = json.loads(file.read_text(encoding="utf-8"))["workloads"]
    path = measured.folder / NATIVE_FILE
    native = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    labels = [label for label in measured.labels if label in model.run.labels]
    if not labels:
        raise NotMeasured(
            f"{measured.name} measured {', '.join(measured.labels)}, and {model.run.name}, whose costs price them, "
            f"{', '.join(model.run.labels)}; name another by --run"
        )
    prices = Prices(model)
    found = []
    for label in labels:
        for entry in entries:
            plan = library.plans.get(entry["function"])
            if plan is None:
                continue
            own = native.get(label, {}).get(entry["name"])
            for price in prices.of(label, shape_of(plan, library, released=released(plan.symbol)), own):
                cell = measured.cell(label, entry["name"], price.subject)
                ns = None if cell is None or cell["void"] is not None else cell["ns_net"]
                if ns is not None and ns > 0 and price.ns is not None:
                    found.append(Compared(label, entry["name"], plan.symbol, price.subject, price.ns, ns, own))
    if not found:
        raise NotMeasured(f"{measured.name} and {model.run.name} have no approach and function in common")
    return found


def errors(found: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return the error factors by interpreter and approach: of whole times, and of calls that are mostly the binding's.

    A function counts once, however many sizes of it were measured.
    """
    rows = []
    for label, subject in dict.fromkeys((it.label, it.subject) for it in found):
        own = [it for it in found if (it.label, it.subject) == (label, subject)]
        mostly = [it for it in own if it.native is not None and 2 * it.native <= it.measured]
        rows.append({"label": label, "subject": subject, "all": _factors(own), "mostly": _factors(mostly)})
    return rows


def _factors(own: Sequence[Compared]) -> dict[str, Any] | None:
    if not own:
        return None
    its = factors([it.predicted for it in own], [it.measured for it in own], [it.function for it in own])
    return {"median": its.median, "most": its.most, "functions": its.kinds, "calls": its.calls}
