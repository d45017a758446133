# SPDX-License-Identifier: Apache-2.0
"""The environments of tests and measurements. Each holds exactly the wheels asked for, checked file by file."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provision import commands, declared, packages, paths, tools
from provision.interpreters import MATRIX, Interpreter
from provision.wheels import Wheel, file_sha256

STAMP = "cside.json"


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    label: str
    folder: Path

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return tools.python_of(self.folder)

    def state(self) -> dict[str, Any]:
        """The record of what it holds; empty where it was never finished."""
        return paths.read_json(self.folder / STAMP)


def ensure(
    label: str,
    interpreter: Interpreter,
    wheels: Iterable[Wheel],
    *,
    requirements: Iterable[str] = (),
    variables: Mapping[str, str] | None = None,
) -> Environment:
    """Make the environment ``label`` hold these wheels and requirements; what is right already is not installed again.

    Each wheel that was installed is imported, in a process with these environment ``variables`` beside the usual ones.
    Wheels of packages that are no longer in the repository are removed. Other wheels of ours stay as they are.
    """
    kept = list(wheels)
    env = Environment(label, paths.ENVIRONMENTS / label)
    state = _prepared(env, interpreter)
    for distribution in sorted(set(state["wheels"]) - _known()):
        commands.say(f"{label}: {distribution} is not in the repository any more; removing it")
        _forget(env, state, [distribution])
        commands.run([tools.uv(), "pip", "uninstall", "--python", env.python, distribution], log=f"env-{label}")
    differing = verify_environment(env, kept)
    wanted = sorted(set(requirements))
    if not differing and set(wanted) <= set(state["requirements"]):
        return env
    for distribution, reason in differing.items():
        commands.step(f"{label}: installing {distribution}: {reason}")
    _forget(env, state, differing)
    install: list[str | Path] = [tools.uv(), "pip", "install", "--python", env.python]
    if interpreter.name not in MATRIX:
        # Others' newest versions may not support it yet, as Hypothesis' Rust code and the free-threaded CPython 3.13.
        # Without builds, uv takes the newest version that has a wheel.
        install.append("--no-build")
    for distribution in differing:
        install += ["--reinstall-package", distribution]
    named = [f"{wheel.distribution} @ {wheel.path.as_uri()}" for wheel in kept]
    commands.run([*install, *named, *wanted], log=f"env-{label}")
    still = verify_environment(Environment(label, env.folder), kept, recorded=False)
    if still:
        raise commands.Problem(f"{label}: still wrong after installing: {still}")
    _import_test(env, [wheel for wheel in kept if wheel.distribution in differing], variables or {})
    state["wheels"] |= {wheel.distribution: wheel.sha256 for wheel in kept}
    state["requirements"] = sorted({*state["requirements"], *wanted})
    paths.write_json(env.folder / STAMP, state)
    return env


def add_if_possible(env: Environment, requirements: Iterable[str]) -> None:
    """Install optional requirements. One that cannot be installed is left out, and the user is told once."""
    state = env.state()
    for requirement in requirements:
        if requirement in state["requirements"] or requirement in state.get("refused", []):
            continue
        install = [tools.uv(), "pip", "install", "--python", env.python, requirement]
        try:
            commands.run(install, log=f"env-{env.label}-optional")
        except commands.Problem as problem:
            commands.say(f"{env.label}: going on without {requirement}: {str(problem).splitlines()[0]}")
            state["refused"] = sorted({*state.get("refused", []), requirement})
        else:
            state["requirements"] = sorted({*state["requirements"], requirement})
        paths.write_json(env.folder / STAMP, state)


def verify_environment(env: Environment, wheels: Iterable[Wheel], *, recorded: bool = True) -> dict[str, str]:
    """Compare an environment with wheels; return the reason by each distribution that differs.

    Every installed file is hashed, so that no stale, edited or half-installed file is run. With ``recorded``, the
    environment's own record has to name the same wheel too.
    """
    state = env.state()
    site = Path(str(state.get("site_packages", env.folder)))
    differing = {}
    for wheel in wheels:
        if recorded and state.get("wheels", {}).get(wheel.distribution) != wheel.sha256:
            known = wheel.distribution in state.get("wheels", {})
            differing[wheel.distribution] = "the wheel has changed" if known else "not there yet"
            continue
        wrong = [name for name, sha in wheel.files().items() if not _is(site / name, sha)]
        if wrong:
            differing[wheel.distribution] = f"{wrong[0]} is not the file that was built"
    return differing


def _is(file: Path, sha256: str) -> bool:
    try:
        return file_sha256(file) == sha256
    except OSError:
        return False


def _known() -> set[str]:
    return {package.distribution for package in [packages.native(), *packages.every()]}


def _prepared(env: Environment, interpreter: Interpreter) -> dict[str, Any]:
    """The record of the environment, which is made anew where it is missing, unfinished or of another interpreter."""
    identity = interpreter.identity()
    state = env.state()
    if state.get("identity") == identity and env.python.exists():
        return state
    commands.step(f"{env.label}: making the environment")
    shutil.rmtree(env.folder, ignore_errors=True)
    make = [tools.uv(), "venv", "--no-project", "--python", interpreter.executable, env.folder]
    commands.run(make, log=f"env-{env.label}-make")
    script = "import sysconfig; print(sysconfig.get_path('platlib'))"
    site = commands.output([env.python, "-I", "-c", script]).strip()
    fresh = {"identity": identity, "site_packages": site, "wheels": {}, "requirements": []}
    paths.write_json(env.folder / STAMP, fresh)
    return fresh


def _forget(env: Environment, state: dict[str, Any], distributions: Iterable[str]) -> None:
    """Remove wheels from the record before they are changed, so that the record is right after an interruption."""
    for distribution in distributions:
        state["wheels"].pop(distribution, None)
    paths.write_json(env.folder / STAMP, state)


def _import_test(env: Environment, wheels: Iterable[Wheel], variables: Mapping[str, str]) -> None:
    """Import every package of the wheels and each noun that a binding declares; `Problem` where one cannot be."""
    for wheel in wheels:
        modules = wheel.top_levels()
        bound = wheel.entry_points("cside.bindings").values()
        if not modules:
            raise commands.Problem(f"{wheel.path.name} holds no package")
        script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
        try:
            for package, nouns in declared.nouns(env.python, bound, variables).items():
                modules += [package, *(f"{package}.{noun}" for noun in nouns)]
            program = [env.python, "-I", "-c", script, *dict.fromkeys(modules)]
            commands.output(program, env=commands.environment(None, **variables))
        except commands.Problem as problem:
            raise commands.Problem(f"{env.label}: {wheel.path.name} does not import: {problem}") from problem
