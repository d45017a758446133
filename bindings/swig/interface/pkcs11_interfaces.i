/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that point into the memory of the module: function lists, interfaces, the result of an asynchronous call.
 */
%{
static PyObject *cside_from_interface(const CK_INTERFACE *interface)
{
    static const CK_VERSION none = {0, 0};
    const char *name = interface->pInterfaceName != NULL ? (const char *)interface->pInterfaceName : "";
    const CK_VERSION *version = interface->pFunctionList != NULL ? interface->pFunctionList : &none;

    return cside_named(cside_CK_INTERFACE, 3, PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape"),
                       cside_from_CK_VERSION(version), PyLong_FromUnsignedLong(interface->flags));
}

static PyObject *cside_from_async(const CK_ASYNC_DATA *data)
{
    PyObject *value;

    if (data->pValue == NULL)
        value = Py_NewRef(Py_None);
    else if (data->ulValue > PY_SSIZE_T_MAX)
        value = PyErr_NoMemory();
    else
        value = PyBytes_FromStringAndSize((const char *)data->pValue, (Py_ssize_t)data->ulValue);
    return cside_named(cside_CK_ASYNC_DATA, 4, PyLong_FromUnsignedLong(data->ulVersion), value,
                       PyLong_FromUnsignedLong(data->hObject), PyLong_FromUnsignedLong(data->hAdditionalObject));
}

enum { CSIDE_INTERFACES_FRAME = 8 };

typedef struct cside_interfaces {
    CK_INTERFACE *heap; /* NULL while `frame` has room enough */
    CK_ULONG room;
    CK_ULONG count;
    CK_INTERFACE frame[CSIDE_INTERFACES_FRAME];
} cside_interfaces;

static CK_INTERFACE *cside_interfaces_room(cside_interfaces *self, CK_ULONG room)
{
    PyMem_Free(self->heap);
    self->heap = NULL;
    self->count = self->room = room;
    if (room <= CSIDE_INTERFACES_FRAME)
        return self->frame;
    if (room <= PY_SSIZE_T_MAX / sizeof *self->heap)
        self->heap = PyMem_Malloc(room * sizeof *self->heap);
    if (self->heap == NULL)
        PyErr_NoMemory();
    return self->heap;
}

static PyObject *cside_interfaces_take(const cside_interfaces *self, const char *function)
{
    const CK_INTERFACE *interfaces = self->heap != NULL ? self->heap : self->frame;
    PyObject *list;

    if (self->count > self->room)
        return cside_exceeds(function, self->count, "items", self->room);
    list = PyList_New((Py_ssize_t)self->count);
    for (CK_ULONG i = 0; list != NULL && i < self->count; i++) {
        PyObject *interface = cside_from_interface(&interfaces[i]);
        if (interface == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, interface);
    }
    return list;
}
%}

%typemap(in, numinputs=0) (CK_INTERFACE_PTR interfaces, CK_ULONG_PTR count) (cside_interfaces interfaces) {
    interfaces.heap = NULL;
    $2 = &interfaces.count;
}
%typemap(argout) (CK_INTERFACE_PTR interfaces, CK_ULONG_PTR count) {
    %adds_result(cside_interfaces_take(&interfaces$argnum, CSIDE_FUNCTION("$symname")))
}
%typemap(freearg) (CK_INTERFACE_PTR interfaces, CK_ULONG_PTR count) "PyMem_Free(interfaces$argnum.heap);"

%typemap(in, numinputs=0) CK_INTERFACE_PTR_PTR (CK_INTERFACE_PTR interface) {
    interface = NULL;
    $1 = &interface;
}
%typemap(argout) CK_INTERFACE_PTR_PTR {
    if (*$1 == NULL)
        SWIG_exception_fail(SWIG_RuntimeError, "the module gives no interface");
    %adds_result(cside_from_interface(*$1))
}

%typemap(in, numinputs=0) CK_FUNCTION_LIST_PTR_PTR (CK_FUNCTION_LIST_PTR list) {
    list = NULL;
    $1 = &list;
}
%typemap(argout) CK_FUNCTION_LIST_PTR_PTR {
    if (*$1 == NULL)
        SWIG_exception_fail(SWIG_RuntimeError, "the module gives no list");
    %adds_result(cside_from_CK_VERSION(&(*$1)->version))
}

%typemap(in, numinputs=0) CK_ASYNC_DATA_PTR (CK_ASYNC_DATA data) {
    memset(&data, 0, sizeof data);
    $1 = &data;
}
%typemap(argout) CK_ASYNC_DATA_PTR {
    %adds_result(cside_from_async($1))
}
