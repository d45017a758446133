/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_locks.h - the arguments of C_Initialize that a module keeps: the application's mutex functions and the
 * reserved buffer.
 */
#ifndef CSIDE_CEXT_PKCS11_LOCKS_H
#define CSIDE_CEXT_PKCS11_LOCKS_H

#include "pkcs11_module.h"

#include "cside/pkcs11_shim.h"

typedef struct pkcs11_locks pkcs11_locks;

/** Make one from four callables, or from none if `callables` is NULL, and from the reserved buffer, which it takes
 *  over. NULL with MemoryError. */
pkcs11_locks *pkcs11_locks_new(const pkcs11_module *self, PyObject *const *callables, Py_buffer *reserved);
/** The mutex functions for the module, or NULL if there are none. */
const cs_pkcs11_locks *pkcs11_locks_table(const pkcs11_locks *locks);
/** The reserved pointer for the module. */
void *pkcs11_locks_reserved(const pkcs11_locks *locks);
/** Take those of a module out of the list. */
pkcs11_locks *pkcs11_locks_take(const pkcs11_module *self);
/** Put them into the list. */
void pkcs11_locks_return(pkcs11_state *state, pkcs11_locks *locks);
/** Free them, with what they refer to. */
void pkcs11_locks_free(pkcs11_locks *locks);

/* For the garbage collector (traverse, clear) and for the end of the interpreter (abandon). */
int pkcs11_locks_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_locks_clear(pkcs11_state *state);
void pkcs11_locks_abandon(pkcs11_state *state);

#endif
