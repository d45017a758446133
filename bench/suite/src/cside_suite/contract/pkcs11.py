"""The contract of ``pkcs11``: the standard's own interface in Python dress.

``load(path)`` opens a module behind the shim of ``libcside`` (``cs_pkcs11_open()``) and gives a :class:`OpenModule`,
which has every ``C_`` function of :class:`~cside_suite.contract._pkcs11_functions.Functions` as a method, by its own
name and with the standard's arguments in their order, positional only. They are called through the shim's function
list, so that they are counted and timed. The functions that a module does not have fail as
``CKR_FUNCTION_NOT_SUPPORTED``.

What becomes of C's conventions
-------------------------------
- Handles, identifiers, flags, types: integers (``CK_ULONG``); ``CK_BBOOL``: the truth value of any object.
- A byte string and its length: one bytes-like object. None is a NULL pointer with length 0; an empty one is a pointer
  that is not NULL, with length 0.
- UTF-8 text and its length (PINs, user names): ``str``, encoded as UTF-8, or a bytes-like object, as it is; None as
  above. Without a length: ``str`` or None, where NUL is `ValueError`.
- A label: ``str`` or bytes-like, of 32 bytes at most once encoded (else `ValueError`), which is padded with blanks.
- Reserved arguments and pointers for the application's use are gone.
- Outputs are results, in the order of the arguments, a tuple where there are several.
- ``CK_VERSION`` as an argument: a pair of integers (``CK_BYTE``), or None.
- Info structs are named tuples with the standard's field names. Their text is ``str``: blanks at the end are dropped,
  and bytes that are not UTF-8 come as ``surrogateescape`` makes them. Arrays of ``CK_BYTE`` are ``bytes``.
- Lists of handles, slots and mechanisms are lists of ``int``. ``C_FindObjects(hSession, n)`` gives at most ``n``.
- ``C_GenerateRandom(hSession, n)`` gives ``n`` bytes; ``C_AsyncJoin`` likewise takes the room.
- ``C_SignMessageNext`` takes a truth value in the place of the signature: whether this part is the last. It gives
  None if not.
- ``C_GetFunctionList`` gives the version of the list, ``C_GetInterface`` and ``C_GetInterfaceList`` give
  ``CK_INTERFACE(name, version, flags)``; ``C_AsyncComplete`` copies what the result points to.

Templates: an iterable of pairs ``(type, value)``, each a ``tuple``, else `TypeError`. The value is, in this order of
tests, None (NULL with length 0), ``bool`` (``CK_BBOOL``), ``int`` (``CK_ULONG``), ``str`` (UTF-8), a ``list`` or
``tuple`` (of integers: an array of ``CK_ULONG``; of pairs: a template of its own; empty: a pointer with length 0), a
bytes-like object, anything with ``__index__`` (``CK_ULONG``), else `TypeError`. An empty template is NULL with 0; one
nested without end is `RecursionError`.

Mechanisms: an integer (no parameter), or a ``tuple`` ``(type, parameter)``; None is a NULL pointer. A parameter is
None, an integer (``CK_ULONG``), a bytes-like object, or one of the named tuples for parameter structs, whose fields
are the struct's without the lengths of byte strings. A fixed array of bytes takes exactly its size, else
`ValueError`. Message functions may write where their parameter points to: a bytes-like parameter, and ``pIv`` and
``pTag`` of ``CK_GCM_MESSAGE_PARAMS``, have to be writable (else `BufferError` or `TypeError`, as the technique has
it), and ``pTag`` of ``ulTagBits`` at least (else `ValueError`).

Room for output, equal in all bindings and proved by equal counts of native calls
--------------------------------------------------------------------------------
- A byte string: the first call has room for the sizes of all byte strings going in, plus 512. On
  ``CKR_BUFFER_TOO_SMALL`` with a greater length than that room, one second call with exactly that length. No other
  call.
- Lists: the first call has room for 64 numbers (8 interfaces); then as above.
- ``C_GetAttributeValue(hSession, hObject, types)``: each item is a type, with room for 256 bytes, or a ``tuple``
  ``(type, nbytes)``. One call. On ``CKR_BUFFER_TOO_SMALL``, ``CKR_ATTRIBUTE_SENSITIVE`` and
  ``CKR_ATTRIBUTE_TYPE_INVALID`` the attributes that came back as ``CK_UNAVAILABLE_INFORMATION`` are asked for again,
  these alone, in one call without room (NULL); those that then have a length, if any, are read in one third call. The
  result is ``[(type, bytes), …]`` in the order asked. If the call without room, or else the third, failed,
  `PKCS11Error` is raised with that return value, and has the list in ``result``, with None for what could not be had.
  The same where the first call failed so and nothing was unavailable. Where the call without room fails with yet
  another return value, that is raised at once.
  A length of ``CK_UNAVAILABLE_INFORMATION`` with success is None as well. Reading ``CKA_WRAP_TEMPLATE``,
  ``CKA_UNWRAP_TEMPLATE`` or ``CKA_DERIVE_TEMPLATE`` is `ValueError`.
- A length or count that comes back with success but exceeds the room is `RuntimeError` ("C_Sign: the module reports
  600 bytes, there was room for 512").

Errors
------
A return value other than ``CKR_OK`` raises ``PKCS11Error(rv, function)``: ``rv`` (``int``),
``function`` ("C_Login"), ``name`` ("CKR_PIN_INCORRECT"; "CKR_0x80000001" where the standard has no name) and
``result`` (None but for the above). All arguments are converted, from left to right, before the native call.

``load`` raises `OSError` with the text of ``cs_pkcs11_load_error()`` where the file cannot be opened as a module,
`ValueError` for an empty path or an embedded NUL, `TypeError` for what is no path, `RuntimeError` when too many are
open. The same module may be loaded again: what ``C_Initialize`` did holds for the process.

Callbacks
---------
``C_Initialize(CK_C_INITIALIZE_ARGS(...))`` takes four callables or none: ``CreateMutex()`` gives
any object; the others are given it. The flags and ``pReserved`` (a bytes-like object, kept until ``C_Finalize``) pass
unchanged. Two or three callables, or one, pass as the C struct would and are the module's to refuse
(``CKR_ARGUMENTS_BAD``); a binding raises that itself, without a native call. ``C_OpenSession(slotID, flags,
Notify)``: ``Notify(hSession, event)`` returns None for ``CKR_OK``, or a return value.

An exception in a callback: ``PKCS11Error`` becomes its ``rv``, anything else ``CKR_GENERAL_ERROR``, for the module;
the exception itself then comes out of the call under way on that thread, the same object, whatever the return value;
on a thread without one it goes to ``sys.unraisablehook``, as does a second one during one call. A callback is kept
alive until its session is closed (by whatever function, through the same ``Module`` object), or until ``C_Finalize``.

All functions release the GIL during the native call: any of them may wait for a device.
"""

from os import PathLike
from typing import Protocol, SupportsIndex, runtime_checkable

from cside_suite.contract._pkcs11_functions import CK_VERSION, Functions

__all__ = ["CK_VERSION", "Functions", "OpenModule", "PKCS11Error", "Pkcs11"]


class PKCS11Error(Protocol):
    """A return value other than ``CKR_OK``. A subclass of `Exception`, per binding."""

    rv: int
    name: str
    function: str
    result: list[tuple[int, bytes | None]] | None


class OpenModule(Functions, Protocol):
    """An open module. Not constructible by itself."""

    @property
    def path(self) -> str:
        """The path that it was loaded from."""

    @property
    def version(self) -> CK_VERSION:
        """Version of its newest function list."""


@runtime_checkable
class Pkcs11(Protocol):
    """The module ``<package>.pkcs11``.

    Beside these it has all constants, each under its own name and in an `enum.IntEnum` by prefix (``CKM.CKM_AES_GCM``),
    and all named tuples, under the names of their structs.
    """

    @property
    def PKCS11Error(self) -> type[Exception]:
        """The error; see :class:`PKCS11Error`."""

    @property
    def Module(self) -> type:
        """What :meth:`load` returns."""

    def load(self, path: str | bytes | PathLike[str] | PathLike[bytes] | None = None, /) -> OpenModule:
        """Open the module at ``path``; None is the default one, see ``pkcs11_shim.h``."""

    def rv_name(self, rv: SupportsIndex, /) -> str | None:
        """``cs_pkcs11_rv_name()``."""
