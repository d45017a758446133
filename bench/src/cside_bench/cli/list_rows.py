# SPDX-License-Identifier: Apache-2.0
"""What there is on this machine, as plain data: the rows that ``cside list`` shows.

The driver's environment holds no binding. So the environments in which bindings are measured are asked about bindings
and workloads, by :mod:`cside_suite.process.inventory`, which runs there. Before anything is built, bindings are listed
from what the folders of the checkout declare, which is less.
"""

import json
import os
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_suite.contract import FEATURES
from cside_suite.subjects.names import natural

from cside_bench.machine import checkout
from cside_bench.machine import interpreters as machine_interpreters
from cside_bench.results import files as results_files
from cside_bench.results.files import RUN_FILE
from cside_bench.results.plan import Tier

Rows = list[dict[str, Any]]
SECONDS: Final = 120.0
"""Time for an environment to answer; PyPy needs some of it for the workloads."""
INVENTORY: Final = "cside_suite.process.inventory"


class NotBuilt(Exception):
    """Nothing is built on this machine yet, or an environment does not answer; the text says what to do."""


def ask(python: Path, what: str) -> Rows:
    """Ask one environment. Raises :class:`NotBuilt` where it does not answer."""
    command = [str(python), "-I", "-m", INVENTORY, what]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=SECONDS, check=False, cwd=python.parent
        )
        found = json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else None
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise NotBuilt(f"{python} does not answer: {error}") from error
    if found is None:
        raise NotBuilt(f"{python} does not answer: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return list(found)


def bindings() -> Rows:
    """Bindings and variants: ``technique``, ``version``; by interpreter ``features``, ``gaps``, ``unavailable``."""
    environments = checkout.environments()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(_bindings_of, environments.values()))
    found: dict[str, dict[str, Any]] = {}
    for label, answer in zip(environments, answers, strict=True):
        for one in answer:
            entry = found.setdefault(
                one["name"],
                {name: one[name] for name in ("name", "distribution", "version", "partial", "technique")}
                | {"interpreters": {}},
            )
            entry["interpreters"][label] = {name: one[name] for name in ("features", "gaps", "unavailable")}
    for name, one in checkout.declared().items():
        if name not in found:
            told = {key: one[key] for key in ("distribution", "version", "partial")}
            found[name] = {"name": name, **told, "technique": one["description"], "interpreters": {}}
    return [found[name] for name in sorted(found)]


def _bindings_of(python: Path) -> Rows:
    try:
        return ask(python, "bindings")
    except NotBuilt:  # an unfinished environment: its interpreter is not listed for any binding
        return []


def variants() -> Rows:
    """Those of :func:`bindings` that are variants: a binding built once more with one setting changed."""
    return [one for one in bindings() if "." in one["name"]]


def workloads() -> Rows:
    """Every workload: noun, what it does, GIL policy, the features it needs, the tiers that skip it.

    Raises :class:`NotBuilt` where no environment can tell.
    """
    environments = checkout.environments()
    if not environments:
        raise NotBuilt("nothing is built on this machine yet; to build and to measure: cside bench --quick")
    # CPython answers sooner than PyPy
    python = min(environments.items(), key=lambda item: (not item[0].startswith("cpython"), item[0]))[1]
    tiers = [Tier.named(name) for name in tier_names()]
    rows = ask(python, "workloads")
    for row in rows:
        skipped = [it.name for it in tiers if any(fnmatchcase(row["name"], pattern) for pattern in it.skip)]
        row["skipped_by"] = skipped
    return sorted(rows, key=lambda row: natural(row["name"]))


def tier_names() -> list[str]:
    """Names of the tiers, the smallest first."""
    table = tomllib.loads(files("cside_bench.results").joinpath("tiers.toml").read_text(encoding="utf-8"))
    return [name for name, value in table.items() if isinstance(value, dict)]


def interpreters() -> Rows:
    """Interpreters of this machine; ``environment`` is set where bindings are built for one."""
    return [found.plain() for found in machine_interpreters.search()]


def runs(results: Path) -> Rows:
    """All runs, the newest first, as :func:`run` describes them; ``latest`` marks that of ``results/latest``."""
    newest = (results / results_files.LATEST).resolve().name if (results / results_files.LATEST).exists() else None
    folders = sorted(
        (path.parent for path in results.glob(f"*/{RUN_FILE}") if not path.parent.is_symlink()), reverse=True
    )
    return [{**run(folder), "latest": folder.name == newest} for folder in folders]


def run(folder: Path) -> dict[str, Any]:
    """Describe one run: ``name``, ``folder``, ``tier``, ``kind``, ``started``, ``interpreters``, ``trustworthy`` by
    interpreter, ``complete``, ``reported``, ``bytes``, and ``problem`` where it cannot be read.
    """
    found: dict[str, Any] = {
        "name": folder.name,
        "folder": str(folder),
        "tier": None,
        "kind": None,
        "started": None,
        "interpreters": [],
        "trustworthy": {},
        "complete": None,
        "reported": (folder / results_files.SUMMARY_FILE).exists(),
        "bytes": size(folder),
        "problem": None,
    }
    try:
        plan = read(folder / RUN_FILE)
        summary = read(folder / results_files.SUMMARY_FILE) if found["reported"] else {}
        environment = read(folder / "environment.json") if (folder / "environment.json").exists() else {}
        found["tier"] = plan["tier"]
        found["kind"] = "counted" if plan.get("counted") else "isolated" if plan.get("isolated") else "timed"
        found["interpreters"] = [entry["label"] for entry in plan["interpreters"]]
        found["started"] = environment.get("started") or modified(folder / RUN_FILE)
        found["trustworthy"] = {entry["label"]: entry["trustworthy"] for entry in summary.get("interpreters", ())}
        found["complete"] = summary.get("complete")
    except (ValueError, LookupError, TypeError, OSError) as error:
        found["problem"] = f"{type(error).__name__}: {error}"
    return found


def read(path: Path) -> dict[str, Any]:
    """Read a JSON object. Raises `ValueError`, whose text names the file, for anything else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name} is damaged: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} holds no object")
    return found


def modified(path: Path) -> str:
    """When a file was written, in UTC."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    total = 0
    for top, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(top, name)).st_size
            except OSError:  # it was removed meanwhile
                continue
    return total


def features() -> Rows:
    """The features that a binding may offer, each with its meaning."""
    return [{"name": name, "means": means} for name, means in FEATURES.items()]


def profiles() -> Rows:
    """The profiles that come with ``cside recommend``."""
    folder = files("cside_bench.recommend").joinpath("profiles")
    found = []
    for path in sorted(folder.iterdir(), key=lambda it: it.name):
        if path.name.endswith(".toml"):
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            found.append({"name": path.name.removesuffix(".toml"), "title": table["title"], "text": table["text"]})
    return found


def claims() -> Rows:
    """The claims that ``cside claims`` judges."""
    table = tomllib.loads(files("cside_bench.claims").joinpath("claims.toml").read_text(encoding="utf-8"))
    sources = table.get("sources", {})
    return [
        {
            "name": claim["id"],
            "title": claim["title"],
            "text": claim["text"],
            "source": sources.get(claim["source"], {}) if isinstance(claim["source"], str) else claim["source"],
        }
        for claim in table["claim"]
    ]
