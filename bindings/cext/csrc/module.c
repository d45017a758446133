/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the module `_core`: its definition and its state. Variants have one of their own.
 */
#include "core.h"

static int module_exec(PyObject *module)
{
    static int (*const adders[])(PyObject *) = {
        core_add_scalars,   core_add_values,  core_add_buffers,  core_add_strings,    core_add_structs,
        core_add_attrs,     core_add_handles, core_add_calls,    core_add_library,    core_add_constants,
        core_add_checksums, core_add_oneshot, core_add_compress, core_add_decompress, core_add_pkcs11};
    core_state *state = core_state_of(module);

    if (core_add_exception(module, CORE_PACKAGE ".idioms.StatusError", CORE_STATUS_ERROR_DOC, &state->status_error) <
            0 ||
        core_add_exception(module, CORE_PACKAGE ".codec.error", "A failure of the compression engine.",
                           &state->codec_error) < 0) {
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
    .m_name = CORE_PACKAGE "._core",
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
