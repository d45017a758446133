/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.c - the slow paths of buffers.h.
 */
#include "buffers.h"

int core_as_bytes_slow(PyObject *object, core_bytes *out)
{
    if (PyObject_GetBuffer(object, &out->view, PyBUF_SIMPLE) < 0) {
        out->view.obj = NULL;
        return -1;
    }
    out->data = out->view.buf;
    out->nbytes = (size_t)out->view.len;
    return 0;
}

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
