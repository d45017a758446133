/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for the arguments of one call. A template, a mechanism or a parameter points to memory of many sizes, which
 * must last until the call has returned. It comes from an arena, whose first bytes are a local variable of the wrapper.
 */
%{
enum {
    CSIDE_ARENA_ALIGN = 16,
    CSIDE_ARENA_FRAME_NBYTES = 1024, /* a template of a dozen attributes */
    CSIDE_ARENA_CHUNK_NBYTES = 4096
};

typedef struct cside_chunk {
    struct cside_chunk *next;
    char padding[CSIDE_ARENA_ALIGN - sizeof(void *)];
} cside_chunk;

/* A buffer or an object that is released after the call. The arena itself holds the record. */
typedef struct cside_hold {
    struct cside_hold *next;
    PyObject *object;
    Py_buffer view;
} cside_hold;

typedef struct cside_arena {
    char *at;
    size_t left_nbytes;
    cside_chunk *chunks;
    cside_hold *holds;
    _Alignas(CSIDE_ARENA_ALIGN) char frame[CSIDE_ARENA_FRAME_NBYTES];
} cside_arena;

/* Memory, and its size in the type that the C_ functions take. */
typedef struct cside_span {
    void *at;
    CK_ULONG nbytes;
} cside_span;

SWIGINTERNINLINE void cside_arena_open(cside_arena *self)
{
    self->at = self->frame;
    self->left_nbytes = sizeof self->frame;
    self->chunks = NULL;
    self->holds = NULL;
}

static void cside_arena_empty(cside_arena *self)
{
    for (cside_hold *hold = self->holds; hold != NULL; hold = hold->next) {
        if (hold->view.obj != NULL)
            PyBuffer_Release(&hold->view);
        Py_XDECREF(hold->object);
    }
    while (self->chunks != NULL) {
        cside_chunk *chunk = self->chunks;
        self->chunks = chunk->next;
        PyMem_Free(chunk);
    }
}

SWIGINTERNINLINE void cside_arena_close(cside_arena *self)
{
    if (self->holds != NULL || self->chunks != NULL)
        cside_arena_empty(self);
}

static bool cside_arena_more(cside_arena *self, size_t nbytes)
{
    const size_t room = nbytes > CSIDE_ARENA_CHUNK_NBYTES ? nbytes : CSIDE_ARENA_CHUNK_NBYTES;
    cside_chunk *chunk = PyMem_Malloc(sizeof *chunk + room);

    if (chunk == NULL) {
        PyErr_NoMemory();
        return false;
    }
    chunk->next = self->chunks;
    self->chunks = chunk;
    self->at = (char *)(chunk + 1);
    self->left_nbytes = room;
    return true;
}

/* Uninitialised memory for `count` items. NULL means that an exception is raised. */
static void *cside_arena_take(cside_arena *self, size_t count, size_t item_nbytes)
{
    size_t nbytes;
    char *taken;

    if (count > (PY_SSIZE_T_MAX / 2) / item_nbytes)
        return PyErr_NoMemory();
    nbytes = (count * item_nbytes + CSIDE_ARENA_ALIGN - 1) & ~(size_t)(CSIDE_ARENA_ALIGN - 1);
    if (nbytes > self->left_nbytes && !cside_arena_more(self, nbytes))
        return NULL;
    taken = self->at;
    self->at += nbytes;
    self->left_nbytes -= nbytes;
    return taken;
}

static cside_hold *cside_arena_hold(cside_arena *self)
{
    cside_hold *hold = cside_arena_take(self, 1, sizeof *hold);

    if (hold == NULL)
        return NULL;
    hold->object = NULL;
    hold->view.obj = NULL;
    hold->next = self->holds;
    self->holds = hold;
    return hold;
}

/* The items of an iterable, as a tuple, so that code that a conversion runs cannot change them. A borrowed reference.
 * */
static PyObject *cside_arena_items(cside_arena *self, PyObject *iterable)
{
    cside_hold *hold;

    if (PyTuple_CheckExact(iterable))
        return iterable;
    if ((hold = cside_arena_hold(self)) == NULL)
        return NULL;
    return hold->object = PySequence_Tuple(iterable);
}

/* The memory of a bytes-like object. The address is not NULL, even if the object is empty. */
static bool cside_arena_view(cside_arena *self, PyObject *object, bool writable, cside_span *out)
{
    cside_hold *hold;

    if (!writable && PyBytes_CheckExact(object)) {
        out->at = PyBytes_AS_STRING(object);
        out->nbytes = (CK_ULONG)PyBytes_GET_SIZE(object);
        return true;
    }
    if ((hold = cside_arena_hold(self)) == NULL)
        return false;
    if (!(writable ? cside_view_writable(object, &hold->view) : cside_view(object, &hold->view)))
        return false;
    out->at = hold->view.buf != NULL ? hold->view.buf : self->frame;
    out->nbytes = (CK_ULONG)hold->view.len;
    return true;
}

/* The memory of a bytes-like object, or NULL for None. */
static bool cside_arena_bytes(cside_arena *self, PyObject *object, cside_span *out)
{
    if (object == Py_None) {
        out->at = NULL;
        out->nbytes = 0;
        return true;
    }
    return cside_arena_view(self, object, false, out);
}

/* A CK_ULONG with the value of an integer. */
static bool cside_arena_number(cside_arena *self, PyObject *object, cside_span *out)
{
    CK_ULONG *number = cside_arena_take(self, 1, sizeof *number);

    out->at = number;
    out->nbytes = sizeof *number;
    return number != NULL && cside_as_ulong(object, number);
}

/* The memory of a bytes-like object, which must have `nbytes` bytes. */
static bool cside_arena_exactly(cside_arena *self, PyObject *object, size_t nbytes, const char *field, cside_span *out)
{
    if (!cside_arena_view(self, object, false, out))
        return false;
    if (out->nbytes == nbytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s takes %zu bytes, not %lu", field, nbytes, out->nbytes);
    return false;
}

static bool cside_has_bits(CK_ULONG nbytes, CK_ULONG nbits, const char *field)
{
    if (nbits / 8 + (nbits % 8 != 0) <= nbytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s has %lu bytes, and needs %lu bits", field, nbytes, nbits);
    return false;
}

/* A zeroed struct for a named tuple. The number of fields is checked, since tuple.__new__() can make one with fewer. */
static void *cside_arena_struct(cside_arena *self, PyObject *tuple, Py_ssize_t fields, size_t nbytes, cside_span *out)
{
    if (PyTuple_GET_SIZE(tuple) != fields) {
        PyErr_Format(PyExc_TypeError, "%.200s has %zd fields", Py_TYPE(tuple)->tp_name, fields);
        return NULL;
    }
    if ((out->at = cside_arena_take(self, 1, nbytes)) != NULL)
        memset(out->at, 0, nbytes);
    out->nbytes = nbytes;
    return out->at;
}
%}
