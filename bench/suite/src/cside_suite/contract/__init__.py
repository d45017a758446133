"""The contract: what every binding promises, one ``typing.Protocol`` per noun.

A binding is a package that an entry point of the group ``cside.bindings`` names. Its package object has

``features``
    ``frozenset[str]`` of names from :data:`FEATURES` that it offers;
``gaps``
    ``Mapping[str, str]`` from every other name of :data:`FEATURES` to the reason, one sentence of the technique's own
    limits. Nothing is left out of both: a gap is declared, never silent;

and its modules ``<package>.idioms``, ``<package>.codec`` and ``<package>.pkcs11`` are held to :class:`Idioms`,
:class:`Codec` and :class:`Pkcs11`.
A *variant* is a package of the same shape whose name has a dot: a binding once more, with one knob of its technique
turned. A whole variant is an entry point of the same group; a *partial* one is of the group ``cside.variants``, offers
the functions of :data:`KNOBS` and nothing else, under the same contract, and says so by ``partial = True``. Where an
interpreter cannot have it, ``unavailable`` is the reason, one sentence, and its modules cannot be imported.

No binding imports this package: ``mypy`` assigns each module to its protocol, the conformance suite checks behaviour.

Conversions, for all functions alike
------------------------------------
- Integers: anything with ``__index__``; else `TypeError`. What does not fit the C type is `OverflowError`. For these
  two the message is the technique's own; all other messages are part of the contract where a docstring gives one.
- Floats: anything that ``float()`` takes other than text; else `TypeError`. Beyond a C ``float`` it becomes infinite.
- Booleans: the truth value of any object.
- Buffers: any object with the buffer protocol, C-contiguous, of any format and shape, read as bytes; `TypeError`
  without one, `BufferError` if not contiguous, or read-only where it is written. Not copied on the way in, and locked
  against resizing while in use, where the interpreter does that.
- Text: ``str``, as UTF-8; else `TypeError`. An embedded NUL is `ValueError`, a lone surrogate `UnicodeEncodeError`.
- Text that the library returns is decoded as strict UTF-8; `UnicodeDecodeError` otherwise.
- Callbacks: not callable is `TypeError`. An exception raised in one comes out of the call that runs it, the same
  object.
- A wrong number of arguments is `TypeError`. Arguments of ``idioms`` are positional only.

Statuses become exceptions: ``CS_E_MEMORY`` `MemoryError`; ``CS_E_ARGUMENT`` and ``CS_E_CLOSED`` `ValueError`;
``CS_E_NOT_FOUND`` `LookupError`; any other :class:`StatusError`; each with ``cs_status_message()`` as its text
(`MemoryError` without). Methods of ``codec`` follow ``zlib`` instead, those of ``pkcs11`` the standard's return values.

The GIL
-------
Functions in :data:`LONG` release the GIL during the native call, always; all others, which are short, hold it where
the technique allows a choice (feature ``gil-held``). Checksums are long from 5,120 bytes on, short below.
"""

from typing import Final

from cside_suite.contract._pkcs11_functions import FUNCTIONS
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms, StatusError
from cside_suite.contract.pkcs11 import Pkcs11

__all__ = ["FEATURES", "GROUP", "KNOBS", "LONG", "VARIANTS", "Codec", "Idioms", "Pkcs11", "StatusError"]

GROUP: Final = "cside.bindings"
"""Entry-point group. A name without a dot is a binding; ``<binding>.<variant>`` a variant of one."""

VARIANTS: Final = "cside.variants"
"""Entry-point group of partial variants."""

KNOBS: Final = {
    "idioms": frozenset(
        {
            "Box",
            "box_area",
            "box_fill",
            "box_unpack",
            "buffer_fill",
            "bytes_sum",
            "each_call",
            "f64_add",
            "i32_add",
            "label_get",
            "mixed_sum",
            "noop",
            "string_length",
        }
    ),
    "codec": frozenset({"crc32"}),
}
"""What a partial variant offers, by noun: one function for each kind of work that the knobs of a technique change."""

FEATURES: Final = {
    "bit-fields": "bit-fields are read and written by the compiler's own rules",
    "callbacks": "Python callables can be called from C",
    "callbacks-from-foreign-threads": "a thread that Python has never seen may call back",
    "constants-from-header": "constants come from the header through a compiler, not from a hand-made copy",
    "free-threading": "runs with the GIL disabled and does not switch it back on",
    "gil-held": "short calls hold the GIL, so that they need not give it up and take it again",
    "gil-released": "long calls release the GIL",
    "macros-and-inlines": "function-like macros and static-inline functions are called, not rewritten in Python",
    "struct-by-value": "structs are passed and returned by value",
    "subinterpreters": "can be imported in a subinterpreter with a GIL of its own",
    "varargs": "variadic C functions are called as such",
    "zero-copy-in": "no buffer argument of any kind is copied on its way in",
    "zero-copy-out": "bytes results are written by the library straight into the object returned",
}
"""What a binding may be able to do, and what that means; tests skip on these names, never on a binding's."""

LONG: Final = frozenset(
    {
        "idioms.spin_released",
        "idioms.thread_call",
        "codec.adler32",
        "codec.compress",
        "codec.compress_progress",
        "codec.crc32",
        "codec.decompress",
        "codec.Compress.compress",
        "codec.Compress.flush",
        "codec.Decompress.decompress",
        "codec.Decompress.flush",
        *(f"pkcs11.{name}" for name in FUNCTIONS),
    }
)
"""Functions that release the GIL. The two checksums do so from 5,120 bytes on."""
