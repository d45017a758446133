/* SPDX-License-Identifier: Apache-2.0
 *
 * Mechanisms and their parameters. A parameter is a number, a buffer, or a named tuple, of which pkcs11_structs.i makes
 * the struct.
 */
%{
/* `writable`: the function writes into the parameter, as functions for messages do. */
static bool cside_parameter(cside_arena *arena, PyObject *object, bool writable, cside_span *out)
{
    if (object == Py_None) {
        out->at = NULL;
        out->nbytes = 0;
        return true;
    }
    if (PyLong_Check(object))
        return cside_arena_number(arena, object, out);
    if (PyTuple_Check(object))
        return cside_parameter_struct(arena, object, out);
    if (!PyObject_CheckBuffer(object) && PyIndex_Check(object))
        return cside_arena_number(arena, object, out);
    return cside_arena_view(arena, object, writable, out);
}

static bool cside_mechanism(cside_arena *arena, PyObject *object, CK_MECHANISM *mechanism)
{
    cside_span parameter = {NULL, 0};

    if (PyTuple_Check(object)) {
        if (PyTuple_GET_SIZE(object) != 2) {
            PyErr_SetString(PyExc_TypeError, "a mechanism is an integer, a pair (type, parameter) or None");
            return false;
        }
        if (!cside_as_ulong(PyTuple_GET_ITEM(object, 0), &mechanism->mechanism) ||
            !cside_parameter(arena, PyTuple_GET_ITEM(object, 1), false, &parameter))
            return false;
    } else if (!cside_as_ulong(object, &mechanism->mechanism)) {
        return false;
    }
    mechanism->pParameter = parameter.at;
    mechanism->ulParameterLen = parameter.nbytes;
    return true;
}
%}

%typemap(arginit) CK_MECHANISM_PTR "cside_arena_open(&arena$argnum);"
%typemap(in) CK_MECHANISM_PTR (cside_arena arena, CK_MECHANISM mechanism) {
    $1 = NULL;
    if ($input != Py_None) {
        if (!cside_mechanism(&arena, $input, &mechanism))
            SWIG_fail;
        $1 = &mechanism;
    }
}
%typemap(freearg) CK_MECHANISM_PTR "cside_arena_close(&arena$argnum);"

%typemap(arginit) (CK_VOID_PTR parameter, CK_ULONG nbytes) "cside_arena_open(&arena$argnum);"
%typemap(in) (CK_VOID_PTR parameter, CK_ULONG nbytes) (cside_arena arena) {
    cside_span parameter;
    if (!cside_parameter(&arena, $input, true, &parameter))
        SWIG_fail;
    $1 = parameter.at;
    $2 = parameter.nbytes;
}
%typemap(freearg) (CK_VOID_PTR parameter, CK_ULONG nbytes) "cside_arena_close(&arena$argnum);"
