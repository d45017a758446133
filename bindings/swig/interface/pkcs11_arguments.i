/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments by kind: numbers, truth values, byte strings, text. An %apply in pkcs11_functions.i tells which arguments
 * of the standard are of which kind.
 */
%{
SWIGINTERNINLINE bool cside_as_ulong(PyObject *object, CK_ULONG *out)
{
    if (PyLong_Check(object)) {
        *out = PyLong_AsUnsignedLong(object);
    } else {
        PyObject *index = PyNumber_Index(object);
        if (index == NULL)
            return false;
        *out = PyLong_AsUnsignedLong(index);
        Py_DECREF(index);
    }
    return *out != (CK_ULONG)-1 || !PyErr_Occurred();
}

static bool cside_as_byte(PyObject *object, CK_BYTE *out)
{
    int64_t value;

    if (!cside_as_ranged(object, 0, UINT8_MAX, "CK_BYTE", &value))
        return false;
    *out = (CK_BYTE)value;
    return true;
}

static bool cside_as_bool(PyObject *object, CK_BBOOL *out)
{
    const int truth = PyObject_IsTrue(object);

    *out = truth > 0 ? CK_TRUE : CK_FALSE;
    return truth >= 0;
}

/* Text as UTF-8. Python keeps the encoded copy of a str that is not ASCII as long as the str. The text may be a PIN, so
 * this encodes it into a copy of its own, and overwrites that with zeros after the call. */
typedef struct cside_utf8 {
    Py_buffer view;
    PyObject *copy;
} cside_utf8;

static bool cside_utf8_open(cside_utf8 *self, PyObject *object)
{
    if (!PyUnicode_Check(object))
        return cside_view(object, &self->view);
#ifndef PYPY_VERSION
    if (PyUnicode_IS_COMPACT_ASCII(object)) {
        self->view.buf = (void *)PyUnicode_AsUTF8AndSize(object, &self->view.len);
        return self->view.buf != NULL;
    }
#endif
    if ((self->copy = PyUnicode_AsUTF8String(object)) == NULL)
        return false;
    self->view.buf = PyBytes_AS_STRING(self->copy);
    self->view.len = PyBytes_GET_SIZE(self->copy);
    return true;
}

static void cside_utf8_close(cside_utf8 *self)
{
    if (self->view.obj != NULL)
        PyBuffer_Release(&self->view);
    if (self->copy != NULL) {
        volatile char *at = PyBytes_AS_STRING(self->copy);
        for (Py_ssize_t left = self->view.len; left > 0; left--)
            *at++ = 0;
        Py_DECREF(self->copy);
    }
}

static bool cside_padded(PyObject *object, CK_UTF8CHAR *padded, Py_ssize_t width)
{
    cside_utf8 text = {.view = {.obj = NULL}};
    bool fits = false;

    if (cside_utf8_open(&text, object)) {
        fits = text.view.len <= width;
        if (fits) {
            memset(padded, ' ', (size_t)width);
            if (text.view.len > 0)
                memcpy(padded, text.view.buf, (size_t)text.view.len);
        } else {
            PyErr_Format(PyExc_ValueError, "label longer than %zd bytes", width);
        }
    }
    cside_utf8_close(&text);
    return fits;
}

static bool cside_version(PyObject *object, CK_VERSION *version)
{
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 2) {
        PyErr_SetString(PyExc_TypeError, "a version is a pair (major, minor), or None");
        return false;
    }
    return cside_as_byte(PyTuple_GET_ITEM(object, 0), &version->major) &&
           cside_as_byte(PyTuple_GET_ITEM(object, 1), &version->minor);
}
%}

%typemap(in) CK_ULONG "if (!cside_as_ulong($input, &$1)) SWIG_fail;"
%typemap(in) CK_BBOOL "if (!cside_as_bool($input, &$1)) SWIG_fail;"

/* None becomes NULL. An empty byte string does not. */
%typemap(arginit) (CK_BYTE_PTR bytes, CK_ULONG nbytes) "view$argnum.obj = NULL;"
%typemap(in) (CK_BYTE_PTR bytes, CK_ULONG nbytes) (Py_buffer view) {
    if ($input == Py_None) {
        $1 = NULL;
        $2 = 0;
    } else {
        if (!cside_view($input, &view))
            SWIG_fail;
        $1 = view.buf ? ($1_ltype)view.buf : ($1_ltype)&view;
        $2 = (CK_ULONG)view.len;
    }
}
%typemap(freearg) (CK_BYTE_PTR bytes, CK_ULONG nbytes) {
    if (view$argnum.obj)
        PyBuffer_Release(&view$argnum);
}

%typemap(arginit) (CK_UTF8CHAR_PTR text, CK_ULONG nbytes) "utf8$argnum.view.obj = utf8$argnum.copy = NULL;"
%typemap(in) (CK_UTF8CHAR_PTR text, CK_ULONG nbytes) (cside_utf8 utf8) {
    if ($input == Py_None) {
        $1 = NULL;
        $2 = 0;
    } else {
        if (!cside_utf8_open(&utf8, $input))
            SWIG_fail;
        $1 = utf8.view.buf ? ($1_ltype)utf8.view.buf : ($1_ltype)&utf8;
        $2 = (CK_ULONG)utf8.view.len;
    }
}
%typemap(freearg) (CK_UTF8CHAR_PTR text, CK_ULONG nbytes) "cside_utf8_close(&utf8$argnum);"

/* NUL-terminated text. */
%typemap(in) CK_UTF8CHAR_PTR cstring {
    $1 = NULL;
    if ($input != Py_None && ($1 = ($1_ltype)cside_text($input)) == NULL)
        SWIG_fail;
}
%typemap(freearg) CK_UTF8CHAR_PTR cstring ""

/* Text that is padded with spaces to a fixed width. */
%typemap(in) CK_UTF8CHAR_PTR padded (CK_UTF8CHAR padded[32]) {
    if (!cside_padded($input, padded, sizeof padded))
        SWIG_fail;
    $1 = padded;
}
%typemap(freearg) CK_UTF8CHAR_PTR padded ""

/* A pair (major, minor), or None. */
%typemap(in) CK_VERSION_PTR pair (CK_VERSION version) {
    $1 = NULL;
    if ($input != Py_None) {
        if (!cside_version($input, &version))
            SWIG_fail;
        $1 = &version;
    }
}
