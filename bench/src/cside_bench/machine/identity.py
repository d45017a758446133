# SPDX-License-Identifier: Apache-2.0
"""What a machine is called in results: by its processor and a short digest, or as its user wants it.

Host and user names stay out of results, which people publish. The system's own identifier of a machine is meant to be
kept confidential as well (machine-id(5)): only a keyed digest of it is recorded, which tells machines apart and leads
back to none.
"""

import hashlib
import hmac
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final


def read(path: Path) -> str | None:
    """Stripped text of a file of the system; ``None`` where it has none."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def cpu_model() -> str:
    """Name of the processor."""
    for line in (read(Path("/proc/cpuinfo")) or "").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


VARIABLE: Final = "CSIDE_MACHINE"
"""Environment variable by which a user names the machine."""
APPLICATION: Final = b"cside: which machine a run was measured on"
"""What the machine's identifier is digested with, as machine-id(5) asks of applications."""
DIGITS: Final = 6
"""Of the digest: among 100 machines two share one with a probability of 0.03 %."""
LONGEST: Final = 40
"""Characters of a name."""
LINUX: Final = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
NOISE: Final = re.compile(
    r"\((?:r|tm|c)\)|@.*|\b\d+-core\b|\b(?:processor|cpu|intel|virtual)\b|\bwith\b.*", re.IGNORECASE
)
"""What makers write into a model's name and nobody says."""


def machine_name(environment: Mapping[str, Any]) -> str:
    """A short name of the machine of an ``environment.json``, of letters, digits, ``.``, ``_`` and ``-``.

    The name that the user gave; else the processor's with the digest of the machine's identifier, as
    ``AMD-EPYC-3f9a2c``; where no identifier was recorded, with the number of CPUs instead, as ``AMD-EPYC-2cpus``, which
    machines of one kind share.
    """
    machine = environment.get("machine", {})
    if named := cleaned(str(machine.get("name") or "")):
        return named
    model = cleaned(NOISE.sub(" ", str(machine.get("cpu") or ""))) or str(machine.get("architecture") or "machine")
    last = machine.get("id") or (f"{machine['cpus']}cpus" if machine.get("cpus") else "")
    return cleaned(f"{model[: LONGEST - DIGITS - 1]}-{last}")


def cleaned(text: str) -> str:
    """A text as part of a file's name and of a link: whatever is no letter, digit, ``.`` or ``_`` becomes one ``-``."""
    return re.sub(r"[^\w.]+|-+", "-", text)[:LONGEST].strip("-.")


def recorded() -> dict[str, str | None]:
    """For ``environment.json``: ``id``, the digest of this machine's identifier; ``name``, what its user calls it."""
    return {"id": digest(identifier()), "name": cleaned(os.environ.get(VARIABLE, "")) or None}


def digest(text: str | None) -> str | None:
    """The first digits of a keyed digest (HMAC-SHA-256), in hexadecimal; None for no text."""
    return hmac.new(text.encode(), APPLICATION, hashlib.sha256).hexdigest()[:DIGITS] if text else None


def identifier() -> str | None:
    """What this system calls itself, constant from its installation on; None where it says nothing.

    Linux has machine-id, macOS the platform's UUID, Windows a GUID. Containers of one image may share theirs.
    """
    ways = {"Linux": _linux, "Darwin": _macos, "Windows": _windows}
    way = ways.get(platform.system())
    return way() if way is not None else None


def distinct(runs: Iterable[tuple[str, str]]) -> list[str]:
    """A name for each (machine, run), in their order and all different.

    The machine's where it has one run, as ``bench-a``; the run's as well where it has several, as
    ``bench-a · 20261121-120000``; and a number where that is not enough.
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


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _linux() -> str | None:
    return next((text for path in LINUX if (text := _read(path)) and text != "uninitialized"), None)


def _macos() -> str | None:
    try:
        told = subprocess.run(
            ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"], capture_output=True, text=True, check=True, timeout=10
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r'"IOPlatformUUID"\s*=\s*"([^"]+)"', told)
    return found.group(1) if found else None


def _windows() -> str | None:
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0]) or None
        except OSError:
            return None
    return None
