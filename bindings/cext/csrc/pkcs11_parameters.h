/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_parameters.h - conversion of mechanisms and their parameters to C. Each function returns 0, or -1 with an
 * exception set.
 */
#ifndef CSIDE_CEXT_PKCS11_PARAMETERS_H
#define CSIDE_CEXT_PKCS11_PARAMETERS_H

#include "pkcs11_memory.h"
#include "pkcs11_state.h"

/** A mechanism as an argument. */
typedef struct pkcs11_mechanism {
    CK_MECHANISM value;
    CK_MECHANISM *pointer; /**< to `value`, or NULL */
} pkcs11_mechanism;

/** A mechanism, from a number or a tuple (type, parameter); None gives a NULL pointer. */
int pkcs11_as_mechanism(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, pkcs11_mechanism *out);

/** A pointer to a mechanism's parameter, and its size. */
typedef struct pkcs11_parameter {
    void *data;
    CK_ULONG nbytes;
} pkcs11_parameter;

/** A mechanism's parameter, from a named tuple, a number, a buffer or None. If `written` is true, the module may write
 *  into the parameter, so a buffer must be writable. */
int pkcs11_as_parameter(const pkcs11_state *state, PyObject *object, pkcs11_hold *hold, bool written,
                        pkcs11_parameter *out);

#endif
