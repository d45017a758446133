/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_module.c - load(), rv_name() and the type Module.
 */
#include "add.h"
#include "docstrings.h"
#include "module.h"
#include "pkcs11_arguments.h"
#include "pkcs11_calls.h"
#include "pkcs11_functions.h"
#include "pkcs11_module.h"
#include "pkcs11_state.h"
#include "pkcs11_structs.h"
#include "raised.h"
#include "state.h"
#include "tables.h"

/* ---- Module ----------------------------------------------------------------------------------- */

static PyObject *get_path(PyObject *object, void *Py_UNUSED(closure))
{
    return PyUnicode_DecodeFSDefault(cs_pkcs11_path(((pkcs11_module *)object)->module));
}

static PyObject *get_version(PyObject *object, void *Py_UNUSED(closure))
{
    const pkcs11_module *self = (pkcs11_module *)object;

    return pkcs11_from_CK_VERSION(self->state, &self->functions->version);
}

static PyGetSetDef module_getset[] = {
    {"path", get_path, NULL, DOC_Module_path, NULL},
    {"version", get_version, NULL, DOC_Module_version, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* A module holds no references except to its type. Callbacks belong to the state, since they may outlive the object. */
static void module_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *module_repr(PyObject *object)
{
    PyObject *path = get_path(object, NULL);
    PyObject *text = path == NULL ? NULL : PyUnicode_FromFormat("<PKCS #11 module %R>", path);

    Py_XDECREF(path);
    return text;
}

static PyType_Slot module_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)DOC_Module},
    {Py_tp_dealloc, CORE_SLOT(module_dealloc)},
    {Py_tp_traverse, CORE_SLOT(core_visit_type)},
    {Py_tp_repr, CORE_SLOT(module_repr)},
    {Py_tp_methods, pkcs11_methods},
    {Py_tp_getset, module_getset},
    {0, NULL},
};

static PyType_Spec module_spec = {
    .name = "cside_cext.pkcs11.Module",
    .basicsize = sizeof(pkcs11_module),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = module_slots,
};

/* ---- functions -------------------------------------------------------------------------------- */

static void raise_open(cs_status status, const char *text)
{
    PyObject *message = NULL;

    if (status == CS_E_MEMORY) {
        PyErr_NoMemory();
        return;
    }
    message = PyUnicode_DecodeFSDefault(text);
    if (message == NULL) {
        return;
    }
    PyErr_SetObject(status == CS_E_ARGUMENT ? PyExc_ValueError
                    : status == CS_E_STATE  ? PyExc_RuntimeError
                                            : PyExc_OSError,
                    message);
    Py_DECREF(message);
}

static PyObject *load(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    core_state *core = core_state_of(module);
    cs_pkcs11_module *opened = NULL;
    pkcs11_state *state = NULL;
    PyObject *path = NULL;
    pkcs11_module *self = NULL;
    pkcs11_call call;
    cs_status status = CS_OK;

    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError, "load() takes at most 1 argument (%zd given)", nargs);
        return NULL;
    }
    if (nargs == 1 && args[0] != Py_None && !PyUnicode_FSConverter(args[0], &path)) {
        return NULL;
    }
    state = pkcs11_state_get(module);
    if (state == NULL) {
        goto exit;
    }
    pkcs11_enter(&call); /* the constructors of the loaded library may take long or call back */
    status = cs_pkcs11_open(path == NULL ? NULL : PyBytes_AS_STRING(path), &opened);
    pkcs11_leave(&call);
    if (core_raised_give(&call.raised)) {
        goto exit;
    }
    if (status < 0) {
        const char *text = cs_pkcs11_load_error();

        raise_open(status, *text == '\0' ? cs_status_message(status) : text);
        goto exit;
    }
    self = (pkcs11_module *)core->module_type->tp_alloc(core->module_type, 0);
    if (self != NULL) {
        self->functions = cs_pkcs11_functions(opened);
        self->module = opened;
        self->state = state;
    }
exit:
    Py_XDECREF(path);
    return (PyObject *)self;
}

static PyObject *rv_name(PyObject *Py_UNUSED(module), PyObject *argument)
{
    CK_ULONG rv = 0;
    const char *name = NULL;

    if (pkcs11_as_ulong(argument, &rv) < 0) {
        return NULL;
    }
    name = cs_pkcs11_rv_name(rv);
    if (name == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(name);
}

static PyMethodDef methods[] = {
    {"load", CORE_FUNCTION(load), METH_FASTCALL, DOC_load},
    {"rv_name", rv_name, METH_O, DOC_rv_name},
    {NULL, NULL, 0, NULL},
};

int core_add_pkcs11_module(PyObject *module)
{
    if (core_add_type(module, &module_spec, NULL, &core_state_of(module)->module_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, methods);
}
