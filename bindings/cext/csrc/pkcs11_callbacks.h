/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_callbacks.h - how a callback of a module enters Python and leaves it again.
 *
 * The library keeps what callbacks are called with. It may keep it for longer than the session, the Module object or
 * even the interpreter lives. So it gets the numbers of entries, and no pointers to them. No number is used twice: that
 * of an entry which is gone finds nothing. What outlives its interpreter stays in memory, with a state of NULL.
 */
#ifndef CSIDE_CEXT_PKCS11_CALLBACKS_H
#define CSIDE_CEXT_PKCS11_CALLBACKS_H

#include "pkcs11_calls.h"

/** The identity of an interpreter that may no longer exist. A later one at the same address has another number. */
typedef struct pkcs11_home {
    PyInterpreterState *interpreter;
    int64_t number;
} pkcs11_home;

/** The interpreter that is running. */
pkcs11_home pkcs11_home_here(void);

/** What a callback needs, found by its number: the first field of structs. */
typedef struct pkcs11_entry {
    struct pkcs11_entry *next; /* in the list of the process */
    uintptr_t number;
    pkcs11_home home;
    pkcs11_state *state; /* NULL once the interpreter has ended */
} pkcs11_entry;

/* Lock and unlock the entries and lists of callbacks, those of all interpreters. No Python code runs between the two,
 * and nothing waits for a GIL. */
void pkcs11_lists_take(void);
void pkcs11_lists_give(void);

/** Give the entry a new number, by which it is found from now on. */
void pkcs11_entry_add(pkcs11_entry *entry, pkcs11_state *state);
/** The entry with the number that a module has passed, or NULL. The caller has locked the lists. */
pkcs11_entry *pkcs11_entry_find(const void *number);
/** Remove the entry; its number finds nothing any more. The caller has locked the lists. */
void pkcs11_entry_remove(const pkcs11_entry *entry);

/** A callback's stay in Python. */
typedef struct pkcs11_visit {
    pkcs11_call *under_way; /* the call under way on this thread before the callback */
    pkcs11_call *call;      /* the same if it belongs to this interpreter; then its thread state is used */
    PyThreadState *own;     /* a thread state made for this callback, or NULL */
    PyGILState_STATE gil;
} pkcs11_visit;

/** What became of a callback's way into Python. */
typedef enum pkcs11_entered {
    PKCS11_ENTERED, /**< it holds the GIL */
    PKCS11_GONE,    /**< there is no entry with its number */
    PKCS11_CLOSED,  /**< the interpreter has ended, or does not let it in */
} pkcs11_entered;

/** Enter Python: take the GIL of an entry's interpreter, on any thread. The entry itself may be gone by then. */
pkcs11_entered pkcs11_visit_begin(pkcs11_visit *visit, const void *number);
/** Leave Python again. */
void pkcs11_visit_end(pkcs11_visit *visit);

/** Pass the exception that is set to the call under way, or report it as unraisable if there is no call. Returns the
 *  return value for the module: that of a PKCS11Error, otherwise CKR_GENERAL_ERROR. */
CK_RV pkcs11_visit_failed(const pkcs11_state *state, pkcs11_visit *visit, PyObject *callable);

#endif
