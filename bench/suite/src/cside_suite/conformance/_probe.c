/* SPDX-License-Identifier: Apache-2.0
 *
 * _probe.c - a PKCS #11 module for tests of bindings. It notes every argument that it is given, and answers as the test
 * ordered, also wrongly. It is a Python module too, by which tests give the orders and read the notes.
 *
 * Python: script(**orders) deletes the notes and sets the answers; notes() returns the notes, one JSON text per call.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CK_DECLARE_FUNCTION(returnType, name) __attribute__((visibility("default"))) returnType name
#include "cside/pkcs11.h"

#define ATTRIBUTES 16
#define PROBE_SESSION 77

/* The answers of the next calls. */
static struct {
    CK_RV rv;           /* return value of every function */
    CK_ULONG length;    /* length of byte strings and lists */
    CK_ULONG shortages; /* calls that return CKR_BUFFER_TOO_SMALL although there is room */
    CK_ULONG lie;       /* added to the length that is reported with success */
    CK_RV attribute_rv; /* return value of C_GetAttributeValue, whose attributes have these lengths */
    CK_ULONG attributes[ATTRIBUTES];
    int thread; /* callbacks run in a thread of their own */
    int keep;   /* the notify callback is called when the session is closed, not when it is opened */
} script = {.length = 3};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *notes;
static size_t notes_nbytes, notes_room;
static CK_NOTIFY kept_notify;
static void *kept_application;

static void add_bytes(const char *text, size_t nbytes)
{
    if (notes_nbytes + nbytes + 1 > notes_room) {
        notes_room = 2 * (notes_nbytes + nbytes + 1);
        char *grown = realloc(notes, notes_room);
        if (grown == NULL)
            abort();
        notes = grown;
    }
    memcpy(notes + notes_nbytes, text, nbytes);
    notes_nbytes += nbytes;
    notes[notes_nbytes] = '\0';
}

static void add(const char *text)
{
    add_bytes(text, strlen(text));
}

static void add_number(uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    add(text);
}

static void add_hex(const void *data, CK_ULONG nbytes)
{
    static const char digits[] = "0123456789abcdef";

    if (data == NULL) {
        add(nbytes == 0 ? "null" : "\"NULL with a length\"");
        return;
    }
    add("\"");
    for (CK_ULONG i = 0; i < nbytes; i++) {
        unsigned char byte = ((const unsigned char *)data)[i];
        char pair[2] = {digits[byte >> 4], digits[byte & 15]};
        add_bytes(pair, 2);
    }
    add("\"");
}

static void add_name(const char *name)
{
    add(", \"");
    add(name);
    add("\": ");
}

static void note_begin(const char *function)
{
    pthread_mutex_lock(&lock);
    add("{\"function\": \"");
    add(function);
    add("\"");
}

static void note_end(void)
{
    add("}\n");
    pthread_mutex_unlock(&lock);
}

static void note_scalar(const char *name, uint64_t value)
{
    add_name(name);
    add_number(value);
}

static void note_bytes(const char *name, const void *data, CK_ULONG nbytes)
{
    add_name(name);
    add_hex(data, nbytes);
}

static void note_text(const char *name, const char *text)
{
    add_name(name);
    add_hex(text, text == NULL ? 0 : strlen(text));
}

static void note_pointer(const char *name, const void *pointer)
{
    add_name(name);
    add(pointer == NULL ? "null" : "true");
}

static void note_version(const char *name, const CK_VERSION *version)
{
    add_name(name);
    if (version == NULL) {
        add("null");
        return;
    }
    add("[");
    add_number(version->major);
    add(", ");
    add_number(version->minor);
    add("]");
}

static void note_mechanism(const char *name, const CK_MECHANISM *mechanism)
{
    add_name(name);
    if (mechanism == NULL) {
        add("null");
        return;
    }
    add("[");
    add_number(mechanism->mechanism);
    add(", ");
    add_hex(mechanism->pParameter, mechanism->ulParameterLen);
    if (mechanism->mechanism == CKM_AES_GCM && mechanism->ulParameterLen == sizeof(CK_GCM_PARAMS)) {
        const CK_GCM_PARAMS *gcm = mechanism->pParameter;

        add(", ");
        add_hex(gcm->pIv, gcm->ulIvLen);
        add(", ");
        add_number(gcm->ulIvBits);
        add(", ");
        add_hex(gcm->pAAD, gcm->ulAADLen);
        add(", ");
        add_number(gcm->ulTagBits);
    }
    add("]");
}

static void add_template(const CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    if (attributes == NULL) {
        add(count == 0 ? "null" : "\"NULL with a count\"");
        return;
    }
    add("[");
    for (CK_ULONG i = 0; i < count; i++) {
        add(i == 0 ? "[" : ", [");
        add_number(attributes[i].type);
        add(", ");
        if (attributes[i].type == CKA_WRAP_TEMPLATE && attributes[i].ulValueLen % sizeof(CK_ATTRIBUTE) == 0)
            add_template(attributes[i].pValue, attributes[i].ulValueLen / sizeof(CK_ATTRIBUTE));
        else
            add_hex(attributes[i].pValue, attributes[i].ulValueLen);
        add("]");
    }
    add("]");
}

static void note_template(const char *name, const CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    add_name(name);
    add_template(attributes, count);
}

static void note_rooms(const char *name, const CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    add_name(name);
    add("[");
    for (CK_ULONG i = 0; i < count; i++) {
        add(i == 0 ? "[" : ", [");
        add_number(attributes[i].type);
        add(", ");
        if (attributes[i].pValue == NULL)
            add("null");
        else
            add_number(attributes[i].ulValueLen);
        add("]");
    }
    add("]");
}

static void note_room(const char *name, const void *data, const CK_ULONG *room)
{
    add_name(name);
    if (room == NULL)
        add("\"declined\"");
    else if (data == NULL)
        add("null");
    else
        add_number(*room);
}

static void fill_bytes(CK_BYTE *data, CK_ULONG nbytes)
{
    for (CK_ULONG i = 0; i < nbytes; i++)
        data[i] = (CK_BYTE)(i * 7 + 1);
}

static void fill_text(CK_BYTE *text, size_t nbytes, const char *value)
{
    memset(text, ' ', nbytes);
    memcpy(text, value, strlen(value) < nbytes ? strlen(value) : nbytes);
}

/* Whether there is room for the length of the script; sets *length to the length that is reported. */
static int answer_room(const void *data, CK_ULONG *length)
{
    CK_ULONG room = *length;

    *length = script.length;
    if (data != NULL && script.shortages > 0) {
        script.shortages--;
        return 0;
    }
    return data == NULL || room >= script.length;
}

static int answer_bytes(CK_BYTE *data, CK_ULONG *length)
{
    if (length == NULL) /* declined */
        return 1;
    if (!answer_room(data, length))
        return 0;
    if (data != NULL) {
        fill_bytes(data, *length);
        *length += script.lie;
    }
    return 1;
}

static int answer_numbers(CK_ULONG *numbers, CK_ULONG *length)
{
    if (!answer_room(numbers, length))
        return 0;
    for (CK_ULONG i = 0; numbers != NULL && i < *length; i++)
        numbers[i] = 100 + i;
    if (numbers != NULL)
        *length += script.lie;
    return 1;
}

static void answer_limited(CK_ULONG *numbers, CK_ULONG limit, CK_ULONG *count)
{
    *count = script.length < limit ? script.length : limit;
    for (CK_ULONG i = 0; i < *count; i++)
        numbers[i] = 100 + i;
    *count += script.lie;
}

static CK_RV answer_attributes(CK_ATTRIBUTE *attributes, CK_ULONG count)
{
    CK_RV rv = CKR_OK;

    for (CK_ULONG i = 0; i < count; i++) {
        CK_ULONG length = attributes[i].type < ATTRIBUTES ? script.attributes[attributes[i].type] : 3;

        if (length == CK_UNAVAILABLE_INFORMATION) {
            attributes[i].ulValueLen = length;
            rv = script.attribute_rv;
        } else if (attributes[i].pValue == NULL) {
            attributes[i].ulValueLen = length;
        } else if (attributes[i].ulValueLen < length) {
            attributes[i].ulValueLen = CK_UNAVAILABLE_INFORMATION;
            if (rv == CKR_OK)
                rv = CKR_BUFFER_TOO_SMALL;
        } else {
            fill_bytes(attributes[i].pValue, length);
            attributes[i].ulValueLen = length + script.lie;
        }
    }
    return rv;
}

static void fill_CK_ASYNC_DATA(CK_ASYNC_DATA *out)
{
    static CK_BYTE value[3];

    fill_bytes(value, sizeof value);
    out->ulVersion = 501;
    out->pValue = value;
    out->ulValue = sizeof value;
    out->hObject = 504;
    out->hAdditionalObject = 505;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list);
CK_RV C_GetInterfaceList(CK_INTERFACE_PTR interfaces, CK_ULONG_PTR count);
CK_RV C_GetInterface(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, CK_FLAGS flags);
static CK_RV probe_C_Initialize(CK_VOID_PTR args);
static CK_RV probe_C_Finalize(CK_VOID_PTR reserved);
static CK_RV probe_C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR application, CK_NOTIFY notify,
                                 CK_SESSION_HANDLE_PTR session);
static CK_RV probe_C_CloseSession(CK_SESSION_HANDLE session);
static CK_RV probe_C_CloseAllSessions(CK_SLOT_ID slot);

#include "_probe_functions.h"

/* ---- functions that call back -------------------------------------------------------------------------------------- */

struct event {
    CK_NOTIFY notify;
    void *application;
    CK_RV rv;
};

static void *send(void *argument)
{
    struct event *event = argument;

    event->rv = event->notify(PROBE_SESSION, CKN_SURRENDER, event->application);
    return NULL;
}

static CK_RV notify_now(CK_NOTIFY notify, void *application)
{
    struct event event = {notify, application, CKR_OK};
    pthread_t thread;

    if (!script.thread)
        send(&event);
    else if (pthread_create(&thread, NULL, send, &event) == 0)
        pthread_join(thread, NULL);
    note_begin("Notify");
    note_scalar("rv", event.rv);
    note_end();
    return event.rv;
}

static CK_RV probe_C_Initialize(CK_VOID_PTR argument)
{
    const CK_C_INITIALIZE_ARGS *args = argument;
    CK_RV rvs[4] = {CKR_OK, CKR_OK, CKR_OK, CKR_OK};
    void *mutex = NULL;

    note_begin("C_Initialize");
    note_pointer("pInitArgs", args);
    if (args != NULL) {
        note_pointer("CreateMutex", (const void *)(uintptr_t)args->CreateMutex);
        note_scalar("flags", args->flags);
        note_text("pReserved", args->pReserved);
    }
    note_end();
    if (script.rv != CKR_OK || args == NULL || args->CreateMutex == NULL)
        return script.rv;
    rvs[0] = args->CreateMutex(&mutex);
    if (rvs[0] == CKR_OK) {
        rvs[1] = args->LockMutex(mutex);
        rvs[2] = args->UnlockMutex(mutex);
        rvs[3] = args->DestroyMutex(mutex);
    }
    note_begin("mutexes");
    note_scalar("create", rvs[0]);
    note_scalar("lock", rvs[1]);
    note_scalar("unlock", rvs[2]);
    note_scalar("destroy", rvs[3]);
    note_end();
    for (int i = 0; i < 4; i++)
        if (rvs[i] != CKR_OK)
            return rvs[i];
    return CKR_OK;
}

static CK_RV probe_C_Finalize(CK_VOID_PTR reserved)
{
    note_begin("C_Finalize");
    note_pointer("pReserved", reserved);
    note_end();
    kept_notify = NULL;
    return script.rv;
}

static CK_RV probe_C_OpenSession(CK_SLOT_ID slotID, CK_FLAGS flags, CK_VOID_PTR pApplication, CK_NOTIFY Notify,
                                 CK_SESSION_HANDLE_PTR phSession)
{
    note_begin("C_OpenSession");
    note_scalar("slotID", slotID);
    note_scalar("flags", flags);
    note_pointer("Notify", (const void *)(uintptr_t)Notify);
    note_end();
    if (script.rv != CKR_OK)
        return script.rv;
    *phSession = PROBE_SESSION;
    if (Notify == NULL)
        return CKR_OK;
    if (script.keep) {
        kept_notify = Notify;
        kept_application = pApplication;
        return CKR_OK;
    }
    return notify_now(Notify, pApplication);
}

static CK_RV probe_C_CloseSession(CK_SESSION_HANDLE hSession)
{
    CK_NOTIFY notify = kept_notify;

    note_begin("C_CloseSession");
    note_scalar("hSession", hSession);
    note_end();
    kept_notify = NULL;
    if (notify != NULL && script.rv == CKR_OK)
        notify_now(notify, kept_application);
    return script.rv;
}

static CK_RV probe_C_CloseAllSessions(CK_SLOT_ID slotID)
{
    note_begin("C_CloseAllSessions");
    note_scalar("slotID", slotID);
    note_end();
    kept_notify = NULL;
    return script.rv;
}

/* ---- lists --------------------------------------------------------------------------------------------------------- */

static CK_UTF8CHAR standard_name[] = "PKCS 11";
static CK_UTF8CHAR vendor_name[] = "Vendor probe";
static const CK_VERSION vendor_list = {7, 8};

static CK_INTERFACE interfaces[] = {
    {standard_name, (CK_VOID_PTR)&functions, CKF_INTERFACE_FORK_SAFE},
    {vendor_name, (CK_VOID_PTR)&vendor_list, 0},
};

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list)
{
    static CK_FUNCTION_LIST old;

    if (list == NULL)
        return CKR_ARGUMENTS_BAD;
    memcpy(&old, &functions, sizeof old);
    old.version.major = 2;
    old.version.minor = 40;
    *list = &old;
    return CKR_OK;
}

CK_RV C_GetInterfaceList(CK_INTERFACE_PTR list, CK_ULONG_PTR count)
{
    CK_ULONG room = 0;

    if (count == NULL)
        return CKR_ARGUMENTS_BAD;
    room = *count;
    *count = sizeof interfaces / sizeof interfaces[0];
    if (list == NULL)
        return CKR_OK;
    if (room < *count)
        return CKR_BUFFER_TOO_SMALL;
    memcpy(list, interfaces, sizeof interfaces);
    return CKR_OK;
}

CK_RV C_GetInterface(CK_UTF8CHAR_PTR name, CK_VERSION_PTR version, CK_INTERFACE_PTR_PTR out, CK_FLAGS flags)
{
    if (out == NULL)
        return CKR_ARGUMENTS_BAD;
    note_begin("C_GetInterface");
    note_text("pInterfaceName", (const char *)name);
    note_version("pVersion", version);
    note_scalar("flags", flags);
    note_end();
    for (size_t i = 0; i < sizeof interfaces / sizeof interfaces[0]; i++) {
        const CK_VERSION *own = interfaces[i].pFunctionList;

        if (name != NULL && strcmp((const char *)name, (const char *)interfaces[i].pInterfaceName) != 0)
            continue;
        if (version != NULL && (version->major != own->major || version->minor != own->minor))
            continue;
        if ((flags & ~interfaces[i].flags) != 0)
            continue;
        *out = &interfaces[i];
        return CKR_OK;
    }
    return CKR_FUNCTION_FAILED;
}

/* ---- for Python ---------------------------------------------------------------------------------------------------- */

static PyObject *probe_script(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"rv", "length", "shortages", "lie", "attribute_rv", "attributes", "thread", "keep", NULL};
    unsigned long rv = CKR_OK, length = 3, shortages = 0, lie = 0, attribute_rv = CKR_ATTRIBUTE_SENSITIVE;
    PyObject *attributes = NULL;
    int thread = 0, keep = 0;

    (void)self;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$kkkkkO!pp", names, &rv, &length, &shortages, &lie,
                                     &attribute_rv, &PyTuple_Type, &attributes, &thread, &keep))
        return NULL;
    script.rv = rv;
    script.length = length;
    script.shortages = shortages;
    script.lie = lie;
    script.attribute_rv = attribute_rv;
    script.thread = thread;
    script.keep = keep;
    for (Py_ssize_t i = 0; i < ATTRIBUTES; i++) {
        script.attributes[i] = 3;
        if (attributes != NULL && i < PyTuple_GET_SIZE(attributes)) {
            PyObject *item = PyTuple_GET_ITEM(attributes, i);

            script.attributes[i] = item == Py_None ? CK_UNAVAILABLE_INFORMATION : PyLong_AsUnsignedLong(item);
        }
    }
    if (PyErr_Occurred() != NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    notes_nbytes = 0;
    pthread_mutex_unlock(&lock);
    Py_RETURN_NONE;
}

static PyObject *probe_notes(PyObject *self, PyObject *ignored)
{
    PyObject *text = NULL, *lines = NULL;

    (void)self, (void)ignored;
    pthread_mutex_lock(&lock);
    text = PyUnicode_FromStringAndSize(notes_nbytes == 0 ? "" : notes, (Py_ssize_t)notes_nbytes);
    pthread_mutex_unlock(&lock);
    if (text == NULL)
        return NULL;
    lines = PyUnicode_Splitlines(text, 0);
    Py_DECREF(text);
    return lines;
}

static PyMethodDef methods[] = {
    {"script", (PyCFunction)(void (*)(void))probe_script, METH_VARARGS | METH_KEYWORDS,
     "Delete all notes, and set the answers of the next calls."},
    {"notes", probe_notes, METH_NOARGS,
     "notes($module, /)\n--\n\nReturn the calls since script(), one JSON text each."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#if defined(Py_mod_gil) /* from 3.13 on; notes are under the lock, and a test writes the script before it calls */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_probe",
    .m_doc = "A PKCS #11 module that notes its arguments; its file is that of this Python module.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__probe(void)
{
    return PyModuleDef_Init(&definition);
}
