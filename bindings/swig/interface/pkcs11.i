/* SPDX-License-Identifier: Apache-2.0
 *
 * PKCS #11. Each function is a method of Module, declared in pkcs11/functions.i with the standard's own arguments; what
 * becomes of these in Python is said once for each kind of argument, by the typemaps of the other files.
 */
%{
#include <cside/pkcs11_shim.h>

static PyTypeObject *cside_CK_INTERFACE;
static PyTypeObject *cside_CK_ASYNC_DATA;
static PyTypeObject *cside_CK_C_INITIALIZE_ARGS;
%}

/* The types of the standard; its functions are called through lists. */
%define CK_PTR * %enddef
%define CK_CALLBACK_FUNCTION(returnType, name) returnType (*name) %enddef
%import <cside/pkcs11t.h>

%include "pkcs11/inputs.i"
%include "pkcs11/arena.i"
%include "pkcs11/template.i"
%include "pkcs11/outputs.i"
%include "pkcs11/tuples.i"
%include "pkcs11/structs.i"
%include "pkcs11/mechanism.i"
%include "pkcs11/errors.i"
%include "pkcs11/callbacks.i"
%include "pkcs11/sessions.i"
%include "pkcs11/interfaces.i"
%include "pkcs11/functions.i"
%include "pkcs11/attributes.i"
%include "pkcs11/module.i"
