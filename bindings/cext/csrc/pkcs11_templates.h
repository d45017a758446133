/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_templates.h - conversion of templates to C.
 */
#ifndef CSIDE_CEXT_PKCS11_TEMPLATES_H
#define CSIDE_CEXT_PKCS11_TEMPLATES_H

#include "pkcs11_memory.h"

/** A template as an argument: an array of attributes. */
typedef struct pkcs11_template {
    CK_ATTRIBUTE *items;
    CK_ULONG count;
} pkcs11_template;

/** A template, from an iterable of tuples (type, value). Returns 0, or -1 with an exception set. */
int pkcs11_as_template(PyObject *object, pkcs11_hold *hold, pkcs11_template *out);

/** An iterable as a tuple, which Python code that runs during a conversion cannot change: the tuple itself, or a new
 *  one that is held. A borrowed reference; NULL with an exception set. */
PyObject *pkcs11_frozen(PyObject *iterable, pkcs11_hold *hold);

#endif
