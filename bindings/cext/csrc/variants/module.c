/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the module `_core` of a variant, with the functions that every variant has.
 */
#include "module.h"
#include "state.h"
#include "tables.h"

static int module_exec(PyObject *module)
{
    static int (*const adders[])(PyObject *) = {
        core_add_idioms_scalars,   core_add_idioms_buffers, core_add_idioms_text,    core_add_idioms_structs,
        core_add_idioms_callbacks, core_add_idioms_errors,  core_add_codec_checksums};

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

    Py_VISIT(state->box_type);
    Py_VISIT(state->status_error);
    return 0;
}

static int module_clear(PyObject *module)
{
    core_state *state = core_state_of(module);

    Py_CLEAR(state->box_type);
    Py_CLEAR(state->status_error);
    return 0;
}

static void module_free(void *module)
{
    (void)module_clear((PyObject *)module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, CORE_SLOT(module_exec)},
#if defined(Py_mod_multiple_interpreters) /* in the limited API from 3.12 on */
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if defined(Py_mod_gil) /* from 3.13 on */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = CORE_PACKAGE "._core",
    .m_doc = "The functions that every variant of this binding has.",
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
