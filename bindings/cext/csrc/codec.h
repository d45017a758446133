/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.h (private) - what one-shot and stream functions share: output that grows, errors, a lock.
 */
#ifndef CSIDE_CEXT_CODEC_H
#define CSIDE_CEXT_CODEC_H

#include "convert.h"

/* ---- output ---------------------------------------------------------------------------------------- */

/** The bytes object that the library writes into. It stays private to its call until core_output_finish(). */
typedef struct core_output {
    PyObject *bytes;
    size_t room;  /**< its size */
    size_t limit; /**< no more than that */
} core_output;

/** Room for a first call, and point the stream at it; -1 with MemoryError. */
int core_output_start(core_output *output, cs_stream *stream, size_t first, size_t limit);

/** As much room again as there was, the stream being at its end: 1 done, 0 the limit is reached, -1 MemoryError. */
int core_output_grow(core_output *output, cs_stream *stream);

/** The bytes written so far, as a result; NULL with MemoryError. */
PyObject *core_output_finish(core_output *output, const cs_stream *stream);

/** Throw away what a failed call has written; nothing after core_output_finish(). */
static inline void core_output_drop(core_output *output)
{
    Py_CLEAR(output->bytes);
}

/* ---- errors ---------------------------------------------------------------------------------------- */

/** "Error -3 while decompressing data: incorrect header check" */
#define CORE_ERROR_TEXT_NBYTES 320

/** Raise the codec's error with the text for a status; returns NULL. */
PyObject *core_codec_raise(core_state *state, cs_status status, const char *doing, const char *message);

/** __reduce_ex__ of both streams: TypeError. CPython would find out by itself, PyPy would not. */
PyObject *core_codec_reduce(PyObject *stream, PyObject *protocol);

/* ---- the lock of a stream ------------------------------------------------------------------------------ */

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
