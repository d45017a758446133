# SPDX-License-Identifier: Apache-2.0
"""A fuzzer of one binding's Python surface: ``python -m cside_suite.conformance.surface NAME --against OTHER``.

Hypothesis makes sequences of calls with arguments that are right and wrong. Streams are compared with those of the
standard library's ``zlib``, handles with a model, and each function of ``idioms`` with the same function of another
binding. The last call is in a file, so that it is known if the process dies. The program prints one JSON object.
"""

import argparse
import inspect
import json
import re
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from cside_suite.conformance.integers import signed
from cside_suite.conformance.outcome import outcome
from cside_suite.conformance.signatures import COSTLY, NEEDS
from cside_suite.contract.idioms import Idioms
from cside_suite.subjects.bindings import Implementation, discover

STEPS = 40
"""Calls in one sequence, at most."""
SEQUENCES = 50
"""Sequences between two looks at the clock."""

LEFT_OUT = {
    *("trace_enable", "trace_enabled", "trace_reset", "trace_read"),  # the trace counts the other binding's calls too
    *("state_init", "state_next", "state_fini", "tls_set", "tls_get"),  # it is the library's state, for both
    *("each_call", "thread_call", "Counter"),  # callbacks have tests, handles a rule of their own
}
INTEGERS = st.one_of(
    st.integers(-3, 300),
    st.builds(lambda bits, more: 2**bits + more, st.sampled_from([7, 8, 15, 16, 31, 32, 63, 64]), st.integers(-2, 2)),
    st.builds(lambda bits, more: more - 2**bits, st.sampled_from([7, 15, 31, 63]), st.integers(-2, 2)),
)
FLOATS = st.one_of(st.floats(), st.integers(-5, 5))
BUFFERS = st.one_of(
    st.binary(max_size=100),
    st.binary(max_size=100).map(bytearray),
    st.binary(max_size=60).map(lambda data: memoryview(data)),
    st.binary(min_size=2, max_size=60).map(lambda data: memoryview(data)[::2]),
)
TEXTS = st.text(st.characters(codec=None), max_size=40)
WRONG = st.one_of(
    st.none(), INTEGERS, FLOATS, BUFFERS, TEXTS, st.just(()), st.just([1]), st.just(object), st.booleans()
)
OPAQUE = re.compile("returned <(cdata |.* object at 0x)")
"""An object that was made, and how it shows itself is not promised. cffi's `Box` is a pointer that owns its memory."""
OF_TYPE = {"SupportsIndex": INTEGERS, "SupportsFloat": FLOATS, "Buffer": BUFFERS, "str": TEXTS}


def parameters() -> dict[str, tuple[st.SearchStrategy[object], ...] | None]:
    """The functions of ``idioms`` with the strategies of their arguments; None where there may be any number."""
    found: dict[str, tuple[st.SearchStrategy[object], ...] | None] = {}
    for name, member in inspect.getmembers(Idioms, inspect.isfunction):
        if name.startswith("_") or name in LEFT_OUT:
            continue
        given = list(inspect.signature(member).parameters.values())[1:]
        if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in given):
            found[name] = None
            continue
        usual = st.integers(-2, 100) if name in COSTLY else None
        found[name] = tuple(
            st.one_of(usual or OF_TYPE.get(getattr(each.annotation, "__name__", ""), WRONG), WRONG)
            if name not in COSTLY
            else st.one_of(st.integers(-2, 100), TEXTS, st.none())
            for each in given
        )
    return found


FUNCTIONS = parameters()


def machine(
    subject: Implementation, other: Implementation, last: Path, count: list[int]
) -> type[RuleBasedStateMachine]:
    """The sequences of calls of one binding. Each call adds one to ``count[0]``."""
    codec: Any = subject.codec

    def note(*what: object) -> None:
        count[0] += 1
        last.write_text(repr(what)[:2000], encoding="utf-8", errors="backslashreplace")

    class Surface(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.packing: tuple[Any, Any] | None = None
            self.packed = bytearray()
            self.put_in = bytearray()
            self.unpacking: tuple[Any, Any] | None = None
            self.counter: Any = None
            self.total: int | None = None

        @rule(name=st.sampled_from(sorted(FUNCTIONS)), data=st.data())
        def call(self, name: str, data: st.DataObject) -> None:
            strategies = FUNCTIONS[name]
            drawn = data.draw(st.lists(WRONG, max_size=5) if strategies is None else st.tuples(*strategies))
            if data.draw(st.integers(0, 30)) == 0:
                drawn = [*drawn, None]  # one too many
            note(name, drawn)
            told = outcome(getattr(subject.idioms, name), *drawn)
            expected = outcome(getattr(other.idioms, name), *drawn)
            returned = told.startswith("returned") or expected.startswith("returned")
            needed = NEEDS.get(name)
            if needed is not None and not {needed} <= subject.features & other.features:
                return  # one of the two declares that it has no such function
            if OPAQUE.match(told) or OPAQUE.match(expected):
                both = told.startswith("returned") and expected.startswith("returned")
                assert both, f"{name}{tuple(drawn)!r}: {told}, but {other.name}: {expected}"
            elif returned or len(drawn) == 1:  # which of several wrong arguments is told is not promised
                assert told == expected, f"{name}{tuple(drawn)!r}: {told}, but {other.name}: {expected}"

        @rule(level=st.integers(-2, 10), bits=st.sampled_from([15, -15, 31, 9, 0, 16]))
        def begin_packing(self, level: int, bits: int) -> None:
            note("compressobj", level, bits)
            told = outcome(codec.compressobj, level, 8, bits).split(" ")[0]
            expected = outcome(zlib.compressobj, level, 8, bits).split(" ")[0]
            assert (told == "returned") == (expected == "returned")
            if told == "returned":
                self.packing = (codec.compressobj(level, 8, bits), bits)
                self.packed.clear()
                self.put_in.clear()

        @precondition(lambda self: self.packing is not None)
        @rule(piece=st.binary(max_size=2000), flush=st.sampled_from([None, 0, 1, 2, 3]), copied=st.booleans())
        def pack(self, piece: bytes, flush: int | None, copied: bool) -> None:
            assert self.packing is not None
            note("compress", piece, flush, copied)
            packer, bits = self.packing
            packer = packer.copy() if copied else packer
            self.packed += packer.compress(piece) + (b"" if flush is None else packer.flush(flush))
            self.put_in += piece
            self.packing = (packer, bits)

        @precondition(lambda self: self.packing is not None)
        @rule()
        def end_packing(self) -> None:
            assert self.packing is not None
            packer, bits = self.packing
            note("flush", bits)
            self.packed += packer.flush()
            assert zlib.decompress(bytes(self.packed), bits) == bytes(self.put_in)
            assert outcome(packer.compress, b"more").startswith(("returned", "error"))
            self.packing = None

        @rule(bits=st.sampled_from([15, -15, 31, 47, 0, 99]))
        def begin_unpacking(self, bits: int) -> None:
            note("decompressobj", bits)
            expected = outcome(zlib.decompressobj, bits).split(" ")[0]
            assert outcome(codec.decompressobj, bits).split(" ")[0] == expected
            self.unpacking = (codec.decompressobj(bits), zlib.decompressobj(bits)) if expected == "returned" else None

        @precondition(lambda self: self.unpacking is not None)
        @rule(
            piece=st.one_of(st.binary(max_size=300), st.builds(zlib.compress, st.binary(max_size=3000))),
            longest=st.integers(-1, 100), copied=st.booleans(), ends=st.integers(0, 9),
        )  # fmt: skip
        def unpack(self, piece: bytes, longest: int, copied: bool, ends: int) -> None:
            assert self.unpacking is not None
            note("decompress", piece, longest, copied, ends)
            ours, theirs = self.unpacking
            if copied:
                told, expected = outcome(ours.copy).split(" ")[0], outcome(theirs.copy).split(" ")[0]
                assert told == expected
                if told == "returned":
                    ours, theirs = self.unpacking = (ours.copy(), theirs.copy())
            if ends == 0:
                told, expected = outcome(ours.flush), outcome(theirs.flush)
                if told == "error":  # by the contract corrupt data is an error; zlib's flush() returns what it has
                    self.unpacking = None
                    return
            else:
                told, expected = outcome(ours.decompress, piece, longest), outcome(theirs.decompress, piece, longest)
            assert told == expected
            for name in ("eof", "unused_data", "unconsumed_tail"):
                assert getattr(ours, name) == getattr(theirs, name), name

        @rule(start=INTEGERS, step=WRONG, closes=st.booleans(), forgets=st.integers(0, 4))
        def count_with_a_handle(self, start: int, step: object, closes: bool, forgets: int) -> None:
            note("Counter", start, step, closes, forgets)
            if self.counter is None:
                made = outcome(subject.idioms.Counter, start)
                assert made.startswith("returned") == (-(2**63) <= start < 2**63), made
                self.counter = subject.idioms.Counter(start) if made.startswith("returned") else None
                self.total = start
                return
            told = outcome(self.counter.add, step)
            if self.total is None:
                assert not told.startswith("returned"), "a closed counter counts"
            elif isinstance(step, int) and -(2**63) <= step < 2**63:
                self.total = signed(self.total + step, 64)
                assert told == f"returned {self.total}"
            else:
                assert not told.startswith("returned"), told
            if closes:
                self.counter.close()
                self.total = None
            if forgets == 0:
                self.counter = None  # freed by the interpreter, open or closed

    return Surface


def main() -> int:
    """Run the sequences for a time. The exit status is 0 whatever was found; it is a signal if the process died."""
    reader = argparse.ArgumentParser(prog="surface")
    reader.add_argument("name")
    reader.add_argument("--against", required=True)
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--last", type=Path, required=True, help="the file that has the last call")
    asked = reader.parse_args()
    (subject,) = discover([asked.name])[:1]
    (other,) = discover([asked.against])[:1]
    count, findings = [0], list[str]()
    surface = machine(subject, other, asked.last, count)
    until = time.monotonic() + asked.seconds
    while time.monotonic() < until and not findings:
        settings = hypothesis.settings(
            max_examples=SEQUENCES, stateful_step_count=STEPS, deadline=None, database=None, print_blob=False,
            suppress_health_check=list(hypothesis.HealthCheck),
        )  # fmt: skip
        try:
            run_state_machine_as_test(surface, settings=settings)
        except Exception as error:
            for each in error.exceptions if isinstance(error, ExceptionGroup) else [error]:
                findings.append("\n".join([f"{type(each).__name__}: {each}", *getattr(each, "__notes__", [])])[:4000])
    print(json.dumps({"executions": count[0], "findings": findings}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
