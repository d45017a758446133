/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of every compiled module, after all classes: takes out of them what SWIG's runtime adds to every object and
 * what the contract does not have.
 */
%init %{
if (!cside_classes_finish())
    return -1;
%}

/* An object that is appended to itself makes SWIG's repr() recurse until the stack overflows, and its search for a type
 * go round without end. Objects here always own their structs, so that nobody needs these methods. The type that gets
 * them is of this module alone, as its table of types is (SWIG_TYPE_TABLE in setup.py). */
%{
static bool cside_attribute_remove(PyTypeObject *type, const char *name)
{
    PyObject *text = PyUnicode_InternFromString(name);
    const bool removed = text != NULL && PyType_Type.tp_setattro((PyObject *)type, text, NULL) == 0;

    Py_XDECREF(text);
    if (!removed && PyErr_ExceptionMatches(PyExc_AttributeError)) { /* not there */
        PyErr_Clear();
        return true;
    }
    return removed;
}

static bool cside_classes_finish(void)
{
#ifdef SWIGPYTHON_BUILTIN
    for (size_t i = 0; i < swig_module.size; i++) {
        const SwigPyClientData *known = swig_types[i]->clientdata;

        if (known != NULL && known->pytype != NULL &&
            !(cside_attribute_remove(known->pytype, "this") && cside_attribute_remove(known->pytype, "thisown")))
            return false;
    }
    for (const PyMethodDef *method = SwigPyObject_methods; method->ml_name != NULL; method++) {
        if (method->ml_name[0] != '_' && !cside_attribute_remove(SwigPyObject_Type(), method->ml_name))
            return false;
    }
    return true;
#else /* the proxies use the other methods */
    return cside_attribute_remove(SwigPyObject_Type(), "append") && cside_attribute_remove(SwigPyObject_Type(), "next");
#endif
}
%}
