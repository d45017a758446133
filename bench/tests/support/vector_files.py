# SPDX-License-Identifier: Apache-2.0
"""Files of published test vectors, as the package ``cryptography-vectors`` has them."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Answer", "examples", "folder", "records"]

Answer = dict[str, str]
"""The fields of a vector, most of them hexadecimal."""


def folder() -> Path | None:
    """Return the folder of all vectors; None if the package is not installed."""
    found = importlib.util.find_spec("cryptography_vectors")
    return Path(found.origin).parent if found is not None and found.origin is not None else None


def records(path: Path, last: str) -> Iterator[Answer]:
    """Yield the vectors of a file of NIST's validation programs, or of one in that form.

    A vector is complete when the field ``last`` is read, or the word ``FAIL`` in its place. A field that a vector does
    not have keeps the value of the one before, as the modulus of several signatures does. ``section`` is the text in
    the brackets before the vector.
    """
    fields: Answer = {"section": ""}
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        text = line.strip()
        if heading := re.fullmatch(r"\[(.*)\]", text):
            fields["section"] = heading[1]
            continue
        if text.startswith("#") or not (text == "FAIL" or "=" in text):
            continue
        name, _, value = (part.strip() for part in text.partition("="))
        fields[name] = value
        if name in (last, "FAIL"):
            yield dict(fields)
            for ended in (last, "FAIL"):
                fields.pop(ended, None)


def examples(path: Path) -> Iterator[Answer]:
    """Yield the examples of a file of RSA Laboratories, or of one in that form: the numbers of the key, and the fields.

    A comment names a field, and the lines after it have its value. An example ends with a ciphertext or a signature.
    """
    fields: Answer = {}
    label = ""
    for line in [*path.read_text(encoding="ascii", errors="replace").splitlines(), "#"]:
        text = line.strip()
        if text.startswith("#"):
            if label in ("Encryption", "Signature"):
                yield dict(fields)
            label = text.strip("# ").rstrip(":")
            fields[label] = ""
        elif label:
            fields[label] += text.replace(" ", "")
