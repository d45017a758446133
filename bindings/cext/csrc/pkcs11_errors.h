/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_errors.h - exceptions for the return values of PKCS #11 functions.
 */
#ifndef CSIDE_CEXT_PKCS11_ERRORS_H
#define CSIDE_CEXT_PKCS11_ERRORS_H

#include "pkcs11_state.h"

#include "cside/pkcs11.h"

/** Raise PKCS11Error(rv, function), or PKCS11Error(rv, function, result) if `result` is not NULL; it is borrowed. */
void pkcs11_raise(const pkcs11_state *state, CK_RV rv, const char *function, PyObject *result);

/** Raise RuntimeError because a module reports more output than there was room for. Returns NULL. */
PyObject *pkcs11_overrun(const char *function, CK_ULONG reported, CK_ULONG room, const char *unit);

#endif
