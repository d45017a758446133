/* SPDX-License-Identifier: Apache-2.0
 *
 * Text: NUL-terminated UTF-8. SWIG's own typemaps cut text at an embedded NUL and return undecodable bytes as
 * surrogates.
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
%}

%typemap(in) const char * "if (($1 = ($1_ltype)cside_text($input)) == NULL) SWIG_fail;"
%typemap(freearg) const char * ""
%typemap(out) const char * "$result = $1 ? PyUnicode_FromString($1) : SWIG_Py_Void();"
