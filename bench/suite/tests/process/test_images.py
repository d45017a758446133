# SPDX-License-Identifier: Apache-2.0
"""A process in which bindings call two files of the library measures nothing, even if their content is the same."""

import hashlib
from pathlib import Path

import pytest
from cside_suite.process import images
from cside_suite.process.block import check_images
from cside_suite.process.request import Request
from cside_suite.subjects.names import SINGLE

DECLARED = {"twin.nanobind": f"{SINGLE}types are known by name"}


@pytest.fixture
def request_of_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    """A request for a process that has mapped two files of libcside with the same content."""
    lines = []
    for name in ("installed", "build"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "libcside.so").write_bytes(b"the library")
        lines += [f"7f00-7f{n} r-xp 0 00:00 1 {tmp_path / name / 'libcside.so'}" for n in (10, 20)]
    (tmp_path / "maps").write_text("\n".join([*lines, "7f30-7f40 r-xp 0 00:00 1 /lib/libz.so.1"]), encoding="utf-8")
    monkeypatch.setattr(images, "MAPS", tmp_path / "maps")
    digest = hashlib.sha256(b"the library").hexdigest()
    return Request("measure", "here", digest, str(tmp_path / "out.json"), 1, "cext")


def test_two_files_of_the_library_are_refused(request_of_copies: Request) -> None:
    """Both are what was built; a twin that is declared impossible is no reason to go on."""
    for unloadable in ({}, DECLARED):
        with pytest.raises(RuntimeError, match=r"loaded 2 files of libcside: .*build.*, .*installed"):
            check_images(request_of_copies, unloadable)


def test_a_binding_that_could_not_be_loaded_leaves_the_others(request_of_copies: Request) -> None:
    """It is void by itself, with its reason, and the file that it brought stays mapped."""
    check_images(request_of_copies, DECLARED | {"cffi": "cannot be used: it is broken"})


def test_one_file_is_as_it_has_to_be(request_of_copies: Request) -> None:
    """However often it is mapped."""
    maps = images.MAPS
    maps.write_text("\n".join(line for line in maps.read_text(encoding="utf-8").splitlines() if "build" not in line))
    check_images(request_of_copies, {})
    check_images(request_of_copies, DECLARED)
