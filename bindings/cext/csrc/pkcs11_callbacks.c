/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_callbacks.c - how a callback of a module enters Python and leaves it again.
 */
#include "pkcs11_callbacks.h"
#include "pkcs11_arguments.h"

#include <pthread.h>

/* ---- entries ---------------------------------------------------------------------------------- */

/* Callbacks look for their entry before they know whose GIL to take, so the list is of the process and has a lock. */
static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static pkcs11_entry *entries;
static uintptr_t last_number;

void pkcs11_lists_take(void)
{
    (void)pthread_mutex_lock(&lists_lock);
}

void pkcs11_lists_give(void)
{
    (void)pthread_mutex_unlock(&lists_lock);
}

/** Another thread must not hold the lock at a fork: in the child nobody would release it. */
static void watch_forks(void)
{
    (void)pthread_atfork(pkcs11_lists_take, pkcs11_lists_give, pkcs11_lists_give);
}

void pkcs11_entry_add(pkcs11_entry *entry, pkcs11_state *state)
{
    (void)pthread_once(&fork_once, watch_forks);
    entry->state = state;
    entry->home = pkcs11_home_here();
    pkcs11_lists_take();
    entry->number = ++last_number;
    entry->next = entries;
    entries = entry;
    pkcs11_lists_give();
}

pkcs11_entry *pkcs11_entry_find(const void *number)
{
    pkcs11_entry *entry = entries;

    while (entry != NULL && entry->number != (uintptr_t)number) {
        entry = entry->next;
    }
    return entry;
}

void pkcs11_entry_remove(const pkcs11_entry *entry)
{
    pkcs11_entry **link = &entries;

    while (*link != entry) {
        link = &(*link)->next;
    }
    *link = entry->next;
}

/* ---- entering and leaving --------------------------------------------------------------------- */

#if defined(PYPY_VERSION)

pkcs11_home pkcs11_home_here(void)
{
    return (pkcs11_home){NULL, 0}; /* PyPy has a single interpreter */
}

#else

pkcs11_home pkcs11_home_here(void)
{
    PyInterpreterState *interpreter = PyInterpreterState_Get();

    return (pkcs11_home){interpreter, PyInterpreterState_GetID(interpreter)};
}

static bool is_home(PyThreadState *thread, pkcs11_home home)
{
    PyInterpreterState *interpreter = PyThreadState_GetInterpreter(thread);

    return interpreter == home.interpreter && PyInterpreterState_GetID(interpreter) == home.number;
}

/** Whether a thread that has no call under way may enter the interpreter: it exists and is not being finalised. */
static bool is_open(pkcs11_home home)
{
    PyInterpreterState *interpreter = NULL;

#if PY_VERSION_HEX >= 0x030D0000
    if (!Py_IsInitialized() || Py_IsFinalizing()) {
        return false;
    }
#else
    if (!Py_IsInitialized() || _Py_IsFinalizing()) {
        return false;
    }
#endif
    for (interpreter = PyInterpreterState_Head(); interpreter != NULL;
         interpreter = PyInterpreterState_Next(interpreter)) {
        if (interpreter == home.interpreter) {
            return PyInterpreterState_GetID(interpreter) == home.number;
        }
    }
    return false;
}

#endif

static bool enter(pkcs11_visit *visit, pkcs11_home home)
{
    visit->under_way = pkcs11_under_way;
    visit->call = pkcs11_under_way;
    visit->own = NULL;
#if defined(PYPY_VERSION)
    (void)home;
    visit->gil = PyGILState_Ensure();
#else
    if (visit->call != NULL && is_home(visit->call->thread, home)) {
        PyEval_RestoreThread(visit->call->thread);
    } else {
        PyThreadState *known = NULL;

        visit->call = NULL;
        if (!is_open(home)) {
            return false;
        }
        known = PyGILState_GetThisThreadState();
        if (home.interpreter == PyInterpreterState_Main() && (known == NULL || is_home(known, home))) {
            visit->gil = PyGILState_Ensure();
        } else { /* PyGILState_Ensure() works for the main interpreter only */
            visit->own = PyThreadState_New(home.interpreter);
            if (visit->own == NULL) {
                return false;
            }
            PyEval_RestoreThread(visit->own);
        }
    }
#endif
    pkcs11_under_way = NULL;
    return true;
}

pkcs11_entered pkcs11_visit_begin(pkcs11_visit *visit, const void *number)
{
    const pkcs11_entry *entry = NULL;
    pkcs11_entered entered = PKCS11_GONE;
    pkcs11_home home = {NULL, 0};

    pkcs11_lists_take();
    entry = pkcs11_entry_find(number);
    if (entry != NULL) {
        entered = entry->state == NULL ? PKCS11_CLOSED : PKCS11_ENTERED;
        home = entry->home;
    }
    pkcs11_lists_give();
    return entered == PKCS11_ENTERED && !enter(visit, home) ? PKCS11_CLOSED : entered;
}

void pkcs11_visit_end(pkcs11_visit *visit)
{
    pkcs11_under_way = visit->under_way;
#if defined(PYPY_VERSION)
    PyGILState_Release(visit->gil);
#else
    if (visit->call != NULL) {
        visit->call->thread = PyEval_SaveThread();
    } else if (visit->own != NULL) {
        PyThreadState_Clear(visit->own);
        PyThreadState_DeleteCurrent(); /* this also releases the GIL */
    } else {
        PyGILState_Release(visit->gil);
    }
#endif
}

/** The attribute `rv` of a PKCS11Error; CKR_GENERAL_ERROR if that is not a return value. */
static CK_RV rv_of(core_raised *raised)
{
    CK_ULONG rv = CKR_GENERAL_ERROR;
    PyObject *number = NULL;

#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyErr_NormalizeException(&raised->type, &raised->value, &raised->traceback);
    number = PyObject_GetAttrString(raised->value, "rv");
#else
    number = PyObject_GetAttrString(raised->exception, "rv");
#endif
    if (number == NULL || pkcs11_as_ulong(number, &rv) < 0) {
        PyErr_Clear();
        rv = CKR_GENERAL_ERROR;
    }
    Py_XDECREF(number);
    return rv;
}

CK_RV pkcs11_visit_failed(const pkcs11_state *state, pkcs11_visit *visit, PyObject *callable)
{
    bool named = PyErr_ExceptionMatches(state->error);
    core_raised raised;
    CK_RV rv = CKR_GENERAL_ERROR;

    core_raised_take(&raised);
    if (named) {
        rv = rv_of(&raised);
    }
    if (visit->call != NULL && !pkcs11_has_raised(visit->call)) {
        visit->call->raised = raised;
    } else {
        (void)core_raised_give(&raised);
        PyErr_WriteUnraisable(callable);
    }
    return rv;
}
