/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks of a module, for locks and for notifications. They come without the GIL, on any thread, and any function
 * may lead to them: an exception stays with the thread until the call under way on it has returned.
 */
%{
static _Thread_local unsigned cside_calls; /* under way on this thread */

#define CSIDE_CALL_BEGIN \
    { \
        cside_calls++; \
        Py_BEGIN_ALLOW_THREADS

#define CSIDE_CALL_END \
    Py_END_ALLOW_THREADS \
    cside_calls--; \
    }

typedef struct cside_visit {
    PyGILState_STATE state;
    PyObject *type, *value, *traceback; /* of an earlier callback in the same call */
} cside_visit;

/* False where there is no interpreter any more: modules destroy their locks when the process ends. */
static bool cside_visit_begin(cside_visit *self)
{
    if (!Py_IsInitialized())
        return false;
    self->state = PyGILState_Ensure();
    PyErr_Fetch(&self->type, &self->value, &self->traceback);
    return true;
}

/* The return value for the module: `rv`, or that of the exception that is raised. The first exception of a call comes
 * out of it, all others are reported. Takes over the reference to `callable`. */
static CK_RV cside_visit_end(cside_visit *self, PyObject *callable, CK_RV rv)
{
    if (PyErr_Occurred()) {
        rv = cside_raised_rv();
        if (cside_calls == 0 || self->type != NULL)
            PyErr_WriteUnraisable(callable);
    }
    Py_XDECREF(callable);
    if (self->type != NULL)
        PyErr_Restore(self->type, self->value, self->traceback);
    PyGILState_Release(self->state);
    return rv;
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* What the module knows as a mutex. */
typedef struct cside_mutex {
    struct cside_mutex *next, *previous;
    PyObject *object;
} cside_mutex;

/* What C_Initialize was given. Each callback under way is a user of it. */
typedef struct cside_locks {
    cs_pkcs11_locks native;
    PyObject *create, *destroy, *lock, *unlock; /* NULL without */
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

/* The other three: `method` is where the callable stands in `user`. */
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

/* From a CK_C_INITIALIZE_ARGS. */
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
