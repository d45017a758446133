/* SPDX-License-Identifier: Apache-2.0
 *
 * Return values: CKR_OK becomes None, and any other raises PKCS11Error. rv_name is here too.
 */
%{
/* "C_Sign", from SWIG's name for the method, "Module_C_Sign". */
#define CSIDE_FUNCTION(symname) (&(symname)[sizeof "Module_" - 1])

static PyObject *cside_PKCS11Error; /* written in Python: load() imports it */

static void cside_raise_rv(CK_RV rv, const char *function, PyObject *result)
{
    PyObject *error = PyObject_CallFunction(cside_PKCS11Error, "ksO", rv, function, result);

    if (error == NULL)
        return;
    PyErr_SetObject(cside_PKCS11Error, error);
    Py_DECREF(error);
}

/* The return value for a module whose callback raised an exception. The exception stays raised. */
static CK_RV cside_raised_rv(void)
{
    PyObject *type, *value, *traceback;
    PyObject *number = NULL;
    CK_RV rv = CKR_GENERAL_ERROR;

    if (!PyErr_ExceptionMatches(cside_PKCS11Error))
        return rv;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value == NULL || (number = PyObject_GetAttrString(value, "rv")) == NULL || !cside_as_ulong(number, &rv)) {
        PyErr_Clear();
        rv = CKR_GENERAL_ERROR;
    }
    Py_XDECREF(number);
    PyErr_Restore(type, value, traceback);
    return rv;
}
%}

%typemap(out) CK_RV {
    if ($1 != CKR_OK) {
        cside_raise_rv($1, CSIDE_FUNCTION("$symname"), Py_None);
        SWIG_fail;
    }
    $result = SWIG_Py_Void();
}

%rename(rv_name) cs_pkcs11_rv_name;
const char *cs_pkcs11_rv_name(CK_RV rv);
