/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.cpp - what of buffers.hpp is called less often, or does more.
 */
#include "buffers.hpp"

namespace cside
{

bool input::open_buffer(nb::handle object)
{
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) < 0) {
        view.obj = nullptr;
        return false;
    }
    start = static_cast<const uint8_t *>(view.buf);
    count = static_cast<size_t>(view.len);
    return true;
}

bool output::open(nb::handle object)
{
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_WRITABLE) < 0) {
#if defined(PYPY_VERSION)
        if (PyErr_ExceptionMatches(PyExc_ValueError)) { /* PyPy raises it for a read-only buffer */
            PyErr_SetString(PyExc_BufferError, "Object is not writable.");
        }
#endif
        view.obj = nullptr;
        return false;
    }
    return true;
}

nb::object new_bytes(size_t nbytes)
{
    /* For a size that leaves no room for the object's header, PyPy aborts instead of raising. */
    if (nbytes > static_cast<size_t>(PY_SSIZE_T_MAX) - 4096) {
        return nb::steal(PyErr_NoMemory());
    }
    PyObject *bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(nbytes));
#if defined(PYPY_VERSION)
    if (bytes == nullptr) { /* PyPy raises a SystemError, caused by a MemoryError, if memory runs out */
        PyErr_Clear();
        PyErr_NoMemory();
    }
#endif
    return nb::steal(bytes);
}

} // namespace cside
