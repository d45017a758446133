/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11.h (private) - what the methods of `Module` share: its object, calls without the GIL, conversions, outputs.
 */
#ifndef CSIDE_CEXT_PKCS11_H
#define CSIDE_CEXT_PKCS11_H

#include "add.h"
#include "buffers.h"
#include "convert.h"
#include "errors.h"
#include "guard.h"
#include "module.h"
#include "raised.h"
#include "tables.h"
#include "pkcs11_structs.h"

#include "cside/pkcs11_shim.h"

#include <stddef.h>

/** What PKCS #11 adds to the module's state; made by the first load(). */
struct pkcs11_state {
    PyTypeObject *tuples[PKCS11_TUPLES]; /**< classes of _pkcs11_types.py, by number */
    PyObject *error;                     /**< PKCS11Error */
    struct pkcs11_notification *open;    /**< callbacks of open sessions */
    struct pkcs11_notification *retired; /**< for reuse */
    struct pkcs11_locks *locks;          /**< what C_Initialize was given */
#if defined(Py_GIL_DISABLED)
    PyMutex mutex; /**< of the three lists; no Python code runs under it */
#endif
};

/* For the three functions of these names of the module; `state` may be NULL. */
int pkcs11_state_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_state_clear(pkcs11_state *state);
void pkcs11_state_free(pkcs11_state *state);

typedef struct pkcs11_module {
    PyObject_HEAD
    const CK_FUNCTION_LIST_3_2 *functions;
    const cs_pkcs11_module *module;
    pkcs11_state *state; /**< lives as long as the type does */
} pkcs11_module;

/** `void *` to the bytes of an input, which the library takes without const. */
#define PKCS11_POINTER(data) ((void *)(uintptr_t)(data))

extern PyMethodDef pkcs11_methods[];

/* ---- errors ------------------------------------------------------------------------------------------- */

/** Raise PKCS11Error(rv, function), or with `result`, a borrowed reference or NULL. */
void pkcs11_raise(const pkcs11_state *state, CK_RV rv, const char *function, PyObject *result);

/** RuntimeError: more came back than there was room for. Returns NULL. */
PyObject *pkcs11_overrun(const char *function, CK_ULONG reported, CK_ULONG room, const char *unit);

/* ---- native calls --------------------------------------------------------------------------------------- */

/** A native call without the GIL. Callbacks that it runs on its own thread find it, and leave their exception in it. */
typedef struct pkcs11_call {
    struct pkcs11_call *outer;
    PyThreadState *thread;
    core_raised raised;
} pkcs11_call;

/** The calling thread's innermost call; NULL while a callback of it runs. The one C global: it points into the stack of
 *  its own thread, and no interpreter's objects are behind it. */
extern _Thread_local pkcs11_call *pkcs11_under_way;

static inline void pkcs11_enter(pkcs11_call *call)
{
    call->outer = pkcs11_under_way;
    call->raised = (core_raised){0};
    pkcs11_under_way = call;
    call->thread = PyEval_SaveThread();
}

static inline void pkcs11_leave(pkcs11_call *call)
{
    PyEval_RestoreThread(call->thread);
    pkcs11_under_way = call->outer;
}

static inline bool pkcs11_has_raised(const pkcs11_call *call)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    return call->raised.type != NULL;
#else
    return call->raised.exception != NULL;
#endif
}

/** 0 for CKR_OK, else -1 with an exception set: a callback's own, or PKCS11Error. */
static inline int pkcs11_settle(const pkcs11_module *self, pkcs11_call *call, CK_RV rv, const char *function)
{
    if (core_raised_give(&call->raised)) {
        return -1;
    }
    if (rv != CKR_OK) {
        pkcs11_raise(self->state, rv, function, NULL);
        return -1;
    }
    return 0;
}

/* ---- what arguments hold ---------------------------------------------------------------------------------- */

#define PKCS11_HOLD_SMALL 2048

/** Memory and buffers that the C view of a call's arguments needs; all goes at once. */
typedef struct pkcs11_hold {
    struct pkcs11_held *held;
    struct pkcs11_block *blocks;
    size_t used; /**< of the newest block, or of `small` while there is none */
    max_align_t small[PKCS11_HOLD_SMALL / sizeof(max_align_t)];
} pkcs11_hold;

static inline void pkcs11_hold_start(pkcs11_hold *hold)
{
    hold->held = NULL;
    hold->blocks = NULL;
    hold->used = 0;
}

/** Memory for any type, not zeroed; NULL with MemoryError. */
void *pkcs11_hold_memory(pkcs11_hold *hold, size_t nbytes);

/** Take over a reference; NULL is a pending exception. */
int pkcs11_hold_object(pkcs11_hold *hold, PyObject *object);

/** Any contiguous buffer, or None for NULL and 0. An exact `bytes` is not held: the arguments do that. */
int pkcs11_hold_bytes(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

/** A buffer to write into. */
int pkcs11_hold_writable(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes);

void pkcs11_hold_release_slow(pkcs11_hold *hold);

static inline void pkcs11_hold_release(pkcs11_hold *hold)
{
    if (hold->held != NULL || hold->blocks != NULL) {
        pkcs11_hold_release_slow(hold);
    }
}

/* ---- arguments; each returns 0, or -1 with an exception set ----------------------------------------------------- */

int pkcs11_as_ulong_slow(PyObject *object, CK_ULONG *out);

/** Also an int's subclass, such as a member of CKM, goes the short way. */
static inline int pkcs11_as_ulong(PyObject *object, CK_ULONG *out)
{
#if !defined(PYPY_VERSION)
    if (PyLong_Check(object)) {
#if PY_VERSION_HEX >= 0x030C0000
        if (PyUnstable_Long_IsCompact((PyLongObject *)object)) {
            Py_ssize_t value = PyUnstable_Long_CompactValue((PyLongObject *)object);

            if (value >= 0) {
                *out = (CK_ULONG)value;
                return 0;
            }
        }
#else
        if (Py_SIZE(object) == 0 || Py_SIZE(object) == 1) {
            *out = Py_SIZE(object) == 0 ? 0 : ((PyLongObject *)object)->ob_digit[0];
            return 0;
        }
#endif
    }
#endif
    return pkcs11_as_ulong_slow(object, out);
}

static inline int pkcs11_as_bbool(PyObject *object, CK_BBOOL *out)
{
    bool truth = false;

    if (core_as_bool(object, &truth) < 0) {
        return -1;
    }
    *out = truth ? CK_TRUE : CK_FALSE;
    return 0;
}

/** None is NULL and 0; anything empty a pointer that is not NULL. */
static inline int pkcs11_as_bytes(PyObject *object, core_bytes *out)
{
    if (object == Py_None) {
        return 0; /* as it was declared */
    }
    if (core_as_bytes(object, out) < 0) {
        return -1;
    }
    if (out->data == NULL) {
        out->data = (const uint8_t *)"";
    }
    return 0;
}

/** Text with a length. `encoded` is a copy, which is wiped. */
typedef struct pkcs11_text {
    core_bytes bytes;
    PyObject *encoded;
} pkcs11_text;

int pkcs11_as_text(PyObject *object, pkcs11_text *out);
void pkcs11_text_release(pkcs11_text *text);

/** NUL-terminated, or NULL for None. */
int pkcs11_as_cstring(PyObject *object, CK_UTF8CHAR **out);

int pkcs11_as_padded(PyObject *object, CK_UTF8CHAR *out, size_t width);

/** A pair of CK_BYTE; NULL for None. */
int pkcs11_as_version(PyObject *object, CK_VERSION *storage, CK_VERSION **out);

typedef struct pkcs11_mechanism {
    CK_MECHANISM value;
    CK_MECHANISM *pointer; /**< to it, or NULL */
} pkcs11_mechanism;

int pkcs11_as_mechanism(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, pkcs11_mechanism *out);

typedef struct pkcs11_parameter {
    void *data;
    CK_ULONG nbytes;
} pkcs11_parameter;

/** The parameter of a mechanism; `written` where the module may write into a buffer given as such. */
int pkcs11_as_parameter(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, bool written,
                        pkcs11_parameter *out);

typedef struct pkcs11_template {
    CK_ATTRIBUTE *items;
    CK_ULONG count;
} pkcs11_template;

int pkcs11_as_template(PyObject *object, pkcs11_hold *hold, pkcs11_template *out);

/** An iterable as a tuple, which no conversion that runs Python code can change under us: the tuple itself, or one that
 *  is held. Borrowed; NULL with an exception set. */
PyObject *pkcs11_frozen(PyObject *iterable, pkcs11_hold *hold);

/* ---- results ------------------------------------------------------------------------------------------------ */

/** Room of a first call beyond the sizes of the inputs. */
#define PKCS11_ROOM_NBYTES 512
/** Up to this size output is copied from the stack; above, the library writes into the object returned. */
#define PKCS11_OUTPUT_SMALL 1024
/** Numbers in a list's first call. */
#define PKCS11_ROOM_COUNT 64

/** A byte string of a length that only the module knows. */
typedef struct pkcs11_output {
    CK_BYTE *data;
    CK_ULONG room;
    CK_ULONG nbytes; /**< in: room; out: length */
    PyObject *bytes; /**< what `data` points into, or NULL for `small` */
    bool repeated;
    CK_BYTE small[PKCS11_OUTPUT_SMALL];
} pkcs11_output;

int pkcs11_output_large(pkcs11_output *output, CK_ULONG room);

static inline int pkcs11_output_start(pkcs11_output *output, CK_ULONG inputs_nbytes)
{
    CK_ULONG room = inputs_nbytes + PKCS11_ROOM_NBYTES;

    output->repeated = false;
    if (room > PKCS11_OUTPUT_SMALL) {
        return pkcs11_output_large(output, room);
    }
    output->data = output->small;
    output->room = room;
    output->nbytes = room;
    return 0;
}

int pkcs11_output_repeat(pkcs11_output *output);

/** Whether to call once more, with the room that the module asked for: 1, 0, or -1 with MemoryError. */
static inline int pkcs11_output_again(pkcs11_output *output, const pkcs11_call *call, CK_RV rv)
{
    if (rv != CKR_BUFFER_TOO_SMALL || output->repeated || output->nbytes <= output->room || pkcs11_has_raised(call)) {
        return 0;
    }
    return pkcs11_output_repeat(output);
}

PyObject *pkcs11_output_finish(pkcs11_output *output, const char *function);

/** A list of numbers, of a count that only the module knows. */
typedef struct pkcs11_numbers {
    CK_ULONG *data;
    CK_ULONG room;
    CK_ULONG count; /**< in: room; out: how many */
    bool repeated;
    CK_ULONG small[PKCS11_ROOM_COUNT];
} pkcs11_numbers;

int pkcs11_numbers_start(pkcs11_numbers *numbers, CK_ULONG room);
int pkcs11_numbers_again(pkcs11_numbers *numbers, const pkcs11_call *call, CK_RV rv);
PyObject *pkcs11_numbers_finish(const pkcs11_numbers *numbers, const char *function);

static inline void pkcs11_numbers_release(pkcs11_numbers *numbers)
{
    if (numbers->data != numbers->small) {
        PyMem_Free(numbers->data);
    }
}

/** An instance of a named tuple from `count` new references, which it takes; NULL if one of them is, or for want of
 *  memory. */
PyObject *pkcs11_tuple(const pkcs11_state *state, int number, PyObject *const *fields, Py_ssize_t count);

/** A tuple of new references, in the same way. */
PyObject *pkcs11_pack(PyObject *const *items, Py_ssize_t count);

/** Text padded with blanks. */
PyObject *pkcs11_from_text(const CK_UTF8CHAR *text, size_t width);

/* ---- callbacks ------------------------------------------------------------------------------------------------ */

typedef struct pkcs11_notification pkcs11_notification;
typedef struct pkcs11_locks pkcs11_locks;

/** CK_NOTIFY; `application` is a pkcs11_notification. */
CK_RV pkcs11_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, CK_VOID_PTR application);

/** A notification for a session about to be opened; NULL with MemoryError. */
pkcs11_notification *pkcs11_notification_new(const pkcs11_module *self, CK_SLOT_ID slot, PyObject *callable);
void pkcs11_notification_keep(const pkcs11_module *self, pkcs11_notification *notification, CK_SESSION_HANDLE session);

/** Take the notifications of one session, of a slot's (`session` NULL), or all of the module's (both NULL) out of the list. */
pkcs11_notification *pkcs11_notifications_take(const pkcs11_module *self, const CK_SLOT_ID *slot,
                                               const CK_SESSION_HANDLE *session);
/** Put them back, or let go of their callables. */
void pkcs11_notifications_return(pkcs11_state *state, pkcs11_notification *notifications);
void pkcs11_notifications_retire(pkcs11_state *state, pkcs11_notification *notifications);

/** What C_Initialize keeps: four callables or none (NULL), and the reserved buffer, which it takes. NULL with MemoryError. */
pkcs11_locks *pkcs11_locks_new(const pkcs11_module *self, PyObject *const *callables, Py_buffer *reserved);
const cs_pkcs11_locks *pkcs11_locks_table(const pkcs11_locks *locks);
void *pkcs11_locks_reserved(const pkcs11_locks *locks);
pkcs11_locks *pkcs11_locks_take(const pkcs11_module *self);
void pkcs11_locks_return(pkcs11_state *state, pkcs11_locks *locks);
void pkcs11_locks_free(pkcs11_locks *locks);

/* For the garbage collector, and for the interpreter's end. */
int pkcs11_notifications_traverse(pkcs11_state *state, visitproc visit, void *arg);
int pkcs11_locks_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_notifications_clear(pkcs11_state *state);
void pkcs11_locks_clear(pkcs11_state *state);
void pkcs11_notifications_abandon(pkcs11_state *state);
void pkcs11_locks_abandon(pkcs11_state *state);

#endif
