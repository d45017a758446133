/* SPDX-License-Identifier: Apache-2.0
 *
 * add.c - adds types, exceptions and constants to the module.
 */
#include "add.h"

int core_add_value(PyObject *module, const char *name, PyObject *value)
{
    int result = 0;

    if (value == NULL) {
        return -1;
    }
    result = PyModule_AddObjectRef(module, name, value);
    Py_DECREF(value);
    return result;
}

static int add_made(PyObject *module, PyTypeObject *type, core_construct construct, PyTypeObject **slot)
{
    if (type == NULL) {
        return -1;
    }
    *slot = type;
    /* The slot Py_tp_vectorcall exists from 3.14 on. PyPy ignores the field and calls tp_new. */
#if defined(Py_LIMITED_API)
    (void)construct;
#else
    type->tp_vectorcall = construct;
#endif
    return PyModule_AddType(module, type);
}

int core_add_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot)
{
    return add_made(module, (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL), construct, slot);
}

int core_add_plain_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot)
{
    return add_made(module, (PyTypeObject *)PyType_FromSpec(spec), construct, slot);
}

int core_visit_type(PyObject *object, visitproc visit, void *arg)
{
    (void)object; /* PyPy's Py_VISIT() does not use it */
    Py_VISIT(Py_TYPE(object));
    return 0;
}

int core_add_exception(PyObject *module, const char *name, const char *doc, PyObject **slot)
{
    const char *dot = name;

    *slot = PyErr_NewExceptionWithDoc(name, doc, NULL, NULL);
    if (*slot == NULL) {
        return -1;
    }
    for (const char *c = name; *c != '\0'; c++) {
        dot = *c == '.' ? c + 1 : dot;
    }
    return PyModule_AddObjectRef(module, dot, *slot);
}

int core_add_constants(PyObject *module, const core_constant *constants)
{
    for (const core_constant *constant = constants; constant->name != NULL; constant++) {
        if (core_add_value(module, constant->name, PyLong_FromLongLong(constant->value)) < 0) {
            return -1;
        }
    }
    return 0;
}
