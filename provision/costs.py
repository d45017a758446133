# SPDX-License-Identifier: Apache-2.0
"""What a binding costs beside time per call, as far as its sources and its wheel tell: added to the manifest.

``costs`` there has ``counter``, ``interpreter`` (of the builds), ``reason`` (``null``, or why there is nothing) and
``bindings``, by name: ``lines``, ``build``, ``wheels`` (by the interpreter's label), ``coverage``, ``requirements``. A
part that could not be measured is ``null``, and ``reasons`` says why. Kept under ``.cside/costs`` by the hash of all
that they follow from, so that only what has changed is measured again.
"""

import functools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from provision import builders, commands, footprint, interpreters, linecount, packages, paths, rebuilds, wheels
from provision.builders import Builder
from provision.environments import Environment
from provision.interpreters import Interpreter
from provision.packages import Package
from provision.wheels import Wheel

GROUP: Final = "cside.bindings"
VARIANTS_GROUP: Final = "cside.variants"
MATRIX: Final = tuple(sorted({*interpreters.MATRIX, *interpreters.ON_REQUEST}, key=lambda name: (len(name), name)))
"""What one platform's wheels are to cover; the shortest names first."""

Ready = Mapping[str, tuple[Environment, list[Wheel]]]
"""By label, as `workshop.prepare` returns it."""


def add(manifest: Path, found: Sequence[Interpreter], ready: Ready, counter: Path, *, with_builds: bool = True) -> Path:
    """Measure, and write the result into ``manifest`` under ``costs``; returns ``manifest``.

    ``counter`` is the interpreter of an environment that has pygount: the driver's. Without builds, which take minutes,
    there is the rest.
    """
    content = paths.read_json(manifest)
    content["costs"] = measure(found, ready, counter, with_builds=with_builds)
    paths.write_json(manifest, content)
    return manifest


def measure(found: Sequence[Interpreter], ready: Ready, counter: Path, *, with_builds: bool = True) -> dict[str, Any]:
    """The costs of every binding that is ``ready``; what was measured before is taken from where it was kept."""
    began = time.monotonic()
    builds_on = designated(found) if with_builds else None
    by_binding: dict[str, Any] = {}
    with paths.one_at_a_time():
        for package in packages.bindings():
            held = {
                label: wheel
                for label, (_, every) in ready.items()
                for wheel in every
                if wheel.distribution == package.distribution
            }
            if held:
                by_binding[package.name] = _binding(package, held, found, ready, builds_on, counter)
        counted, _ = _attempt(lambda: linecount.version(counter))
    took = time.monotonic() - began
    if took > 5:
        commands.say(f"costs beside speed: measured in {took:.0f} s")
    return {
        "reason": None,
        "counter": counted,
        "interpreter": builds_on.label if builds_on is not None else None,
        "bindings": by_binding,
    }


def designated(found: Sequence[Interpreter]) -> Interpreter | None:
    """The interpreter that build times are taken on: the driver's where it takes part, else the first CPython."""
    ordered = sorted(found, key=lambda each: (each.name != interpreters.DRIVER, each.is_pypy))
    return ordered[0] if ordered else None


def _binding(
    package: Package,
    held: Mapping[str, Wheel],
    found: Sequence[Interpreter],
    ready: Ready,
    builds_on: Interpreter | None,
    counter: Path,
) -> dict[str, Any]:
    reasons: dict[str, str] = {}
    scratch = paths.BUILD / "costs" / package.name
    digest = package.digest()
    newest = list(held.values())[-1]
    variants = _variants(newest)

    def part(name: str, work: Callable[[], Any]) -> Any:
        value, reason = _attempt(work)
        if reason is not None:
            reasons[name] = reason
        return value

    files = part(
        "lines",
        lambda: _kept(
            {"what": "lines", "source": digest, "variants": variants, "counter": linecount.version(counter)},
            f"{package.name}: counting its lines",
            lambda: linecount.count(package, counter, scratch / "lines", variants),
        ),
    )
    build = None
    if builds_on is None or builds_on.label not in held:
        reasons["build"] = "left out by --quick and --count, as it takes minutes"
    elif files is None:
        reasons["build"] = "its files could not be counted, so there is none to edit"
    else:
        build = part("build", lambda: _build(package, builds_on, held, ready, files, variants, scratch / "build"))
    names = {each.label: each.name for each in found}
    return {
        "distribution": package.distribution,
        "lines": {"groups": linecount.grouped(files), "files": files} if files is not None else None,
        "build": build,
        "wheels": {label: _wheel(wheel, variants) for label, wheel in held.items()},
        "coverage": part(
            "coverage",
            lambda: footprint.coverage(
                {names[label]: wheel.path.name for label, wheel in held.items()}, _features(held, ready), MATRIX
            ),
        ),
        "requirements": part("requirements", lambda: footprint.requirements(package, newest)),
        "reasons": reasons,
    }


def _variants(wheel: Wheel) -> list[str]:
    """Names of the subpackages that hold a binding's variants."""
    points = wheel.entry_points(GROUP) | wheel.entry_points(VARIANTS_GROUP)
    return sorted({target.rpartition(".")[2] for name, target in points.items() if "." in name})


def _wheel(wheel: Wheel, variants: list[str]) -> dict[str, Any]:
    """One wheel; ``build_seconds`` is of when it was built, beside another build."""
    about = {"file": wheel.path.name, "kind": footprint.kind(wheel.path.name), "build_seconds": wheel.build_seconds}
    return about | footprint.sizes(wheel, variants)


def _build(
    package: Package,
    interpreter: Interpreter,
    held: Mapping[str, Wheel],
    ready: Ready,
    files: list[dict[str, Any]],
    variants: list[str],
    scratch: Path,
) -> dict[str, Any]:
    native = next(wheel for wheel in ready[interpreter.label][1] if wheel.distribution == packages.NATIVE)
    builder = _builder(interpreter, native)
    key = wheels.parts(package, builder, native, held[interpreter.label].source_digest) | {"what": "build"}
    title = f"{package.name} on {interpreter.label}: building it from nothing, and again after an edit"
    return dict(_kept(key, title, lambda: rebuilds.measure(package, builder, scratch, files, variants)))


def _builder(interpreter: Interpreter, native: Wheel) -> Builder:
    every = [*packages.bindings(), packages.headers(), packages.bench()]
    return builders.for_interpreter(interpreter, every, native)


def _features(held: Mapping[str, Wheel], ready: Ready) -> set[str]:
    """What the binding declares on any CPython that is here: some features exist on newer ones only."""
    declared: set[str] = set()
    for label, wheel in held.items():
        if label.startswith("pypy"):
            continue
        points = wheel.entry_points(GROUP)
        target = points.get(next((name for name in points if "." not in name), ""), "")
        script = f"import json, {target} as binding; print(json.dumps(sorted(binding.features)))"
        declared |= set(json.loads(commands.output([ready[label][0].python, "-I", "-c", script])))
    return declared


def _attempt(work: Callable[[], Any]) -> tuple[Any, str | None]:
    """The result and ``None``, or ``None`` and the reason."""
    try:
        return work(), None
    except commands.Problem as problem:
        return None, str(problem).splitlines()[0]


@functools.cache
def _method() -> str:
    """SHA-256 over the modules that measure: a changed method makes what was kept worthless."""
    here = (linecount, rebuilds, footprint)
    return wheels.key({module.__name__: wheels.file_sha256(Path(str(module.__file__))) for module in here})


def _kept(key: dict[str, Any], title: str, work: Callable[[], Any]) -> Any:
    """The kept value of this key, or that of ``work``, told before it begins and kept after it."""
    path = paths.STATE / "costs" / f"{wheels.key(key | {'method': _method()})}.json"
    told = paths.read_json(path)
    if "value" not in told:
        commands.say(title)
        told = {"value": work(), "made_from": key}
        paths.write_json(path, told)
    return told["value"]
