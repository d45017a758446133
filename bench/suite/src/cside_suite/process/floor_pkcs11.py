# SPDX-License-Identifier: Apache-2.0
"""The native floor of PKCS #11: workloads as loops in C, timed in ``libcside_floor`` (``native/floor/floor.h``)."""

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import cside_native

from cside_suite.process.chunks import Chunk
from cside_suite.process.native_trace import NativeTrace
from cside_suite.subjects.pkcs11_modules import locate
from cside_suite.workloads.pkcs11_programs import PART_NBYTES, stages

OPERATIONS: Final = {
    "get_info": "get_info",
    "slot_list": "slot_list",
    "token_info": "token_info",
    "session": "open_close",
    "random": "random",
    "digest": "digest",
    "digest_parts": "digest_parts",
    "hmac_sign": "sign",
    "hmac_verify": "verify",
    "aes_gcm": "seal",
    "ecdsa_sign": "sign_ec",
    "find": "find",
    "attributes": "attributes",
    "generate_key": "generate_key",
}
"""The floor's operation for each workload, named without noun and parameters."""

WAYS: Final = {"direct": 0, "shim": 1}
"""Ways to call the module: by its own function list, or by that of ``libcside`` in front of it."""


class _Job(ctypes.Structure):
    _fields_ = [
        ("path", ctypes.c_char_p),
        ("slot", ctypes.c_uint64),
        ("session", ctypes.c_uint64),
        ("key", ctypes.c_uint64),
        ("data", ctypes.c_char_p),
        ("data_nbytes", ctypes.c_uint64),
        ("part_nbytes", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
    ]


class Pkcs11Floor:
    """The PKCS #11 floors of the loaded library."""

    def __init__(self, trace: NativeTrace) -> None:
        lib = ctypes.CDLL(str(cside_native.floor_library()))
        lib.csf_pkcs11_count.restype = ctypes.c_size_t
        lib.csf_pkcs11_name.argtypes = [ctypes.c_size_t]
        lib.csf_pkcs11_name.restype = ctypes.c_char_p
        lib.csf_pkcs11_run.argtypes = [
            ctypes.c_size_t,
            ctypes.c_int32,
            ctypes.c_uint64,
            ctypes.POINTER(_Job),
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_double),
        ]
        lib.csf_pkcs11_run.restype = ctypes.c_int64
        self._lib = lib
        self._trace = trace
        self._indices = {lib.csf_pkcs11_name(index).decode(): index for index in range(lib.csf_pkcs11_count())}

    def chunks(self, workload: str, data: bytes) -> Iterator[tuple[str, Chunk]]:
        """Yield (way, chunk) for each way in which C can do the work of a workload, on ``data``."""
        found = self._prepared(workload, data)
        if found is not None:
            for way, through_shim in WAYS.items():
                yield way, self._chunk(*found, through_shim)

    def calls(self, workload: str, data: bytes) -> dict[str, int] | None:
        """Return the native calls of one run in C, by function; None for a workload that has no floor."""
        found = self._prepared(workload, data)
        if found is None:
            return None
        run = self._chunk(*found, WAYS["shim"])
        with self._trace.counting() as one:
            run(1)
        with self._trace.counting() as two:  # what is done once, before the loop, cancels out
            run(2)
        return {name: two[name][0] - one[name][0] for name in two if two[name][0] > one[name][0]}

    def _prepared(self, workload: str, data: bytes) -> tuple[int, _Job] | None:
        noun, _, rest = workload.partition(".")
        name, _, parameters = rest.rstrip("]").partition("[")
        if noun != "pkcs11" or name not in OPERATIONS:
            return None
        *words, module = parameters.split("-")
        path = locate(module)
        stage = stages[path]
        job = _Job(
            path=str(path).encode(),
            slot=stage.station.slot,
            session=stage.station.session,
            key={"hmac_sign": stage.hmac, "hmac_verify": stage.hmac, "ecdsa_sign": stage.private}.get(name, stage.aes),
            data=data,
            data_nbytes=int(words[0]) if name == "random" else len(data),
            part_nbytes=PART_NBYTES,
            count=int(words[0]) if name == "attributes" else 0,
        )
        operation = OPERATIONS[name]
        if name == "attributes":
            operation += f"_{words[1]}"
        return self._indices[operation], job

    def _chunk(self, index: int, job: _Job, through_shim: int) -> Chunk:
        calls, empty = ctypes.c_double(), ctypes.c_double()
        run = self._lib.csf_pkcs11_run

        def chunk(loops: int) -> tuple[int, int]:
            result = run(index, through_shim, loops, ctypes.byref(job), calls, empty)
            if result != 0:
                raise RuntimeError(f"PKCS #11 floor {index} failed with {result:#x}")
            return round(calls.value), round(empty.value)

        return chunk


def input_of(arguments: tuple[Any, ...]) -> bytes:
    """Return the input of a program: its first byte string, list of byte strings, or label; empty if it has none."""
    for argument in arguments:
        if isinstance(argument, str):
            return argument.encode()
        if isinstance(argument, bytes):
            return argument
        if isinstance(argument, list) and all(isinstance(part, bytes) for part in argument):
            return b"".join(argument)
    return b""
