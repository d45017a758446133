/* SPDX-License-Identifier: Apache-2.0
 *
 * PKCS #11. Each function of the standard is a method of the class Module. pkcs11_functions.i declares it with the
 * standard's own arguments, and the typemaps in the other files convert each kind of argument.
 */
%{
#include <cside/pkcs11_shim.h>

static PyTypeObject *cside_CK_INTERFACE;
static PyTypeObject *cside_CK_ASYNC_DATA;
static PyTypeObject *cside_CK_C_INITIALIZE_ARGS;
%}

/* The types of the standard. Its functions are not wrapped as such: they are called through the list of a module. */
%define CK_PTR * %enddef
%define CK_CALLBACK_FUNCTION(returnType, name) returnType (*name) %enddef
%import <cside/pkcs11t.h>

%include "pkcs11_arguments.i"
%include "pkcs11_memory.i"
%include "pkcs11_templates.i"
%include "pkcs11_results.i"
%include "pkcs11_tuples.i"
%include "pkcs11_structs.i"
%include "pkcs11_parameters.i"
%include "pkcs11_errors.i"
%include "pkcs11_callbacks.i"
%include "pkcs11_locks.i"
%include "pkcs11_sessions.i"
%include "pkcs11_interfaces.i"
%include "pkcs11_functions.i"
%include "pkcs11_attributes.i"
%include "pkcs11_module.i"
