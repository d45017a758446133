/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_errors.c - StatusError, and functions that fail with a status or an errno.
 */
#include "add.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"

#include "cside/idioms.h"

#include <errno.h>
#include <string.h>

#if !defined(CORE_KNOBS_ONLY)

static PyObject *status_raise(PyObject *module, PyObject *status)
{
    int32_t value = 0;
    cs_status returned = CS_OK;

    if (core_as_int32(status, &value) < 0) {
        return NULL;
    }
    returned = cs_status_return(value);
    if (returned < 0) {
        return core_raise(core_state_of(module), returned);
    }
    Py_RETURN_NONE;
}

static PyObject *errno_raise(PyObject *Py_UNUSED(module), PyObject *error)
{
    int32_t value = 0;

    if (core_as_int32(error, &value) < 0) {
        return NULL;
    }
    if (cs_errno_fail(value) < 0) {
#if defined(PYPY_VERSION)
        /* PyPy's PyErr_SetFromErrno() passes a third argument to OSError, a file name of None. */
        int number = errno;
        PyObject *arguments = Py_BuildValue("(is)", number, strerror(number));

        if (arguments != NULL) {
            PyErr_SetObject(PyExc_OSError, arguments);
            Py_DECREF(arguments);
        }
        return NULL;
#else
        return PyErr_SetFromErrno(PyExc_OSError);
#endif
    }
    Py_RETURN_NONE;
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
#if !defined(CORE_KNOBS_ONLY)
    {"status_raise", status_raise, METH_O, DOC_status_raise},
    {"errno_raise", errno_raise, METH_O, DOC_errno_raise},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_errors(PyObject *module)
{
    if (core_add_exception(module, CORE_PACKAGE ".idioms.StatusError", DOC_StatusError,
                           &core_state_of(module)->status_error) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
