/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_templates.h - templates on their way to C.
 */
#ifndef CSIDE_CEXT_PKCS11_TEMPLATES_H
#define CSIDE_CEXT_PKCS11_TEMPLATES_H

#include "pkcs11_memory.h"

typedef struct pkcs11_template {
    CK_ATTRIBUTE *items;
    CK_ULONG count;
} pkcs11_template;

int pkcs11_as_template(PyObject *object, pkcs11_hold *hold, pkcs11_template *out);

/** An iterable as a tuple, which no conversion that runs Python code can change under us: the tuple itself, or one that
 *  is held. Borrowed; NULL with an exception set. */
PyObject *pkcs11_frozen(PyObject *iterable, pkcs11_hold *hold);

#endif
