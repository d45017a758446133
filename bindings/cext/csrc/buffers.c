/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.c - buffers to write into.
 */
#include "buffers.h"

int core_as_writable(PyObject *object, Py_buffer *out)
{
    if (PyObject_GetBuffer(object, out, PyBUF_WRITABLE) < 0) {
#if defined(PYPY_VERSION)
        if (PyErr_ExceptionMatches(PyExc_ValueError)) { /* PyPy raises it for a read-only buffer */
            PyErr_SetString(PyExc_BufferError, "Object is not writable.");
        }
#endif
        return -1;
    }
    return 0;
}
