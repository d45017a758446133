/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_locks.c - the arguments of C_Initialize that a module keeps: the application's mutex functions and the
 * reserved buffer.
 */
#include "pkcs11_locks.h"
#include "pkcs11_callbacks.h"
#include "pkcs11_memory.h"

#include <stdlib.h>

typedef struct app_mutex {
    struct app_mutex *next;
    struct app_mutex *previous;
    PyObject *object;
} app_mutex;

enum { CREATE, DESTROY, LOCK, UNLOCK, CALLABLES };

struct pkcs11_locks {
    struct pkcs11_locks *next;
    pkcs11_state *state;
    pkcs11_home home;
    const cs_pkcs11_module *module;
    cs_pkcs11_locks table;
    PyObject *callables[CALLABLES]; /* all NULL if no functions were given */
    Py_buffer reserved;
    app_mutex *mutexes; /* those that the module has made and not destroyed */
};

/* ---- mutexes ---------------------------------------------------------------------------------- */

static CK_RV mutex_create(void *user, void **out_mutex)
{
    pkcs11_locks *locks = user;
    app_mutex *made = NULL;
    CK_RV rv = CKR_GENERAL_ERROR;
    pkcs11_visit visit;

    if (locks->state == NULL || !pkcs11_visit_begin(&visit, locks->home)) {
        return CKR_GENERAL_ERROR;
    }
    made = malloc(sizeof(*made));
    if (made == NULL) {
        rv = CKR_HOST_MEMORY;
        goto exit;
    }
    made->object = locks->callables[CREATE] == NULL ? NULL : PyObject_CallNoArgs(locks->callables[CREATE]);
    if (made->object == NULL) {
        if (PyErr_Occurred()) {
            rv = pkcs11_visit_failed(locks->state, &visit, locks->callables[CREATE]);
        }
        free(made);
        goto exit;
    }
    made->previous = NULL;
    pkcs11_lists_take(locks->state);
    made->next = locks->mutexes;
    if (made->next != NULL) {
        made->next->previous = made;
    }
    locks->mutexes = made;
    pkcs11_lists_give(locks->state);
    *out_mutex = made;
    rv = CKR_OK;
exit:
    pkcs11_visit_end(&visit);
    return rv;
}

/** Call the callable for `number` with the mutex; its result is ignored. `gone` says that this destroys the mutex. */
static CK_RV mutex_call(pkcs11_locks *locks, int number, app_mutex *mutex, bool gone)
{
    PyObject *callable = NULL;
    PyObject *object = NULL;
    PyObject *returned = NULL;
    CK_RV rv = CKR_OK;
    pkcs11_visit visit;

    if (locks->state == NULL || !pkcs11_visit_begin(&visit, locks->home)) {
        return CKR_OK; /* modules destroy their mutexes when the process ends */
    }
    callable = Py_XNewRef(locks->callables[number]);
    object = Py_XNewRef(mutex->object);
    if (callable == NULL || object == NULL) {
        goto exit;
    }
    returned = PyObject_CallOneArg(callable, object);
    if (returned == NULL) {
        rv = pkcs11_visit_failed(locks->state, &visit, callable);
        goto exit;
    }
    if (gone) {
        pkcs11_lists_take(locks->state);
        if (mutex->previous != NULL) {
            mutex->previous->next = mutex->next;
        } else {
            locks->mutexes = mutex->next;
        }
        if (mutex->next != NULL) {
            mutex->next->previous = mutex->previous;
        }
        pkcs11_lists_give(locks->state);
        Py_CLEAR(mutex->object);
        free(mutex);
    }
exit:
    Py_XDECREF(returned);
    Py_XDECREF(object);
    Py_XDECREF(callable);
    pkcs11_visit_end(&visit);
    return rv;
}

static CK_RV mutex_destroy(void *user, void *mutex)
{
    return mutex_call(user, DESTROY, mutex, true);
}

static CK_RV mutex_lock(void *user, void *mutex)
{
    return mutex_call(user, LOCK, mutex, false);
}

static CK_RV mutex_unlock(void *user, void *mutex)
{
    return mutex_call(user, UNLOCK, mutex, false);
}

/* ---- the arguments of C_Initialize ------------------------------------------------------------ */

pkcs11_locks *pkcs11_locks_new(const pkcs11_module *self, PyObject *const *callables, Py_buffer *reserved)
{
    pkcs11_locks *locks = calloc(1, sizeof(*locks));

    if (locks == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    locks->state = self->state;
    locks->home = pkcs11_home_here();
    locks->module = self->module;
    locks->table = (cs_pkcs11_locks){mutex_create, mutex_destroy, mutex_lock, mutex_unlock, locks};
    for (int i = 0; callables != NULL && i < CALLABLES; i++) {
        locks->callables[i] = Py_NewRef(callables[i]);
    }
    locks->reserved = *reserved;
    reserved->obj = NULL;
    return locks;
}

const cs_pkcs11_locks *pkcs11_locks_table(const pkcs11_locks *locks)
{
    return locks->callables[CREATE] == NULL ? NULL : &locks->table;
}

void *pkcs11_locks_reserved(const pkcs11_locks *locks)
{
    if (locks->reserved.obj == NULL) {
        return NULL;
    }
    return locks->reserved.buf == NULL ? PKCS11_POINTER("") : locks->reserved.buf;
}

pkcs11_locks *pkcs11_locks_take(const pkcs11_module *self)
{
    pkcs11_state *state = self->state;
    pkcs11_locks *taken = NULL;
    pkcs11_locks **link = NULL;

    pkcs11_lists_take(state);
    link = &state->locks;
    while (*link != NULL) {
        pkcs11_locks *locks = *link;

        if (locks->module == self->module) {
            *link = locks->next;
            locks->next = taken;
            taken = locks;
        } else {
            link = &locks->next;
        }
    }
    pkcs11_lists_give(state);
    return taken;
}

void pkcs11_locks_return(pkcs11_state *state, pkcs11_locks *locks)
{
    while (locks != NULL) {
        pkcs11_locks *next = locks->next;

        pkcs11_lists_take(state);
        locks->next = state->locks;
        state->locks = locks;
        pkcs11_lists_give(state);
        locks = next;
    }
}

void pkcs11_locks_free(pkcs11_locks *locks)
{
    while (locks != NULL) {
        pkcs11_locks *next = locks->next;

        while (locks->mutexes != NULL) {
            app_mutex *mutex = locks->mutexes;

            locks->mutexes = mutex->next;
            Py_XDECREF(mutex->object);
            free(mutex);
        }
        for (int i = 0; i < CALLABLES; i++) {
            Py_XDECREF(locks->callables[i]);
        }
        if (locks->reserved.obj != NULL) {
            PyBuffer_Release(&locks->reserved);
        }
        free(locks);
        locks = next;
    }
}

/* ---- garbage collection, and the end of the interpreter --------------------------------------- */

int pkcs11_locks_traverse(pkcs11_state *state, visitproc visit, void *arg)
{
    for (pkcs11_locks *locks = state->locks; locks != NULL; locks = locks->next) {
        for (int i = 0; i < CALLABLES; i++) {
            Py_VISIT(locks->callables[i]);
        }
        for (app_mutex *mutex = locks->mutexes; mutex != NULL; mutex = mutex->next) {
            Py_VISIT(mutex->object);
        }
    }
    return 0;
}

/** The list is kept, and so is the reserved buffer, which the library may still read. */
void pkcs11_locks_clear(pkcs11_state *state)
{
    for (pkcs11_locks *locks = state->locks; locks != NULL; locks = locks->next) {
        for (int i = 0; i < CALLABLES; i++) {
            Py_CLEAR(locks->callables[i]);
        }
        for (app_mutex *mutex = locks->mutexes; mutex != NULL; mutex = mutex->next) {
            Py_CLEAR(mutex->object);
        }
    }
}

void pkcs11_locks_abandon(pkcs11_state *state)
{
    for (pkcs11_locks *locks = state->locks; locks != NULL; locks = locks->next) {
        locks->state = NULL;
    }
}
