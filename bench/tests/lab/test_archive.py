# SPDX-License-Identifier: Apache-2.0
"""Archives of runs that come from workers are unpacked safely."""

import io
import os
import tarfile
from pathlib import Path

import pytest
from cside_bench.lab import archive


def hostile(kind: str) -> bytes:
    """An archive with an ordinary file and a member that has no place in a run."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz") as packed:
        for member in (tarfile.TarInfo("run.json"), tarfile.TarInfo("../outside" if kind == "above" else "inside")):
            if member.name != "run.json":
                member.type = {
                    "symlink": tarfile.SYMTYPE,
                    "hardlink": tarfile.LNKTYPE,
                    "device": tarfile.CHRTYPE,
                    "pipe": tarfile.FIFOTYPE,
                }.get(kind, tarfile.REGTYPE)
                member.linkname = "run.json"
            if kind == "twice":
                member.name = "run.json"
            if kind == "huge" and member.name == "inside":
                member.size = archive.MOST_NBYTES + 1
                packed.fileobj.write(member.tobuf())
                continue
            packed.addfile(member)
    return sink.getvalue()


@pytest.mark.parametrize("kind", ["above", "symlink", "hardlink", "device", "pipe", "twice", "huge"])
def test_a_hostile_archive_is_refused(kind: str, tmp_path: Path) -> None:
    """What lies outside, links, devices, and what would fill the disk leave no trace, and the member is named."""
    with pytest.raises(archive.ArchiveError):
        archive.unpack(hostile(kind), tmp_path / "results" / "run")
    assert [path.name for path in tmp_path.rglob("*")] == ["results"]


def test_an_absolute_name_stays_inside(tmp_path: Path) -> None:
    """A member called by an absolute path lands in the run's folder."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz") as packed:
        packed.addfile(tarfile.TarInfo(f"{tmp_path}/outside"))
    archive.unpack(sink.getvalue(), tmp_path / "run")
    assert not (tmp_path / "outside").exists()


def test_damaged_bytes_are_refused(tmp_path: Path) -> None:
    """Half an archive is no run."""
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "raw").write_bytes(os.urandom(100_000))
    packed = archive.pack(tmp_path / "from")
    for damaged in (b"", b"no archive", packed[: len(packed) // 2]):
        with pytest.raises(archive.ArchiveError):
            archive.unpack(damaged, tmp_path / "run")
        assert not (tmp_path / "run").exists()


def test_an_archive_has_the_files_and_nobody_s_name(tmp_path: Path) -> None:
    """Files come out as they went in; links stay behind; neither owners nor times are told."""
    source = tmp_path / "from"
    (source / "blocks").mkdir(parents=True)
    (source / "blocks" / "one.json").write_text("{}")
    (source / "latest").symlink_to("blocks")
    packed = archive.pack(source)
    assert archive.unpack(packed, tmp_path / "to") == 2
    assert [path.relative_to(tmp_path / "to").as_posix() for path in sorted((tmp_path / "to").rglob("*"))] == [
        "blocks",
        "blocks/one.json",
    ]
    with tarfile.open(fileobj=io.BytesIO(packed)) as members:
        assert {(it.uid, it.uname, it.gname, it.mtime) for it in members} == {(0, "", "", 0)}
    with pytest.raises(FileExistsError):
        archive.unpack(packed, tmp_path / "to")
