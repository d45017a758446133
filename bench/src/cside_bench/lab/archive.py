# SPDX-License-Identifier: Apache-2.0
"""Pack a run's folder into bytes for the network, and unpack it. Only plain files and folders are accepted."""

import io
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Final

MOST_NBYTES: Final = 4 << 30
"""Bytes of all files together once unpacked. A rigorous run on four interpreters has a tenth of it."""
MOST_FILES: Final = 100_000
"""Number of files in an archive."""
LEVEL: Final = 6
"""Compression level of gzip. Raw rounds become a quarter of their size; higher levels take longer and save 2 % more."""


class ArchiveError(Exception):
    """The bytes are no archive of a run, or hold something that no run has; the text names it."""


def pack(folder: Path) -> bytes:
    """Pack the files of a folder as a gzip-compressed tar, by their paths in the folder.

    Owners and times are not kept. Links and special files are left out.
    """
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz", compresslevel=LEVEL) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                member = tarfile.TarInfo(path.relative_to(folder).as_posix())
                member.size = path.stat().st_size
                with path.open("rb") as source:
                    archive.addfile(member, source)
    return sink.getvalue()


def unpack(packed: bytes, folder: Path) -> int:
    """Write the files of an archive into a new folder, in one step, and return the number of their bytes.

    Raises :class:`ArchiveError` for damaged bytes, for a member that is neither file nor folder or would lie outside,
    and for more than :data:`MOST_NBYTES` or :data:`MOST_FILES`; `FileExistsError` where the folder is there already.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} is there already")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".arriving-", dir=folder.parent) as beside:
        inside = Path(beside) / "run"
        inside.mkdir(mode=0o755)
        nbytes = files = 0
        try:
            with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
                for member in archive:
                    if not (member.isfile() or member.isdir()):
                        raise ArchiveError(f"{member.name!r} is neither a file nor a folder")
                    nbytes, files = nbytes + member.size, files + 1
                    if nbytes > MOST_NBYTES or files > MOST_FILES:
                        raise ArchiveError(f"it holds more than {MOST_NBYTES >> 30} GiB or {MOST_FILES} files")
                    if (inside / member.name).exists() and member.isfile():
                        raise ArchiveError(f"{member.name!r} is there twice")
                    archive.extract(member, inside, filter="data")
        except (tarfile.TarError, EOFError, OSError, ValueError) as error:
            raise ArchiveError(f"{type(error).__name__}: {error}") from error
        os.rename(inside, folder)
    return nbytes
