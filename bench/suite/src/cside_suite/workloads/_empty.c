/* SPDX-License-Identifier: Apache-2.0
 *
 * builtin() does nothing: it is the reference for the lowest cost of a call from Python into C.
 * spin() counts to a number: it is the delay of a control.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *empty_builtin(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyObject *empty_spin(PyObject *Py_UNUSED(self), PyObject *steps)
{
    const unsigned long long count = PyLong_AsUnsignedLongLong(steps);
    if (count == (unsigned long long)-1 && PyErr_Occurred() != NULL) {
        return NULL;
    }
    for (volatile unsigned long long step = 0; step < count; ++step) {
    }
    Py_RETURN_NONE;
}

static PyMethodDef empty_methods[] = {
    {"builtin", empty_builtin, METH_NOARGS, "Do nothing."},
    {"spin", empty_spin, METH_O, "Count to a number while holding the GIL."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot empty_slots[] = {
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef empty_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_empty",
    .m_doc = "A builtin function that does nothing, and one that counts to a number.",
    .m_size = 0,
    .m_methods = empty_methods,
    .m_slots = empty_slots,
};

PyMODINIT_FUNC PyInit__empty(void)
{
    return PyModuleDef_Init(&empty_module);
}
