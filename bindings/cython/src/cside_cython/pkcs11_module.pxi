# SPDX-License-Identifier: Apache-2.0
# PKCS #11, module: an open module, and load(). The methods here do more than convert their arguments and results; all
# others are in pkcs11_functions.pxi, in a base class, because Cython allows no `include` in a class.

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memset, strlen
from os import fsencode

cdef extern from "Python.h":
    object decode_path "PyUnicode_DecodeFSDefault"(const char *path)


cdef enum:
    ROOM_INTERFACES = 8


@cython.final
cdef class Module(Functions):
    """An open PKCS #11 module, made by ``load``; its class cannot be called."""

    # A native module lives as long as the process, and so does its object.
    cdef const cs_pkcs11_module *module
    # What the native module may call. Sessions and the state of C_Initialize belong to the process.
    cdef dict listeners  # by session
    cdef dict initialisations  # by their numbers

    def __cinit__(self, maker=None, /):
        self.listeners = {}
        self.initialisations = {}

    def __reduce__(self):
        raise TypeError("cannot pickle 'Module' object")

    def __repr__(self):
        return f"<{__name__}.Module {self.path!r}>"

    @property
    def path(self):
        """The path that the module was loaded from."""
        return decode_path(cs_pkcs11_path(self.module))

    @property
    def version(self):
        """The version of the module's newest function list."""
        return record_CK_VERSION(&self.functions.version)

    # ---- objects that callbacks use ----
    # A module may reuse a handle once its session is closed, so that only entries from before the call are removed.

    @cython.critical_section
    cdef int forget(self, list those) except -1:
        for session, listener in those:
            drop_for_c(LISTENERS, (<Listener>listener).number)
            if self.listeners.get(session) is listener:
                del self.listeners[session]
        return 0

    @cython.critical_section
    cdef int forget_initialisations(self, list those) except -1:
        for number in those:
            drop_for_c(INITIALISATIONS, number)
            self.initialisations.pop(number, None)
        return 0

    @cython.critical_section
    cdef int remember(self, Initialisation made) except -1:
        self.initialisations[made.number] = made
        return 0

    def C_Initialize(self, pInitArgs=None, /):
        """Make the module ready; NULL or a CK_C_INITIALIZE_ARGS. Once per process until C_Finalize."""
        cdef Initialisation made = None
        cdef const cs_pkcs11_locks *locks = NULL
        cdef CK_FLAGS flags = 0
        cdef Call call
        cdef CK_RV rv
        if pInitArgs is None:
            enter(&call)
            with nogil:
                rv = self.functions.C_Initialize(NULL)
        else:
            made = read_init_args(pInitArgs, &flags)
            if made.locks.create != NULL:
                locks = &made.locks
            enter(&call)
            with nogil:
                rv = cs_pkcs11_initialize(self.module, locks, flags, <void *>made.reserved.data)
            if rv == CKR_OK:
                self.remember(made)
            else:
                drop_for_c(INITIALISATIONS, made.number)
        leave(&call)
        need_ok(rv, b"C_Initialize")

    def C_Finalize(self):
        """Give up everything the module holds for this process. `pReserved` is NULL."""
        cdef list listeners = list(self.listeners.items())
        cdef list initialisations = list(self.initialisations)
        cdef Call call
        cdef CK_RV rv
        enter(&call)
        with nogil:
            rv = self.functions.C_Finalize(NULL)
        if rv == CKR_OK:
            self.forget(listeners)
            self.forget_initialisations(initialisations)
        leave(&call)
        need_ok(rv, b"C_Finalize")

    def C_OpenSession(self, slotID, flags, Notify=None, /):
        """Open a session with a token. `Notify` is called with `pApplication` on events, and may be NULL."""
        cdef CK_SLOT_ID slot = as_ulong(slotID)
        cdef CK_FLAGS c_flags = as_ulong(flags)
        cdef CK_SESSION_HANDLE session = 0
        cdef CK_NOTIFY notify = NULL
        cdef Listener listener = None
        cdef void *application = NULL
        cdef Call call
        cdef CK_RV rv
        if Notify is not None:
            need_callable(Notify)
            listener = Listener.__new__(Listener)
            listener.callback = Notify
            listener.slot = slot
            listener.number = keep_for_c(LISTENERS, listener)
            application = <void *>listener.number
            notify = on_notification
        enter(&call)
        with nogil:
            rv = self.functions.C_OpenSession(slot, c_flags, application, notify, &session)
        if listener is not None:
            if rv == CKR_OK:
                self.listen(session, listener)
            else:
                drop_for_c(LISTENERS, listener.number)
        leave(&call)
        need_ok(rv, b"C_OpenSession")
        return PyLong_FromUnsignedLong(session)

    @cython.critical_section
    cdef int listen(self, CK_SESSION_HANDLE session, Listener listener) noexcept:
        """Note whose listener this is. The session is open: without memory for the note it still gets its handle."""
        try:
            stale = self.listeners.get(session)
            if stale is not None:  # its session ended unnoticed, because the module has reused the handle
                drop_for_c(LISTENERS, (<Listener>stale).number)
            self.listeners[session] = listener
        except MemoryError:
            pass  # LISTENERS keeps the listener until the process ends
        return 0

    def C_CloseSession(self, hSession, /):
        """Close a session, and destroy its session objects. The last one logs out."""
        cdef CK_SESSION_HANDLE session = as_ulong(hSession)
        cdef Call call
        cdef CK_RV rv
        listener = self.listeners.get(session) if self.listeners else None
        enter(&call)
        with nogil:
            rv = self.functions.C_CloseSession(session)
        if rv == CKR_OK and listener is not None:
            self.forget([(session, listener)])
        leave(&call)
        need_ok(rv, b"C_CloseSession")

    def C_CloseAllSessions(self, slotID, /):
        """Close all of this process's sessions with a token."""
        cdef CK_SLOT_ID slot = as_ulong(slotID)
        cdef list listeners = list(self.listeners.items())
        cdef Call call
        cdef CK_RV rv
        enter(&call)
        with nogil:
            rv = self.functions.C_CloseAllSessions(slot)
        if rv == CKR_OK:
            self.forget([(session, listener) for session, listener in listeners if (<Listener>listener).slot == slot])
        leave(&call)
        need_ok(rv, b"C_CloseAllSessions")

    def C_GetAttributeValue(self, hSession, hObject, pTemplate, /):
        """Read attributes into the template. One that is not to be had gets CK_UNAVAILABLE_INFORMATION as its
        length; the others are filled in all the same.
        """
        cdef Reading reading
        reading.functions = self.functions
        reading.session = as_ulong(hSession)
        reading.item = as_ulong(hObject)
        return get_attributes(&reading, pTemplate)

    def C_GetFunctionList(self):
        """The 2.x function list, which belongs to the module. Works before C_Initialize."""
        cdef CK_FUNCTION_LIST *functions = NULL
        cdef CK_VERSION none
        cdef Call call
        cdef CK_RV rv
        none.major = 0
        none.minor = 0
        enter(&call)
        with nogil:
            rv = self.functions.C_GetFunctionList(&functions)
        leave(&call)
        need_ok(rv, b"C_GetFunctionList")
        return record_CK_VERSION(&functions.version if functions != NULL else &none)

    def C_GetInterfaceList(self):
        """The interfaces that the module offers. Works before C_Initialize."""
        cdef CK_INTERFACE few[ROOM_INTERFACES]
        cdef CK_INTERFACE *interfaces = few
        cdef CK_ULONG room = ROOM_INTERFACES, count = ROOM_INTERFACES, i
        cdef Call call
        cdef CK_RV rv
        try:
            while True:
                enter(&call)
                with nogil:
                    rv = self.functions.C_GetInterfaceList(interfaces, &count)
                leave(&call)
                if rv != CKR_BUFFER_TOO_SMALL or count <= room or interfaces != few:
                    break
                if count > <CK_ULONG>PY_SSIZE_T_MAX // sizeof(CK_INTERFACE):
                    raise MemoryError
                interfaces = <CK_INTERFACE *>PyMem_Malloc(count * sizeof(CK_INTERFACE))
                if interfaces == NULL:
                    raise MemoryError
                room = count
            need_ok(rv, b"C_GetInterfaceList")
            if count > room:
                refuse_excess(b"C_GetInterfaceList", count, b"items", room)
            return [interface_record(&interfaces[i]) for i in range(count)]
        finally:
            if interfaces != few:
                PyMem_Free(interfaces)

    def C_GetInterface(self, pInterfaceName, pVersion, flags, /):
        """An interface by name, version and flags; NULL for the default of each. Works before C_Initialize."""
        cdef const char *name = text_to_nul(pInterfaceName)
        cdef CK_VERSION room
        cdef const CK_VERSION *version = open_version(pVersion, &room)
        cdef CK_FLAGS c_flags = as_ulong(flags)
        cdef CK_INTERFACE *interface = NULL
        cdef CK_INTERFACE none
        cdef Call call
        cdef CK_RV rv
        enter(&call)
        with nogil:
            rv = self.functions.C_GetInterface(<CK_UTF8CHAR_PTR>name, <CK_VERSION_PTR>version, &interface, c_flags)
        leave(&call)
        need_ok(rv, b"C_GetInterface")
        memset(&none, 0, sizeof(none))
        return interface_record(interface if interface != NULL else &none)

    def C_AsyncComplete(self, hSession, pFunctionName, /):
        """Whether an asynchronous call has ended, and its results."""
        cdef CK_SESSION_HANDLE session = as_ulong(hSession)
        cdef const char *name = text_to_nul(pFunctionName)
        cdef CK_ASYNC_DATA result
        cdef Call call
        cdef CK_RV rv
        memset(&result, 0, sizeof(result))
        enter(&call)
        with nogil:
            rv = self.functions.C_AsyncComplete(session, <CK_UTF8CHAR_PTR>name, &result)
        leave(&call)
        need_ok(rv, b"C_AsyncComplete")
        return async_record(&result)


cdef dict MODULES = {}  # address of a native module to its one object


def load(path=None, /):
    """Open the PKCS #11 module at ``path`` and return an object with its functions as methods.

    None opens the default module: the file that the environment variable CSIDE_PKCS11_MODULE
    names, or else the software token beside libcside. The same file may be loaded again.

    Raises `OSError` with the reason if the file cannot be opened as a module; `ValueError` if
    ``path`` is empty or contains a NUL; `TypeError` if it is not a path; `RuntimeError` if too
    many different modules are open.
    """
    cdef cs_pkcs11_module *module = NULL
    cdef const char *c_path = NULL
    cdef cs_status status
    cdef Module made
    load_classes()
    if path is not None:
        encoded = fsencode(path)
        c_path = PyBytes_AS_STRING(encoded)
        if strlen(c_path) != <size_t>PyBytes_GET_SIZE(encoded):
            raise ValueError("embedded null byte")
    with nogil:
        status = cs_pkcs11_open(c_path, &module)
    if status == CS_E_NOT_FOUND:
        raise OSError(decode_path(cs_pkcs11_load_error()))
    if status == CS_E_ARGUMENT:
        raise ValueError(text_or_none(cs_status_message(status)))
    if status == CS_E_STATE:
        raise RuntimeError(decode_path(cs_pkcs11_load_error()) or text_or_none(cs_status_message(status)))
    check(status)
    made = Module.__new__(Module, MAKER)
    made.module = module
    made.functions = cs_pkcs11_functions(module)
    return MODULES.setdefault(<size_t>module, made)


def rv_name(rv, /):
    """Return the standard's name of a return value, or None if it does not define one.

    The name of 0xA0 is 'CKR_PIN_INCORRECT'.

    Raises `OverflowError` if ``rv`` does not fit ``CK_ULONG``; `TypeError` if it has no
    ``__index__``.
    """
    return text_or_none(cs_pkcs11_rv_name(as_ulong(rv)))
