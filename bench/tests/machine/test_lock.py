# SPDX-License-Identifier: Apache-2.0
"""One benchmark at a time on a machine, whoever started it and however it ended."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cside_bench.machine import lock as machine_lock
from cside_bench.machine.lock import Cancelled, Occupied, alone

HOLD = """
import sys
from pathlib import Path
from cside_bench.machine.lock import alone
with alone("run of somebody", path=Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such lock there")


def hold(path: Path) -> "subprocess.Popen[str]":
    """Another process that has the machine."""
    found = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert found.stdout is not None
    assert found.stdout.readline() == "held\n"
    return found


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """The lock's file."""
    return tmp_path / "lock"


def test_the_second_waits_and_says_for_whom(lock: Path) -> None:
    """The second process says for whom it waits, and says when it goes on."""
    holder = hold(lock)
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 1:
            holder.communicate("")  # the first ends

    with alone("mine", path=lock, say=say) as slot:
        assert json.loads(lock.read_text())["what"] == "mine"
        assert slot.waited_s >= 0
    assert said[0].startswith(f"waiting: run of somebody (process {holder.pid}, since ")
    assert said[1].startswith("the machine is free after ")
    assert len(said) == 2


def test_patience_ends(lock: Path) -> None:
    """After so many seconds it fails, and names the holder."""
    holder = hold(lock)
    with (
        pytest.raises(Occupied, match=rf"run of somebody \(process {holder.pid}, .* did not end within 1 s"),
        alone("mine", patience_s=0.6, path=lock),
    ):
        raise AssertionError
    holder.communicate("")


def test_a_wait_can_be_cancelled(lock: Path) -> None:
    """A worker of a lab whose campaign is stopped does not wait any longer."""
    holder = hold(lock)
    with pytest.raises(Cancelled), alone("mine", path=lock, cancelled=lambda: True):
        raise AssertionError
    holder.communicate("")


def test_a_child_does_not_keep_the_lock(lock: Path) -> None:
    """What the holder has started may outlive it, as a daemon of a compiler does."""
    with alone("mine", path=lock):
        child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        with alone("the next", patience_s=0.0, path=lock) as slot:
            assert slot.waited_s == 0
    finally:
        child.kill()
        child.wait()


def test_a_holder_that_is_killed_leaves_nothing_behind(lock: Path) -> None:
    """The lock goes with the process: nobody has to remove a file."""
    holder = hold(lock)
    holder.kill()
    holder.wait()
    with alone("mine", patience_s=0.0, path=lock) as slot:
        assert slot.waited_s == 0
    holder.communicate()


def test_what_the_holder_starts_need_not_wait(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has the holder's token goes on at once; one with another's, or an old one, does not."""
    with alone("outer", path=lock) as outer:
        assert list(outer.environment()) == [machine_lock.HELD]
        monkeypatch.setenv(machine_lock.HELD, "0123456789abcdef")
        with pytest.raises(Occupied), alone("stranger", patience_s=0.0, path=lock):
            raise AssertionError
        monkeypatch.setenv(machine_lock.HELD, outer.environment()[machine_lock.HELD])
        with alone("inner", patience_s=0.0, path=lock) as inner:
            assert inner.environment() == outer.environment()
        monkeypatch.delenv(machine_lock.HELD)
        with pytest.raises(Occupied), alone("still held", patience_s=0.0, path=lock):
            raise AssertionError
    monkeypatch.setenv(machine_lock.HELD, outer.environment()[machine_lock.HELD])
    holder = hold(lock)
    with pytest.raises(Occupied), alone("later", patience_s=0.0, path=lock):
        raise AssertionError
    holder.communicate("")


def test_any_user_may_open_it(lock: Path) -> None:
    """The file is readable and writable for all, whatever the umask of who made it."""
    before = os.umask(0o077)
    try:
        with alone("mine", path=lock):
            assert stat.S_IMODE(lock.stat().st_mode) == 0o666
    finally:
        os.umask(before)
    assert machine_lock.LOCK.parent == Path("/tmp")  # and not TMPDIR, which differs between users


def test_nobody_leads_it_elsewhere(lock: Path, tmp_path: Path) -> None:
    """A link or a pipe in the lock's place is refused, and what it points to is left alone."""
    (tmp_path / "precious").write_text("kept")
    lock.symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="no ordinary file"), alone("mine", path=lock):
        raise AssertionError
    assert (tmp_path / "precious").read_text() == "kept"
    lock.unlink()
    os.mkfifo(lock)
    with pytest.raises(OSError, match="no ordinary file"), alone("mine", path=lock):
        raise AssertionError


@pytest.mark.parametrize("text", ["", "no JSON", "[1]", '{"what": "bell \\u0007"}'])
def test_what_others_wrote_does_no_harm(lock: Path, text: str) -> None:
    """A file with anything in it is waited for, and only printable text of it is told."""
    holder = hold(lock)
    lock.write_text(text)
    with pytest.raises(Occupied) as told, alone("mine", patience_s=0.0, path=lock):
        raise AssertionError
    assert str(told.value).isprintable()
    holder.communicate("")
