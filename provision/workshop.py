# SPDX-License-Identifier: Apache-2.0
"""Make environments that are ready to run, from the names of interpreters: find, build and install what they need."""

import functools
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from provision import (
    builders,
    commands,
    environments,
    interpreters,
    manifest,
    packages,
    paths,
    relink,
    toolchain,
    tools,
    wheels,
)
from provision.environments import Environment
from provision.interpreters import Interpreter, Missing
from provision.packages import Package
from provision.wheels import Wheel

WORKERS = min(2, os.cpu_count() or 1)
"""How many builds run at the same time. The build of one binding uses little more than one core."""


@functools.cache
def interpreter(name: str) -> Interpreter | Missing:
    """The interpreter of this name, found or installed, and shown to the user. It is looked for once in a run."""
    with paths.one_at_a_time():
        found = interpreters.obtain(name)
    if isinstance(found, Interpreter):
        built = "" if found.facts["optimised"] else ", not an optimised build"
        commands.say(f"{found.label}: {found.executable} ({found.source}, {found.facts['release']}{built})")
    elif os.environ.get("CI") == "true" and name in interpreters.MATRIX:
        raise commands.Problem(f"CI=true asks for every interpreter of the matrix, and {found}")
    return found


def native_wheel() -> Wheel:
    """The wheel of libcside."""
    toolchain.check()
    package = packages.native()
    with paths.one_at_a_time():
        return wheels.build(package, builders.for_native(package))


def native_tests() -> None:
    """Build libcside with its own tests, and run these by ctest, whose output is shown."""
    toolchain.check()
    package = packages.native()
    with paths.one_at_a_time():
        builder = builders.for_native(package)
        folder = paths.BUILD / "native-tests"
        env = commands.environment(first_on_path=tools.scripts(builder.folder))
        programs = tools.scripts(builder.folder)
        configure = [programs / "cmake", "-S", package.folder, "-B", folder, "-G", "Ninja", "-DCSIDE_BUILD_TESTS=ON"]
        commands.say("libcside: building its tests")
        commands.run([*configure, "-DCMAKE_BUILD_TYPE=Release"], log="native-tests-configure", env=env)
        commands.run([programs / "cmake", "--build", folder, "--parallel", "2"], log="native-tests-build", env=env)
        commands.show([programs / "ctest", "--test-dir", folder, "--output-on-failure"], env=env)


def buildable(only: Iterable[str] = ()) -> list[Package]:
    """The bindings, or those in ``only``, that the compilers of this machine can build.

    The others are told by name. Raises `Problem` where one of them is asked for by name, and with ``CI=true``.
    """
    asked = list(only)
    wanted = packages.bindings(asked)
    left_out = toolchain.left_out((package.name for package in wanted if package.in_cpp), asked=bool(asked))
    return [package for package in wanted if package.name not in left_out]


def build(found: Sequence[Interpreter], wanted: Sequence[Package]) -> dict[str, list[Wheel]]:
    """Build ``wanted`` for each interpreter; return the wheels by label, in each list the native wheel first."""
    native = native_wheel()
    every = packages.every()
    built: dict[str, dict[str, Wheel]] = {each.label: {} for each in found}
    with paths.one_at_a_time(), ThreadPoolExecutor(WORKERS) as pool:
        jobs: dict[Future[Wheel], tuple[Interpreter, Package]] = {}
        try:
            for each in found:
                builder = builders.for_interpreter(each, every, native)
                jobs |= {pool.submit(wheels.build, package, builder, native): (each, package) for package in wanted}
            for job in as_completed(jobs):
                each, package = jobs[job]
                try:
                    built[each.label][package.distribution] = job.result()
                except commands.Problem as problem:
                    if each.name in interpreters.MATRIX:
                        raise
                    commands.say(f"{each.label}: going on without {package.distribution}: {problem}")
        except BaseException:
            stop(pool, jobs)
            raise
    order = [package.distribution for package in wanted]
    return {label: [native, *(held[name] for name in order if name in held)] for label, held in built.items()}


def prepare(
    found: Sequence[Interpreter], only: Iterable[str] = (), *, with_suite: bool = True
) -> dict[str, tuple[Environment, list[Wheel]]]:
    """Make environments of these interpreters with libcside, the bindings (or those in ``only``) and the suite."""
    wanted = buildable(only) + ([packages.suite()] if with_suite else [])
    built = build(found, wanted)
    ready = {}
    with paths.one_at_a_time():
        for each in found:
            env = environments.ensure(each.label, each, built[each.label])
            if with_suite and not each.facts["free_threaded"]:  # importing another's module may switch the GIL on
                for name in ("peers", "arguments"):
                    environments.add_if_possible(env, packages.extra(packages.suite(), name))
            ready[each.label] = (env, built[each.label])
    return ready


def quick_interpreters() -> tuple[str, ...]:
    """What a quick run measures if none is named: the newest CPython of the matrix that is there, and PyPy."""
    newest = next((name for name in _newest_first() if isinstance(interpreter(name), Interpreter)), None)
    pypy = [name for name in interpreters.MATRIX if name.startswith("pypy")]
    names = (*([newest] if newest else []), *pypy)
    commands.say(f"a quick run measures {' and '.join(names)}; to measure others, name them by --python")
    return names


def _newest_first() -> list[str]:
    """The CPythons of the matrix."""
    names = (name for name in interpreters.MATRIX if not name.startswith("pypy"))
    return sorted(names, key=_by_version, reverse=True)


def driver_interpreter() -> Interpreter:
    """The interpreter of the driver: the designated one, else the newest CPython of the matrix that is there."""
    for name in dict.fromkeys([interpreters.DRIVER, *_newest_first()]):
        found = interpreter(name)
        if isinstance(found, Interpreter):
            return found
        commands.say(str(found))
    raise commands.Problem("the driver needs a CPython of the matrix, and there is none")


def driver(extras: Iterable[str] = ()) -> Environment:
    """The environment of the driver, with these extras of cside-bench. Nothing is measured in it."""
    python = driver_interpreter()
    built = build([python], [packages.headers(), packages.wrap(), packages.suite(), packages.bench()])[python.label]
    more = [requirement for name in extras for requirement in packages.extra(packages.bench(), name)]
    with paths.one_at_a_time():
        return environments.ensure("driver", python, built, requirements=more)


def linters(requirements: Iterable[str]) -> Environment:
    """The environment of the linters, which holds no package of ours."""
    python = driver_interpreter()
    with paths.one_at_a_time():
        return environments.ensure("lint", python, [], requirements=requirements)


def analyzers(requirements: Iterable[str]) -> Environment:
    """The environment of the programs that read C and count its branches; it holds no package of ours."""
    python = driver_interpreter()
    with paths.one_at_a_time():
        return environments.ensure("analyzers", python, [], requirements=requirements)


def publishing(requirements: Iterable[str]) -> Environment:
    """The environment of the tools that audit what is published; it holds no package of ours."""
    python = driver_interpreter()
    with paths.one_at_a_time():
        return environments.ensure("publish", python, [], requirements=requirements)


def workbench(requirements: Iterable[str] = ()) -> tuple[Environment, list[Wheel]]:
    """The environment in which our own code is tested and type-checked. It holds all packages, the driver's too."""
    python = driver_interpreter()
    ours = [packages.headers(), packages.wrap(), packages.suite(), packages.bench()]
    built = build([python], [*buildable(), *ours])[python.label]
    more = [*requirements, *packages.extra(packages.bench(), "lab"), *packages.extra(packages.bench(), "documents")]
    with paths.one_at_a_time():
        env = environments.ensure("workbench", python, built, requirements=more)
        for name in ("peers", "vectors"):
            environments.add_if_possible(env, packages.extra(packages.suite(), name))
    return env, built


def stage(names: Sequence[str], only: Iterable[str] = (), *, asked: bool = False, layouts: bool = True) -> Path:
    """Make everything ready for ``cside run``; write the manifest, which says where it is, and return its path.

    With ``asked``, a missing interpreter is a `Problem`, raised before anything is built; else it is told. Without
    ``layouts``, compiled modules have the layout that they are installed with and no other.
    """
    looked_for = {name: interpreter(name) for name in names}
    missing = [each for each in looked_for.values() if isinstance(each, Missing)]
    if missing and asked:
        raise commands.Problem("; ".join(map(str, missing)))
    for each in missing:
        commands.say(str(each))
    found = [each for each in looked_for.values() if isinstance(each, Interpreter)]
    if not found:
        raise commands.Problem("none of the interpreters asked for is there")
    ready = prepare(found, only)
    copies = other_layouts(found if layouts else (), {label: held for label, (_, held) in ready.items()})
    timed = designated(found)
    with paths.one_at_a_time():
        builder = builders.for_interpreter(timed, packages.every(), ready[timed.label][1][0])
    return manifest.write([(each, *ready[each.label]) for each in found], missing, copies, builder)


def designated(found: Sequence[Interpreter]) -> Interpreter:
    """The interpreter on which build times are measured: the driver's where it takes part, else the first CPython."""
    return min(found, key=lambda each: (each.name != interpreters.DRIVER, each.is_pypy))


def other_layouts(
    found: Sequence[Interpreter], held: Mapping[str, Sequence[Wheel]]
) -> dict[str, dict[str, list[Path]]]:
    """By label and binding, the folders of the copies of compiled modules with other layouts.

    ``held`` has the wheels by label, in each list the native wheel first. Bindings without such copies are left out.
    """
    made: dict[str, dict[str, list[Path]]] = {each.label: {} for each in found}
    known = {package.distribution: package for package in packages.bindings()}
    with paths.one_at_a_time(), ThreadPoolExecutor(WORKERS) as pool:
        jobs: dict[Future[list[Path]], tuple[str, str]] = {}
        try:
            for each in found:
                native, *others = held[each.label]
                builder = builders.for_interpreter(each, packages.every(), native)
                for wheel in others:
                    if (package := known.get(wheel.distribution)) is not None:
                        job = pool.submit(relink.ensure, each, builder, package, native, wheel)
                        jobs[job] = (each.label, package.name)
            for job, (label, name) in jobs.items():
                if copies := job.result():
                    made[label][name] = copies
        except BaseException:
            stop(pool, jobs)
            raise
    return made


def stop(pool: ThreadPoolExecutor, jobs: Iterable[Future[Any]]) -> None:
    """End builds that are under way, and start no others."""
    pool.shutdown(wait=False, cancel_futures=True)
    while not all(job.done() for job in jobs):  # a job may be just about to start its program
        commands.stop_all()
        time.sleep(0.05)


def _by_version(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.rstrip("t").split("."))
