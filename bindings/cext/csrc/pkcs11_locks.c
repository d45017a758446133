/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_locks.c - the arguments of C_Initialize that a module keeps: the application's mutex functions and the
 * reserved buffer.
 *
 * A set of locks is known to the shim by its number. A mutex is known to the module by the address of a block of
 * memory, which is only compared: the set has a dict of its own mutexes. It is an address, and not a number, because
 * SoftHSM's destructors call pthread_mutex_destroy() and free() for the application's mutexes if nobody has called
 * C_Finalize. The address of a destroyed mutex may come back, but in its own set only as that of a new mutex.
 */
#include "pkcs11_locks.h"
#include "pkcs11_callbacks.h"
#include "pkcs11_memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { CREATE, DESTROY, LOCK, UNLOCK, CALLABLES };

struct pkcs11_locks {
    pkcs11_entry entry;        /* the first field */
    struct pkcs11_locks *next; /* in the list of the state */
    const cs_pkcs11_module *module;
    cs_pkcs11_locks table;
    PyObject *callables[CALLABLES]; /* all NULL if no functions were given */
    Py_buffer reserved;
    /* Objects by address, for those mutexes that the module has made and not destroyed. It is used only while the lists
     * are locked, so no object is released by it; its keys are exact ints, so it runs no Python code. */
    PyObject *mutexes;
};

/* ---- mutexes ---------------------------------------------------------------------------------- */

/** The object of a mutex; NULL if the set does not know it. The caller has locked the lists. */
static PyObject *mutex_object(const pkcs11_locks *locks, PyObject *address)
{
    PyObject *object = PyDict_GetItemWithError(locks->mutexes, address);

    if (object == NULL) {
        PyErr_Clear();
    }
    return Py_XNewRef(object);
}

/** Make the object known under the address of a new block. Returns 0, or -1 with or without MemoryError. */
static int mutex_add(const void *number, PyObject *object, void **out_mutex)
{
    pthread_mutex_t *block = calloc(1, sizeof(*block)); /* what SoftHSM's destructors expect */
    PyObject *address = NULL;
    pkcs11_locks *locks = NULL;
    int result = -1;

    if (block == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    address = PyLong_FromVoidPtr(block);
    if (address != NULL) {
        pkcs11_lists_take();
        locks = (pkcs11_locks *)pkcs11_entry_find(number);
        if (locks != NULL && locks->mutexes != NULL) {
            result = PyDict_SetItem(locks->mutexes, address, object);
        }
        pkcs11_lists_give();
        Py_DECREF(address);
    }
    if (result < 0) {
        free(block);
        return -1;
    }
    *out_mutex = block;
    return 0;
}

/** Forget a mutex that was destroyed, unless the callable has done so. The caller has a reference to its object. */
static void mutex_remove(const void *number, PyObject *address, void *mutex)
{
    pkcs11_locks *locks = NULL;

    pkcs11_lists_take();
    locks = (pkcs11_locks *)pkcs11_entry_find(number);
    /* Making a KeyError could start the garbage collector, which runs Python code; so the key is looked up first. */
    if (locks != NULL && locks->mutexes != NULL && PyDict_GetItemWithError(locks->mutexes, address) != NULL &&
        PyDict_DelItem(locks->mutexes, address) == 0) {
        free(mutex);
    }
    pkcs11_lists_give();
}

static CK_RV mutex_create(void *user, void **out_mutex)
{
    const pkcs11_locks *locks = NULL;
    const pkcs11_state *state = NULL;
    PyObject *callable = NULL;
    PyObject *object = NULL;
    CK_RV rv = CKR_GENERAL_ERROR;
    pkcs11_visit visit;

    if (pkcs11_visit_begin(&visit, user) != PKCS11_ENTERED) {
        return CKR_GENERAL_ERROR;
    }
    pkcs11_lists_take();
    locks = (const pkcs11_locks *)pkcs11_entry_find(user);
    if (locks != NULL) {
        state = locks->entry.state;
        callable = Py_XNewRef(locks->callables[CREATE]);
    }
    pkcs11_lists_give();
    if (callable == NULL) {
        goto exit;
    }
    object = PyObject_CallNoArgs(callable);
    if (object != NULL && mutex_add(user, object, out_mutex) == 0) {
        rv = CKR_OK;
    } else if (PyErr_Occurred()) {
        rv = pkcs11_visit_failed(state, &visit, callable);
    }
    Py_XDECREF(object);
    Py_DECREF(callable);
exit:
    pkcs11_visit_end(&visit);
    return rv;
}

/** Call the callable for `number` with the mutex; its result is ignored. */
static CK_RV mutex_call(const void *user, int number, void *mutex)
{
    const pkcs11_locks *locks = NULL;
    const pkcs11_state *state = NULL;
    PyObject *address = NULL;
    PyObject *callable = NULL;
    PyObject *object = NULL;
    PyObject *returned = NULL;
    CK_RV rv = CKR_OK;
    pkcs11_visit visit;
    pkcs11_entered entered = pkcs11_visit_begin(&visit, user);

    if (entered != PKCS11_ENTERED) {
        /* modules destroy their mutexes when the process ends */
        return entered == PKCS11_CLOSED ? CKR_OK : CKR_MUTEX_BAD;
    }
    address = PyLong_FromVoidPtr(mutex);
    if (address == NULL) {
        PyErr_Clear();
        rv = CKR_HOST_MEMORY;
        goto exit;
    }
    pkcs11_lists_take();
    locks = (const pkcs11_locks *)pkcs11_entry_find(user);
    rv = CKR_MUTEX_BAD;
    if (locks != NULL && locks->mutexes == NULL) {
        rv = CKR_OK; /* the interpreter is ending */
    } else if (locks != NULL) {
        state = locks->entry.state;
        callable = Py_XNewRef(locks->callables[number]);
        object = mutex_object(locks, address);
    }
    pkcs11_lists_give();
    if (callable == NULL || object == NULL) {
        goto exit;
    }
    rv = CKR_OK;
    returned = PyObject_CallOneArg(callable, object);
    if (returned == NULL) {
        rv = pkcs11_visit_failed(state, &visit, callable);
    } else if (number == DESTROY) {
        mutex_remove(user, address, mutex);
    }
exit:
    Py_XDECREF(returned);
    Py_XDECREF(object);
    Py_XDECREF(callable);
    Py_XDECREF(address);
    pkcs11_visit_end(&visit);
    return rv;
}

static CK_RV mutex_destroy(void *user, void *mutex)
{
    return mutex_call(user, DESTROY, mutex);
}

static CK_RV mutex_lock(void *user, void *mutex)
{
    return mutex_call(user, LOCK, mutex);
}

static CK_RV mutex_unlock(void *user, void *mutex)
{
    return mutex_call(user, UNLOCK, mutex);
}

/* ---- the arguments of C_Initialize ------------------------------------------------------------ */

pkcs11_locks *pkcs11_locks_new(const pkcs11_module *self, PyObject *const *callables, Py_buffer *reserved)
{
    pkcs11_locks *locks = calloc(1, sizeof(*locks));

    if (locks == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (callables != NULL) {
        locks->mutexes = PyDict_New();
        if (locks->mutexes == NULL) {
            free(locks);
            return NULL;
        }
        for (int i = 0; i < CALLABLES; i++) {
            locks->callables[i] = Py_NewRef(callables[i]);
        }
    }
    locks->module = self->module;
    locks->reserved = *reserved;
    reserved->obj = NULL;
    pkcs11_entry_add(&locks->entry, self->state);
    locks->table =
        (cs_pkcs11_locks){mutex_create, mutex_destroy, mutex_lock, mutex_unlock, PKCS11_POINTER(locks->entry.number)};
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

    pkcs11_lists_take();
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
    pkcs11_lists_give();
    return taken;
}

void pkcs11_locks_return(pkcs11_state *state, pkcs11_locks *locks)
{
    while (locks != NULL) {
        pkcs11_locks *next = locks->next;

        pkcs11_lists_take();
        locks->next = state->locks;
        state->locks = locks;
        pkcs11_lists_give();
        locks = next;
    }
}

/** Release the objects of mutexes, and free the blocks by whose addresses the module knew them. */
static void mutexes_free(PyObject *mutexes)
{
    PyObject *address = NULL;
    PyObject *object = NULL;
    Py_ssize_t position = 0;

    while (mutexes != NULL && PyDict_Next(mutexes, &position, &address, &object)) {
        free(PyLong_AsVoidPtr(address));
    }
    Py_XDECREF(mutexes);
}

void pkcs11_locks_free(pkcs11_locks *locks)
{
    while (locks != NULL) {
        pkcs11_locks *next = locks->next;

        pkcs11_lists_take();
        pkcs11_entry_remove(&locks->entry);
        pkcs11_lists_give();
        mutexes_free(locks->mutexes); /* nobody finds it any more */
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
        Py_VISIT(locks->mutexes);
    }
    return 0;
}

/** Take one object out of the list; NULL if none is left. */
static PyObject *object_take(const pkcs11_state *state)
{
    PyObject *object = NULL;

    pkcs11_lists_take();
    for (pkcs11_locks *locks = state->locks; locks != NULL && object == NULL; locks = locks->next) {
        object = locks->mutexes;
        locks->mutexes = NULL;
        for (int i = 0; i < CALLABLES && object == NULL; i++) {
            object = locks->callables[i];
            locks->callables[i] = NULL;
        }
    }
    pkcs11_lists_give();
    return object;
}

/** The list is kept, and so are the reserved buffer, which the library may still read, and the blocks of the mutexes,
 *  which it may free. */
void pkcs11_locks_clear(pkcs11_state *state)
{
    PyObject *object = object_take(state);

    while (object != NULL) {
        Py_DECREF(object);
        object = object_take(state);
    }
}

void pkcs11_locks_abandon(pkcs11_state *state)
{
    pkcs11_lists_take();
    for (pkcs11_locks *locks = state->locks; locks != NULL; locks = locks->next) {
        locks->entry.state = NULL;
    }
    pkcs11_lists_give();
}
