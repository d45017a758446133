/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_handles.c - Counter, the owner of an opaque handle.
 */
#include "add.h"
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "idioms_callbacks.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

#include <stdatomic.h>

/* After close() the handle is 0, which the library never gives out. It is atomic for builds without a GIL. If two
 * threads close the same counter, the library decides which of them is first. */
typedef struct counter_object {
    PyObject_HEAD
    _Atomic(cs_counter) handle;
} counter_object;

static inline cs_counter counter_handle(PyObject *self)
{
    return atomic_load_explicit(&((counter_object *)self)->handle, memory_order_relaxed);
}

static PyObject *counter_open(PyTypeObject *type, PyObject *start)
{
    PyObject *self = NULL;
    int64_t value = 0;
    cs_counter handle = 0;
    cs_status status = CS_OK;

    if (start != NULL && core_as_int64(start, &value) < 0) {
        return NULL;
    }
    self = type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    status = cs_counter_open(value, &handle);
    if (status < 0) {
        core_raise(core_state_of_instance(self), status);
        Py_DECREF(self);
        return NULL;
    }
    atomic_store_explicit(&((counter_object *)self)->handle, handle, memory_order_relaxed);
    return self;
}

static PyObject *counter_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);

    if (nargs > 1 || (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0)) {
        PyErr_SetString(PyExc_TypeError, "Counter() takes at most 1 positional argument");
        return NULL;
    }
    return counter_open((PyTypeObject *)type, nargs == 1 ? args[0] : NULL);
}

static PyObject *counter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) > 1 || (kwargs != NULL && PyDict_Size(kwargs) != 0)) {
        PyErr_SetString(PyExc_TypeError, "Counter() takes at most 1 positional argument");
        return NULL;
    }
    return counter_open(type, PyTuple_GET_SIZE(args) == 1 ? PyTuple_GET_ITEM(args, 0) : NULL);
}

static void counter_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    cs_counter handle = counter_handle(self);

    PyObject_GC_UnTrack(self);
    if (handle != 0) {
        (void)cs_counter_close(handle); /* it cannot be busy, since each() holds a reference */
    }
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *counter_add(PyObject *self, PyObject *n)
{
    int64_t value = 0;
    int64_t total = 0;
    cs_status status = CS_OK;

    if (core_as_int64(n, &value) < 0) {
        return NULL;
    }
    status = cs_counter_add(counter_handle(self), value, &total);
    if (status < 0) {
        return core_raise(core_state_of_instance(self), status);
    }
    return PyLong_FromLongLong(total);
}

static PyObject *counter_each(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    uint32_t times = 0;
    int64_t sum = 0;
    cs_status status = CS_OK;

    if (nargs != 2) {
        return core_bad_count("each", 2, nargs);
    }
    if (core_as_uint32(args[0], &times) < 0 || core_as_callable(args[1]) < 0) {
        return NULL;
    }
    status = cs_counter_each(counter_handle(self), times, core_each, args[1], &sum);
    if (status < 0) {
        return PyErr_Occurred() ? NULL : core_raise(core_state_of_instance(self), status);
    }
    return PyLong_FromLongLong(sum);
}

static PyObject *counter_close(PyObject *self, PyObject *Py_UNUSED(none))
{
    cs_counter handle = counter_handle(self);
    cs_status status = CS_OK;

    if (handle == 0) {
        Py_RETURN_NONE;
    }
    status = cs_counter_close(handle);
    if (status < 0 && status != CS_E_CLOSED) {
        return core_raise(core_state_of_instance(self), status);
    }
    atomic_store_explicit(&((counter_object *)self)->handle, 0, memory_order_relaxed);
    Py_RETURN_NONE;
}

static PyObject *counter_enter(PyObject *self, PyObject *Py_UNUSED(none))
{
    return Py_NewRef(self);
}

static PyObject *counter_exit(PyObject *self, PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(nargs))
{
    return counter_close(self, NULL);
}

static PyMethodDef counter_methods[] = {
    {"add", counter_add, METH_O, DOC_Counter_add},
    {"each", CORE_FUNCTION(counter_each), METH_FASTCALL, DOC_Counter_each},
    {"close", counter_close, METH_NOARGS, DOC_Counter_close},
    {"__enter__", counter_enter, METH_NOARGS, DOC_Counter___enter__},
    {"__exit__", CORE_FUNCTION(counter_exit), METH_FASTCALL, DOC_Counter___exit__},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot counter_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Counter},
    {Py_tp_new, CORE_SLOT(counter_new)},
    {Py_tp_dealloc, CORE_SLOT(counter_dealloc)},
    {Py_tp_traverse, CORE_SLOT(core_visit_type)},
    {Py_tp_methods, counter_methods},
    {0, NULL},
};

static PyType_Spec counter_spec = {
    .name = "cside_cext.idioms.Counter",
    .basicsize = sizeof(counter_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = counter_slots,
};

int core_add_idioms_handles(PyObject *module)
{
    return core_add_type(module, &counter_spec, counter_vectorcall, &core_state_of(module)->counter_type);
}
