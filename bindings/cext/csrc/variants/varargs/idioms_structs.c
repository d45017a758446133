/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_structs.c - Box, passed by pointer, with arguments and results converted by format strings.
 */
#include "add.h"
#include "arguments.h"
#include "docstrings.h"
#include "guard.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

typedef struct box_object {
    PyObject_HEAD
    cs_box box;
} box_object;

static void box_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *box_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Box", names)) {
        return NULL;
    }
    return type->tp_alloc(type, 0); /* all fields are zero */
}

static PyType_Slot box_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Box},
    {Py_tp_new, CORE_SLOT(box_new)},
    {Py_tp_dealloc, CORE_SLOT(box_dealloc)},
    {0, NULL},
};

static PyType_Spec box_spec = {
    .name = CORE_PACKAGE ".idioms.Box",
    .basicsize = sizeof(box_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = box_slots,
};

static PyObject *box_fill(PyObject *module, PyObject *args)
{
    PyObject *box = NULL;
    long long tag = 0;

    if (!PyArg_ParseTuple(args, "O!L:box_fill", core_state_of(module)->box_type, &box, &tag) ||
        arguments_within(tag, 0, UINT32_MAX, "uint32_t") < 0) {
        return NULL;
    }
    CORE_BEGIN_GUARD(box);
    cs_box_fill(&((box_object *)box)->box, (uint32_t)tag);
    CORE_END_GUARD();
    Py_RETURN_NONE;
}

static PyObject *box_area(PyObject *module, PyObject *args)
{
    PyObject *box = NULL;
    double area = 0.0;

    if (!PyArg_ParseTuple(args, "O!:box_area", core_state_of(module)->box_type, &box)) {
        return NULL;
    }
    CORE_BEGIN_GUARD(box);
    area = cs_box_area(&((box_object *)box)->box);
    CORE_END_GUARD();
    return PyFloat_FromDouble(area);
}

static PyObject *box_unpack(PyObject *module, PyObject *args)
{
    PyObject *box = NULL;
    cs_box copy = {.tag = 0};

    if (!PyArg_ParseTuple(args, "O!:box_unpack", core_state_of(module)->box_type, &box)) {
        return NULL;
    }
    CORE_BEGIN_GUARD(box);
    copy = ((box_object *)box)->box;
    CORE_END_GUARD();
    return Py_BuildValue("ddddk", copy.min.x, copy.min.y, copy.max.x, copy.max.y, (unsigned long)copy.tag);
}

static PyMethodDef methods[] = {
    {"box_fill", box_fill, METH_VARARGS, DOC_box_fill},
    {"box_area", box_area, METH_VARARGS, DOC_box_area},
    {"box_unpack", box_unpack, METH_VARARGS, DOC_box_unpack},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_structs(PyObject *module)
{
    if (core_add_type(module, &box_spec, NULL, &core_state_of(module)->box_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
