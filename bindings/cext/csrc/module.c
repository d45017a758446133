/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the module `_core`: definition, state, and exceptions from statuses.
 */
#include "core.h"

PyObject *core_raise(core_state *state, cs_status status)
{
    const char *message = cs_status_message(status);
    PyObject *exception = NULL;
    PyObject *number = NULL;
    PyObject *name = NULL;

    switch (status) {
    case CS_E_MEMORY:
        return PyErr_NoMemory();
    case CS_E_ARGUMENT:
    case CS_E_CLOSED:
        PyErr_SetString(PyExc_ValueError, message);
        return NULL;
    case CS_E_NOT_FOUND:
        PyErr_SetString(PyExc_LookupError, message);
        return NULL;
    default:
        break;
    }
    exception = PyObject_CallFunction(state->status_error, "s", message);
    if (exception == NULL) {
        goto exit;
    }
    number = PyLong_FromLong(status);
    name = PyUnicode_FromString(cs_status_name(status));
    if (number == NULL || name == NULL || PyObject_SetAttrString(exception, "status", number) < 0 ||
        PyObject_SetAttrString(exception, "name", name) < 0) {
        goto exit;
    }
    PyErr_SetObject(state->status_error, exception);
exit:
    Py_XDECREF(name);
    Py_XDECREF(number);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *core_bad_count(const char *function, Py_ssize_t expected, Py_ssize_t given)
{
    PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd argument%s (%zd given)", function, expected,
                 expected == 1 ? "" : "s", given);
    return NULL;
}

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

int core_add_type(PyObject *module, PyType_Spec *spec, vectorcallfunc construct, PyTypeObject **slot)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);

    if (type == NULL) {
        return -1;
    }
    *slot = type;
    /* Py_tp_vectorcall is a slot from 3.14 on; where nobody looks at the field (PyPy), tp_new does the work. */
    type->tp_vectorcall = construct;
    return PyModule_AddType(module, type);
}

static int add_exception(PyObject *module, const char *name, const char *doc, PyObject **slot)
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

static int module_exec(PyObject *module)
{
    static int (*const adders[])(PyObject *) = {
        core_add_scalars,   core_add_values,  core_add_buffers,  core_add_strings,    core_add_structs,
        core_add_attrs,     core_add_handles, core_add_calls,    core_add_library,    core_add_constants,
        core_add_checksums, core_add_oneshot, core_add_compress, core_add_decompress, core_add_pkcs11};
    core_state *state = core_state_of(module);

    if (add_exception(module, "cside_cext.idioms.StatusError",
                      "A failure without an exception of its own among Python's; see .status and .name.",
                      &state->status_error) < 0 ||
        add_exception(module, "cside_cext.codec.error", "A failure of the compression engine.", &state->codec_error) <
            0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof(adders) / sizeof(adders[0]); i++) {
        if (adders[i](module) < 0) {
            return -1;
        }
    }
    return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = core_state_of(module);

    Py_VISIT(state->point_type);
    Py_VISIT(state->box_type);
    Py_VISIT(state->counter_type);
    Py_VISIT(state->trace_record_type);
    Py_VISIT(state->compress_type);
    Py_VISIT(state->decompress_type);
    Py_VISIT(state->status_error);
    Py_VISIT(state->codec_error);
    Py_VISIT(state->module_type);
    return core_pkcs11_traverse(state->pkcs11, visit, arg);
}

static int module_clear(PyObject *module)
{
    core_state *state = core_state_of(module);

    Py_CLEAR(state->point_type);
    Py_CLEAR(state->box_type);
    Py_CLEAR(state->counter_type);
    Py_CLEAR(state->trace_record_type);
    Py_CLEAR(state->compress_type);
    Py_CLEAR(state->decompress_type);
    Py_CLEAR(state->status_error);
    Py_CLEAR(state->codec_error);
    Py_CLEAR(state->module_type);
    core_pkcs11_clear(state->pkcs11);
    return 0;
}

static void module_free(void *module)
{
    core_state *state = core_state_of((PyObject *)module);

    (void)module_clear((PyObject *)module);
    core_pkcs11_free(state->pkcs11);
    state->pkcs11 = NULL;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, CORE_SLOT(module_exec)},
#if defined(Py_mod_multiple_interpreters)
    /* True because nothing of Python's is shared: no C globals, no static types. */
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if defined(Py_mod_gil)
    /* True because state is written by module_exec alone, points, boxes and streams are guarded, handles are atomic. */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "cside_cext._core",
    .m_doc = "libcside behind a hand-written C extension; see cside_cext.idioms, .codec and .pkcs11.",
    .m_size = sizeof(core_state),
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module_definition);
}
