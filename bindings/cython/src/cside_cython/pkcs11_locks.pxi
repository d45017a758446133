# SPDX-License-Identifier: Apache-2.0
# PKCS #11, locks: a module locks by functions that the application passes to C_Initialize.
#
# A module may use its locks when the process ends, from its destructors: each function checks Py_IsInitialized(). It may
# also use them after C_Finalize. The locks are a number for it, like the listeners of pkcs11_callbacks.pxi.
#
# A mutex is the address of a block of memory, which is only looked up. It is not a number, because SoftHSM's destructors
# call pthread_mutex_destroy() and free() for the mutexes if nobody has called C_Finalize. For the same reason the blocks
# of mutexes that the module has not destroyed are never freed here.

from libc.stdlib cimport calloc, free

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_mutex_t:
        pass


@cython.final
@cython.internal
cdef class Initialisation:
    """The arguments of C_Initialize, which are kept until C_Finalize."""

    cdef object create_mutex
    cdef object destroy_mutex
    cdef object lock_mutex
    cdef object unlock_mutex
    cdef uintptr_t number
    cdef dict mutexes  # those that the module has made and not destroyed, by their addresses
    cdef cs_pkcs11_locks locks  # `create` is NULL if the application passes no locks
    cdef Input reserved
    cdef object kept  # the object that `reserved` points into, for example a bytes object

    def __cinit__(self):
        self.mutexes = {}
        self.reserved.held = False

    def __dealloc__(self):
        close_input(&self.reserved)


cdef dict INITIALISATIONS = {}  # those of all modules, by their numbers


cdef void *keep_mutex(dict mutexes, object mutex) except NULL:
    """Keep a mutex under the address of a new block, and return the address."""
    cdef void *block = calloc(1, sizeof(pthread_mutex_t))
    if block == NULL:
        raise MemoryError
    try:
        with cython.critical_section(mutexes):
            mutexes[<uintptr_t>block] = mutex
    except BaseException:
        free(block)
        raise
    return block


cdef int forget_mutex(dict mutexes, void *block, object mutex) except -1:
    """Drop a mutex that was destroyed, unless its callback has called for it to be destroyed too."""
    cdef bint found
    with cython.critical_section(mutexes):
        found = mutexes.get(<uintptr_t>block, GONE) is mutex
        if found:
            del mutexes[<uintptr_t>block]
    if found:
        free(block)
    return 0


cdef CK_RV make_mutex(void *user, void **out_mutex) noexcept with gil:
    cdef Initialisation made
    callback = None
    try:
        found = find_for_c(INITIALISATIONS, user)
        if found is GONE:
            return CKR_GENERAL_ERROR
        made = found
        callback = made.create_mutex
        out_mutex[0] = keep_mutex(made.mutexes, callback())
        return CKR_OK
    except BaseException as error:
        return keep_exception(error, callback)


cdef enum Use:
    DESTROY
    LOCK
    UNLOCK


cdef CK_RV use_mutex(void *user, void *block, Use use) noexcept with gil:
    cdef Initialisation made
    callback = None  # a reference, because the callback may call C_Finalize
    try:
        found = find_for_c(INITIALISATIONS, user)
        if found is GONE:
            return CKR_MUTEX_BAD
        made = found
        mutex = find_for_c(made.mutexes, block)
        if mutex is GONE:
            return CKR_MUTEX_BAD
        callback = made.lock_mutex if use == LOCK else made.unlock_mutex if use == UNLOCK else made.destroy_mutex
        callback(mutex)
        if use == DESTROY:  # not after an error, because the module may still use the mutex
            forget_mutex(made.mutexes, block, mutex)
        return CKR_OK
    except BaseException as error:
        return keep_exception(error, callback)


cdef CK_RV on_create(void *user, void **out_mutex) noexcept nogil:
    return make_mutex(user, out_mutex) if Py_IsInitialized() else CKR_GENERAL_ERROR


cdef CK_RV on_destroy(void *user, void *mutex) noexcept nogil:
    return use_mutex(user, mutex, DESTROY) if Py_IsInitialized() else CKR_OK


cdef CK_RV on_lock(void *user, void *mutex) noexcept nogil:
    return use_mutex(user, mutex, LOCK) if Py_IsInitialized() else CKR_OK


cdef CK_RV on_unlock(void *user, void *mutex) noexcept nogil:
    return use_mutex(user, mutex, UNLOCK) if Py_IsInitialized() else CKR_OK


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
    elif given != 0:
        need_ok(CKR_ARGUMENTS_BAD, b"C_Initialize")
    made.number = keep_for_c(INITIALISATIONS, made)
    made.locks.user = <void *>made.number
    return made
