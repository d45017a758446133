/* SPDX-License-Identifier: Apache-2.0
 *
 * What every module made from here begins with. CSIDE_PACKAGE is the name of its package, which setup.py defines.
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
if (PyInterpreterState_Get() != PyInterpreterState_Main()) { /* the C globals of SWIG's runtime know one interpreter */
    PyErr_SetString(PyExc_ImportError, CSIDE_PACKAGE " cannot be imported in a subinterpreter");
    return -1;
}
#endif
%}

/* Types and macros are needed, wrappers are not. */
%import <cside/status.h>

%include "typemaps/status.i"
%include "typemaps/numbers.i"
%include "typemaps/buffers.i"
%include "typemaps/text.i"
%include "typemaps/structs.i"
%include "typemaps/callbacks.i"
