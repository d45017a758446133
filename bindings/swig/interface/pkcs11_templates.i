/* SPDX-License-Identifier: Apache-2.0
 *
 * Templates: pairs (type, value) become an array of CK_ATTRIBUTE. A value points to the memory of the Python object if
 * the object has a buffer, and to the memory of the arena otherwise.
 */
%{
static bool cside_template(cside_arena *arena, PyObject *items, cside_span *out);

static bool cside_is_pair(PyObject *object)
{
    return PyTuple_Check(object) && PyTuple_GET_SIZE(object) == 2;
}

static bool cside_numbers_in(cside_arena *arena, PyObject *items, cside_span *out)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(items);
    CK_ULONG *numbers = cside_arena_take(arena, (size_t)count, sizeof *numbers);

    if (numbers == NULL)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!cside_as_ulong(PyTuple_GET_ITEM(items, i), &numbers[i]))
            return false;
    }
    out->at = numbers;
    out->nbytes = (CK_ULONG)count * sizeof *numbers;
    return true;
}

/* A list or tuple holds numbers, or it is a template of its own. A list may contain itself, hence the check for
 * recursion. */
static bool cside_values(cside_arena *arena, PyObject *object, cside_span *out)
{
    PyObject *items = cside_arena_items(arena, object);
    bool done;

    if (items == NULL)
        return false;
    if (PyTuple_GET_SIZE(items) == 0 || !PyTuple_Check(PyTuple_GET_ITEM(items, 0)))
        return cside_numbers_in(arena, items, out);
    if (Py_EnterRecursiveCall(" in a template"))
        return false;
    done = cside_template(arena, items, out);
    Py_LeaveRecursiveCall();
    out->nbytes *= sizeof(CK_ATTRIBUTE);
    return done;
}

static bool cside_value(cside_arena *arena, PyObject *object, cside_span *out)
{
    if (object == Py_None) {
        out->at = NULL;
        out->nbytes = 0;
        return true;
    }
    if (PyBool_Check(object)) {
        CK_BBOOL *truth = cside_arena_take(arena, 1, sizeof *truth);
        if (truth == NULL)
            return false;
        *truth = object == Py_True ? CK_TRUE : CK_FALSE;
        out->at = truth;
        out->nbytes = sizeof *truth;
        return true;
    }
    if (PyLong_Check(object))
        return cside_arena_number(arena, object, out);
    if (PyUnicode_Check(object)) {
        Py_ssize_t nbytes = 0;
        out->at = (void *)PyUnicode_AsUTF8AndSize(object, &nbytes);
        out->nbytes = (CK_ULONG)nbytes;
        return out->at != NULL;
    }
    if (PyList_Check(object) || PyTuple_Check(object))
        return cside_values(arena, object, out);
    if (PyObject_CheckBuffer(object))
        return cside_arena_view(arena, object, false, out);
    if (PyIndex_Check(object))
        return cside_arena_number(arena, object, out);
    PyErr_Format(PyExc_TypeError, "'%.200s' cannot be the value of an attribute", Py_TYPE(object)->tp_name);
    return false;
}

/* out->nbytes is the number of attributes here, not of bytes. */
static bool cside_template(cside_arena *arena, PyObject *items, cside_span *out)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(items);
    CK_ATTRIBUTE *attributes = NULL;

    if (count > 0 && (attributes = cside_arena_take(arena, (size_t)count, sizeof *attributes)) == NULL)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(items, i);
        cside_span value = {NULL, 0};
        if (!cside_is_pair(pair)) {
            PyErr_SetString(PyExc_TypeError, "each attribute must be a tuple (type, value)");
            return false;
        }
        if (!cside_as_ulong(PyTuple_GET_ITEM(pair, 0), &attributes[i].type) ||
            !cside_value(arena, PyTuple_GET_ITEM(pair, 1), &value))
            return false;
        attributes[i].pValue = value.at;
        attributes[i].ulValueLen = value.nbytes;
    }
    out->at = attributes;
    out->nbytes = (CK_ULONG)count;
    return true;
}
%}

%typemap(arginit) (CK_ATTRIBUTE_PTR attributes, CK_ULONG count) "cside_arena_open(&arena$argnum);"
%typemap(in) (CK_ATTRIBUTE_PTR attributes, CK_ULONG count) (cside_arena arena) {
    cside_span attributes;
    PyObject *items = cside_arena_items(&arena, $input);
    if (items == NULL || !cside_template(&arena, items, &attributes))
        SWIG_fail;
    $1 = ($1_ltype)attributes.at;
    $2 = attributes.nbytes;
}
%typemap(freearg) (CK_ATTRIBUTE_PTR attributes, CK_ULONG count) "cside_arena_close(&arena$argnum);"
