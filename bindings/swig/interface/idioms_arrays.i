/* SPDX-License-Identifier: Apache-2.0
 *
 * attrs_digest, attrs_get: arrays of structs.
 */
%ignore cs_attr;
%ignore CS_ATTR_MAX_TYPE;

%{
/* So many attributes need no memory from the heap. */
enum { CSIDE_ATTRS_LOCAL = 16 };

/* What the library gets for one attribute, and what the wrapper releases after the call. */
typedef union cside_attr_held {
    Py_buffer view;  /* for attrs_digest: obj is NULL if there is nothing to release */
    PyObject *value; /* for attrs_get: the bytes object that the library fills, or NULL */
} cside_attr_held;

typedef struct cside_attrs {
    PyObject *items; /* a tuple of what the caller passed: code that a conversion runs cannot change it */
    Py_ssize_t count;
    Py_ssize_t views, values; /* how many of `held` are to be released, as what */
    cs_attr *attrs;           /* `count` of them, in `local_attrs` or on the heap */
    cside_attr_held *held;    /* likewise */
    cs_attr local_attrs[CSIDE_ATTRS_LOCAL];
    cside_attr_held local_held[CSIDE_ATTRS_LOCAL];
} cside_attrs;

/* Sets what cside_attrs_free() reads, before any conversion. */
SWIGINTERNINLINE void cside_attrs_init(cside_attrs *self)
{
    self->items = NULL;
    self->count = self->views = self->values = 0;
    self->attrs = self->local_attrs;
    self->held = self->local_held;
}

static void cside_attrs_free(cside_attrs *self)
{
    for (Py_ssize_t i = 0; i < self->views; i++) {
        if (self->held[i].view.obj != NULL)
            PyBuffer_Release(&self->held[i].view);
    }
    for (Py_ssize_t i = 0; i < self->values; i++)
        Py_DECREF(self->held[i].value);
    if (self->attrs != self->local_attrs)
        PyMem_Free(self->attrs);
    if (self->held != self->local_held)
        PyMem_Free(self->held);
    Py_XDECREF(self->items);
}

/* Keep the items of `object`, and find room for as many attributes. */
static bool cside_attrs_items(cside_attrs *self, PyObject *object)
{
    if ((self->items = PySequence_Tuple(object)) == NULL)
        return false;
    self->count = PyTuple_GET_SIZE(self->items);
    if (self->count > CSIDE_ATTRS_LOCAL) {
        self->attrs = PyMem_New(cs_attr, self->count);
        self->held = PyMem_New(cside_attr_held, self->count);
    }
    if (self->attrs != NULL && self->held != NULL)
        return true;
    PyErr_NoMemory();
    return false;
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
    if (!cside_attrs_items(self, object))
        return false;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(self->items, i);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "each attribute must be a tuple (type, value)");
            return false;
        }
        if (!cside_attr_type(PyTuple_GET_ITEM(pair, 0), &self->attrs[i]) ||
            !cside_view(PyTuple_GET_ITEM(pair, 1), &self->held[i].view))
            return false;
        self->views = i + 1;
        self->attrs[i].value = self->held[i].view.buf;
        self->attrs[i].value_nbytes = (size_t)self->held[i].view.len;
    }
    return true;
}

static bool cside_attrs_types(PyObject *object, cside_attrs *self)
{
    if (!cside_attrs_items(self, object))
        return false;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if (!cside_attr_type(PyTuple_GET_ITEM(self->items, i), &self->attrs[i]))
            return false;
        self->attrs[i].value = NULL; /* the first call asks for the sizes */
        self->attrs[i].value_nbytes = 0;
    }
    return true;
}

/* Allocate room for each value, of the sizes that the first call found. */
static bool cside_attrs_room(cside_attrs *self)
{
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if ((self->held[i].value = cside_bytes_new(self->attrs[i].value_nbytes)) == NULL)
            return false;
        self->values = i + 1;
        self->attrs[i].value = cside_bytes_start(self->held[i].value);
    }
    return true;
}

static PyObject *cside_attrs_list(cside_attrs *self)
{
    PyObject *list = PyList_New(self->count);

    for (Py_ssize_t i = 0; list != NULL && i < self->count; i++) {
        PyObject *pair =
            cside_tuple(PyLong_FromUnsignedLong(self->attrs[i].type), Py_NewRef(self->held[i].value));
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
    "cside_attrs_init(&held$argnum);"
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
