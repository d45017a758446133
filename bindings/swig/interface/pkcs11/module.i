/* SPDX-License-Identifier: Apache-2.0
 *
 * An open module: load(), the class, and the functions that keep callbacks.
 */
%{
/* On the first load(): `import cside_swig.idioms` needs none of it. */
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

/* A method's own object: the descriptor has looked at its type, and there is none without a struct. */
%typemap(in, fragment="cside_struct,cside_type_release") struct Module *self {
    if (($disown) & SWIG_POINTER_DISOWN) {
        cside_type_release($input, $1_descriptor);
        $1 = ($1_ltype)cside_struct($input, $1_descriptor, $disown);
        if ($1 == NULL)
            SWIG_exception_fail(SWIG_TypeError, "in '$symname', argument $argnum must be a $*1_ltype");
    } else {
        $1 = ($1_ltype)((SwigPyObject *)$input)->ptr;
    }
}

%typemap(in) PyObject *callable {
    if ($input != Py_None && !cside_callable($input))
        SWIG_fail;
    $1 = $input;
}

/* Functions that release the GIL themselves. */
%define %calls_itself(NAME)
%exception Module::NAME {
    $action
    if (PyErr_Occurred())
        SWIG_fail;
}
%enddef

%calls_itself(C_Initialize)
%calls_itself(C_Finalize)
%calls_itself(C_OpenSession)
%calls_itself(C_CloseSession)
%calls_itself(C_CloseAllSessions)

%apply CK_ULONG_PTR number { CK_SESSION_HANDLE_PTR phSession };

%nodefaultctor Module;
%feature("python:tp_new") Module "cside_refuse_new";

typedef struct Module {
    %extend {
        %immutable;
        PyObject *path;    /**< The path that it was loaded from. */
        PyObject *version; /**< Version of its newest function list. */
        %mutable;
        ~Module()
        {
            free($self);
        }
        /** Make the module ready; None or a CK_C_INITIALIZE_ARGS. Once per process until C_Finalize. */
        CK_RV C_Initialize(PyObject *pInitArgs = Py_None)
        {
            return cside_initialize($self, pInitArgs);
        }
        /** Give up everything the module holds for this process. */
        CK_RV C_Finalize(void)
        {
            return cside_finalize($self);
        }
        /** Open a session with a token. The callback is told of events. */
        CK_RV C_OpenSession(CK_SLOT_ID slotID, CK_FLAGS flags, PyObject *callable = Py_None,
                            CK_SESSION_HANDLE_PTR phSession)
        {
            return cside_open_session($self, slotID, flags, callable, phSession);
        }
        /** Close a session, and destroy its session objects. The last one logs out. */
        CK_RV C_CloseSession(CK_SESSION_HANDLE hSession)
        {
            return cside_close_session($self, hSession);
        }
        /** Close all of this process's sessions with a token. */
        CK_RV C_CloseAllSessions(CK_SLOT_ID slotID)
        {
            return cside_close_all_sessions($self, slotID);
        }
    }
} Module;

/** Open the module at `path`, or the default one for None. */
%newobject load;
%raises_itself(load)
Module *load(PyObject *path = Py_None);

%rename(rv_name) cs_pkcs11_rv_name;
const char *cs_pkcs11_rv_name(CK_RV rv);
