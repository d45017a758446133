# SPDX-License-Identifier: Apache-2.0
"""A chunk times what it says, and nothing that a JIT or a specialising interpreter shares between targets."""

import dis
import time

import pytest
from cside_suite.process.chunks import CHUNK_NS, UNROLL, compile_chunk, estimate_ns, loops_for, unroll_for


@pytest.mark.parametrize("indexed", [False, True], ids=["unrolled", "indexed"])
def test_a_chunk_makes_every_call(indexed: bool) -> None:
    """Loops times unrolling, with the arguments given."""
    seen: list[tuple[int, str]] = []
    chunk = compile_chunk(lambda a, b: seen.append((a, b)), [(1, "x")], UNROLL, indexed=indexed)
    calls, empty = chunk(7)
    assert seen == [(1, "x")] * 7 * UNROLL
    assert calls > 0
    assert empty >= 0


@pytest.mark.parametrize("indexed", [False, True], ids=["unrolled", "indexed"])
@pytest.mark.parametrize("count", [1, 2, 3, UNROLL])
def test_the_draws_take_turns(count: int, indexed: bool) -> None:
    """Each pass goes through the draws in their order, so that every chunk is given the same."""
    seen: list[tuple[int, str]] = []
    draws = [(number, str(number)) for number in range(count)]
    compile_chunk(lambda a, b: seen.append((a, b)), draws, UNROLL, indexed=indexed)(3)
    assert seen == [draws[turn % count] for turn in range(UNROLL)] * 3


@pytest.mark.parametrize("indexed", [False, True], ids=["unrolled", "indexed"])
def test_a_function_without_arguments_has_a_chunk(indexed: bool) -> None:
    """There is nothing to take by turns."""
    seen: list[int] = []
    compile_chunk(lambda: seen.append(1), [()], UNROLL, indexed=indexed)(3)
    assert len(seen) == 3 * UNROLL


@pytest.mark.parametrize("indexed", [False, True], ids=["unrolled", "indexed"])
def test_a_chunk_has_one_loop(indexed: bool) -> None:
    """In an inner loop, the trace of a JIT would depend on the pass at which it begins."""
    chunk = compile_chunk(len, [("",), ("a",)], UNROLL, indexed=indexed)
    for cell in chunk.__closure__ or ():  # type: ignore[attr-defined]  # chunks are functions
        loops = [it.opname for it in dis.get_instructions(cell.cell_contents) if it.opname == "FOR_ITER"]
        assert len(loops) == 1


def test_every_target_has_code_of_its_own() -> None:
    """Two chunks of one function share no code object."""
    first, second = compile_chunk(len, [("",)], 1), compile_chunk(len, [("",)], 1)
    codes = [{id(cell.cell_contents.__code__) for cell in chunk.__closure__ or ()} for chunk in (first, second)]  # type: ignore[attr-defined]  # chunks are functions
    assert len(codes[0]) == 2
    assert codes[0].isdisjoint(codes[1])


def test_exceptions_come_out_of_a_chunk() -> None:
    """A target that fails is not timed silently."""
    with pytest.raises(ZeroDivisionError):
        compile_chunk(divmod, [(1, 0)], 1)(1)


def test_chunks_are_about_as_long_as_aimed_at() -> None:
    """Fast calls are unrolled, slow ones are not; at least one call is made."""
    assert (unroll_for(50), unroll_for(1e6)) == (UNROLL, 1)
    assert unroll_for(1e6, draws=5) == 5  # one call of each draw, so that chunks do not differ
    assert loops_for(50, UNROLL) * UNROLL * 50 == pytest.approx(CHUNK_NS)
    assert loops_for(1e9, 1) == 1


@pytest.mark.alone
def test_an_estimate_is_positive_and_ends() -> None:
    """Calibration works for functions of any speed."""
    assert 0 < estimate_ns(int, [()], 100_000) < 1e6
    assert estimate_ns(sum, [(range(100_000),)], 100_000) > 1e5


@pytest.mark.alone
def test_a_stall_is_not_taken_for_a_slow_call() -> None:
    """A machine that stops for a moment during calibration does not make a fast call look slow."""
    stalls = [0.02]

    def fast_but_for_once() -> None:
        if stalls:
            time.sleep(stalls.pop())

    assert estimate_ns(fast_but_for_once, [()], 100_000) < 1e5
