# SPDX-License-Identifier: Apache-2.0
"""Measure what each binding costs beside time per call, as far as its sources and its wheels tell: ``costs.json``.

The file has ``counter``, ``interpreter`` (on which builds were timed), ``reason`` (``null``, or why there is nothing)
and
``bindings``, by name: ``distribution``, ``lines``, ``build``, ``wheels`` (by the interpreter's label), ``coverage``,
``requirements`` and ``reasons``. A part that could not be measured is ``null``, and ``reasons`` says why. Lines and
build times are kept in ``.cside/costs`` under the hash of everything that they depend on, so that only what has changed
is measured again.
"""

import functools
import hashlib
import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.results.starts import NOT_BUILT_HERE, STATIC_FILE
from cside_bench.run.costs import builds, lines, wheels
from cside_bench.run.costs.builds import Builder
from cside_bench.run.costs.sources import CostError, Sources

GROUP: Final = "cside.bindings"
VARIANTS_GROUP: Final = "cside.variants"
TIME_LIMIT_S: Final = 60
"""For an interpreter to import a binding and to tell its features."""
TOLD_S: Final = 5
"""A measurement that took longer than this is mentioned to the user."""

Say = Callable[[str], None]
"""Shows the user a line of progress."""


def keep(manifest: Mapping[str, Any], folder: Path, say: Say, *, with_builds: bool) -> None:
    """Measure the costs and write ``costs.json`` into a run's folder, unless it is there already.

    ``with_builds`` also measures build times, which takes minutes where they are not known yet.
    """
    if not (folder / STATIC_FILE).exists():
        write_json(folder / STATIC_FILE, measure(manifest, say, with_builds=with_builds), indent=1)


def measure(manifest: Mapping[str, Any], say: Say, *, with_builds: bool) -> dict[str, Any]:
    """Measure the costs of every binding in the manifest. What was measured before is read from where it was kept.

    A manifest without ``bindings`` is not from nox; then the result has no bindings, and ``reason`` says why.
    """
    if "bindings" not in manifest:
        return {"reason": NOT_BUILT_HERE, "counter": None, "interpreter": None, "bindings": {}}
    began = time.monotonic()
    state = Path(manifest["root"]) / ".cside"
    builder = None
    if with_builds and (told := manifest.get("builder")) is not None:
        builder = Builder(told["interpreter"], tuple(told["command"]), told["path"])
    pythons = {entry["label"]: entry["python"] for entry in manifest["interpreters"]}
    by_binding = {
        name: _Binding(name, described, pythons, manifest["covered"], state, say).measured(builder)
        for name, described in sorted(manifest["bindings"].items())
    }
    took = time.monotonic() - began
    if took > TOLD_S:
        say(f"costs beside speed: measured in {took:.0f} s")
    return {
        "reason": None,
        "counter": lines.counter(),
        "interpreter": builder.interpreter if builder is not None else None,
        "bindings": by_binding,
    }


class _Binding:
    """One binding whose costs are measured."""

    def __init__(
        self,
        name: str,
        described: Mapping[str, Any],
        pythons: Mapping[str, str],
        covered: Sequence[str],
        state: Path,
        say: Say,
    ) -> None:
        self.sources = Sources.of(name, described)
        self.held: Mapping[str, Any] = described["wheels"]
        """What the manifest tells of the binding's wheels, by the interpreter's label."""
        self.pythons, self.covered, self.state, self.say = pythons, covered, state, say
        self.reasons: dict[str, str] = {}

    def measured(self, builder: Builder | None) -> dict[str, Any]:
        """All costs of the binding."""
        newest = self._wheel(list(self.held)[-1])
        variants = _variants(newest)
        files = self._part("lines", lambda: self._lines(variants))
        build = None
        if builder is None or builder.interpreter not in self.held:
            self.reasons["build"] = "left out by --quick and --count, as it takes minutes"
        elif files is None:
            self.reasons["build"] = "the lines of its files could not be counted, so the file to edit is not known"
        else:
            build = self._part("build", lambda: self._build(builder, files, variants))
        return {
            "distribution": self.sources.distribution,
            "lines": {"groups": lines.grouped(files), "files": files} if files is not None else None,
            "build": build,
            "wheels": {label: self._about(label, variants) for label in self.held},
            "coverage": self._part("coverage", self._coverage),
            "requirements": self._part(
                "requirements", lambda: wheels.requirements(self.sources.folder, newest, self.sources.files)
            ),
            "reasons": self.reasons,
        }

    def _part(self, name: str, work: Callable[[], Any]) -> Any:
        """The result of ``work``; None where it raises :class:`CostError`, with the reason in :attr:`reasons`."""
        try:
            return work()
        except CostError as error:
            self.reasons[name] = str(error).splitlines()[0]
            return None

    def _wheel(self, label: str) -> Path:
        return Path(self.held[label]["path"])

    def _lines(self, variants: list[str]) -> Any:
        key = {
            "what": "lines",
            "format": lines.FORMAT,
            "source": self.sources.digest,
            "variants": variants,
            "counter": lines.counter(),
        }
        title = f"{self.sources.binding}: counting its lines"
        return self._kept(key, title, lambda: lines.count(self.sources, variants))

    def _build(self, builder: Builder, files: list[dict[str, Any]], variants: list[str]) -> Any:
        key = {"what": "build", "wheel": self.held[builder.interpreter]["key"]}  # of all that goes into the wheel
        title = f"{self.sources.binding} on {builder.interpreter}: building it from nothing, and again after an edit"
        work = self.state / "build" / "costs" / self.sources.binding
        return self._kept(key, title, lambda: builds.measure(self.sources, builder, work, files, variants))

    def _about(self, label: str, variants: list[str]) -> dict[str, Any]:
        """One wheel. ``build_seconds`` is from when it was first built, while another build ran beside it."""
        wheel = self._wheel(label)
        seconds = self.held[label]["build_seconds"]
        about = {"file": wheel.name, "kind": wheels.kind(wheel.name), "build_seconds": seconds}
        return about | wheels.sizes(wheel, variants)

    def _coverage(self) -> dict[str, Any]:
        files = {told["interpreter"]: self._wheel(label).name for label, told in self.held.items()}
        return wheels.coverage(files, self._features(), self.covered)

    def _features(self) -> set[str]:
        """What the binding declares on any CPython that is here: some features need a newer one."""
        declared: set[str] = set()
        for label in self.held:
            if label.startswith("pypy"):
                continue
            points = wheels.entry_points(self._wheel(label), GROUP)
            target = points.get(next((name for name in points if "." not in name), ""), "")
            script = f"import json, {target} as binding; print(json.dumps(sorted(binding.features)))"
            declared |= set(json.loads(_output([self.pythons[label], "-I", "-c", script])))
        return declared

    def _kept(self, key: dict[str, Any], title: str, work: Callable[[], Any]) -> Any:
        """The value that was kept under this key; else the result of ``work``, which is announced and then kept."""
        path = self.state / "costs" / f"{_digest(key | {'method': _method()})}.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))["value"]
        except (OSError, ValueError, KeyError):
            self.say(title)
        value = work()
        write_json(path, {"value": value, "made_from": key}, indent=1)
        return value


def _variants(wheel: Path) -> list[str]:
    """Names of the subpackages that hold a binding's variants."""
    points = wheels.entry_points(wheel, GROUP) | wheels.entry_points(wheel, VARIANTS_GROUP)
    return sorted({target.rpartition(".")[2] for name, target in points.items() if "." in name})


def _output(command: list[str]) -> str:
    """What a program prints. Raises :class:`CostError` where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CostError(f"cannot run {command[0]}: {error}") from error
    if done.returncode:
        raise CostError(f"{command[0]}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return done.stdout


def _digest(key: dict[str, Any]) -> str:
    """The name of the file that keeps the value of this key."""
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:24]


@functools.cache
def _method() -> dict[str, str]:
    """SHA-256 of the modules that measure: where the method has changed, kept values are not used any more."""
    modules = (lines, builds, wheels)
    return {it.__name__: hashlib.sha256(Path(str(it.__file__)).read_bytes()).hexdigest() for it in modules}
