# SPDX-License-Identifier: Apache-2.0
"""Build everything that the drill needs, and write ``.cside/drill/prepared.json``, which tells ``cside drill`` where it
is.

``interpreters``  label, ``python`` (of an environment without anything of ours), ``release``, ``digest`` (identity),
                  ``versions`` of the bindings' tools
``changes``       id, ``diff``, ``wheel`` of the changed library, ``library`` (SHA-256), ``truth`` and
                  ``truth_unchanged``: programs that print what the changed and today's library answer
``unchanged``     ``wheel`` and ``library`` of today's library
``bindings``      ``binding`` (name of its entry point), ``package``, ``distribution``, ``compiled``: whether anything
                  of it is compiled, so that a build could notice a change
``builds``        ``interpreter``, ``distribution``, ``change`` (or "unchanged"), ``wheel`` or null, ``messages``,
                  ``problem``, ``seconds``
``compiler``, ``kept`` (folder in which outcomes are kept)
"""

import shutil
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from provision import builders, commands, environments, packages, paths, toolchain, versions, wheels, workshop
from provision.builders import Builder
from provision.drill import bindings, changes, libraries
from provision.drill.asked import Asked
from provision.drill.bindings import Built
from provision.drill.changes import Change
from provision.drill.libraries import STATE, Library
from provision.interpreters import Interpreter, Missing
from provision.packages import Package
from provision.wheels import Wheel

GROUP = "cside.bindings"

T = TypeVar("T")


def stage(asked: Asked) -> Path:
    """Build what the drill needs, write the file that says where it is, and return the path of that file.

    Raises `Problem` where an interpreter is missing, a change does not apply to today's sources, a changed library does
    not build, or a binding does not build against today's library. None of these is an outcome of the drill.
    """
    chosen = changes.read(asked.changes, asked.file)
    found = [_interpreter(name) for name in asked.interpreters]
    native = workshop.native_wheel()
    every, drilled = packages.every(), workshop.buildable(asked.bindings)
    with paths.one_at_a_time():
        toolchain.check()
        for change in chosen:  # all of them, before minutes are spent on the first
            _rehearse(change)
        builder = builders.for_native(packages.native())
        unchanged, *changed = _pooled([partial(libraries.build, builder, change) for change in (None, *chosen)])
        truths = _truths(chosen, unchanged, changed)
        made = {each.label: builders.for_interpreter(each, every, native) for each in found}
        pythons = {each.label: _bare_environment(each, drilled) for each in found}
        first = _builds(made, drilled, [unchanged])
        named = _named(drilled, {key[1]: built for key, built in first.items()}, asked.bindings)
        compiled = {each["distribution"] for each in named if each["compiled"]}
        again = _builds(made, [package for package in drilled if package.distribution in compiled], changed)
    content: dict[str, Any] = {
        "interpreters": [
            {
                "label": each.label,
                "python": str(pythons[each.label]),
                "release": each.facts["release"],
                "digest": wheels.key(dict(each.identity())),
                "versions": versions.of_tools(made[each.label].python),
            }
            for each in found
        ],
        "unchanged": _library(unchanged),
        "changes": [
            {"id": library.change, "diff": library.diff, **_library(library), **truths[library.change]}
            for library in changed
        ],
        "bindings": named,
        "builds": [
            {
                "interpreter": label,
                "distribution": distribution,
                "change": change,
                "wheel": None if built.wheel is None else str(built.wheel),
                "messages": list(built.messages),
                "problem": built.problem,
                "seconds": built.seconds,
            }
            for (label, distribution, change), built in (first | again).items()
        ],
        "compiler": toolchain.identity(),
        "kept": str(paths.STATE / STATE / "outcomes"),
    }
    written = paths.STATE / STATE / "prepared.json"
    paths.write_json(written, content)
    return written


def _library(library: Library) -> dict[str, str]:
    return {"wheel": str(library.wheel.path), "library": library.wheel.library_sha256()}


def _interpreter(name: str) -> Interpreter:
    found = workshop.interpreter(name)
    if isinstance(found, Missing):
        raise commands.Problem(str(found))
    return found


def _rehearse(change: Change) -> None:
    """Apply a change to a copy that is then removed, to find out whether it still applies."""
    copy = paths.STATE / STATE / "rehearsal"
    packages.native().copy_to(copy)
    try:
        changes.apply(change, copy)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _truths(chosen: Iterable[Change], unchanged: Library, changed: Iterable[Library]) -> dict[str, dict[str, str]]:
    return {
        change.id: {
            "truth": str(libraries.truth(change, library)),
            "truth_unchanged": str(libraries.truth(change, unchanged)),
        }
        for change, library in zip(chosen, changed, strict=True)
    }


def _bare_environment(each: Interpreter, drilled: Iterable[Package]) -> Path:
    """The Python of an environment with the run-time requirements of the bindings and with no package of ours."""
    requirements: set[str] = set()
    for package in drilled:
        described = _described(package)
        requirements |= {
            str(line)
            for line in described["project"].get("dependencies", [])
            if packages.normalised(str(line)) != packages.NATIVE
        }
    return environments.ensure(f"drill-{each.label}", each, [], requirements=sorted(requirements)).python


def _described(package: Package) -> dict[str, Any]:
    return tomllib.loads((package.folder / "pyproject.toml").read_text(encoding="utf-8"))


def _builds(
    made: dict[str, Builder], drilled: Sequence[Package], against: Sequence[Library]
) -> dict[tuple[str, str, str], Built]:
    """Build all bindings for all interpreters against these libraries; results by label, distribution and change."""
    keys, jobs = [], []
    for library in against:
        for label, builder in made.items():
            for package in drilled:
                keys.append((label, package.distribution, library.change))
                jobs.append(partial(bindings.build, package, builder, library))
    return dict(zip(keys, _pooled(jobs), strict=True))


def _pooled(jobs: Sequence[Callable[[], T]]) -> list[T]:
    """Run all jobs and return their results in order. The first failure, or Ctrl-C, ends the jobs that still run."""
    with ThreadPoolExecutor(workshop.WORKERS) as pool:
        futures: list[Future[T]] = [pool.submit(job) for job in jobs]
        try:
            for done in as_completed(futures):
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            while not all(each.done() for each in futures):
                commands.stop_all()
                time.sleep(0.05)
            raise
    return [each.result() for each in futures]


def _named(drilled: Iterable[Package], built: dict[str, Built], only: Sequence[str]) -> list[dict[str, Any]]:
    """The bindings and whole variants by their entry points, or those in ``only`` where it names any."""
    found: list[dict[str, Any]] = []
    for package in drilled:
        path = built[package.distribution].wheel
        assert path is not None  # a build against today's library raises instead
        wheel = Wheel(path, package.distribution, "", "", 0.0)
        modules = wheel.compiled_modules()
        own = {each.rpartition(".")[0] for each in modules}
        for name, module in wheel.entry_points(GROUP).items():
            if only and not {name, name.partition(".")[0]} & set(only):
                continue
            found.append(
                {
                    "binding": name,
                    "package": module,
                    "distribution": package.distribution,
                    "compiled": module in own,
                }
            )
    return sorted(found, key=lambda each: str(each["binding"]))
