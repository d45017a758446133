/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers: any contiguous object in, without a copy; bytes out, written by the library in place.
 */
%{
/* bytes need no export: the caller of the wrapper holds them, and nobody can resize them. Then view->obj stays NULL,
 * which is why every typemap that releases a view has set it before the first conversion can fail. */
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

SWIGINTERNINLINE bool cside_view_writable(PyObject *object, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE) == 0)
        return true;
    view->obj = NULL;
#ifdef PYPY_VERSION
    if (PyErr_ExceptionMatches(PyExc_ValueError)) /* PyPy's word for a read-only object */
        PyErr_SetString(PyExc_BufferError, "Object is not writable.");
#endif
    return false;
}

/* A new bytes object in which the library may write. PyPy adds its header to the size without a look, and has a SystemError
 * where memory is missing. */
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

/* Takes over the reference; the bytes cut to what was written. */
SWIGINTERNINLINE PyObject *cside_bytes_cut(PyObject *bytes, size_t nbytes)
{
    if ((size_t)PyBytes_GET_SIZE(bytes) != nbytes)
        _PyBytes_Resize(&bytes, (Py_ssize_t)nbytes);
    return bytes;
}
%}

/* SWIG runs freearg after a failed `in` too, even of an earlier argument: hence arginit. */
%typemap(arginit) (const uint8_t *data, size_t data_nbytes) "view$argnum.obj = NULL;"
%typemap(in) (const uint8_t *data, size_t data_nbytes) (Py_buffer view) {
    if (!cside_view($input, &view))
        SWIG_fail;
    $1 = ($1_ltype)view.buf;
    $2 = (size_t)view.len;
}
%typemap(freearg) (const uint8_t *data, size_t data_nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

/* The same, where None means that there is none: then the pointer is NULL, which it never is for an empty buffer. */
%typemap(arginit) (const uint8_t *zdict, size_t zdict_nbytes) "view$argnum.obj = NULL;"
%typemap(in) (const uint8_t *zdict, size_t zdict_nbytes) (Py_buffer view) {
    if ($input != Py_None) {
        if (!cside_view($input, &view))
            SWIG_fail;
        $1 = view.buf ? ($1_ltype)view.buf : ($1_ltype)"";
        $2 = (size_t)view.len;
    }
}
%typemap(freearg) (const uint8_t *zdict, size_t zdict_nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

%typemap(arginit) (uint8_t *out, size_t out_nbytes) "view$argnum.obj = NULL;"
%typemap(in) (uint8_t *out, size_t out_nbytes) (Py_buffer view) {
    if (!cside_view_writable($input, &view))
        SWIG_fail;
    $1 = ($1_ltype)view.buf;
    $2 = (size_t)view.len;
}
%typemap(freearg) (uint8_t *out, size_t out_nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

/* Two-call size query. The action of the function, in %exception, runs twice: see %asks_size. */
%typemap(in, numinputs=0) (uint8_t *out, size_t *inout_nbytes) (PyObject *bytes, size_t room) {
    bytes = NULL;
    room = 0;
    $1 = NULL;
    $2 = &room;
}
%typemap(argout) (uint8_t *out, size_t *inout_nbytes) {
    %set_result(bytes$argnum)
    bytes$argnum = NULL;
}
%typemap(freearg) (uint8_t *out, size_t *inout_nbytes) "Py_XDECREF(bytes$argnum);"

/* `N` is the number of the parameter `out`. */
%define %asks_size(NAME, N)
%exception NAME {
    $action
    if (result >= 0) {
        if ((bytes##N = cside_bytes_new(room##N)) == NULL)
            SWIG_fail;
        arg##N = cside_bytes_start(bytes##N);
        $action
    }
}
%enddef

/* Grow and retry, likewise: see %grows. */
%typemap(in, numinputs=0) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) (PyObject *bytes, size_t written) {
    bytes = NULL;
    written = 0;
    $3 = &written;
}
%typemap(argout) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) {
    %set_result(cside_bytes_cut(bytes$argnum, written$argnum))
    bytes$argnum = NULL;
}
%typemap(freearg) (uint8_t *out, size_t out_capacity, size_t *out_nbytes) "Py_XDECREF(bytes$argnum);"

/* `N` is the number of the parameter `out`, `CAPACITY` that of `out_capacity`, `FIRST` the room of the first call. */
%define %grows(NAME, N, CAPACITY, FIRST)
%exception NAME {
    arg##CAPACITY = FIRST;
    do {
        Py_XDECREF(bytes##N);
        if ((bytes##N = cside_bytes_new(arg##CAPACITY)) == NULL)
            SWIG_fail;
        arg##N = cside_bytes_start(bytes##N);
        $action
        arg##CAPACITY *= 2;
    } while (result == CS_E_TOO_SMALL);
}
%enddef
