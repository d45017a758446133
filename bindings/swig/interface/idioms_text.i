/* SPDX-License-Identifier: Apache-2.0
 *
 * string_length, string_borrow, string_repeat, label_get, label_hash.
 *
 * The typemaps for NUL-terminated text, `const char *` as argument and as result, serve other groups too and are in
 * typemaps/text.i.
 */
%{
/* A label is 32 bytes, padded with spaces, without a NUL. */
SWIGINTERN bool cside_label(PyObject *object, char label[CS_LABEL_NBYTES])
{
    Py_ssize_t nbytes = 0;
    const char *text;

    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a str is required, not '%.200s'", Py_TYPE(object)->tp_name);
        return false;
    }
    if ((text = PyUnicode_AsUTF8AndSize(object, &nbytes)) == NULL)
        return false;
    if (nbytes > CS_LABEL_NBYTES) {
        PyErr_Format(PyExc_ValueError, "label longer than %d bytes", CS_LABEL_NBYTES);
        return false;
    }
    memcpy(label, text, (size_t)nbytes);
    memset(label + nbytes, ' ', CS_LABEL_NBYTES - (size_t)nbytes);
    return true;
}

static PyObject *cside_from_label(const char label[CS_LABEL_NBYTES])
{
    Py_ssize_t nbytes = CS_LABEL_NBYTES;

    while (nbytes > 0 && label[nbytes - 1] == ' ')
        nbytes--;
    return PyUnicode_DecodeUTF8(label, nbytes, NULL);
}
%}

%rename(string_length) cs_string_length;

%rename(label_get) cs_label_get;
%ignore CS_LABEL_NBYTES;
%typemap(in, numinputs=0) char out[ANY] (char padded[CS_LABEL_NBYTES]) "$1 = padded;"
%typemap(argout) char out[ANY] {
    %set_result(cside_from_label($1))
}
%typemap(freearg) char out[ANY] ""

#ifndef CSIDE_PARTIAL
%rename(string_borrow) cs_string_borrow;

/* string_repeat: the library allocates the text, and the wrapper frees it on every path. */
%rename(string_repeat) cs_string_repeat;
%ignore cs_string_free;
%typemap(in, numinputs=0) char **out_text (char *text) {
    text = NULL;
    $1 = &text;
}
%typemap(argout) char **out_text {
    %set_result(PyUnicode_FromString(*$1))
}
%typemap(freearg) char **out_text "cs_string_free(text$argnum);"

%rename(label_hash) cs_label_hash;
%typemap(in) const char label[ANY] (char padded[CS_LABEL_NBYTES]) {
    if (!cside_label($input, padded))
        SWIG_fail;
    $1 = padded;
}
%typemap(freearg) const char label[ANY] ""
#endif
