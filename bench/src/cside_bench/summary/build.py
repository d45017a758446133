# SPDX-License-Identifier: Apache-2.0
"""Computes ``summary.json`` from the raw rounds: one object per interpreter, binding, variant and workload.

The schema is ``summary.schema.json`` beside this module, and a summary is checked against it before it is written.
Other modules compute the sections of the summary, each of which is checked against a schema of its own.
"""

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.files import write_json
from cside_suite.process import sketch
from cside_suite.subjects.names import is_control

from cside_bench.results import starts
from cside_bench.results.digits import number
from cside_bench.results.evidence import SUMMARY_FORMAT, Run
from cside_bench.results.files import SUMMARY_FILE
from cside_bench.results.plan import Plan, Tier
from cside_bench.results.rounds import Key, Sample, read_run, whole_bindings
from cside_bench.statistics import checks as statistics_checks
from cside_bench.statistics.intervals import Comparison, intervals, stars, verdict
from cside_bench.summary import costs, evidence, figures, look, shapes, sizes, steady, trust, verified, warmup
from cside_bench.summary import threads as summary_threads
from cside_bench.summary.calls import Comparisons, compare
from cside_bench.summary.targets import judge_targets

QUANTILES: Final = {"p50": 0.50, "p90": 0.90, "p99": 0.99, "p999": 0.999}
"""Quantiles of calls timed one by one, by their names in ``summary.json``."""


def cells_of(sample: Sample, plan: Plan, found: Comparisons, ranked: frozenset[str], *, verdicts: bool) -> list[Any]:
    """Return the cells of one interpreter; without ``verdicts`` they have no ranks either."""
    keys = sample.cells()
    ranks: dict[Key, int] = {}
    if verdicts:
        for workload in dict.fromkeys(key[0] for key in keys):
            names = [subject for other, subject in keys if other == workload and subject in ranked]
            valid = [name for name in names if sample.usable((workload, name))]
            for name, rank in found.ranks(workload, valid).items():
                ranks[(workload, name)] = rank
    return [cell(sample, plan, found, key, ranks.get(key), verdicts=verdicts) for key in keys]


def cell(
    sample: Sample, plan: Plan, found: Comparisons, key: Key, rank: int | None, *, verdicts: bool
) -> dict[str, Any]:
    """Return one cell as an object of ``summary.json``."""
    workload, subject = key
    binding, _, variant = subject.partition(".")
    void = sample.void.get(key)
    measured = [process for process in sample.processes if key in process.net] if void is None else []
    reference_void = sample.void.get((workload, plan.reference))
    ratio = Comparison(1.0, processes=len(measured)) if subject == plan.reference else found.of(key)
    if void is not None or reference_void is not None or key in sample.unsteady:
        ratio = Comparison(math.nan)
    if void is not None or not verdicts or not math.isfinite(ratio.value):
        judgement = "none"
    else:
        judgement = "reference" if subject == plan.reference else verdict(ratio, found.margin)
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
        "ratio_low": number(ratio.adjusted_low),
        "ratio_high": number(ratio.adjusted_high),
        "alone_low": number(ratio.low),
        "alone_high": number(ratio.high),
        "adjusted_p": number(ratio.adjusted_p),
        "guarantee": ratio.guarantee if math.isfinite(ratio.adjusted_low) else None,
        "stars": stars(ratio),
        "rank": rank,
        "latency": tails([process.latency[key] for process in measured if key in process.latency]),
        "processes": len(measured),
        "gil": sample.gil.get(key, "none"),
        "verdict": judgement,
        "void": void,
        "unsteady": sample.unsteady.get(key),
    }


def tails(plain: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the quantiles of calls timed one by one over all processes; None if there are none."""
    if not plain:
        return None
    merged = sketch.merge([sketch.restore(entry) for entry in plain])
    values = sketch.quantiles(merged, tuple(QUANTILES.values()))
    named = {name: None if value is None else number(value) for name, value in zip(QUANTILES, values, strict=True)}
    return {**named, "timer": number(merged.timer_ns), "calls": merged.count}


def import_cells(folder: Path, plan: Plan) -> list[dict[str, Any]]:
    """Return the cells of the workload ``import`` (`idioms` and `codec`), with one observation per fresh process."""
    found = []
    for label, by_name in starts.import_times(folder).items():
        names = sorted(by_name)
        reference = by_name.get(plan.reference, [])
        pairs = [[mine / other for mine, other in zip(by_name[name], reference, strict=False)] for name in names]
        for name, ratio in zip(names, intervals(pairs, logarithmic=True), strict=True):
            binding, _, variant = name.partition(".")
            ns = number(float(np.nanmedian(by_name[name])))
            found.append(
                {
                    "interpreter": label,
                    "binding": binding,
                    "variant": variant,
                    "workload": "import",
                    "ns_raw": ns,
                    "ns_net": ns,
                    "inside": None,
                    "ratio": number(ratio.value),
                    "ratio_low": None,
                    "ratio_high": None,
                    "alone_low": number(ratio.low),
                    "alone_high": number(ratio.high),
                    "adjusted_p": None,
                    "guarantee": None,
                    "stars": "",
                    "rank": None,
                    "latency": None,
                    "processes": ratio.processes,
                    "gil": "held",
                    "verdict": "none",
                    "void": None,
                    "unsteady": None,
                }
            )
    return found


def jit_of(sample: Sample) -> dict[str, int] | None:
    """Return what the compiler did in all processes of an interpreter; None where nothing was warmed up by calls."""
    warmed = [agreed for process in sample.processes for agreed in process.agreed.values()]
    if not warmed:
        return None
    return {
        "compiled": sample.compiled,
        "freed": sample.freed,
        "warmed": len(warmed),
        "disagreed": len(warmed) - sum(warmed),
    }


def summarise(folder: Path) -> dict[str, Any]:
    """Compute the summary of the run in ``folder`` from its raw files, check it against its schema and write it.

    The function also writes ``evidence.json``, ``figures.json`` and ``shapes.json``.
    """
    plan = Plan.load(folder)
    tier = Tier.named(plan.tier)
    samples = read_run(folder)
    judged = tier.verdicts
    cells: list[dict[str, Any]] = []
    interpreters: list[dict[str, Any]] = []
    whole: set[str] = set()
    compared: list[tuple[Sample, Comparisons, bool]] = []
    for label, sample in samples.items():
        ranked = whole_bindings(folder, label)
        whole |= ranked
        steady.mark(sample, plan.reference)
        looked = look.read(folder, label)
        found = compare(sample, plan.reference, ranked, looked)
        checks = trust.checks_of(sample, found, plan.reference, ranked) if judged else []
        trusted = statistics_checks.trustworthy(checks) if judged else None
        compared.append((sample, found, bool(trusted)))
        cells += cells_of(sample, plan, found, ranked, verdicts=bool(trusted))
        interpreters.append(
            {
                "label": label,
                "processes": len(sample.processes),
                "margin": number(found.margin),
                "comparisons": found.size,
                "placement": number(float(found.placement.variance) ** 0.5),
                "whole": sorted(ranked),
                "trustworthy": trusted,
                "checks": [trust.plain(check) for check in checks],
                "engine_versions": sorted(sample.engines),
                "load_average": [number(load) for load in sample.loads],
                "jit": jit_of(sample),
                "look": None if looked is None else {"processes": looked.processes, "decided": len(looked.decided)},
            }
        )
    parity = [
        {"interpreter": label, "subject": subject, "workload": workload, "reason": reason}
        for label, sample in samples.items()
        for (workload, subject), reason in sorted(sample.skips.items())
        if not is_control(subject)
    ]
    threads = sorted((folder / "threads").glob("*.json"))
    summary = {
        "format": SUMMARY_FORMAT,
        "run": folder.name,
        "tier": plan.tier,
        "verdicts": tier.verdicts,
        "reference": plan.reference,
        "seed": plan.seed,
        "library_sha256": plan.library_sha256,
        "complete": plan.finished,
        "isolated": plan.isolated,
        "handicaps": [list(entry) for entry in plan.handicaps],
        "interpreters": interpreters,
        "missing": plan.missing,
        "cells": cells + import_cells(folder, plan),
        "parity": parity,
        "targets": judge_targets(
            samples,
            starts.import_times(folder),
            starts.import_bases(folder),
            {sample.label: found.placement for sample, found, _ in compared},
        ),
        "models": sizes.section(samples, plan.reference, sorted(whole)),
        "steady": warmup.section(folder, samples),
        "threads": summary_threads.summarise(threads) if threads else None,
        "costs": costs.collect(folder) if (folder / starts.STATIC_FILE).exists() else None,
        "sample": verified.section(folder, samples, plan.reference, {it.label: own.margin for it, own, _ in compared}),
    }
    schema = json.loads(files("cside_bench.summary").joinpath("summary.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema)
    evidence.write(folder, compared, starts.import_times(folder))
    write_json(folder / SUMMARY_FILE, summary, indent=1)
    run = Run.load(folder)
    figures.write(run, samples)
    shapes.write(run)
    return summary
