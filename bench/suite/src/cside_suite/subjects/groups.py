# SPDX-License-Identifier: Apache-2.0
"""The functions of the contract by group. The name of a group is the stem of the files that contain its functions.

The stem is the same in ``native/src``, in every binding and variant (private Python modules put ``_`` before it) and in
the conformance suite (``test_idioms_text.py``). All ``C_`` functions of PKCS #11 are one group.
"""

from typing import Final

from cside_suite.contract import NOUNS
from cside_suite.contract._pkcs11_functions import FUNCTIONS

__all__ = ["C_NAMES", "FUNCTIONS_STEM", "GROUPS", "NOUNS", "c_names", "stem_of"]

FUNCTIONS_STEM: Final = "pkcs11_functions"
"""The group of the ``C_`` functions of PKCS #11."""

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "idioms_scalars": (
        "noop",
        "i8_add",
        "u8_add",
        "i16_add",
        "u16_add",
        "i32_add",
        "u32_add",
        "i64_add",
        "u64_add",
        "f32_add",
        "f64_add",
        "bool_not",
        "mixed_sum",
        "varargs_sum",
    ),
    "idioms_buffers": ("bytes_sum", "buffer_fill", "blob_get", "runs_expand"),
    "idioms_text": ("string_length", "string_borrow", "string_repeat", "label_get", "label_hash"),
    "idioms_structs": ("Point", "Box", "point_add", "box_fill", "box_area", "box_unpack", "config_read"),
    "idioms_arrays": ("attrs_digest", "attrs_get"),
    "idioms_callbacks": ("each_call", "thread_call", "ops_add", "ops_multiply"),
    "idioms_handles": ("Counter",),
    "idioms_errors": ("StatusError", "status_raise", "errno_raise"),
    "idioms_values": (
        "color_next",
        "flags_toggle",
        "variant_double",
        "bits_pack",
        "bits_unpack",
        "const_text",
        "macro_clamp",
        "inline_rotl",
    ),
    "idioms_threads": (
        "spin_held",
        "spin_released",
        "state_init",
        "state_next",
        "state_fini",
        "tls_set",
        "tls_get",
    ),
    "idioms_trace": ("trace_enable", "trace_enabled", "trace_reset", "trace_count", "trace_name", "trace_read"),
    "codec_checksums": ("adler32", "crc32", "adler32_combine", "crc32_combine"),
    "codec_oneshot": ("compress", "decompress", "compress_progress", "fail_after"),
    "codec_compress": ("compressobj",),
    "codec_decompress": ("decompressobj",),
    "pkcs11_module": ("load",),
    FUNCTIONS_STEM: tuple(FUNCTIONS),
}
"""Functions and classes of the contract by stem, in the order of the contract."""

C_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "Point": ("cs_point",),
    "Box": ("cs_box",),
    "box_unpack": ("cs_box",),
    "Counter": ("cs_counter_open", "cs_counter_add", "cs_counter_each", "cs_counter_close"),
    "ops_add": ("cs_ops_get",),
    "ops_multiply": ("cs_ops_get",),
    "StatusError": ("cs_status_message",),
    "status_raise": ("cs_status_return",),
    "errno_raise": ("cs_errno_fail",),
    "macro_clamp": ("CS_MACRO_CLAMP",),
    "spin_held": ("cs_spin",),
    "spin_released": ("cs_spin",),
    "decompress": ("cs_inflate_init", "cs_inflate", "cs_inflate_end"),
    "compress_progress": ("cs_deflate_init", "cs_deflate", "cs_deflate_end"),
    "compressobj": ("cs_deflate_init", "cs_deflate", "cs_deflate_copy", "cs_deflate_end"),
    "decompressobj": ("cs_inflate_init", "cs_inflate", "cs_inflate_copy", "cs_inflate_end"),
    "fail_after": ("cs_codec_fail_after",),
    "load": ("cs_pkcs11_open",),
}
"""The C names behind a function, if they are not its own name with ``cs_`` before it (or the standard's name)."""


def stem_of(name: str) -> str:
    """Return the group of a function or class of the contract. Raises `KeyError` for an unknown name."""
    for stem, names in GROUPS.items():
        if name in names:
            return stem
    raise KeyError(name)


def c_names(name: str) -> tuple[str, ...]:
    """Return the names of the C functions, types or macros behind a function of the contract."""
    if name in C_NAMES:
        return C_NAMES[name]
    return (name,) if name in FUNCTIONS else (f"cs_{name}",)
