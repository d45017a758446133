/* SPDX-License-Identifier: Apache-2.0
 *
 * The module. SWIG reads this file, and through it the library's own headers. Typemaps come first, since they act on
 * the declarations after them.
 */
%module(package="cside_swig") _core

%{
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cside/codec.h>
#include <cside/idioms.h>
#include <cside/trace.h>
%}

%init %{
#ifndef PYPY_VERSION
if (PyInterpreterState_Get() != PyInterpreterState_Main()) { /* the C globals of SWIG's runtime know one interpreter */
    PyErr_SetString(PyExc_ImportError, "cside_swig cannot be imported in a subinterpreter");
    return -1;
}
#endif
%}

/* cs_noun_verb is noun_verb in Python, CS_NAME is NAME. */
%rename("%(regex:/^(?:cs|CS)_(.*)/\\1/)s") "";

/* Arguments with a default are one wrapper, not an overload for each number of them. */
%feature("compactdefaultargs");

/* Types and macros are needed, wrappers are not. */
%import <cside/status.h>

%include "typemaps/status.i"
%include "typemaps/numbers.i"
%include "typemaps/buffers.i"
%include "typemaps/text.i"
%include "typemaps/structs.i"
%include "typemaps/callbacks.i"

%include "idioms.i"
%include "codec.i"
%include "pkcs11.i"
