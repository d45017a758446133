"""``summary.json``: one object per interpreter, binding, variant and workload, computed from the raw rounds.

Its schema is ``summary.schema.json`` beside this module; a summary is checked against it before it is written.
"""

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np

from cside_bench.plan import Plan, Tier
from cside_bench.rounds import Key, Sample, read_imports, read_run
from cside_bench.statistics import Interval, intervals, margin, verdict
from cside_bench.targets import judge_targets

FORMAT: Final = 1
QUANTILES: Final = {"p50": 0.50, "p90": 0.90, "p99": 0.99}


def number(value: float) -> float | None:
    """Five significant digits; ``None`` for what is not a number."""
    return float(f"{value:.5g}") if math.isfinite(value) else None


def cells_of(sample: Sample, plan: Plan, tier: Tier) -> tuple[list[dict[str, Any]], float]:
    """The cells of one interpreter, and its margin of equivalence."""
    keys = sample.keys()
    ratios = intervals(
        [[process.ratio(key, (key[0], plan.reference)) for process in sample.processes] for key in keys],
        logarithmic=True,
    )
    limit = margin([ratio for key, ratio in zip(keys, ratios, strict=True) if key[1] == "twin"])
    return [cell(sample, plan, tier, key, ratio, limit) for key, ratio in zip(keys, ratios, strict=True)], limit


def cell(sample: Sample, plan: Plan, tier: Tier, key: Key, ratio: Interval, limit: float) -> dict[str, Any]:
    """One object of the list."""
    workload, subject = key
    binding, _, variant = subject.partition(".")
    void = sample.void.get(key)
    measured = [process for process in sample.processes if key in process.net] if void is None else []
    reference_void = sample.void.get((workload, plan.reference))
    if void is not None or reference_void is not None:
        ratio = Interval(math.nan, math.nan, math.nan, 0)
    if void is not None or not tier.verdicts or not math.isfinite(ratio.value):
        judgement = "none"
    else:
        judgement = "reference" if subject == plan.reference else verdict(ratio, limit)
    pooled = np.concatenate([process.net[key] for process in measured]) if measured else np.array([math.nan])
    raw = [float(np.median(process.raw[key])) for process in measured]
    net = [process.median_net(key) for process in measured]
    return {
        "interpreter": sample.label,
        "binding": binding,
        "variant": variant,
        "workload": workload,
        "ns_raw": number(float(np.median(raw))) if raw else None,
        "ns_net": number(float(np.median(net))) if net else None,
        "inside": number(float(np.median(sample.inside[key]))) if measured and key in sample.inside else None,
        "ratio": number(ratio.value),
        "ratio_low": number(ratio.low),
        "ratio_high": number(ratio.high),
        "quantiles": {name: number(float(np.quantile(pooled, at))) for name, at in QUANTILES.items()},
        "processes": len(measured),
        "gil": sample.gil.get(key, "none"),
        "verdict": judgement,
        "void": void,
    }


def import_cells(folder: Path, plan: Plan) -> list[dict[str, Any]]:
    """Cells of the workload ``import``: `idioms` and `codec`, in a fresh process; one observation per process."""
    found = []
    for label, by_name in read_imports(folder).items():
        names = sorted(by_name)
        reference = by_name.get(plan.reference, [])
        pairs = [[mine / other for mine, other in zip(by_name[name], reference, strict=False)] for name in names]
        for name, ratio in zip(names, intervals(pairs, logarithmic=True), strict=True):
            values = np.asarray(by_name[name])
            binding, _, variant = name.partition(".")
            found.append(
                {
                    "interpreter": label,
                    "binding": binding,
                    "variant": variant,
                    "workload": "import",
                    "ns_raw": number(float(np.median(values))),
                    "ns_net": number(float(np.median(values))),
                    "inside": None,
                    "ratio": number(ratio.value),
                    "ratio_low": number(ratio.low),
                    "ratio_high": number(ratio.high),
                    "quantiles": {key: number(float(np.quantile(values, at))) for key, at in QUANTILES.items()},
                    "processes": len(values),
                    "gil": "held",
                    "verdict": "none",
                    "void": None,
                }
            )
    return found


def summarise(folder: Path) -> dict[str, Any]:
    """Compute the summary of the run in ``folder`` from its raw files, check it against the schema and write it."""
    plan = Plan.load(folder)
    tier = Tier.named(plan.tier)
    samples = read_run(folder)
    cells: list[dict[str, Any]] = []
    interpreters = []
    for label, sample in samples.items():
        own, limit = cells_of(sample, plan, tier)
        cells += own
        interpreters.append(
            {
                "label": label,
                "processes": len(sample.processes),
                "margin": number(limit),
                "engine_versions": sorted(sample.engines),
                "load_average": [number(load) for load in sample.loads],
            }
        )
    parity = [
        {"interpreter": label, "subject": subject, "workload": workload, "reason": reason}
        for label, sample in samples.items()
        for (workload, subject), reason in sorted(sample.skips.items())
        if subject != "twin"
    ]
    summary = {
        "format": FORMAT,
        "run": folder.name,
        "tier": plan.tier,
        "verdicts": tier.verdicts,
        "reference": plan.reference,
        "seed": plan.seed,
        "library_sha256": plan.library_sha256,
        "complete": all((folder / "blocks" / f"{block.name}.json").exists() for block in plan.blocks),
        "interpreters": interpreters,
        "missing": plan.missing,
        "cells": cells + import_cells(folder, plan),
        "parity": parity,
        "targets": judge_targets(samples, read_imports(folder)),
    }
    schema = json.loads(files("cside_bench").joinpath("summary.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return summary
