/* SPDX-License-Identifier: Apache-2.0
 *
 * The callables of a CK_C_INITIALIZE_ARGS, which a module uses as its locks.
 */
%{
#include <pthread.h>

/* The callables that C_Initialize was given. `users` is a reference count: callbacks that run have one each.
 *
 * A module gets a number as `user`, which is not used twice, and no pointer to the locks: a callback after C_Finalize finds
 * nothing under it. A mutex is the address of a block of memory, which is only looked up. It is not a number, because
 * SoftHSM's destructors call pthread_mutex_destroy() and free() for the mutexes if nobody has called C_Finalize. For the
 * same reason the blocks of mutexes that the module has not destroyed are never freed here. */
typedef struct cside_locks {
    struct cside_locks *next; /* in cside_all_locks */
    uintptr_t number;
    cs_pkcs11_locks native;
    PyObject *create, *destroy, *lock, *unlock; /* NULL: not given */
    CK_FLAGS flags;
    Py_buffer reserved;
    PyObject *mutexes; /* dict: address -> object */
    unsigned users;
} cside_locks;

static cside_locks *cside_all_locks;
static uintptr_t cside_last_locks;

/* The locks that a module passes as `user`, for cside_locks_drop(), or NULL if they are gone. */
static cside_locks *cside_locks_use(void *user)
{
    for (cside_locks *locks = cside_all_locks; locks != NULL; locks = locks->next) {
        if (locks->number == (uintptr_t)user) {
            locks->users++;
            return locks;
        }
    }
    return NULL;
}

static void cside_locks_drop(cside_locks *self)
{
    cside_locks **link = &cside_all_locks;

    if (self == NULL || --self->users > 0)
        return;
    while (*link != NULL && *link != self)
        link = &(*link)->next;
    if (*link == self)
        *link = self->next;
    if (self->reserved.obj != NULL)
        PyBuffer_Release(&self->reserved);
    Py_XDECREF(self->mutexes);
    Py_XDECREF(self->create);
    Py_XDECREF(self->destroy);
    Py_XDECREF(self->lock);
    Py_XDECREF(self->unlock);
    free(self);
}

static CK_RV cside_mutex_create(void *user, void **out_mutex)
{
    PyObject *callable = NULL;
    PyObject *object = NULL;
    PyObject *address = NULL;
    pthread_mutex_t *block = NULL;
    cside_locks *locks;
    cside_visit visit;
    CK_RV rv = CKR_GENERAL_ERROR;

    if (!cside_visit_begin(&visit))
        return rv;
    if ((locks = cside_locks_use(user)) != NULL) {
        callable = Py_NewRef(locks->create);
        if ((object = PyObject_CallNoArgs(callable)) != NULL) {
            if ((block = calloc(1, sizeof *block)) == NULL)
                PyErr_NoMemory();
            else
                address = PyLong_FromVoidPtr(block);
            if (address != NULL && PyDict_SetItem(locks->mutexes, address, object) == 0) {
                *out_mutex = block;
                rv = CKR_OK;
            } else {
                free(block);
            }
        }
        cside_locks_drop(locks);
    }
    Py_XDECREF(address);
    Py_XDECREF(object);
    return cside_visit_end(&visit, callable, rv);
}

/* Forgets a mutex that was destroyed, unless the callable has called for it to be destroyed too. */
static void cside_mutex_forget(cside_locks *self, PyObject *address, PyObject *object, void *mutex)
{
    if (PyDict_GetItemWithError(self->mutexes, address) == object && PyDict_DelItem(self->mutexes, address) == 0)
        free(mutex);
    else
        PyErr_Clear();
}

/* The other three callbacks. `offset` is that of the callable in cside_locks. */
static CK_RV cside_mutex_call(void *user, size_t offset, void *mutex)
{
    PyObject *callable = NULL;
    PyObject *object = NULL;
    PyObject *result = NULL;
    PyObject *address = NULL;
    cside_locks *locks;
    cside_visit visit;
    CK_RV rv = CKR_OK;

    if (!cside_visit_begin(&visit))
        return rv;
    if ((locks = cside_locks_use(user)) != NULL) {
        callable = Py_NewRef(*(PyObject **)((char *)locks + offset));
        if ((address = PyLong_FromVoidPtr(mutex)) != NULL)
            object = Py_XNewRef(PyDict_GetItemWithError(locks->mutexes, address));
        if (object != NULL)
            result = PyObject_CallOneArg(callable, object);
        else
            rv = CKR_MUTEX_BAD;
        if (result != NULL && offset == offsetof(cside_locks, destroy))
            cside_mutex_forget(locks, address, object, mutex);
        cside_locks_drop(locks);
    } else {
        rv = CKR_MUTEX_BAD;
    }
    Py_XDECREF(result);
    Py_XDECREF(address);
    Py_XDECREF(object);
    return cside_visit_end(&visit, callable, rv);
}

static CK_RV cside_mutex_destroy(void *user, void *mutex)
{
    return cside_mutex_call(user, offsetof(cside_locks, destroy), mutex);
}

static CK_RV cside_mutex_lock(void *user, void *mutex)
{
    return cside_mutex_call(user, offsetof(cside_locks, lock), mutex);
}

static CK_RV cside_mutex_unlock(void *user, void *mutex)
{
    return cside_mutex_call(user, offsetof(cside_locks, unlock), mutex);
}

static bool cside_locks_method(PyObject *callable, PyObject **out)
{
    if (callable == Py_None)
        return true;
    if (!cside_callable(callable))
        return false;
    *out = Py_NewRef(callable);
    return true;
}

/* The locks of a CK_C_INITIALIZE_ARGS, or NULL and an exception. */
static cside_locks *cside_locks_new(PyObject *arguments)
{
    cside_locks *self = NULL;

    if (!PyObject_TypeCheck(arguments, cside_CK_C_INITIALIZE_ARGS) || PyTuple_GET_SIZE(arguments) != 6) {
        PyErr_Format(PyExc_TypeError, "a CK_C_INITIALIZE_ARGS or None is required, not '%.200s'",
                     Py_TYPE(arguments)->tp_name);
        return NULL;
    }
    if ((self = calloc(1, sizeof *self)) == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    self->users = 1;
    if ((self->mutexes = PyDict_New()) == NULL || !cside_locks_method(PyTuple_GET_ITEM(arguments, 0), &self->create) ||
        !cside_locks_method(PyTuple_GET_ITEM(arguments, 1), &self->destroy) ||
        !cside_locks_method(PyTuple_GET_ITEM(arguments, 2), &self->lock) ||
        !cside_locks_method(PyTuple_GET_ITEM(arguments, 3), &self->unlock) ||
        !cside_as_ulong(PyTuple_GET_ITEM(arguments, 4), &self->flags))
        goto fail;
    if (PyTuple_GET_ITEM(arguments, 5) != Py_None &&
        PyObject_GetBuffer(PyTuple_GET_ITEM(arguments, 5), &self->reserved, PyBUF_SIMPLE) < 0) {
        self->reserved.obj = NULL;
        goto fail;
    }
    self->number = ++cside_last_locks;
    self->next = cside_all_locks;
    cside_all_locks = self;
    self->native = (cs_pkcs11_locks){cside_mutex_create, cside_mutex_destroy, cside_mutex_lock, cside_mutex_unlock,
                                     (void *)self->number};
    return self;
fail:
    cside_locks_drop(self);
    return NULL;
}

static int cside_locks_count(const cside_locks *self)
{
    return (self->create != NULL) + (self->destroy != NULL) + (self->lock != NULL) + (self->unlock != NULL);
}
%}
