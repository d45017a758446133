/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers. C reads the memory of any contiguous object without a copy, and writes its output into a new bytes object.
 */
%{
/* A bytes object needs no PyObject_GetBuffer(): the caller of the wrapper holds a reference to it, and nobody can
 * resize it. view->obj is then NULL, and there is nothing to release. */
SWIGINTERNINLINE bool cside_view(PyObject *object, Py_buffer *view)
{
    if (PyBytes_CheckExact(object)) {
        view->obj = NULL;
        view->buf = PyBytes_AS_STRING(object);
        view->len = PyBytes_GET_SIZE(object);
        return true;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) == 0)
        return true;
    view->obj = NULL;
    return false;
}

/* For a call that keeps the GIL and runs no Python code meanwhile, and has no argument after this one: nobody can
 * resize a bytearray during such a call either. */
SWIGINTERNINLINE bool cside_view_briefly(PyObject *object, Py_buffer *view)
{
#if !defined(PYPY_VERSION) && !defined(Py_GIL_DISABLED)
    if (PyByteArray_CheckExact(object)) {
        view->obj = NULL;
        view->buf = PyByteArray_AS_STRING(object);
        view->len = PyByteArray_GET_SIZE(object);
        return true;
    }
#endif
    return cside_view(object, view);
}

SWIGINTERNINLINE bool cside_view_writable(PyObject *object, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE) == 0)
        return true;
    view->obj = NULL;
#ifdef PYPY_VERSION
    if (PyErr_ExceptionMatches(PyExc_ValueError)) /* what PyPy raises for a read-only object */
        PyErr_SetString(PyExc_BufferError, "Object is not writable.");
#endif
    return false;
}

/* A new bytes object, for the library to write into. PyPy adds the size of its header to `nbytes` without a check for
 * overflow, and raises SystemError where memory is missing. */
SWIGINTERNINLINE PyObject *cside_bytes_new(size_t nbytes)
{
    PyObject *bytes = NULL;

    if (nbytes <= PY_SSIZE_T_MAX - 64)
        bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)nbytes);
    return bytes != NULL ? bytes : PyErr_NoMemory();
}

SWIGINTERNINLINE uint8_t *cside_bytes_start(PyObject *bytes)
{
    return (uint8_t *)PyBytes_AS_STRING(bytes);
}

/* `bytes`, shortened to the `nbytes` that were written. Takes over the reference. */
SWIGINTERNINLINE PyObject *cside_bytes_cut(PyObject *bytes, size_t nbytes)
{
    if ((size_t)PyBytes_GET_SIZE(bytes) != nbytes)
        _PyBytes_Resize(&bytes, (Py_ssize_t)nbytes);
    return bytes;
}
%}

/* SWIG runs freearg also after an `in` that failed, even that of an earlier argument: arginit therefore sets what
 * freearg releases, before any conversion. */
%define %buffer_in(DATA, NBYTES, VIEW)
%typemap(arginit) (const uint8_t *DATA, size_t NBYTES) "view$argnum.obj = NULL;"
%typemap(in) (const uint8_t *DATA, size_t NBYTES) (Py_buffer view) {
    if (!VIEW($input, &view))
        SWIG_fail;
    $1 = ($1_ltype)view.buf;
    $2 = (size_t)view.len;
}
%typemap(freearg) (const uint8_t *DATA, size_t NBYTES) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}
%enddef

%buffer_in(data, data_nbytes, cside_view)
