/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_locks.h - what C_Initialize was given: mutexes of the application, and the reserved buffer.
 */
#ifndef CSIDE_CEXT_PKCS11_LOCKS_H
#define CSIDE_CEXT_PKCS11_LOCKS_H

#include "pkcs11_module.h"

#include "cside/pkcs11_shim.h"

typedef struct pkcs11_locks pkcs11_locks;

/** What C_Initialize keeps: four callables or none (NULL), and the reserved buffer, which it takes. NULL with MemoryError. */
pkcs11_locks *pkcs11_locks_new(const pkcs11_module *self, PyObject *const *callables, Py_buffer *reserved);
const cs_pkcs11_locks *pkcs11_locks_table(const pkcs11_locks *locks);
void *pkcs11_locks_reserved(const pkcs11_locks *locks);
pkcs11_locks *pkcs11_locks_take(const pkcs11_module *self);
void pkcs11_locks_return(pkcs11_state *state, pkcs11_locks *locks);
void pkcs11_locks_free(pkcs11_locks *locks);

/* For the garbage collector, and for the interpreter's end. */
int pkcs11_locks_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_locks_clear(pkcs11_state *state);
void pkcs11_locks_abandon(pkcs11_state *state);

#endif
