"""The contract of ``pkcs11``: the functions of the PKCS #11 standard, with Python's types.

``load(path)`` opens a module through the shim of ``libcside`` (``cs_pkcs11_open()``) and returns an
:class:`OpenModule`. It has every ``C_`` function of :class:`~cside_suite.contract._pkcs11_functions.Functions` as a
method, by its own name and with the standard's arguments in their order, positional only. The methods call the shim's
function list, so that every call is counted and timed. A function that the module behind the shim does not have fails
with ``CKR_FUNCTION_NOT_SUPPORTED``.

How C's conventions are translated
----------------------------------
- Handles, identifiers, flags and types are integers (``CK_ULONG``). ``CK_BBOOL`` is the truth value of any object.
- A byte string and its length are one bytes-like object. None is a NULL pointer with length 0. An empty object is a
  pointer that is not NULL, with length 0.
- UTF-8 text and its length (PINs, user names) are one argument: a ``str``, which is encoded as UTF-8, a bytes-like
  object, which is passed unchanged, or None, as above. Text without a length is a ``str`` or None; a NUL in it is
  `ValueError`.
- A label is a ``str`` or a bytes-like object of at most 32 bytes once encoded (else `ValueError`). It is padded with
  blanks.
- Reserved arguments and pointers for the application's use are left out.
- Outputs are results, in the order of the arguments. Several outputs are a tuple.
- ``CK_VERSION`` as an argument is a pair of integers (``CK_BYTE``), or None.
- Info structs are named tuples with the standard's field names. Their text is a ``str``: blanks at the end are dropped,
  and bytes that are not UTF-8 are decoded with ``surrogateescape``. Arrays of ``CK_BYTE`` are ``bytes``.
- Lists of handles, slots and mechanisms are lists of ``int``. ``C_FindObjects(hSession, n)`` returns at most ``n``
  handles.
- ``C_GenerateRandom(hSession, n)`` returns ``n`` bytes. ``C_AsyncJoin`` takes the size of its output in the same way.
- ``C_SignMessageNext`` takes a truth value in the place of the signature: whether this part is the last. It returns
  None if it is not.
- ``C_GetFunctionList`` returns the version of the list. ``C_GetInterface`` and ``C_GetInterfaceList`` return
  ``CK_INTERFACE(name, version, flags)``. ``C_AsyncComplete`` copies what the result points to.

A template is an iterable of pairs ``(type, value)``, each of them a ``tuple``, else `TypeError`. The value is tested
for these types, in this order: None (NULL with length 0), ``bool`` (``CK_BBOOL``), ``int`` (``CK_ULONG``), ``str``
(UTF-8), a ``list`` or ``tuple`` (of integers: an array of ``CK_ULONG``; of pairs: a template of its own; empty: a
pointer with length 0), a bytes-like object, an object with ``__index__`` (``CK_ULONG``); anything else is `TypeError`.
An empty template is NULL with 0 attributes. A template that contains itself is `RecursionError`.

A mechanism is an integer (no parameter) or a ``tuple`` ``(type, parameter)``. None is a NULL pointer. A parameter is
None, an integer (``CK_ULONG``), a bytes-like object, or one of the named tuples for parameter structs, whose fields are
the struct's without the lengths of byte strings. A fixed array of bytes takes exactly its size, else `ValueError`.
Message functions may write where their parameter points to. Therefore a bytes-like parameter, and ``pIv`` and ``pTag``
of ``CK_GCM_MESSAGE_PARAMS``, must be writable (else `BufferError` or `TypeError`, depending on the technique), and
``pTag`` must have at least ``ulTagBits`` bits (else `ValueError`).

Sizes of output buffers
-----------------------
They are the same in all bindings. The conformance suite checks this by counting native calls.

- A byte string: the first call has room for the sizes of all byte strings going in together, plus 512 bytes. If it
  returns ``CKR_BUFFER_TOO_SMALL`` with a length greater than that room, one second call is made with room of exactly
  that length. No other call is made.
- Lists: the first call has room for 64 numbers (8 interfaces); the rest is as above.
- ``C_GetAttributeValue(hSession, hObject, types)``: each item is a type, with room for 256 bytes, or a ``tuple``
  ``(type, nbytes)``. One call is made. If it returns ``CKR_BUFFER_TOO_SMALL``, ``CKR_ATTRIBUTE_SENSITIVE`` or
  ``CKR_ATTRIBUTE_TYPE_INVALID``, a second call without room (NULL) asks again for those attributes alone that came back
  as ``CK_UNAVAILABLE_INFORMATION``. If any of them then has a length, one third call reads these. The result is
  ``[(type, bytes), ...]`` in the order of ``types``. If the call without room failed, or otherwise the third one,
  `PKCS11Error` is raised with that return value and with the list in ``result``, in which None stands for what was not
  available. The same is done if the first call failed in this way and no attribute was unavailable. If the call without
  room fails with yet another return value, that is raised at once.
  A length of ``CK_UNAVAILABLE_INFORMATION`` with success is None as well. Reading ``CKA_WRAP_TEMPLATE``,
  ``CKA_UNWRAP_TEMPLATE`` or ``CKA_DERIVE_TEMPLATE`` is `ValueError`.
- A length or count that comes back with success but exceeds the room is `RuntimeError` ("C_Sign: the module reports
  600 bytes, there was room for 512").

Errors
------
A return value other than ``CKR_OK`` raises ``PKCS11Error(rv, function)``; see :class:`PKCS11Error`. All arguments are
converted, from left to right, before the native call.

``load`` may open the same module again: what ``C_Initialize`` did holds for the process.

Callbacks
---------
``C_Initialize(CK_C_INITIALIZE_ARGS(...))`` takes four callables or none: ``CreateMutex()`` returns any object, and the
others are called with it. The flags and ``pReserved`` (a bytes-like object, kept until ``C_Finalize``) are passed
unchanged. If one, two or three callables are given, it is the module's part to refuse them, as it would refuse the C
struct (``CKR_ARGUMENTS_BAD``); a binding raises that itself, without a native call. ``C_OpenSession(slotID, flags,
Notify)``: ``Notify(hSession, event)`` returns None for ``CKR_OK``, or a return value.

If a callback raises ``PKCS11Error``, the module gets its ``rv``; for any other exception it gets
``CKR_GENERAL_ERROR``. The exception itself, the same object, is then raised by the call that is under way on that
thread, whatever the return value. On a thread without such a call it goes to ``sys.unraisablehook``, as does a second
exception during one call. A callback is kept alive until its session is closed (by whatever function, through the same
``Module`` object) or until ``C_Finalize``.

All functions release the GIL during the native call: any of them may wait for a device.
"""

from os import PathLike
from typing import Protocol, SupportsIndex, runtime_checkable

from cside_suite.contract._pkcs11_functions import CK_VERSION, Functions

__all__ = ["CK_VERSION", "Functions", "OpenModule", "PKCS11Error", "Pkcs11"]


class PKCS11Error(Protocol):
    """A function of PKCS #11 returned a value other than ``CKR_OK``.

    It is a subclass of `Exception`.
    """

    rv: int
    """The return value."""
    name: str
    """The standard's name of it, 'CKR_PIN_INCORRECT', or 'CKR_0x80000001' if it has none."""
    function: str
    """The name of the function that returned it, for instance 'C_Login'."""
    result: list[tuple[int, bytes | None]] | None
    """What ``C_GetAttributeValue`` could read, with None for any other value; otherwise None."""


class OpenModule(Functions, Protocol):
    """An open PKCS #11 module, made by ``load``; its class cannot be called."""

    @property
    def path(self) -> str:
        """The path that the module was loaded from."""

    @property
    def version(self) -> CK_VERSION:
        """The version of the module's newest function list."""


@runtime_checkable
class Pkcs11(Protocol):
    """The module ``<package>.pkcs11``.

    It also has all constants, each under its own name, and all named tuples, under the names of
    their structs. The constants of a prefix whose values name one kind of thing (``CKA``, ``CKC``,
    ``CKD``, ``CKK``, ``CKM``, ``CKN``, ``CKO``, ``CKR``, ``CKT`` and ``CKU``) are also members of an
    `enum.IntEnum` with its name (``CKM.CKM_AES_GCM``), and print their names. All others, as the
    flags ``CKF_``, are plain integers.
    """

    @property
    def PKCS11Error(self) -> type[Exception]:
        """The exception for a return value other than ``CKR_OK``.

        Its instances have the attributes ``rv`` (the return value), ``name``, ``function`` (the
        name of the function that returned it) and ``result``, which is None except for
        ``C_GetAttributeValue``.
        """

    @property
    def Module(self) -> type:
        """The class of the objects that ``load`` returns; calling it raises `TypeError`."""

    def load(self, path: str | bytes | PathLike[str] | PathLike[bytes] | None = None, /) -> OpenModule:
        """Open the PKCS #11 module at ``path`` and return an object with its functions as methods.

        None opens the default module: the file that the environment variable CSIDE_PKCS11_MODULE
        names, or else the software token beside libcside. The same file may be loaded again.

        Raises `OSError` with the reason if the file cannot be opened as a module; `ValueError` if
        ``path`` is empty or contains a NUL; `TypeError` if it is not a path; `RuntimeError` if too
        many different modules are open.
        """

    def rv_name(self, rv: SupportsIndex, /) -> str | None:
        """Return the standard's name of a return value, or None if it does not define one.

        The name of 0xA0 is 'CKR_PIN_INCORRECT'.

        Raises `OverflowError` if ``rv`` does not fit ``CK_ULONG``; `TypeError` if it has no
        ``__index__``.
        """
