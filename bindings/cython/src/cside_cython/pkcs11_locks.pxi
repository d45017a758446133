# SPDX-License-Identifier: Apache-2.0
# PKCS #11, locks: a module locks by functions that the application passes to C_Initialize.
#
# A module may use its locks when the process ends, from its destructors: each function checks Py_IsInitialized().

from cpython.ref cimport Py_INCREF


@cython.final
@cython.internal
cdef class Initialisation:
    """The arguments of C_Initialize, which are kept until C_Finalize."""

    cdef object create_mutex
    cdef object destroy_mutex
    cdef object lock_mutex
    cdef object unlock_mutex
    cdef cs_pkcs11_locks locks  # `create` is NULL if the application passes no locks
    cdef Input reserved
    cdef object kept  # the object that `reserved` points into, for example a bytes object

    def __cinit__(self):
        self.reserved.held = False

    def __dealloc__(self):
        close_input(&self.reserved)


cdef CK_RV make_mutex(void *user, void **out_mutex) noexcept with gil:
    callback = (<Initialisation>user).create_mutex
    try:
        mutex = callback()
    except BaseException as error:
        return keep_exception(error, callback)
    Py_INCREF(mutex)
    out_mutex[0] = <void *>mutex
    return CKR_OK


cdef CK_RV use_mutex(object borrowed, void *mutex) noexcept:
    callback = borrowed  # a reference, because the callback may call C_Finalize
    try:
        callback(<object>mutex)
    except BaseException as error:
        return keep_exception(error, callback)
    return CKR_OK


cdef CK_RV drop_mutex(void *user, void *mutex) noexcept with gil:
    cdef CK_RV rv = use_mutex((<Initialisation>user).destroy_mutex, mutex)
    if rv == CKR_OK:  # after an error the module may still use the mutex
        Py_XDECREF(<PyObject *>mutex)
    return rv


cdef CK_RV take_mutex(void *user, void *mutex) noexcept with gil:
    return use_mutex((<Initialisation>user).lock_mutex, mutex)


cdef CK_RV give_mutex(void *user, void *mutex) noexcept with gil:
    return use_mutex((<Initialisation>user).unlock_mutex, mutex)


cdef CK_RV on_create(void *user, void **out_mutex) noexcept nogil:
    return make_mutex(user, out_mutex) if Py_IsInitialized() else CKR_GENERAL_ERROR


cdef CK_RV on_destroy(void *user, void *mutex) noexcept nogil:
    return drop_mutex(user, mutex) if Py_IsInitialized() else CKR_OK


cdef CK_RV on_lock(void *user, void *mutex) noexcept nogil:
    return take_mutex(user, mutex) if Py_IsInitialized() else CKR_OK


cdef CK_RV on_unlock(void *user, void *mutex) noexcept nogil:
    return give_mutex(user, mutex) if Py_IsInitialized() else CKR_OK


cdef int need_callable_or_none(object callback) except -1:
    return 0 if callback is None else need_callable(callback)


cdef Initialisation read_init_args(object args, CK_FLAGS *flags):
    """The content of a CK_C_INITIALIZE_ARGS."""
    cdef Initialisation made = Initialisation.__new__(Initialisation)
    if not is_init_args(args):
        raise TypeError(f"CK_C_INITIALIZE_ARGS or None is required, not '{type(args).__name__}'")
    need_fields(<tuple>args, 6)
    made.create_mutex, made.destroy_mutex, made.lock_mutex, made.unlock_mutex, number, reserved = <tuple>args
    need_callable_or_none(made.create_mutex)
    need_callable_or_none(made.destroy_mutex)
    need_callable_or_none(made.lock_mutex)
    need_callable_or_none(made.unlock_mutex)
    flags[0] = as_ulong(number)
    open_optional(reserved, &made.reserved)
    made.kept = reserved
    given = (made.create_mutex is not None) + (made.destroy_mutex is not None) + (
        made.lock_mutex is not None) + (made.unlock_mutex is not None)
    if given == 4:
        made.locks.create = on_create
        made.locks.destroy = on_destroy
        made.locks.lock = on_lock
        made.locks.unlock = on_unlock
        made.locks.user = <void *>made
    elif given != 0:
        need_ok(CKR_ARGUMENTS_BAD, b"C_Initialize")
    return made
