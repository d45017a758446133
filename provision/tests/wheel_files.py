# SPDX-License-Identifier: Apache-2.0
"""Small wheels made by hand, and their installation without an installer."""

import base64
import hashlib
import zipfile
from pathlib import Path

from provision.wheels import Wheel, file_sha256


def make_wheel(folder: Path, distribution: str, files: dict[str, str], entry_points: str = "") -> Wheel:
    """A wheel that holds ``files``."""
    info = f"{distribution.replace('-', '_')}-0.1.0.dist-info"
    held = dict(files)
    if entry_points:
        held[f"{info}/entry_points.txt"] = entry_points
    rows = []
    for name, text in held.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text)}")
    held[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{distribution.replace('-', '_')}-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in held.items():
            archive.writestr(name, text)
    return Wheel(path, distribution, file_sha256(path), "source", 0.0)


def install(wheel: Wheel, site: Path) -> None:
    """Unpack a wheel into ``site``."""
    with zipfile.ZipFile(wheel.path) as archive:
        archive.extractall(site)
