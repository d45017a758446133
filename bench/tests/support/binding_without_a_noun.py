# SPDX-License-Identifier: Apache-2.0
"""A binding that leaves out the noun ``pkcs11``: it has the other modules of the reference, and declares the gap."""

from pathlib import Path
from typing import Final

from cside_suite.subjects.bindings import discover

REFERENCE: Final = "cext"
NAME: Final = "halfbound"
REASON: Final = "the binding of a test has no module for tokens"

PACKAGE: Final = '''"""A binding of a test."""

from {target} import __version__
from {target} import features as _features
from {target} import gaps as _gaps

__all__ = ["__version__", "features", "gaps"]
features = _features.difference({missing!r})
gaps = _gaps | {missing!r}
'''

MODULE: Final = '''"""A noun of a test's binding: that of the reference."""

from {target}.{noun} import *
from {target}.{noun} import __all__
'''


def install(folder: Path, *, declared: bool = True, present: bool = False) -> str:
    """Install the binding into a folder, which is to be put on the path; return the name of the binding.

    ``declared`` is whether it names ``pkcs11`` in its gaps, ``present`` whether it has the module: it is right where
    just one of them is true.
    """
    (reference,) = [it for it in discover() if it.name == REFERENCE]
    missing = {"pkcs11": REASON} if declared else {}
    package = folder / NAME
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE.format(target=reference.target, missing=missing), encoding="utf-8")
    (package / "py.typed").touch()
    for noun in ("idioms", "codec", *(["pkcs11"] if present else [])):
        (package / f"{noun}.py").write_text(MODULE.format(target=reference.target, noun=noun), encoding="utf-8")
    version = reference.package.__version__
    record = folder / f"{NAME}-{version}.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n", encoding="utf-8")
    (record / "entry_points.txt").write_text(f"[cside.bindings]\n{NAME} = {NAME}\n", encoding="utf-8")
    return NAME
