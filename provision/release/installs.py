# SPDX-License-Identifier: Apache-2.0
"""The installations that users make, each in an empty environment, after which every binding is imported and called."""

import email
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from provision import commands, packages, paths, tools
from provision.interpreters import Interpreter
from provision.packages import Package, normalised

CALL_ALL = Path(__file__).with_name("call_all.py")


def empty_environment(interpreter: Interpreter, name: str, *, with_pip: bool = False) -> Path:
    """Make an environment without any package, or with pip alone, and return its interpreter."""
    folder = paths.BUILD / "installs" / name
    shutil.rmtree(folder, ignore_errors=True)
    make = [tools.uv(), "venv", "--no-project", "--python", interpreter.executable, folder]
    commands.run([*make, *(["--seed"] if with_pip else [])], log=f"installs-{name}")
    return tools.python_of(folder)


def call_all(python: Path, bindings: Sequence[Package], *, inside: Path | None = None) -> None:
    """Call all bindings of an environment. ``inside`` is the folder that their Python files have to be in, if given.

    Raises `Problem` with what is wrong.
    """
    said = commands.output([python, "-I", CALL_ALL, *(each.name for each in bindings)], timeout=120)
    for each in bindings:
        line = next(line for line in said.splitlines() if line.startswith(f"{each.name}: "))
        if inside is not None and str(inside / each.name) not in line:
            raise commands.Problem(f"{each.name} is not imported from {inside / each.name}: {line}")


def from_checkout(interpreter: Interpreter, bindings: Sequence[Package]) -> list[str]:
    """``pip install`` of libcside and bindings from a checkout, then ``pip install -e``; return the commands.

    Both are done as a user does them, with isolated builds, which need the build backends from a package index.
    Raises `Problem` where a command fails or a binding does not work afterwards.
    """
    checkout = paths.BUILD / "installs" / "checkout"
    shutil.rmtree(checkout, ignore_errors=True)
    packages.native().copy_to(checkout / "native")
    for each in bindings:
        each.copy_to(checkout / "bindings" / each.name)
    python = empty_environment(interpreter, "from-checkout", with_pip=True)
    folders = [f"./bindings/{each.name}" for each in bindings]
    tried = []
    for words in (["./native", *folders], [word for folder in folders for word in ("-e", folder)]):
        tried.append(f"pip install {' '.join(words)}")
        commands.say(f"{interpreter.label}: {tried[-1]}")
        pip = [python, "-m", "pip", "install", "--disable-pip-version-check", *words]
        commands.run(pip, log="installs-pip", cwd=checkout, timeout=3600)
        call_all(python, bindings, inside=checkout / "bindings" if "-e" in words else None)
    return tried


def from_wheels(interpreter: Interpreter, bindings: Sequence[Package], folder: Path) -> None:
    """Install wheels of ``folder``, and no others, into an empty environment, and call all bindings.

    What the wheels require of others is installed before from the package index. Raises `Problem` where that fails.
    """
    python = empty_environment(interpreter, f"from-wheels-{interpreter.label}")
    install = [tools.uv(), "pip", "install", "--python", python]
    if others := requirements(folder.glob("*.whl")):
        commands.run([*install, *others], log=f"installs-{interpreter.label}-requirements")
    names = [each.distribution for each in bindings]
    ours = [*install, "--no-index", "--find-links", folder, packages.NATIVE, *names]
    commands.run(ours, log=f"installs-{interpreter.label}")
    call_all(python, bindings)


def requirements(wheels: Iterable[Path]) -> list[str]:
    """What these wheels require that is not of this repository."""
    found = set()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            told = email.message_from_bytes(archive.read(name))
        found |= {each for each in told.get_all("Requires-Dist", []) if not normalised(each).startswith("cside-")}
    return sorted(found)
