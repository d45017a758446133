/* SPDX-License-Identifier: Apache-2.0
 *
 * The callables of a CK_C_INITIALIZE_ARGS, which a module uses as its locks.
 */
%{
/* What the module gets as a mutex. */
typedef struct cside_mutex {
    struct cside_mutex *next, *previous;
    PyObject *object;
} cside_mutex;

/* The callables that C_Initialize was given. `users` is a reference count: callbacks that run have one each. */
typedef struct cside_locks {
    cs_pkcs11_locks native;
    PyObject *create, *destroy, *lock, *unlock; /* NULL: not given */
    CK_FLAGS flags;
    Py_buffer reserved;
    cside_mutex mutexes; /* head of a ring */
    unsigned users;
} cside_locks;

static void cside_mutex_free(cside_mutex *mutex)
{
    mutex->next->previous = mutex->previous;
    mutex->previous->next = mutex->next;
    Py_DECREF(mutex->object);
    free(mutex);
}

static void cside_locks_drop(cside_locks *self)
{
    if (self == NULL || --self->users > 0)
        return;
    while (self->mutexes.next != &self->mutexes)
        cside_mutex_free(self->mutexes.next);
    if (self->reserved.obj != NULL)
        PyBuffer_Release(&self->reserved);
    Py_XDECREF(self->create);
    Py_XDECREF(self->destroy);
    Py_XDECREF(self->lock);
    Py_XDECREF(self->unlock);
    free(self);
}

static CK_RV cside_mutex_create(void *user, void **out_mutex)
{
    cside_locks *locks = user;
    cside_mutex *mutex = NULL;
    PyObject *callable, *object;
    cside_visit visit;

    if (!cside_visit_begin(&visit))
        return CKR_GENERAL_ERROR;
    locks->users++;
    callable = Py_NewRef(locks->create);
    object = PyObject_CallNoArgs(callable);
    if (object != NULL && (mutex = malloc(sizeof *mutex)) == NULL) {
        PyErr_NoMemory();
        Py_DECREF(object);
    }
    if (mutex != NULL) {
        mutex->object = object;
        mutex->previous = &locks->mutexes;
        mutex->next = locks->mutexes.next;
        mutex->next->previous = mutex->previous->next = mutex;
        *out_mutex = mutex;
    }
    cside_locks_drop(locks);
    return cside_visit_end(&visit, callable, CKR_OK);
}

/* The other three callbacks. `method` is the field of `locks` that holds the callable. */
static CK_RV cside_mutex_call(cside_locks *locks, PyObject *const *method, cside_mutex *mutex)
{
    PyObject *callable, *object, *result;
    cside_visit visit;

    if (!cside_visit_begin(&visit))
        return CKR_OK;
    locks->users++;
    callable = Py_NewRef(*method);
    object = Py_NewRef(mutex->object);
    result = PyObject_CallOneArg(callable, object);
    if (result != NULL && method == &locks->destroy)
        cside_mutex_free(mutex);
    Py_XDECREF(result);
    Py_DECREF(object);
    cside_locks_drop(locks);
    return cside_visit_end(&visit, callable, CKR_OK);
}

static CK_RV cside_mutex_destroy(void *user, void *mutex)
{
    return cside_mutex_call(user, &((cside_locks *)user)->destroy, mutex);
}

static CK_RV cside_mutex_lock(void *user, void *mutex)
{
    return cside_mutex_call(user, &((cside_locks *)user)->lock, mutex);
}

static CK_RV cside_mutex_unlock(void *user, void *mutex)
{
    return cside_mutex_call(user, &((cside_locks *)user)->unlock, mutex);
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
    self->mutexes.next = self->mutexes.previous = &self->mutexes;
    self->users = 1;
    if (!cside_locks_method(PyTuple_GET_ITEM(arguments, 0), &self->create) ||
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
    self->native =
        (cs_pkcs11_locks){cside_mutex_create, cside_mutex_destroy, cside_mutex_lock, cside_mutex_unlock, self};
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
