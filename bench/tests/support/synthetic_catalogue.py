# SPDX-License-Identifier: Apache-2.0
"""What synthetic runs are about: interpreters, subjects and workloads, named as real runs name them."""

from collections.abc import Iterator
from typing import Final

WHOLE: Final = ("cext", "cffi", "cffi.abi", "ctypes", "cython", "swig")
PARTIAL: Final = ("cext.abi3", "ctypes.bare", "cython.limited")
OTHERS: Final = ("floor.direct", "floor.ffi", "stdlib", "PyKCS11", "twin", "relinked")
LABELS: Final = (
    "cpython-3.11",
    "cpython-3.12",
    "cpython-3.13",
    "cpython-3.13t",
    "cpython-3.14",
    "cpython-3.14t",
    "cpython-3.15",
    "cpython-3.15t",
    "graalpy-3.12",
    "pypy-3.10",
    "pypy-3.11",
    "pypy-3.12",
)
SIZES: Final = (0, 16, 48, 64, 128, 256, 512, 1024, 2048, 4096, 5104, 5120, 8192, 16384, 65536, 262144, 1048576)
_MODULES: Final = ("softhsm2", "token")
_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "codec.adler32": ("0", "16", "256", "4096", "65536", "1048576"),
    "codec.compress": tuple(f"{size}-{level}" for size in (0, 16, 256, 4096, 65536, 1048576) for level in (1, 6, 9)),
    "codec.decompress": tuple(f"{size}-{level}" for size in (0, 16, 256, 4096, 65536, 1048576) for level in (1, 6, 9)),
    "codec.compress_corpus": ("machine-65536", "random-65536"),
    "codec.decompress_corpus": ("machine-65536", "random-65536"),
    "codec.crc32": tuple(map(str, SIZES)),
    "codec.dictionary_compress": ("with", "without"),
    "codec.dictionary_decompress": ("with", "without"),
    "codec.stream_compress": ("64", "1024", "16384", "65536"),
    "codec.stream_decompress": ("64", "1024", "16384", "65536"),
    "idioms.add": ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"),
    "idioms.add_real": ("f32", "f64"),
    "idioms.attrs_digest": ("1", "12"),
    "idioms.attrs_get": ("1", "12"),
    "idioms.blob_get": ("16", "4096"),
    "idioms.bytes_sum": ("bytearray", "bytes", "memoryview"),
    "idioms.each_call": ("1", "100"),
    "idioms.errno_raise": ("0", "2"),
    "idioms.runs_expand": ("200", "4000"),
    "idioms.spin_held": ("1", "100000"),
    "idioms.spin_released": ("1", "100000"),
    "idioms.status_raise": ("0", "-102"),
    "idioms.varargs_sum": ("1", "8"),
    "idioms.variant_double": ("bytes", "float", "int"),
}
_PLAIN: Final = (
    "codec.adler32_combine codec.crc32_combine codec.compress_progress codec.small_streams codec.stream_copy "
    "idioms.noop idioms.bits_pack idioms.bits_unpack idioms.bool_not idioms.box_area idioms.box_fill idioms.box_unpack "
    "idioms.buffer_fill idioms.color_next idioms.config_read idioms.constant idioms.counter_add idioms.counter_life "
    "idioms.each_raise idioms.flags_toggle idioms.inline_rotl idioms.label_get idioms.label_hash idioms.macro_clamp "
    "idioms.mixed_sum idioms.ops_add idioms.point_add idioms.point_get idioms.point_new idioms.state_cycle "
    "idioms.string_borrow idioms.string_length idioms.string_repeat idioms.thread_call idioms.tls_get idioms.trace_read"
)
_PKCS11: Final = (
    "aes_gcm[64 aes_gcm[4096 attributes[1-known attributes[1-unknown attributes[3-known attributes[3-unknown "
    "attributes[12-known attributes[12-unknown digest[64 digest[4096 digest[1048576 digest_parts[64 digest_parts[4096 "
    "ecdsa_sign[ find[10 find[1000 generate_key[ get_info[ hmac_sign[ hmac_verify[ random[16 random[65536 session[ "
    "slot_list[ token_info["
)
FACTOR: Final = {
    "cffi": 5.0,
    "cffi.abi": 9.0,
    "ctypes": 11.0,
    "cython": 1.05,
    "swig": 1.4,
    "cext.abi3": 1.15,
    "ctypes.bare": 8.0,
    "cython.limited": 1.2,
    "floor.direct": 0.3,
    "floor.ffi": 0.8,
    "stdlib": 1.0,
    "PyKCS11": 30.0,
}
"""What calling costs, relative to the reference; on a tracing compiler the third root of its inverse."""


def _workloads() -> Iterator[str]:
    for name, values in _PARAMETERS.items():
        yield from (f"{name}[{value}]" for value in values)
    yield from _PLAIN.split()
    for name in _PKCS11.split():
        stem, _, value = name.partition("[")
        yield from (f"pkcs11.{stem}[{value}-{where}]" if value else f"pkcs11.{stem}[{where}]" for where in _MODULES)


WORKLOADS: Final = tuple(_workloads())
"""All that the real suite has, and a few more."""
FEW: Final = tuple(
    name
    for name in WORKLOADS
    if name.startswith(("codec.crc32[", "idioms.add[", "idioms.each_", "idioms.noop", "idioms.spin_"))
    or name in {"codec.compress[65536-6]", "pkcs11.digest[64-token]", "pkcs11.find[1000-token]"}
)
