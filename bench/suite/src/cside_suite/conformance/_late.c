/* SPDX-License-Identifier: Apache-2.0
 *
 * _late.c - a PKCS #11 module for tests of bindings. It calls back too late: it notifies after a session is closed, and
 * uses the application's locks after C_Finalize, both from a thread of its own. It is a Python module too, by which
 * tests wait for these calls.
 *
 * Python: settled() lets the late calls begin, waits for them and returns what each of them returned, in order.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define CK_DECLARE_FUNCTION(returnType, name) __attribute__((visibility("default"))) returnType name
#include "cside/pkcs11.h"

#define SESSIONS 8
#define THREADS 16
#define RETURNS 64

/* A session, or what is called after it is closed. */
struct session {
    CK_NOTIFY notify;
    void *application;
    CK_SESSION_HANDLE handle;
    bool open;
};

/* The application's locks, and the mutex that they made. */
struct locks {
    CK_C_INITIALIZE_ARGS args;
    void *mutex;
};

static struct session sessions[SESSIONS];
static struct locks locks;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begin = PTHREAD_COND_INITIALIZER;
static bool late; /* the binding has forgotten the session, or the locks, and the test has made new ones */
static pthread_t threads[THREADS];
static size_t threads_count;
static CK_RV returns[RETURNS];
static size_t returns_count;

static struct session late_sessions[THREADS];
static struct locks late_locks[THREADS];

static void note(CK_RV rv)
{
    pthread_mutex_lock(&guard);
    if (returns_count < RETURNS)
        returns[returns_count++] = rv;
    pthread_mutex_unlock(&guard);
}

static void wait_until_late(void)
{
    pthread_mutex_lock(&guard);
    while (!late)
        pthread_cond_wait(&begin, &guard);
    pthread_mutex_unlock(&guard);
}

static void *notify_late(void *argument)
{
    struct session *closed = argument;

    wait_until_late();
    note(closed->notify(closed->handle, CKN_SURRENDER, closed->application));
    return NULL;
}

static void *use_locks_late(void *argument)
{
    struct locks *old = argument;
    void *made = NULL;

    wait_until_late();
    note(old->args.LockMutex(old->mutex));
    note(old->args.UnlockMutex(old->mutex));
    note(old->args.DestroyMutex(old->mutex));
    note(old->args.CreateMutex(&made));
    return NULL;
}

static CK_RV start(void *(*function)(void *), void *argument)
{
    if (pthread_create(&threads[threads_count], NULL, function, argument) != 0)
        return CKR_GENERAL_ERROR;
    threads_count++;
    return CKR_OK;
}

static CK_RV close_one(struct session *session)
{
    session->open = false;
    if (session->notify == NULL)
        return CKR_OK;
    if (threads_count == THREADS)
        return CKR_HOST_MEMORY;
    late_sessions[threads_count] = *session;
    return start(notify_late, &late_sessions[threads_count]);
}

static CK_RV late_C_Initialize(CK_VOID_PTR argument)
{
    const CK_C_INITIALIZE_ARGS *args = argument;

    memset(&locks, 0, sizeof locks);
    if (args == NULL || args->CreateMutex == NULL)
        return CKR_OK;
    locks.args = *args;
    return args->CreateMutex(&locks.mutex);
}

static CK_RV late_C_CloseAllSessions(CK_SLOT_ID slot)
{
    CK_RV rv = CKR_OK;

    (void)slot;
    for (size_t i = 0; i < SESSIONS; i++)
        if (sessions[i].open && rv == CKR_OK)
            rv = close_one(&sessions[i]);
    return rv;
}

static CK_RV late_C_Finalize(CK_VOID_PTR reserved)
{
    CK_RV rv = late_C_CloseAllSessions(0);

    (void)reserved;
    if (rv != CKR_OK || locks.args.CreateMutex == NULL)
        return rv;
    if (threads_count == THREADS)
        return CKR_HOST_MEMORY;
    late_locks[threads_count] = locks;
    memset(&locks, 0, sizeof locks);
    return start(use_locks_late, &late_locks[threads_count]);
}

static CK_RV late_C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR application, CK_NOTIFY notify,
                                CK_SESSION_HANDLE_PTR out_session)
{
    (void)slot, (void)flags;
    for (size_t i = 0; i < SESSIONS; i++) {
        if (!sessions[i].open) {
            /* The handle of a closed session is given out again. */
            sessions[i] = (struct session){notify, application, i + 1, true};
            *out_session = i + 1;
            return CKR_OK;
        }
    }
    return CKR_SESSION_COUNT;
}

static CK_RV late_C_CloseSession(CK_SESSION_HANDLE handle)
{
    for (size_t i = 0; i < SESSIONS; i++)
        if (sessions[i].open && sessions[i].handle == handle)
            return close_one(&sessions[i]);
    return CKR_SESSION_HANDLE_INVALID;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list);

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list)
{
    static CK_FUNCTION_LIST functions = {
        .version = {2, 40},
        .C_Initialize = late_C_Initialize,
        .C_Finalize = late_C_Finalize,
        .C_GetFunctionList = C_GetFunctionList,
        .C_OpenSession = late_C_OpenSession,
        .C_CloseSession = late_C_CloseSession,
        .C_CloseAllSessions = late_C_CloseAllSessions,
    };

    if (list == NULL)
        return CKR_ARGUMENTS_BAD;
    *list = &functions;
    return CKR_OK;
}

/* ---- for Python ---------------------------------------------------------------------------------------------------- */

static PyObject *settled(PyObject *self, PyObject *ignored)
{
    PyObject *rvs = NULL;

    (void)self, (void)ignored;
    Py_BEGIN_ALLOW_THREADS
    pthread_mutex_lock(&guard);
    late = true;
    pthread_cond_broadcast(&begin);
    pthread_mutex_unlock(&guard);
    for (size_t i = 0; i < threads_count; i++)
        pthread_join(threads[i], NULL);
    late = false;
    Py_END_ALLOW_THREADS
    threads_count = 0;
    rvs = PyList_New((Py_ssize_t)returns_count);
    for (size_t i = 0; rvs != NULL && i < returns_count; i++) {
        PyObject *rv = PyLong_FromUnsignedLong(returns[i]);

        if (rv == NULL || PyList_SetItem(rvs, (Py_ssize_t)i, rv) < 0)
            Py_CLEAR(rvs);
    }
    returns_count = 0;
    return rvs;
}

static PyMethodDef methods[] = {
    {"settled", settled, METH_NOARGS,
     "settled($module, /)\n--\n\nWait for the late calls; return what each of them returned."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#if defined(Py_mod_gil) /* from 3.13 on; one thread of a test's process calls the module */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_late",
    .m_doc = "A PKCS #11 module that calls back too late; its file is that of this Python module.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__late(void)
{
    return PyModuleDef_Init(&definition);
}
