/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the module `_core`: its definition, and the life of its state. variants/module.c is that of the variants.
 */
#include "module.h"
#include "pkcs11_state.h"
#include "state.h"
#include "tables.h"

static int module_exec(PyObject *module)
{
    static int (*const adders[])(PyObject *) = {
        core_add_idioms_scalars,   core_add_idioms_buffers,   core_add_idioms_text,    core_add_idioms_structs,
        core_add_idioms_arrays,    core_add_idioms_callbacks, core_add_idioms_handles, core_add_idioms_errors,
        core_add_idioms_values,    core_add_idioms_threads,   core_add_idioms_trace,   core_add_codec_errors,
        core_add_codec_constants,  core_add_codec_checksums,  core_add_codec_oneshot,  core_add_codec_compress,
        core_add_codec_decompress, core_add_pkcs11_module};

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
    Py_VISIT(state->decompressor_type);
    Py_VISIT(state->status_error);
    Py_VISIT(state->codec_error);
    Py_VISIT(state->module_type);
    return pkcs11_state_traverse(state->pkcs11, visit, arg);
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
    Py_CLEAR(state->decompressor_type);
    Py_CLEAR(state->status_error);
    Py_CLEAR(state->codec_error);
    Py_CLEAR(state->module_type);
    pkcs11_state_clear(state->pkcs11);
    return 0;
}

static void module_free(void *module)
{
    core_state *state = core_state_of((PyObject *)module);

    (void)module_clear((PyObject *)module);
    pkcs11_state_free(state->pkcs11);
    state->pkcs11 = NULL;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, CORE_SLOT(module_exec)},
#if defined(Py_mod_multiple_interpreters)
    /* Interpreters share no Python object: there are no static types, and no C globals that refer to objects. */
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if defined(Py_mod_gil)
    /* Only module_exec writes the state, and load() in a critical section. Points and boxes are accessed in critical
     * sections, streams under a lock, handles by atomic operations. */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = CORE_PACKAGE "._core",
    .m_doc =
        "libcside, bound by a hand-written C extension; see cside_cext.idioms, cside_cext.codec and cside_cext.pkcs11.",
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
