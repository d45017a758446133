/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_interfaces.c - the methods whose results contain pointers: function lists, interfaces, asynchronous results.
 */
#include "pkcs11_interfaces.h"
#include "errors.h"
#include "pkcs11_arguments.h"
#include "pkcs11_calls.h"
#include "pkcs11_errors.h"
#include "pkcs11_module.h"
#include "pkcs11_results.h"
#include "pkcs11_structs.h"

#include <string.h>

/** Room for interfaces in the first call. */
#define ROOM_COUNT 8

static PyObject *interface_tuple(const pkcs11_state *state, const CK_INTERFACE *interface)
{
    static const CK_VERSION none = {0, 0};
    const char *name = interface->pInterfaceName == NULL ? "" : (const char *)interface->pInterfaceName;
    /* Every function list begins with its version. */
    const CK_VERSION *version = interface->pFunctionList == NULL ? &none : interface->pFunctionList;
    PyObject *const fields[] = {
        PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape"),
        pkcs11_from_CK_VERSION(state, version),
        PyLong_FromUnsignedLong(interface->flags),
    };

    return pkcs11_tuple(state, PKCS11_CK_INTERFACE, fields, 3);
}

PyObject *pkcs11_C_GetFunctionList(PyObject *object, PyObject *Py_UNUSED(none))
{
    const pkcs11_module *self = (pkcs11_module *)object;
    CK_FUNCTION_LIST_PTR list = NULL;
    pkcs11_call call;
    CK_RV rv = CKR_OK;

    pkcs11_enter(&call);
    rv = self->functions->C_GetFunctionList(&list);
    pkcs11_leave(&call);
    if (pkcs11_settle(self, &call, rv, "C_GetFunctionList") < 0) {
        return NULL;
    }
    return pkcs11_from_CK_VERSION(self->state, &list->version);
}

PyObject *pkcs11_C_GetInterfaceList(PyObject *object, PyObject *Py_UNUSED(none))
{
    const pkcs11_module *self = (pkcs11_module *)object;
    CK_INTERFACE few[ROOM_COUNT];
    CK_INTERFACE *interfaces = few;
    CK_ULONG room = ROOM_COUNT;
    CK_ULONG count = ROOM_COUNT;
    PyObject *list = NULL;
    pkcs11_call call;
    CK_RV rv = CKR_OK;

    pkcs11_enter(&call);
    rv = self->functions->C_GetInterfaceList(interfaces, &count);
    pkcs11_leave(&call);
    if (rv == CKR_BUFFER_TOO_SMALL && count > room && !pkcs11_has_raised(&call)) {
        room = count;
        interfaces = PyMem_New(CK_INTERFACE, room);
        if (interfaces == NULL) {
            return PyErr_NoMemory();
        }
        pkcs11_enter(&call);
        rv = self->functions->C_GetInterfaceList(interfaces, &count);
        pkcs11_leave(&call);
    }
    if (pkcs11_settle(self, &call, rv, "C_GetInterfaceList") < 0) {
        goto exit;
    }
    if (count > room) {
        pkcs11_overrun("C_GetInterfaceList", count, room, "items");
        goto exit;
    }
    list = PyList_New((Py_ssize_t)count);
    for (Py_ssize_t i = 0; list != NULL && i < (Py_ssize_t)count; i++) {
        PyObject *interface = interface_tuple(self->state, &interfaces[i]);

        if (interface == NULL) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, i, interface);
    }
exit:
    if (interfaces != few) {
        PyMem_Free(interfaces);
    }
    return list;
}

PyObject *pkcs11_C_GetInterface(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    CK_UTF8CHAR *name = NULL;
    CK_VERSION storage = {0, 0};
    CK_VERSION *version = NULL;
    CK_INTERFACE *interface = NULL;
    CK_FLAGS flags = 0;
    pkcs11_call call;
    CK_RV rv = CKR_OK;

    if (nargs != 3) {
        return core_bad_count("C_GetInterface", 3, nargs);
    }
    if (pkcs11_as_cstring(args[0], &name) < 0 || pkcs11_as_version(args[1], &storage, &version) < 0 ||
        pkcs11_as_ulong(args[2], &flags) < 0) {
        return NULL;
    }
    pkcs11_enter(&call);
    rv = self->functions->C_GetInterface(name, version, &interface, flags);
    pkcs11_leave(&call);
    if (pkcs11_settle(self, &call, rv, "C_GetInterface") < 0) {
        return NULL;
    }
    return interface_tuple(self->state, interface);
}

PyObject *pkcs11_C_AsyncComplete(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    CK_SESSION_HANDLE session = 0;
    CK_UTF8CHAR *name = NULL;
    CK_ASYNC_DATA data = {0};
    pkcs11_call call;
    CK_RV rv = CKR_OK;

    if (nargs != 2) {
        return core_bad_count("C_AsyncComplete", 2, nargs);
    }
    if (pkcs11_as_ulong(args[0], &session) < 0 || pkcs11_as_cstring(args[1], &name) < 0) {
        return NULL;
    }
    pkcs11_enter(&call);
    rv = self->functions->C_AsyncComplete(session, name, &data);
    pkcs11_leave(&call);
    if (pkcs11_settle(self, &call, rv, "C_AsyncComplete") < 0) {
        return NULL;
    }
    if (data.ulValue > (CK_ULONG)PY_SSIZE_T_MAX - 4096) {
        return PyErr_NoMemory();
    }
    {
        PyObject *const fields[] = {
            PyLong_FromUnsignedLong(data.ulVersion),
            data.pValue == NULL ? Py_NewRef(Py_None)
                                : PyBytes_FromStringAndSize((const char *)data.pValue, (Py_ssize_t)data.ulValue),
            PyLong_FromUnsignedLong(data.hObject),
            PyLong_FromUnsignedLong(data.hAdditionalObject),
        };

        return pkcs11_tuple(self->state, PKCS11_CK_ASYNC_DATA, fields, 4);
    }
}
