# SPDX-License-Identifier: Apache-2.0
"""Each example does what its first lines promise, through several bindings."""

import gzip
import subprocess
import sys
import zlib
from pathlib import Path

import cside_native
import pytest

PROGRAMS = Path(__file__).parent.parent
TEXT = b"nothing new under the sun\n" * 20_000


def run(program: str, *words: object, stdin: bytes = b"", fails: bool = False) -> "subprocess.CompletedProcess[bytes]":
    """Run an example; it has to end well, unless it ``fails``."""
    command = [sys.executable, str(PROGRAMS / program), *map(str, words)]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)
    assert bool(done.returncode) == fails, done.stderr.decode()
    return done


def token() -> None:
    """Skip the test where the software token was not built."""
    try:
        cside_native.token_library()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("binding", ["cext", "ctypes"])
def test_a_folder_is_packed_with_progress(binding: str, tmp_path: Path) -> None:
    """gzip reads what comes out, and progress reaches 100 %."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_bytes(TEXT)
    (tmp_path / "in" / "deep" / "b.txt").write_bytes(b"short")
    done = run("gzip_folder.py", tmp_path / "in", tmp_path / "out", "--binding", binding)
    assert gzip.decompress((tmp_path / "out" / "a.txt.gz").read_bytes()) == TEXT
    assert gzip.decompress((tmp_path / "out" / "deep" / "b.txt.gz").read_bytes()) == b"short"
    assert b"100.0 %" in done.stderr
    assert len(done.stderr.split(b"\r")) > len(TEXT) / 65536
    assert f"{len(TEXT) + 5:,} bytes became".encode() in done.stdout


def test_a_target_inside_of_the_source_is_refused(tmp_path: Path) -> None:
    """It would be packed too."""
    assert b"would be packed too" in run("gzip_folder.py", tmp_path, tmp_path / "out", fails=True).stderr


@pytest.mark.parametrize("binding", ["cython", "cffi"])
def test_a_stream_is_filtered_there_and_back(binding: str) -> None:
    """In both directions, and against the standard library's gzip."""
    packed = run("stream_filter.py", "--binding", binding, stdin=TEXT).stdout
    assert gzip.decompress(packed) == TEXT
    assert run("stream_filter.py", "--decompress", "--binding", binding, stdin=gzip.compress(TEXT)).stdout == TEXT
    assert run("stream_filter.py", stdin=b"").stdout != b""


def test_a_stream_that_is_damaged_or_breaks_off_is_told() -> None:
    """By a message, not a traceback."""
    packed = gzip.compress(TEXT)
    assert b"the stream breaks off" in run("stream_filter.py", "--decompress", stdin=packed[:-9], fails=True).stderr
    damaged = run("stream_filter.py", "--decompress", stdin=zlib.compress(TEXT), fails=True).stderr
    assert damaged.startswith(b"stream_filter: Error -3")


def test_a_token_is_browsed() -> None:
    """Its slots, and the two objects that the example makes."""
    token()
    shown = run("browse_token.py", "--binding", "swig").stdout.decode()
    assert "cside software token" in shown
    assert "CKO_SECRET_KEY   'a key' 01" in shown
    assert "CKO_DATA         'a note'" in shown


def test_a_file_is_signed_and_a_changed_copy_is_found(tmp_path: Path) -> None:
    """And the private key cannot be read."""
    token()
    (tmp_path / "file").write_bytes(TEXT)
    shown = run("sign_and_verify.py", tmp_path / "file", "--binding", "cffi").stdout.decode()
    assert "the file: signed by this key" in shown
    assert "a changed copy: NOT signed by this key" in shown
    assert "CKR_ATTRIBUTE_SENSITIVE" in shown


def test_an_application_is_traced_as_it_is(tmp_path: Path) -> None:
    """The table has each C function once, with its calls; the program's own output is unchanged."""
    words = (PROGRAMS / "gzip_folder.py", tmp_path / "in", tmp_path / "out")
    (tmp_path / "in").mkdir()
    for number in range(3):
        (tmp_path / "in" / f"{number}.txt").write_bytes(TEXT)
    done = run("trace_application.py", "--binding", "ctypes", *words, "--binding", "cython")
    row = next(line.split() for line in done.stderr.decode().splitlines() if line.startswith("cs_deflate "))
    assert row[1:4] == ["3", "0", f"{3 * len(TEXT):,}"]
    assert b"bytes became" in done.stdout
