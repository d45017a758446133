/* SPDX-License-Identifier: Apache-2.0 */
/* The mistakes with the C API of Python. Each function makes one; with_cext.py calls it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "hz.h"

static PyObject *argument_types(PyObject *self, PyObject *args)
{
    double value = 0;
    int by;
    if (!PyArg_ParseTuple(args, "fi", &value, &by)) { /* "f" writes a float, and the variable is a double */
        return NULL;
    }
    return PyFloat_FromDouble(hz_scale(value, by));
}

static PyObject *pointer_cut(PyObject *self, PyObject *args)
{
    int handle = (int)(intptr_t)hz_open(42);
    return PyLong_FromLong(hz_value((hz_handle *)(intptr_t)handle));
}

static PyObject *keep(PyObject *self, PyObject *args)
{
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*", &data)) {
        return NULL;
    }
    hz_keep(data.buf, (size_t)data.len);
    PyBuffer_Release(&data); /* and the library still has the pointer */
    Py_RETURN_NONE;
}

static PyObject *kept_sum(PyObject *self, PyObject *args)
{
    return PyLong_FromUnsignedLongLong(hz_kept_sum());
}

static int on_event_with(PyObject *user, int value)
{
    PyObject *answer = PyObject_CallMethod(user, "on_value", "i", value);
    if (answer == NULL) {
        return 0; /* and nobody asks PyErr_Occurred() */
    }
    int number = (int)PyLong_AsLong(answer);
    Py_DECREF(answer);
    return number;
}

static int on_event(int value, void *user)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int answer = on_event_with(user, value);
    PyGILState_Release(state);
    return answer;
}

static int on_event_without_gil(int value, void *user)
{
    return on_event_with(user, value);
}

static PyObject *set_callback(PyObject *self, PyObject *worker)
{
    hz_set_callback(on_event, worker); /* a pointer, and no reference */
    Py_RETURN_NONE;
}

static PyObject *fire(PyObject *self, PyObject *args)
{
    return PyLong_FromLong(hz_fire(21));
}

static PyObject *borrowed_reference(PyObject *self, PyObject *args)
{
    PyObject *list, *more;
    if (!PyArg_ParseTuple(args, "OO", &list, &more)) {
        return NULL;
    }
    PyObject *worker = PyList_GetItem(list, 0); /* borrowed */
    if (worker == NULL || PySequence_DelItem(list, 0) < 0) {
        return NULL;
    }
    PyObject *others = PyObject_CallNoArgs(more);
    PyObject *factor = PyObject_GetAttrString(worker, "factor");
    Py_XDECREF(others);
    return factor;
}

static PyObject *stored;

static PyObject *store(PyObject *self, PyObject *object)
{
    Py_INCREF(object);
    stored = object;
    Py_RETURN_NONE;
}

static PyObject *load(PyObject *self, PyObject *args)
{
    return stored; /* without Py_INCREF */
}

static PyObject *null_unchecked(PyObject *self, PyObject *args)
{
    return PyLong_FromLong(hz_find(7)->value);
}

static PyObject *int_too_large(PyObject *self, PyObject *args)
{
    unsigned int value;
    if (!PyArg_ParseTuple(args, "I", &value)) { /* "I" does not check for overflow */
        return NULL;
    }
    return PyLong_FromUnsignedLong(hz_low(value));
}

static PyObject *union_misread(PyObject *self, PyObject *args)
{
    hz_variant variant;
    hz_variant_get(&variant);
    return PyLong_FromLongLong(variant.as.whole);
}

static PyObject *use_after_close(PyObject *self, PyObject *args)
{
    hz_handle *handle = hz_open(42);
    hz_close(handle);
    return PyLong_FromLong(hz_value(handle));
}

static void destroy(PyObject *capsule)
{
    hz_close(PyCapsule_GetPointer(capsule, "hz_handle"));
}

static PyObject *open_handle(PyObject *self, PyObject *args)
{
    return PyCapsule_New(hz_open(42), "hz_handle", destroy);
}

static PyObject *close_handle(PyObject *self, PyObject *capsule)
{
    hz_close(PyCapsule_GetPointer(capsule, "hz_handle")); /* and the capsule's destructor closes it again */
    Py_RETURN_NONE;
}

static PyObject *no_nul(PyObject *self, PyObject *args)
{
    hz_label label;
    hz_label_get(&label);
    return PyUnicode_FromString(label.text);
}

static PyObject *out_uninitialised(PyObject *self, PyObject *args)
{
    int value;
    hz_lookup(7, &value);
    return PyLong_FromLong(value);
}

static PyObject *no_gil_in_thread(PyObject *self, PyObject *worker)
{
    int answer;
    hz_set_callback(on_event_without_gil, worker);
    Py_BEGIN_ALLOW_THREADS
    answer = hz_fire_in_thread(21);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(answer);
}

static PyObject *gil_held(PyObject *self, PyObject *args)
{
    hz_sleep(300); /* without Py_BEGIN_ALLOW_THREADS */
    Py_RETURN_NONE;
}

static PyObject *gil_deadlock(PyObject *self, PyObject *worker)
{
    hz_set_callback(on_event, worker);
    return PyLong_FromLong(hz_fire_in_thread(21)); /* without Py_BEGIN_ALLOW_THREADS */
}

static PyObject *leak_on_error(PyObject *self, PyObject *args)
{
    const char *text;
    uint8_t *buffer = hz_buffer_new(1 << 16);
    if (!PyArg_ParseTuple(args, "s", &text)) {
        return NULL; /* without hz_buffer_free() */
    }
    hz_buffer_free(buffer);
    Py_RETURN_NONE;
}

/* A type that refers to an object, and does not have Py_TPFLAGS_HAVE_GC. */
typedef struct {
    PyObject_HEAD
    PyObject *listener;
} Subscription;

static PyObject *subscription_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *listener;
    if (!PyArg_ParseTuple(args, "O", &listener)) {
        return NULL;
    }
    Subscription *self = (Subscription *)type->tp_alloc(type, 0);
    if (self != NULL) {
        Py_INCREF(listener);
        self->listener = listener;
        hz_set_callback(on_event, listener);
    }
    return (PyObject *)self;
}

static void subscription_dealloc(PyObject *self)
{
    Py_XDECREF(((Subscription *)self)->listener);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject Subscription_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_hz_cext.Subscription",
    .tp_basicsize = sizeof(Subscription),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = subscription_new,
    .tp_dealloc = subscription_dealloc,
};

static PyObject *worker_start(PyObject *self, PyObject *args)
{
    hz_worker_start();
    Py_RETURN_NONE;
}

static PyObject *worker_add(PyObject *self, PyObject *args)
{
    return PyLong_FromLong(hz_worker_add(40, 2));
}

static PyObject *shutdown_later(PyObject *self, PyObject *worker)
{
    hz_set_callback(on_event, worker);
    hz_fire_at_exit(21);
    Py_RETURN_NONE;
}

static PyObject *embedded_nul(PyObject *self, PyObject *args)
{
    const char *text;
    if (!PyArg_ParseTuple(args, "s", &text)) {
        return NULL;
    }
    return PyLong_FromSize_t(hz_text_length(text));
}

static PyObject *size_wrong(PyObject *self, PyObject *args)
{
    enum { OUTS = 200, N = 16 };
    int32_t *outs[OUTS];
    long wrong = 0;
    for (int i = 0; i < OUTS; i++) {
        outs[i] = PyMem_Calloc(N, sizeof(int32_t));
    }
    hz_fill_int32(outs[100], N * sizeof(int32_t)); /* bytes, where the library counts elements */
    for (int i = 0; i < OUTS; i++) {
        int set = 0;
        for (int j = 0; j < N; j++) {
            set |= outs[i][j];
        }
        wrong += i != 100 && set != 0;
    }
    for (int i = 0; i < OUTS; i++) {
        PyMem_Free(outs[i]);
    }
    return PyLong_FromLong(wrong);
}

static PyObject *readonly_written(PyObject *self, PyObject *args)
{
    Py_buffer out;
    if (!PyArg_ParseTuple(args, "y*", &out)) { /* "w*" would ask for a writable one */
        return NULL;
    }
    hz_fill(out.buf, (size_t)out.len);
    PyBuffer_Release(&out);
    Py_RETURN_NONE;
}

static PyObject *const_dropped(PyObject *self, PyObject *args)
{
    char *motto = (char *)hz_motto();
    motto[0] = 'N';
    return PyUnicode_FromStringAndSize(motto, 1);
}

static PyMethodDef methods[] = {
    {"argument_types", argument_types, METH_VARARGS, NULL},
    {"pointer_cut", pointer_cut, METH_NOARGS, NULL},
    {"keep", keep, METH_VARARGS, NULL},
    {"kept_sum", kept_sum, METH_NOARGS, NULL},
    {"set_callback", set_callback, METH_O, NULL},
    {"fire", fire, METH_NOARGS, NULL},
    {"borrowed_reference", borrowed_reference, METH_VARARGS, NULL},
    {"store", store, METH_O, NULL},
    {"load", load, METH_NOARGS, NULL},
    {"null_unchecked", null_unchecked, METH_NOARGS, NULL},
    {"int_too_large", int_too_large, METH_VARARGS, NULL},
    {"union_misread", union_misread, METH_NOARGS, NULL},
    {"use_after_close", use_after_close, METH_NOARGS, NULL},
    {"open_handle", open_handle, METH_NOARGS, NULL},
    {"close_handle", close_handle, METH_O, NULL},
    {"no_nul", no_nul, METH_NOARGS, NULL},
    {"out_uninitialised", out_uninitialised, METH_NOARGS, NULL},
    {"no_gil_in_thread", no_gil_in_thread, METH_O, NULL},
    {"gil_held", gil_held, METH_NOARGS, NULL},
    {"gil_deadlock", gil_deadlock, METH_O, NULL},
    {"leak_on_error", leak_on_error, METH_VARARGS, NULL},
    {"worker_start", worker_start, METH_NOARGS, NULL},
    {"worker_add", worker_add, METH_NOARGS, NULL},
    {"shutdown_later", shutdown_later, METH_O, NULL},
    {"embedded_nul", embedded_nul, METH_VARARGS, NULL},
    {"size_wrong", size_wrong, METH_NOARGS, NULL},
    {"readonly_written", readonly_written, METH_VARARGS, NULL},
    {"const_dropped", const_dropped, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_hz_cext", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__hz_cext(void)
{
    if (PyType_Ready(&Subscription_type) < 0) {
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL) {
        Py_INCREF(&Subscription_type);
        PyModule_AddObject(module, "Subscription", (PyObject *)&Subscription_type);
    }
    return module;
}
