# SPDX-License-Identifier: Apache-2.0
"""A search for memory leaks in one binding: ``python -m cside_suite.conformance.leaks PACKAGE``.

Every call, including calls that fail, is repeated. Afterwards the number of memory blocks must be the same as before.
Leaks of native memory are found by the size of the process, for calls that would leak much. The program runs in a
process of its own, so that nothing else allocates memory meanwhile. It prints one JSON object: the leaks by name.
"""

import contextlib
import gc
import importlib
import json
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any

REPEAT = 120
"""How often a call is repeated."""

MANY = 60
"""How often a call is repeated where only the size of the process tells, which is slow: extensions on PyPy."""

TRIES = 15
"""After so many tries, in each of which the process grew too much, the calls leak. PyPy's heap needs some to settle."""

KEPT_NBYTES = 2**20
"""The growth of the process in :data:`MANY` calls that is no leak: 17 KiB a call, less than any state of zlib."""

GROWN_NBYTES = 8 * 2**20
"""The growth of the process in 300 calls that is no leak: one stream or text per call is at least 20 MiB."""

SLACK = REPEAT // 4
"""The growth in blocks that is no leak, since free lists and caches change. A leak is at least one block per call."""


def calls(idioms: Any, codec: Any, features: frozenset[str]) -> dict[str, Callable[[], object]]:
    """Return the calls of ``idioms`` and ``codec`` to repeat, by name."""
    data = b"some data, some data, " * 50
    packed = codec.compress(data)
    point, box, counter = idioms.Point(1, 2), idioms.Box(), idioms.Counter(1)
    closed = idioms.Counter(1)
    closed.close()

    def fail(*values: object) -> int:
        raise KeyError("from the callback")

    def stream() -> None:
        there, back = codec.compressobj(), codec.decompressobj()
        back.decompress(there.compress(data) + there.flush(codec.Z_SYNC_FLUSH), 10)
        back.flush()

    def in_parts() -> None:
        one = codec._ZlibDecompressor()
        one.decompress(packed + b"rest", 10)
        one.decompress(b"", 10)
        one.decompress(b"")

    def with_dictionary() -> None:
        there = codec.compressobj(zdict=data)
        back = codec.decompressobj(zdict=data)
        back.decompress(there.compress(data) + there.flush() + b"rest")

    result: dict[str, Callable[[], object]] = {
        "noop": lambda: idioms.noop(),
        "i64_add": lambda: idioms.i64_add(2**40, 2**41),
        "i64_add, overflow": lambda: idioms.i64_add(2**63, 1),
        "i8_add, type": lambda: idioms.i8_add("1", 1),
        "u64_add": lambda: idioms.u64_add(2**63, 2**62),
        "f32_add": lambda: idioms.f32_add(1.5, 2.5),
        "i16_add, u8_add, u16_add, i32_add, u32_add": lambda: (
            idioms.i16_add(2**14, 5),
            idioms.u8_add(200, 50),
            idioms.u16_add(2**15, 5),
            idioms.i32_add(2**30, 5),
            idioms.u32_add(2**31, 5),
        ),
        "f64_add": lambda: idioms.f64_add(1.25, 2.5),
        "f64_add, type": lambda: idioms.f64_add(1.5, "x"),
        "bool_not": lambda: idioms.bool_not([]),
        "mixed_sum": lambda: idioms.mixed_sum(1, 2**60, 3.5, True, 4, 5.5),
        "mixed_sum, type": lambda: idioms.mixed_sum(1, 2**60, 3.5, True, 4, "x"),
        "bytes_sum": lambda: idioms.bytes_sum(bytearray(100)),
        "bytes_sum, type": lambda: idioms.bytes_sum("text"),
        "bytes_sum, strided": lambda: idioms.bytes_sum(memoryview(data)[::2]),
        "buffer_fill": lambda: idioms.buffer_fill(bytearray(100), 1),
        "buffer_fill, value": lambda: idioms.buffer_fill(bytearray(100), 256),
        "buffer_fill, read-only": lambda: idioms.buffer_fill(bytes(100), 1),
        "blob_get": lambda: idioms.blob_get(5000),
        "blob_get, not found": lambda: idioms.blob_get(2**32 - 1),
        "runs_expand": lambda: idioms.runs_expand(b"\xffa" * 30),
        "runs_expand, odd": lambda: idioms.runs_expand(b"\xff"),
        "string_length": lambda: idioms.string_length("é" * 100),
        "string_length, NUL": lambda: idioms.string_length("é\0"),
        "string_length, surrogate": lambda: idioms.string_length("\ud800"),
        "string_borrow": lambda: idioms.string_borrow(1),
        "string_borrow, not UTF-8": lambda: idioms.string_borrow(2),
        "string_repeat": lambda: idioms.string_repeat("é" * 100, 10),
        "label_get": lambda: idioms.label_get(12345),
        "label_hash": lambda: idioms.label_hash("label é"),
        "label_hash, long": lambda: idioms.label_hash("x" * 33),
        "Point": lambda: idioms.Point(1.5, 2.5),
        "Point, type": lambda: idioms.Point(1.5, "x"),
        "Point.x": lambda: setattr(point, "x", point.y + 1.5),
        "Point.x, type": lambda: setattr(point, "x", "text"),
        "Point, compared": lambda: (point == idioms.Point(1, 2), point != "x", repr(point)),
        "Point, hash": lambda: hash(point),
        "point_add": lambda: idioms.point_add(point, point),
        "point_add, type": lambda: idioms.point_add(point, None),
        "Box": lambda: (idioms.box_fill(box, 2**31), idioms.box_area(box), idioms.box_unpack(idioms.Box())),
        "box_fill, type": lambda: idioms.box_fill(None, 1),
        "attrs_digest": lambda: idioms.attrs_digest([(1, b"a"), (2**31, bytearray(100))]),
        "attrs_digest, type": lambda: idioms.attrs_digest([(1, bytearray(100)), (2, "text")]),
        "attrs_digest, pairs": lambda: idioms.attrs_digest([(1, bytearray(100)), (2,)]),
        "attrs_get": lambda: idioms.attrs_get([1, 2000, 4000]),
        "attrs_get, not found": lambda: idioms.attrs_get([1, 5000]),
        "attrs_get, type": lambda: idioms.attrs_get([1, "x"]),
        "Counter": lambda: idioms.Counter(5).add(2**40),
        "Counter, type": lambda: idioms.Counter("x"),
        "Counter.close": lambda: idioms.Counter(5).close(),
        "Counter.add": lambda: counter.add(2**40),
        "Counter.add, closed": lambda: closed.add(1),
        "ops": lambda: (idioms.ops_add(2**30, 2**30), idioms.ops_multiply(2**20, 5)),
        "status_raise": lambda: idioms.status_raise(-106),
        "status_raise, memory": lambda: idioms.status_raise(-4),
        "status_raise, value": lambda: idioms.status_raise(-100),
        "errno_raise": lambda: idioms.errno_raise(2),
        "color_next": lambda: idioms.color_next(1),
        "color_next, not one": lambda: idioms.color_next(7),
        "flags_toggle": lambda: idioms.flags_toggle(1, 2),
        "variant_double": lambda: (idioms.variant_double(2**40), idioms.variant_double(1.5)),
        "variant_double, bytes": lambda: idioms.variant_double(b"12345678"),
        "variant_double, type": lambda: idioms.variant_double("text"),
        "bits": lambda: idioms.bits_unpack(idioms.bits_pack(1, 2, -3, 1)),
        "bits, overflow": lambda: idioms.bits_pack(1, 2, -9, 1),
        "varargs_sum": lambda: idioms.varargs_sum(2**40, 2**41, 3),
        "varargs_sum, type": lambda: idioms.varargs_sum(2**40, "x"),
        "macro_clamp, inline_rotl": lambda: (idioms.macro_clamp(2**20, 0, 2**19), idioms.inline_rotl(2**20, 5)),
        "spin": lambda: (idioms.spin_held(2**20), idioms.spin_released(2**20)),
        "state": lambda: (idioms.state_init(2**40), idioms.state_next(), idioms.state_fini()),
        "state_next, not begun": lambda: idioms.state_next(),
        "tls": lambda: (idioms.tls_set(2**40), idioms.tls_get()),
        "trace": lambda: (idioms.trace_enable(True), idioms.trace_enabled(), idioms.trace_enable(False)),
        "trace_count": lambda: (idioms.trace_count(), idioms.trace_reset()),
        "const_text": lambda: idioms.const_text("CS_CONST_INT"),
        "config_read": lambda: idioms.config_read(1, 2.5, 2**31, idioms.CONFIG_NBYTES),
        "config_read, version": lambda: idioms.config_read(1, 2.5, 3, 1),
        "trace_read": lambda: (idioms.trace_read(0), idioms.trace_name(0)),
        "trace_read, past the end": lambda: idioms.trace_read(10**6),
        "crc32": lambda: codec.crc32(data, 2**31),
        "adler32": lambda: codec.adler32(data, 2**31),
        "combine": lambda: (codec.crc32_combine(2**31, 5, 2**40), codec.adler32_combine(2**31, 5, 2**40)),
        "crc32, type": lambda: codec.crc32("text"),
        "compress": lambda: codec.compress(data),
        "compress, level": lambda: codec.compress(data, 99),
        "compress, wrong level": lambda: codec.compress(bytearray(data), "x"),
        "decompress": lambda: codec.decompress(packed, bufsize=10),
        "decompress, corrupt": lambda: codec.decompress(b"bad"),
        "decompress, truncated": lambda: codec.decompress(packed[:-5], bufsize=10),
        "compressobj": lambda: codec.compressobj(),
        "compressobj, bad": lambda: codec.compressobj(99),
        "compressobj, zdict": lambda: codec.compressobj(wbits=31, zdict=data),
        "decompressobj": lambda: codec.decompressobj(-15, zdict=data),
        "decompressobj, bad": lambda: codec.decompressobj(99, zdict=bytearray(data)),
        "_ZlibDecompressor": lambda: codec._ZlibDecompressor(),
        "_ZlibDecompressor, bad": lambda: codec._ZlibDecompressor(99, zdict=bytearray(data)),
        "_ZlibDecompressor, in parts": in_parts,
        "_ZlibDecompressor, corrupt": lambda: codec._ZlibDecompressor().decompress(b"bad"),
        "_ZlibDecompressor, wrong type": lambda: codec._ZlibDecompressor().decompress("text"),
        "stream": stream,
        "stream with a dictionary": with_dictionary,
        "stream, corrupt": lambda: codec.decompressobj().decompress(b"bad"),
        "stream, wrong type": lambda: codec.decompressobj().decompress("text"),
        "copy": lambda: (codec.compressobj().copy(), codec.decompressobj(zdict=data).copy()),
    }
    if "callbacks" in features:
        result |= {
            "each_call": lambda: idioms.each_call(3, lambda value: value + 1000),
            "each_call, raising": lambda: idioms.each_call(3, fail),
            "each_call, type": lambda: idioms.each_call(3, lambda value: "x"),
            "each_call, overflow": lambda: idioms.each_call(3, lambda value: 2**40),
            "each_call, not callable": lambda: idioms.each_call(3, object()),
            "Counter.each": lambda: counter.each(2, lambda value: 5),
            "Counter.each, raising": lambda: counter.each(2, fail),
            "compress_progress": lambda: codec.compress_progress(data, lambda a, b: None),
            "compress_progress, raising": lambda: codec.compress_progress(data, fail),
            "compress_progress, stopped": lambda: codec.compress_progress(data, lambda a, b: False),
        }
    if "callbacks-from-foreign-threads" in features:
        result |= {
            "thread_call": lambda: idioms.thread_call(3, lambda value: value + 1000),
            "thread_call, raising": lambda: idioms.thread_call(3, fail),
        }
    return result


def faults(codec: Any) -> Callable[[], None]:
    """Return a call that uses streams while the library's allocations fail, each one in turn."""
    data = b"some data, some data, " * 5000

    def run() -> None:
        for allocations in range(12):
            codec.fail_after(allocations)
            with contextlib.suppress(Exception):
                there, back = codec.compressobj(zdict=data[:100]), codec.decompressobj(zdict=data[:100])
                back.copy().decompress(there.copy().compress(data) + there.flush(), 1000)
            codec.fail_after(-1)

    return run


def pkcs11_calls(pkcs11: Any, features: frozenset[str]) -> dict[str, Callable[[], object]]:
    """Return the calls of ``pkcs11`` to repeat, by name, on the probe, which answers and fails as the test orders."""
    from cside_suite.conformance import _probe

    module = pkcs11.load(_probe.__file__)
    label, data = "étiquette" * 20, bytearray(b"data" * 50)
    template = [(3, label), (1, True), (2, 2**40), (4, data), (5, [2**40, 2**41]), (0x40000211, [(3, label)])]
    gcm = pkcs11.CK_GCM_PARAMS(data, 96, bytearray(b"aad" * 30), 128)
    message = pkcs11.CK_GCM_MESSAGE_PARAMS(bytearray(12), 96, 0, bytearray(16), 128)

    def told(call: Callable[..., object], *arguments: object, **orders: Any) -> Callable[[], object]:
        def run() -> object:
            _probe.script(**orders)
            return call(*arguments)

        return run

    def fail(*values: object) -> int:
        raise KeyError("from the callback")

    result: dict[str, Callable[[], object]] = {
        "load": lambda: pkcs11.load(_probe.__file__),
        "load, no file": lambda: pkcs11.load("/nowhere/at/all.so"),
        "load, type": lambda: pkcs11.load(5),
        "C_GetInfo": told(module.C_GetInfo),
        "C_GetTokenInfo": told(module.C_GetTokenInfo, 2**40),
        "C_GetTokenInfo, failing": told(module.C_GetTokenInfo, 2**40, rv=5),
        "C_GetSlotList, long": told(module.C_GetSlotList, True, length=3000),
        "C_GetSlotList, lying": told(module.C_GetSlotList, True, lie=5000),
        "C_GetInterfaceList": told(module.C_GetInterfaceList),
        "C_GetInterface": told(module.C_GetInterface, "PKCS 11", (3, 2), 0),
        "C_InitToken": told(module.C_InitToken, 1, label, "label"),
        "C_InitToken, long": told(module.C_InitToken, 1, data, "x" * 33),
        "C_Login": told(module.C_Login, 1, 1, label),
        "C_Login, failing": told(module.C_Login, 1, 1, data, rv=0xA0),
        "C_Login, type": told(module.C_Login, 1, 1, 5),
        "C_CreateObject": told(module.C_CreateObject, 1, template),
        "C_CreateObject, failing": told(module.C_CreateObject, 1, template, rv=5),
        "C_CreateObject, type": told(module.C_CreateObject, 1, [*template, (6, object())]),
        "C_CreateObject, pair": told(module.C_CreateObject, 1, [*template, (6,)]),
        "C_CreateObject, inner": told(module.C_CreateObject, 1, [(1, [(3, label), (4, object())])]),
        "C_FindObjects": told(module.C_FindObjects, 1, 50, length=50),
        "C_FindObjects, lying": told(module.C_FindObjects, 1, 50, lie=50),
        "C_GetAttributeValue": told(module.C_GetAttributeValue, 1, 1, [1, (2, 10), 3]),
        "C_GetAttributeValue, long": told(module.C_GetAttributeValue, 1, 1, [0, 1], attributes=(5000, 300)),
        "C_GetAttributeValue, secret": told(module.C_GetAttributeValue, 1, 1, [0, 1, 2], attributes=(3, None, 5000)),
        "C_GetAttributeValue, lying": told(module.C_GetAttributeValue, 1, 1, [0, 1], lie=1000),
        "C_GetAttributeValue, type": told(module.C_GetAttributeValue, 1, 1, [0, "x"]),
        "C_EncryptInit": told(module.C_EncryptInit, 1, (0x1087, gcm), 1),
        "C_EncryptInit, failing": told(module.C_EncryptInit, 1, (0x1087, gcm), 1, rv=5),
        "C_EncryptInit, type": told(module.C_EncryptInit, 1, (0x1087, gcm._replace(ulTagBits="x")), 1),
        "C_Encrypt": told(module.C_Encrypt, 1, data, length=100),
        "C_Encrypt, long": told(module.C_Encrypt, 1, data, length=10_000),
        "C_Encrypt, lying": told(module.C_Encrypt, 1, data, lie=10_000),
        "C_Encrypt, failing": told(module.C_Encrypt, 1, data, rv=5),
        "C_Encrypt, never content": told(module.C_Encrypt, 1, data, length=10_000, shortages=9),
        "C_Encrypt, type": told(module.C_Encrypt, 1, "text"),
        "C_EncryptMessage": told(module.C_EncryptMessage, 1, message, data, data),
        "C_EncryptMessage, tag": told(module.C_EncryptMessage, 1, message._replace(pTag=bytearray(1)), data, data),
        "C_GenerateRandom": told(module.C_GenerateRandom, 1, 1000),
        "C_GenerateRandom, failing": told(module.C_GenerateRandom, 1, 1000, rv=5),
        "C_EncapsulateKey": told(module.C_EncapsulateKey, 1, 5, 1, template, length=1000),
        "C_AsyncComplete": told(module.C_AsyncComplete, 1, "C_Sign"),
        "C_AsyncJoin": told(module.C_AsyncJoin, 1, "C_Sign", 1, 1000),
    }
    if "callbacks" in features:
        locks = pkcs11.CK_C_INITIALIZE_ARGS(lambda: [label], lambda m: None, lambda m: None, lambda m: None, 2, data)
        broken = locks._replace(LockMutex=fail)

        def opened(notify: Callable[..., object], **orders: Any) -> Callable[[], object]:
            def run() -> None:
                _probe.script(**orders)
                try:
                    module.C_OpenSession(1, 4, notify)
                finally:
                    module.C_CloseSession(77)

            return run

        def initialised(args: object, **orders: Any) -> Callable[[], object]:
            def run() -> None:
                _probe.script(**orders)
                try:
                    module.C_Initialize(args)
                finally:
                    _probe.script()
                    module.C_Finalize()

            return run

        result |= {
            "C_OpenSession": opened(lambda session, event: None),
            "C_OpenSession, keeping": opened(lambda session, event: None, keep=True),
            "C_OpenSession, raising": opened(fail),
            "C_Initialize": initialised(locks),
            "C_Initialize, raising": initialised(broken),
            "C_Initialize, failing": initialised(locks, rv=5),
            "C_Initialize, type": initialised(5),
        }
    return result


def attempt(call: Callable[[], object]) -> None:
    """Call; most exceptions are what the call is for, but a name that does not exist is a fault of the list."""
    try:
        call()
    except (AttributeError, NameError):
        raise
    except Exception:  # which exception it has to be is what other tests check
        pass


def grows(call: Callable[[], object]) -> int:
    """Return the blocks of memory that :data:`REPEAT` calls leave behind, the smaller number of two tries."""

    def repeat(times: int) -> int:
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(times):
            attempt(call)
        gc.collect()
        return sys.getallocatedblocks() - before

    repeat(20)  # fills caches
    return min(repeat(REPEAT) for _ in range(2))


def resident_nbytes() -> int:
    """Return the resident memory of this process; 0 if the system has no /proc."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def native_growth(calls: Collection[Callable[[], object]], times: int, allowed: int) -> int:
    """Return the bytes by which the process grows in ``times`` rounds of calls, the smallest of some tries.

    A leak grows each time. What a collector keeps for later, or has not finalised yet, does not. So there is no further
    try after one in which the process grew by no more than ``allowed`` bytes.
    """
    grown: list[int] = []
    while len(grown) < TRIES and (not grown or grown[-1] > allowed):
        before = resident_nbytes()
        for call in calls:
            for _ in range(times):
                attempt(call)
        gc.collect()
        gc.collect()  # PyPy frees some objects after their finalisers have run
        grown.append(resident_nbytes() - before)
    return min(grown)


def kept_together(everything: Mapping[str, Callable[[], object]]) -> dict[str, str]:
    """Return the calls by which the process grows, for an interpreter that does not count its blocks of memory."""
    if native_growth(everything.values(), MANY, KEPT_NBYTES) <= KEPT_NBYTES:
        return {}
    grown = {name: native_growth([call], MANY, KEPT_NBYTES) for name, call in everything.items()}
    return {name: f"{nbytes} bytes in {MANY} calls" for name, nbytes in grown.items() if nbytes > KEPT_NBYTES}


def main() -> int:
    """Test the package that the command line names."""
    package = importlib.import_module(sys.argv[1])
    idioms = importlib.import_module(f"{package.__name__}.idioms")
    codec = importlib.import_module(f"{package.__name__}.codec")
    everything = calls(idioms, codec, package.features)
    if "pkcs11" in package.features:
        everything |= pkcs11_calls(importlib.import_module(f"{package.__name__}.pkcs11"), package.features)
    leaks: dict[str, str] = {}
    if sys.implementation.name != "cpython":
        leaks |= kept_together(everything)
    else:
        for name, call in {**everything, "memory faults": faults(codec)}.items():
            blocks = grows(call)
            if blocks > SLACK:
                leaks[name] = f"{blocks} blocks in {REPEAT} calls"
    large: dict[str, Callable[[], object]] = {
        "string_repeat": lambda: idioms.string_repeat("x" * 1000, 100),
        "string_repeat, native memory": lambda: idioms.string_repeat("é" * 5000, 10),
        "streams": lambda: (codec.compressobj(), codec.decompressobj().decompress(codec.compress(b"x" * 100), 1)),
        "copies": lambda: codec.compressobj().copy().copy(),
        "memory faults": faults(codec),
    }
    for name, call in large.items():
        grown = native_growth([call], 40 if name == "memory faults" else 300, GROWN_NBYTES)
        if grown > GROWN_NBYTES:
            leaks[f"{name} (process)"] = f"{grown / 2**20:.0f} MiB"
    print(json.dumps(leaks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
