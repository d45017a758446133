/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_lock.h - the lock of a stream.
 */
#ifndef CSIDE_CEXT_CODEC_LOCK_H
#define CSIDE_CEXT_CODEC_LOCK_H

#include "interpreter.h"

/* A method takes the lock before it releases the GIL, and keeps it while the engine works. No Python code may run while
 * the lock is held, because that code could try to take the same lock. So exceptions are raised, and buffers of other
 * objects are got, while it is not held. */
#if !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030D0000

/* A PyMutex is one byte, needs no allocation, is taken without a call if it is free, and detaches the thread state
 * while it waits. */
typedef PyMutex core_lock;

static inline int core_lock_make(core_lock *lock)
{
    *lock = (PyMutex){0};
    return 0;
}

static inline void core_lock_free(core_lock *lock)
{
    (void)lock;
}

static inline void core_lock_take(core_lock *lock)
{
    PyMutex_Lock(lock);
}

static inline void core_lock_give(core_lock *lock)
{
    PyMutex_Unlock(lock);
}

#else

typedef PyThread_type_lock core_lock;

static inline int core_lock_make(core_lock *lock)
{
    *lock = PyThread_allocate_lock();
    if (*lock == NULL) {
        PyErr_SetString(PyExc_MemoryError, "Unable to allocate lock");
        return -1;
    }
    return 0;
}

static inline void core_lock_free(core_lock *lock)
{
    if (*lock != NULL) {
        PyThread_free_lock(*lock);
    }
}

static inline void core_lock_take(core_lock *lock)
{
    if (!PyThread_acquire_lock(*lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(*lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
}

static inline void core_lock_give(core_lock *lock)
{
    PyThread_release_lock(*lock);
}

#endif

#endif
