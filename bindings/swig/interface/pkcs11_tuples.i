/* SPDX-License-Identifier: Apache-2.0
 *
 * Named tuples. Their classes are written in Python (cside_native.pkcs11_types), and load() imports them when it opens the
 * first module.
 */
%{
/* An instance of a class of tuples, with `count` items. Takes over the references; returns NULL if one of the items is
 * NULL. */
static PyObject *cside_named(PyTypeObject *type, int count, ...)
{
#ifdef PYPY_VERSION
    PyObject *items = PyTuple_New(count);
#else
    PyObject *items = type->tp_alloc(type, count); /* what tuple.__new__() does, without an iterable to read from */
#endif
    bool complete = items != NULL;
    va_list arguments;

    va_start(arguments, count);
    for (int i = 0; i < count; i++) {
        PyObject *item = va_arg(arguments, PyObject *);
        complete = complete && item != NULL;
        if (items != NULL)
            PyTuple_SET_ITEM(items, i, item);
        else
            Py_XDECREF(item);
    }
    va_end(arguments);
    if (!complete) {
        Py_CLEAR(items);
        return NULL;
    }
#ifdef PYPY_VERSION
    {
        PyObject *made = PyObject_Call((PyObject *)type, items, NULL);
        Py_DECREF(items);
        return made;
    }
#else
#if PY_VERSION_HEX >= 0x030E0000
    ((PyTupleObject *)items)->ob_hash = -1; /* not computed yet; tp_alloc left zero, which is a valid hash */
#endif
    return items;
#endif
}

/* Text that is padded with spaces. Bytes that are not UTF-8 become surrogates, so that none is lost. */
static PyObject *cside_from_padded(const CK_UTF8CHAR *text, Py_ssize_t width)
{
    while (width > 0 && text[width - 1] == ' ')
        width--;
    return PyUnicode_DecodeUTF8((const char *)text, width, "surrogateescape");
}

typedef struct cside_tuple_class {
    const char *name;
    PyTypeObject **type;
} cside_tuple_class;

/* Gets each class that `classes` names from the Python module. An entry without a name ends the array. */
static bool cside_tuple_classes(PyObject *module, const cside_tuple_class *classes)
{
    for (; classes->name != NULL; classes++) {
        PyObject *type = PyObject_GetAttrString(module, classes->name);
        if (type == NULL)
            return false;
        if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type)) {
            PyErr_Format(PyExc_TypeError, "%s is not a class of tuples", classes->name);
            Py_DECREF(type);
            return false;
        }
        Py_XSETREF(*classes->type, (PyTypeObject *)type);
    }
    return true;
}
%}
