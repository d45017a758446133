# SPDX-License-Identifier: Apache-2.0
# Calls into a module: what a callback raised on the way, and return values that become exceptions.

cdef extern from *:
    """
    /* The innermost call of this thread into a module. A callback leaves there what it raised. */
    static _Thread_local void *cside_under_way = NULL;
    """
    void *under_way "cside_under_way"


cdef struct Call:
    PyObject *exception  # what a callback raised first; owned
    Call *outer


cdef inline void enter(Call *call) noexcept:
    global under_way
    call.exception = NULL
    call.outer = <Call *>under_way
    under_way = call


cdef inline int leave(Call *call) except -1:
    """Raise what a callback raised, whatever the module made of it."""
    global under_way
    under_way = call.outer
    return 0 if call.exception == NULL else raise_kept(call.exception)


cdef int raise_kept(PyObject *exception) except -1:
    kept = <object>exception
    Py_DECREF(kept)
    raise kept, None, kept.__traceback__  # PyPy does not take the traceback from the exception


cdef object ERROR = None  # the class PKCS11Error


cdef int refuse(CK_RV rv, const char *function, object result) except -2:
    """Set the PKCS11Error; see fail() in status.pxi for why it is not raised. Gives -1, for need_ok() to pass on."""
    PyErr_SetObject(ERROR, ERROR(rv, text_or_none(function), result))
    return -1


cdef inline int need_ok(CK_RV rv, const char *function) except -1:
    return 0 if rv == CKR_OK else refuse(rv, function, None)


cdef int refuse_excess(const char *function, CK_ULONG count, const char *unit, CK_ULONG room) except -1:
    raise RuntimeError(
        f"{text_or_none(function)}: the module reports {count} {text_or_none(unit)}, there was room for {room}"
    )
