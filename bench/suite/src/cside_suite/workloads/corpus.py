"""The corpora, which are the input of the workloads: text, machine code, noise, and data that the user names.

The driver prepares the corpora once for a run and passes them to every process as files, so that all interpreters
compress the same bytes. If pytest runs by itself, they are made from the running interpreter's own files.
"""

import hashlib
import os
import random
import sysconfig
from functools import cache
from pathlib import Path
from typing import Final

import cside_native

FOLDER_VARIABLE: Final = "CSIDE_CORPUS"
"""The environment variable that names the folder that :func:`save` wrote and :func:`load` reads."""

LIMIT_NBYTES: Final = 1 << 20
"""The size of a corpus; only that of the user may be smaller."""

NOISE_SEED: Final = 20160901
"""The seed of the random bytes."""


class CorpusError(Exception):
    """A corpus cannot be used: it is missing, empty or too small."""


def read_user(path: Path) -> bytes:
    """Read at most 1 MiB from a file, or from the files of a folder in the order of their names.

    Raises `CorpusError` if there is nothing to read.
    """
    if not path.exists():
        raise CorpusError(f"--corpus {path}: there is no such file or folder")
    files = [path] if path.is_file() else sorted(entry for entry in path.rglob("*") if entry.is_file())
    data = bytearray()
    for file in files:
        try:
            with file.open("rb") as stream:
                data += stream.read(LIMIT_NBYTES - len(data))
        except OSError as error:
            if path.is_file():
                raise CorpusError(f"--corpus {path}: {error.strerror}") from error
            continue  # a folder may contain sockets and files of other users; the rest is the corpus
        if len(data) >= LIMIT_NBYTES:
            break
    if not data:
        raise CorpusError(f"--corpus {path}: no bytes to read")
    return bytes(data)


def _text() -> bytes:
    """Return the first 1 MiB of the standard library's sources, in the order of their names."""
    data = bytearray()
    for source in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        data += source.read_bytes()
        if len(data) >= LIMIT_NBYTES:
            return bytes(data[:LIMIT_NBYTES])
    raise CorpusError(f"the standard library's sources hold {len(data)} bytes, {LIMIT_NBYTES} are needed")


def _make() -> dict[str, bytes]:
    return {
        "text": _text(),
        "machine": cside_native.library().read_bytes()[:LIMIT_NBYTES],
        "random": random.Random(NOISE_SEED).randbytes(LIMIT_NBYTES),
    }


def save(folder: Path, user: Path | None) -> dict[str, str]:
    """Write the corpora to ``folder`` and return the SHA-256 of each by name."""
    corpora = _make()
    if user is not None:
        corpora["user"] = read_user(user)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in corpora.items():
        (folder / f"{name}.bin").write_bytes(data)
    return {name: hashlib.sha256(data).hexdigest() for name, data in corpora.items()}


@cache
def load() -> dict[str, bytes]:
    """Return the corpora by name: those of the run, or new ones outside a run."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        return _make()
    return {path.stem: path.read_bytes() for path in sorted(Path(folder).glob("*.bin"))}


def names() -> list[str]:
    """Return the names of the corpora, without reading them."""
    folder = os.environ.get(FOLDER_VARIABLE)
    return ["text", "machine", "random"] if folder is None else sorted(path.stem for path in Path(folder).glob("*.bin"))
