/* SPDX-License-Identifier: Apache-2.0
 *
 * Text: UTF-8, NUL-terminated or padded to a fixed width. SWIG's own typemaps cut at an embedded NUL and let
 * undecodable bytes through as surrogates.
 */
%{
static const char *cside_text(PyObject *object)
{
    Py_ssize_t nbytes = 0;
    const char *text;

    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a str is required, not '%.200s'", Py_TYPE(object)->tp_name);
        return NULL;
    }
    text = PyUnicode_AsUTF8AndSize(object, &nbytes);
    if (text != NULL && strlen(text) != (size_t)nbytes) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    return text;
}

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

%typemap(in) const char * "if (($1 = ($1_ltype)cside_text($input)) == NULL) SWIG_fail;"
%typemap(freearg) const char * ""
%typemap(out) const char * "$result = $1 ? PyUnicode_FromString($1) : SWIG_Py_Void();"

/* A text that the caller must free, on every path. */
%typemap(in, numinputs=0) char **out_text (char *text) {
    text = NULL;
    $1 = &text;
}
%typemap(argout) char **out_text {
    %set_result(PyUnicode_FromString(*$1))
}
%typemap(freearg) char **out_text "cs_string_free(text$argnum);"

%typemap(in) const char label[ANY] (char padded[CS_LABEL_NBYTES]) {
    if (!cside_label($input, padded))
        SWIG_fail;
    $1 = padded;
}
%typemap(freearg) const char label[ANY] ""

%typemap(in, numinputs=0) char out[ANY] (char padded[CS_LABEL_NBYTES]) "$1 = padded;"
%typemap(argout) char out[ANY] {
    %set_result(cside_from_label($1))
}
%typemap(freearg) char out[ANY] ""
