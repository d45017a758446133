/* SPDX-License-Identifier: Apache-2.0
 *
 * The beginning of every compiled module. setup.py defines CSIDE_PACKAGE, the name of the module's package.
 */
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
if (PyInterpreterState_Get() != PyInterpreterState_Main()) { /* SWIG's runtime keeps Python objects in C globals */
    PyErr_SetString(PyExc_ImportError, CSIDE_PACKAGE " cannot be imported in a subinterpreter");
    return -1;
}
#endif
%}

/* %import reads types and macros, and writes no wrappers. */
%import <cside/status.h>

%include "typemaps/status.i"
%include "typemaps/numbers.i"
%include "typemaps/buffers.i"
%include "typemaps/text.i"
%include "typemaps/structs.i"
%include "typemaps/tuples.i"
%include "typemaps/callbacks.i"
