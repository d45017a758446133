"""The contract: what every binding promises, one ``typing.Protocol`` for each noun.

A binding is a package that an entry point of the group ``cside.bindings`` names. The package has two attributes:

``features``
    a ``frozenset[str]`` of the names in :data:`FEATURES` that the binding offers;
``gaps``
    a ``Mapping[str, str]`` from every other name in :data:`FEATURES` to the reason, one sentence about the limits of
    the technique. Every feature is in one of the two, so that a missing one is always declared.

Its modules ``<package>.idioms``, ``<package>.codec`` and ``<package>.pkcs11``, one for each of :data:`NOUNS`, implement
:class:`Idioms`, :class:`Codec` and :class:`Pkcs11`. A noun whose name is also that of a feature may be left out as a
whole: a binding that names ``pkcs11`` in its ``gaps`` has no module ``<package>.pkcs11``, and one that names it in its
``features`` has all of it. No binding has a part of a noun.

A *variant* is a package of the same shape whose name has a dot: the same binding with one setting of its technique
changed. A whole variant is an entry point of the same group. A *partial* variant is an entry point of the group
``cside.variants``, has ``partial = True``, and offers the functions of :data:`KNOBS` only, under the same contract. Its
``features`` and ``gaps`` say how these functions work; which nouns it has :data:`KNOBS` says. If an interpreter cannot
have it, its ``unavailable`` is the reason, one sentence, and its modules cannot be imported.

No binding imports this package. ``mypy`` checks each module against its protocol; the conformance suite checks what the
functions do.

Conversions, for all functions alike
------------------------------------
- Integers: an object with ``__index__``, else `TypeError`. A value that does not fit the C type is `OverflowError`. The
  messages of these two are up to the technique; all other messages are part of the contract if a docstring gives them.
- Floats: an object that ``float()`` takes and that is not text, else `TypeError`. A value beyond the range of a C
  ``float`` becomes infinite.
- Booleans: the truth value of any object.
- Buffers: an object with the buffer protocol, C-contiguous, of any format and shape, which is read as bytes. An object
  without the protocol is `TypeError`; a buffer that is not contiguous, or read-only where it is to be written, is
  `BufferError`. A buffer is not copied on its way in, and cannot be resized while it is in use, if the interpreter
  supports that.
- Text: a ``str``, encoded as UTF-8, else `TypeError`. An embedded NUL is `ValueError`, a lone surrogate
  `UnicodeEncodeError`.
- Text from the library is decoded as strict UTF-8; bytes that are not valid UTF-8 are `UnicodeDecodeError`.
- Callbacks: an object that is not callable is `TypeError`. An exception that a callback raises is raised by the call
  that runs it, the same object.
- A wrong number of arguments is `TypeError`. Arguments of ``idioms`` are positional only.

Failures of the library are statuses, which become exceptions: ``CS_E_MEMORY`` becomes `MemoryError` without a text,
``CS_E_ARGUMENT`` and ``CS_E_CLOSED`` `ValueError`, ``CS_E_NOT_FOUND`` `LookupError`, and any other
:class:`StatusError`, each with ``cs_status_message()`` as its text. Functions of ``codec`` raise what ``zlib`` raises
instead, those of ``pkcs11`` raise the standard's return values.

The GIL
-------
Functions in :data:`LONG` always release the GIL during the native call. All other functions are short and hold it, if
the technique leaves the choice (feature ``gil-held``). Checksums are long from 5,120 bytes on and short below.
"""

from typing import Final

from cside_suite.contract._pkcs11_functions import FUNCTIONS
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms, StatusError
from cside_suite.contract.pkcs11 import Pkcs11

__all__ = ["FEATURES", "GROUP", "KNOBS", "LONG", "NOUNS", "VARIANTS", "Codec", "Idioms", "Pkcs11", "StatusError"]

GROUP: Final = "cside.bindings"
"""Entry-point group of bindings and whole variants: a name without a dot is a binding, else a variant of one."""

VARIANTS: Final = "cside.variants"
"""Entry-point group of partial variants."""

NOUNS: Final = ("idioms", "codec", "pkcs11")
"""The modules of a binding, in the order in which tables name them and processes import them."""

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
"""What a partial variant offers, by noun: one function for each kind of work that settings of a technique change."""

FEATURES: Final = {
    "bit-fields": "bit-fields are read and written by the compiler's own rules",
    "callbacks": "Python callables can be called from C",
    "callbacks-from-foreign-threads": "a thread that Python has never seen may call back",
    "constants-from-header": "constants come from the header through a compiler, not from a hand-made copy",
    "free-threading": "runs with the GIL disabled and does not switch it back on",
    "gil-held": "short calls hold the GIL, so that they need not give it up and take it again",
    "gil-released": "long calls release the GIL",
    "macros-and-inlines": "function-like macros and static-inline functions are called, not rewritten in Python",
    "pkcs11": "the noun pkcs11: every function of the PKCS #11 list",
    "second-copy": "a second copy of the binding can be loaded into a process, apart from the first",
    "struct-by-value": "structs are passed and returned by value",
    "subinterpreters": "can be imported in a subinterpreter with a GIL of its own",
    "varargs": "variadic C functions are called as such",
    "zero-copy-in": "no buffer argument of any kind is copied on its way in",
    "zero-copy-out": "bytes results are written by the library straight into the object returned",
}
"""Features that a binding may have, and what they mean. Tests skip on these names, never on the name of a binding."""

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
        "codec._ZlibDecompressor.decompress",
        *(f"pkcs11.{name}" for name in FUNCTIONS),
    }
)
"""Functions that release the GIL. The two checksums do so from 5,120 bytes on."""
