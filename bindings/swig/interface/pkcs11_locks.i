/* SPDX-License-Identifier: Apache-2.0
 *
 * The callables of a CK_C_INITIALIZE_ARGS, which a module uses as its locks.
 */
%{
/* The callables that C_Initialize was given. `users` is a reference count: callbacks that run have one each.
 *
 * A module gets numbers and no pointers: that of the locks as `user`, and those of mutexes. No number is used twice. A
 * callback after C_Finalize, or with a mutex that was destroyed, finds nothing under its number. */
typedef struct cside_locks {
    struct cside_locks *next; /* in cside_all_locks */
    uintptr_t number;
    cs_pkcs11_locks native;
    PyObject *create, *destroy, *lock, *unlock; /* NULL: not given */
    CK_FLAGS flags;
    Py_buffer reserved;
    PyObject *mutexes; /* dict: number -> object */
    unsigned users;
} cside_locks;

static cside_locks *cside_all_locks;
static uintptr_t cside_last_locks, cside_last_mutex;

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
    PyObject *number = NULL;
    cside_locks *locks;
    cside_visit visit;
    CK_RV rv = CKR_GENERAL_ERROR;

    if (!cside_visit_begin(&visit))
        return rv;
    if ((locks = cside_locks_use(user)) != NULL) {
        callable = Py_NewRef(locks->create);
        if ((object = PyObject_CallNoArgs(callable)) != NULL) {
            void *mutex = (void *)++cside_last_mutex;
            number = PyLong_FromVoidPtr(mutex);
            if (number != NULL && PyDict_SetItem(locks->mutexes, number, object) == 0) {
                *out_mutex = mutex;
                rv = CKR_OK;
            }
        }
        cside_locks_drop(locks);
    }
    Py_XDECREF(number);
    Py_XDECREF(object);
    return cside_visit_end(&visit, callable, rv);
}

/* The other three callbacks. `offset` is that of the callable in cside_locks. */
static CK_RV cside_mutex_call(void *user, size_t offset, void *mutex)
{
    PyObject *callable = NULL;
    PyObject *object = NULL;
    PyObject *result = NULL;
    PyObject *number = NULL;
    cside_locks *locks;
    cside_visit visit;
    CK_RV rv = CKR_OK;

    if (!cside_visit_begin(&visit))
        return rv;
    if ((locks = cside_locks_use(user)) != NULL) {
        callable = Py_NewRef(*(PyObject **)((char *)locks + offset));
        if ((number = PyLong_FromVoidPtr(mutex)) != NULL)
            object = Py_XNewRef(PyDict_GetItemWithError(locks->mutexes, number));
        if (object != NULL)
            result = PyObject_CallOneArg(callable, object);
        else
            rv = CKR_MUTEX_BAD;
        if (result != NULL && offset == offsetof(cside_locks, destroy) && PyDict_DelItem(locks->mutexes, number) < 0)
            PyErr_Clear(); /* the callable destroyed it too */
        cside_locks_drop(locks);
    }
    Py_XDECREF(result);
    Py_XDECREF(number);
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
