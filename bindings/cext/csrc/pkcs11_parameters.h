/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_parameters.h - mechanisms and their parameters on their way to C. Each function returns 0, or -1 with an
 * exception set.
 */
#ifndef CSIDE_CEXT_PKCS11_PARAMETERS_H
#define CSIDE_CEXT_PKCS11_PARAMETERS_H

#include "pkcs11_memory.h"
#include "pkcs11_state.h"

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

#endif
