# SPDX-License-Identifier: Apache-2.0
"""The name of a machine in results: the name that its user gives it, or its processor and a short digest.

People publish results, so they hold no host names and no user names. The operating system's identifier of a machine is
confidential too (machine-id(5)). So only a keyed digest of it is recorded, which tells machines apart and from which
nobody can find the machine.
"""

import hashlib
import hmac
import os
import platform
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from cside_bench.machine.system_files import read

VARIABLE: Final = "CSIDE_MACHINE"
"""Environment variable by which a user names the machine."""
APPLICATION: Final = b"cside: which machine a run was measured on"
"""The message of the keyed digest; machine-id(5) asks each application to use one of its own."""
DIGITS: Final = 6
"""Digits of the digest that are kept. Among 100 machines two have the same ones with a probability of 0.03 %."""
LONGEST: Final = 40
"""Characters that a name has at most."""
LINUX: Final = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
IOREG: Final = ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
"""The program of macOS that prints the platform's UUID."""
NOISE: Final = re.compile(
    r"\((?:r|tm|c)\)|@.*|\b\d+-core\b|\b(?:processor|cpu|intel|virtual)\b|\bwith\b.*", re.IGNORECASE
)
"""Parts of a processor's model name that are left out of a machine's name."""


def machine_name(environment: Mapping[str, Any]) -> str:
    """A short name of the machine of an ``environment.json``, of letters, digits, ``.``, ``_`` and ``-``.

    This is the name that the user gave; without one, the processor's name with the digest of the machine's identifier,
    as
    ``AMD-EPYC-3f9a2c``. Where no identifier was recorded the number of CPUs stands in its place, as ``AMD-EPYC-2cpus``;
    machines of one kind share such a name.
    """
    machine = environment.get("machine", {})
    if named := cleaned(str(machine.get("name") or "")):
        return named
    model = cleaned(NOISE.sub(" ", str(machine.get("cpu") or ""))) or str(machine.get("architecture") or "machine")
    last = machine.get("id") or (f"{machine['cpus']}cpus" if machine.get("cpus") else "")
    return cleaned(f"{model[: LONGEST - DIGITS - 1]}-{last}")


def cleaned(text: str) -> str:
    """Make a text fit for file names and links: each run of characters other than letters, digits, ``.`` and ``_``
    becomes one ``-``.
    """
    return re.sub(r"[^\w.]+|-+", "-", text)[:LONGEST].strip("-.")


def recorded() -> dict[str, str | None]:
    """For ``environment.json``: ``id``, the digest of this machine's identifier, and ``name``, which its user gave."""
    return {"id": digest(identifier()), "name": cleaned(os.environ.get(VARIABLE, "")) or None}


def digest(text: str | None) -> str | None:
    """The first :data:`DIGITS` digits of a keyed digest (HMAC-SHA-256) in hexadecimal; None where there is no text."""
    return hmac.new(text.encode(), APPLICATION, hashlib.sha256).hexdigest()[:DIGITS] if text else None


def identifier() -> str | None:
    """The identifier that the operating system gave to itself when it was installed; None where it has none.

    Linux has a machine-id, and macOS the UUID of the platform. Containers of one image may share their identifier.
    """
    if platform.system() == "Darwin":
        told = subprocess.run(IOREG, capture_output=True, text=True, check=False, timeout=10).stdout
        found = re.search(r'"IOPlatformUUID"\s*=\s*"([^"]+)"', told)
        return found.group(1) if found else None
    return next((text for path in LINUX if (text := read(path)) and text != "uninitialized"), None)


def cpu_model() -> str:
    """The name of the processor."""
    for line in (read(Path("/proc/cpuinfo")) or "").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def distinct(runs: Iterable[tuple[str, str]]) -> list[str]:
    """A name for each (machine, run), in the same order and all different.

    A machine with one run gives its own name, as ``bench-a``. Of a machine with several runs each name holds the run
    too, as ``bench-a · 20261121-120000``; and a number where these are still the same.
    """
    pairs = list(runs)
    of_machine = Counter(machine for machine, _ in pairs)
    names = [machine if of_machine[machine] == 1 else f"{machine} · {run}" for machine, run in pairs]
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found
