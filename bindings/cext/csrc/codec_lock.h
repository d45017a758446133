/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_lock.h - the lock of a stream.
 */
#ifndef CSIDE_CEXT_CODEC_LOCK_H
#define CSIDE_CEXT_CODEC_LOCK_H

#include "interpreter.h"

/* Taken before the GIL is let go and kept meanwhile. No Python code may run under it, or it could come back for the same
 * lock: exceptions are raised, and other objects' buffers asked for, outside. */
#if !defined(PYPY_VERSION) && PY_VERSION_HEX >= 0x030D0000

/* One byte, no allocation, uncontended without a call; detaches the thread while it waits. */
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
