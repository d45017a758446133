# SPDX-License-Identifier: Apache-2.0
"""The garbage collector is kept out of timed regions as far as the interpreter allows."""

import gc

import pytest
from cside_suite.process import garbage
from cside_suite.process.garbage import EVERY, STAYS_ON, Garbage


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The arguments of each explicit collection."""
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(gc, "collect", lambda *generation: asked.append(generation))
    return asked


def test_the_collector_is_off_meanwhile_and_on_again(collections: list[tuple[int, ...]]) -> None:
    """Except on PyPy, where it stays on; all garbage is collected before. An inner context changes nothing."""
    assert gc.isenabled()
    with Garbage():
        assert gc.isenabled() == STAYS_ON
        with Garbage():
            assert gc.isenabled() == STAYS_ON
        assert gc.isenabled() == STAYS_ON
    assert gc.isenabled()
    assert collections == [()]


def test_it_is_on_again_after_an_error() -> None:
    """A target that fails does not leave the process without a collector."""
    with pytest.raises(ZeroDivisionError), Garbage():
        divmod(1, 0)
    assert gc.isenabled()


@pytest.mark.parametrize("on", [False, True], ids=["off", "on"])
def test_garbage_is_collected_between_rounds(
    on: bool, collections: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the collector is off, young objects after each round; where it stays on, everything after many chunks."""
    monkeypatch.setattr(garbage, "STAYS_ON", on)
    with Garbage() as context:
        for _ in range(16):
            context.between_rounds(EVERY // 8)
    assert collections == [(), *([()] * 2 if on else [(0,)] * 16)]
