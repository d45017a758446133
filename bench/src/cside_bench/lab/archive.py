# SPDX-License-Identifier: Apache-2.0
"""A run's folder as bytes for the network, and back: plain files and folders only, whoever sent them."""

import io
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Final

MOST_NBYTES: Final = 4 << 30
"""Of all files together once unpacked; a rigorous run on four interpreters has a tenth of it."""
MOST_FILES: Final = 100_000
LEVEL: Final = 6
"""Of gzip: raw rounds become a quarter of their size; higher levels take longer and gain 2 %."""


class ArchiveError(Exception):
    """Bytes that are no archive of a run, or hold what a run has not; the text names the member."""


def pack(folder: Path) -> bytes:
    """The files of a folder, by their path in it, as a gzip-compressed tar.

    Neither owners nor times are kept; links and special files are left out.
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
    """Write the files of an archive into a new folder, which is there whole or not at all; returns their bytes.

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
