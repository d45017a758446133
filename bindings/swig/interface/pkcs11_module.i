/* SPDX-License-Identifier: Apache-2.0
 *
 * load(), and Module, the class of its objects.
 *
 * SWIG applies the typemaps that stand above a class to its methods, also to those that %extend has added before. So
 * this file is the last one.
 */
%{
/* Imports the Python classes when load() is called first, so that `import cside_swig.idioms` does not. */
static bool cside_pkcs11_types(void)
{
    static const cside_tuple_class classes[] = {
        {"CK_INTERFACE", &cside_CK_INTERFACE},
        {"CK_ASYNC_DATA", &cside_CK_ASYNC_DATA},
        {"CK_C_INITIALIZE_ARGS", &cside_CK_C_INITIALIZE_ARGS},
        {NULL, NULL},
    };
    PyObject *types, *errors = NULL;

    if (cside_PKCS11Error != NULL)
        return true;
    if ((types = PyImport_ImportModule("cside_native.pkcs11_types")) == NULL)
        return false;
    if (cside_tuple_classes(types, cside_struct_classes) && cside_tuple_classes(types, classes) &&
        (errors = PyImport_ImportModule("cside_swig._pkcs11_errors")) != NULL)
        cside_PKCS11Error = PyObject_GetAttrString(errors, "PKCS11Error");
    Py_XDECREF(errors);
    Py_DECREF(types);
    return cside_PKCS11Error != NULL;
}

static void cside_raise_open_module(cs_status status)
{
    if (status == CS_E_NOT_FOUND)
        PyErr_SetString(PyExc_OSError, cs_pkcs11_load_error());
    else if (status == CS_E_STATE)
        PyErr_SetString(PyExc_RuntimeError, "too many modules are open");
    else
        cside_raise_status(status);
}

static Module *load(PyObject *path)
{
    cs_pkcs11_module *module = NULL;
    PyObject *encoded = NULL;
    Module *self = NULL;
    const char *name = NULL;
    cside_state *state;
    cs_status status;

    if (!cside_pkcs11_types() || (path != Py_None && !PyUnicode_FSConverter(path, &encoded)))
        return NULL;
    if (encoded != NULL)
        name = PyBytes_AS_STRING(encoded);
    Py_BEGIN_ALLOW_THREADS
    status = cs_pkcs11_open(name, &module);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        cside_raise_open_module(status);
    } else if ((state = cside_state_of(module)) != NULL) {
        if ((self = malloc(sizeof *self)) != NULL)
            *self = (Module){cs_pkcs11_functions(module), module, state};
        else
            PyErr_NoMemory();
    }
    Py_XDECREF(encoded);
    return self;
}

static PyObject *Module_path_get(Module *self)
{
    return PyUnicode_DecodeFSDefault(cs_pkcs11_path(self->module));
}

static PyObject *Module_version_get(Module *self)
{
    return cside_from_CK_VERSION(&self->list->version);
}
%}

%nodefaultctor Module;
%made_by_functions(Module)

typedef struct Module {
    %extend {
        %immutable;
        PyObject *path;
        PyObject *version;
        %mutable;
        ~Module()
        {
            free($self);
        }
    }
} Module;

%newobject load;
%raises_itself(load)
Module *load(PyObject *path = Py_None);
