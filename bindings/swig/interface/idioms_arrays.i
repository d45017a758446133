/* SPDX-License-Identifier: Apache-2.0
 *
 * attrs_digest, attrs_get: arrays of structs.
 */
%ignore cs_attr;
%ignore CS_ATTR_MAX_TYPE;

%{
/* The array for one call, and what the wrapper releases after it. */
typedef struct cside_attrs {
    PyObject *items;   /* a tuple of what the caller passed: code that a conversion runs cannot change it */
    cs_attr *attrs;    /* `count` of them */
    Py_buffer *views;  /* likewise, for attrs_digest: obj is NULL if there is nothing to release */
    PyObject **values; /* likewise, for attrs_get: the bytes objects that the library fills */
    Py_ssize_t count;
} cside_attrs;

static void cside_attrs_free(cside_attrs *self)
{
    for (Py_ssize_t i = 0; self->views != NULL && i < self->count; i++) {
        if (self->views[i].obj != NULL)
            PyBuffer_Release(&self->views[i]);
    }
    for (Py_ssize_t i = 0; self->values != NULL && i < self->count; i++)
        Py_XDECREF(self->values[i]);
    PyMem_Free(self->attrs);
    PyMem_Free(self->views);
    PyMem_Free(self->values);
    Py_XDECREF(self->items);
}

/* An array of `count` zeroed elements, but of at least one, so that NULL always means an error. */
static void *cside_array(Py_ssize_t count, size_t item_nbytes)
{
    void *array = PyMem_Calloc(count > 0 ? (size_t)count : 1, item_nbytes);
    if (array == NULL)
        PyErr_NoMemory();
    return array;
}

static bool cside_attr_type(PyObject *object, cs_attr *attr)
{
    int64_t type;

    if (!cside_as_ranged(object, 0, UINT32_MAX, "uint32_t", &type))
        return false;
    attr->type = (uint32_t)type;
    return true;
}

static bool cside_attrs_pairs(PyObject *object, cside_attrs *self)
{
    if (!PyList_Check(object) && !PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a list or tuple of (type, value) is required");
        return false;
    }
    if ((self->items = PySequence_Tuple(object)) == NULL)
        return false;
    self->count = PyTuple_GET_SIZE(self->items);
    if ((self->attrs = cside_array(self->count, sizeof *self->attrs)) == NULL ||
        (self->views = cside_array(self->count, sizeof *self->views)) == NULL)
        return false;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(self->items, i);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "each attribute must be a tuple (type, value)");
            return false;
        }
        if (!cside_attr_type(PyTuple_GET_ITEM(pair, 0), &self->attrs[i]) ||
            !cside_view(PyTuple_GET_ITEM(pair, 1), &self->views[i]))
            return false;
        self->attrs[i].value = self->views[i].buf;
        self->attrs[i].value_nbytes = (size_t)self->views[i].len;
    }
    return true;
}

static bool cside_attrs_types(PyObject *object, cside_attrs *self)
{
    if ((self->items = PySequence_Tuple(object)) == NULL)
        return false;
    self->count = PyTuple_GET_SIZE(self->items);
    if ((self->attrs = cside_array(self->count, sizeof *self->attrs)) == NULL ||
        (self->values = cside_array(self->count, sizeof *self->values)) == NULL)
        return false;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if (!cside_attr_type(PyTuple_GET_ITEM(self->items, i), &self->attrs[i]))
            return false;
    }
    return true;
}

/* Allocate room for each value, of the sizes that the first call found. */
static bool cside_attrs_room(cside_attrs *self)
{
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if ((self->values[i] = cside_bytes_new(self->attrs[i].value_nbytes)) == NULL)
            return false;
        self->attrs[i].value = cside_bytes_start(self->values[i]);
    }
    return true;
}

static PyObject *cside_attrs_list(cside_attrs *self)
{
    PyObject *list = PyList_New(self->count);

    for (Py_ssize_t i = 0; list != NULL && i < self->count; i++) {
        PyObject *pair = cside_tuple(2, PyLong_FromUnsignedLong(self->attrs[i].type), self->values[i]);
        self->values[i] = NULL;
        if (pair == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, pair);
    }
    return list;
}
%}

/* Both arrays are released in the same way. */
%typemap(arginit) (const cs_attr *attrs, size_t count), (cs_attr *attrs, size_t count)
    "memset(&held$argnum, 0, sizeof held$argnum);"
%typemap(freearg) (const cs_attr *attrs, size_t count), (cs_attr *attrs, size_t count)
    "cside_attrs_free(&held$argnum);"

/* attrs_digest takes (type, value) pairs. C reads the values from the memory of the Python objects. */
%rename(attrs_digest) cs_attrs_digest;
%typemap(in) (const cs_attr *attrs, size_t count) (cside_attrs held) {
    if (!cside_attrs_pairs($input, &held))
        SWIG_fail;
    $1 = held.attrs;
    $2 = (size_t)held.count;
}

/* attrs_get takes types: the first call asks for the sizes, the second one writes into new bytes objects. */
%rename(attrs_get) cs_attrs_get;
%typemap(in) (cs_attr *attrs, size_t count) (cside_attrs held) {
    if (!cside_attrs_types($input, &held))
        SWIG_fail;
    $1 = held.attrs;
    $2 = (size_t)held.count;
}
%typemap(argout) (cs_attr *attrs, size_t count) {
    %set_result(cside_attrs_list(&held$argnum))
}

%exception cs_attrs_get {
    $action
    if (result >= 0) {
        if (!cside_attrs_room(&held1))
            SWIG_fail;
        $action
    }
}
