/* SPDX-License-Identifier: Apache-2.0
 *
 * What both directions share: bytes that grow, turns between threads, the texts of zlib's exceptions.
 */
%{
/* ---- output: a bytes object that doubles ------------------------------------------------------------------------- */

typedef struct cside_room {
    PyObject *bytes;
    size_t nbytes;
} cside_room;

static bool cside_room_open(cside_room *room, size_t nbytes, cs_stream *stream)
{
    room->nbytes = nbytes;
    if ((room->bytes = cside_bytes_new(nbytes)) == NULL)
        return false;
    stream->next_out = cside_bytes_start(room->bytes);
    stream->avail_out = nbytes;
    return true;
}

/* As much again as there was, up to `limit` in all. All of it must be used up. */
static bool cside_room_grow(cside_room *room, size_t limit, cs_stream *stream)
{
    const size_t used = room->nbytes;

    room->nbytes = used > limit / 2 ? limit : used * 2;
    if (_PyBytes_Resize(&room->bytes, (Py_ssize_t)room->nbytes) < 0)
        return false;
    stream->next_out = cside_bytes_start(room->bytes) + used;
    stream->avail_out = room->nbytes - used;
    return true;
}

static PyObject *cside_room_take(cside_room *room, const cs_stream *stream)
{
    return cside_bytes_cut(room->bytes, room->nbytes - stream->avail_out);
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

static bool cside_lock_new(PyThread_type_lock *lock)
{
    if ((*lock = PyThread_allocate_lock()) != NULL)
        return true;
    PyErr_SetString(PyExc_MemoryError, "Unable to allocate lock");
    return false;
}

static void cside_lock_enter(PyThread_type_lock lock)
{
    if (!PyThread_acquire_lock(lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
}

/* tp_new of what comes from functions alone. */
static PyObject *cside_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
    return NULL;
}

/* The exceptions that creating and copying have in common; `noun` is "compression" or "decompression". */
static void cside_raise_open(cs_status status, const char *text, const char *verb, const char *noun,
                             const char *message)
{
    char doing[64];

    if (status == CS_E_STREAM) {
        PyErr_SetString(PyExc_ValueError, text);
    } else if (status == CS_E_MEMORY) {
        PyErr_Format(PyExc_MemoryError, "Can't allocate memory for %s object", noun);
    } else {
        PyOS_snprintf(doing, sizeof doing, "while %s %s object", verb, noun);
        cside_raise_codec(status, doing, message);
    }
}
%}

/* Methods that both classes have. */
%define %copies(TYPE, NOUN)
%feature("python:tp_new") TYPE "cside_refuse_new"; /* SWIG's own objects do not come that way */
%newobject TYPE::copy;
%newobject TYPE::__copy__;
%newobject TYPE::__deepcopy__;
%raises_itself(TYPE::TYPE)
%raises_itself(TYPE::copy)
%raises_itself(TYPE::__copy__)
%raises_itself(TYPE::__deepcopy__)
%extend TYPE {
    TYPE() /* they come from functions alone */
    {
        PyErr_SetString(PyExc_TypeError, "cannot create 'cside_swig._core.TYPE' instances");
        return NULL;
    }
    TYPE *copy(void)
    {
        return cside_##NOUN##_copy($self);
    }
    TYPE *__copy__(void)
    {
        return cside_##NOUN##_copy($self);
    }
    TYPE *__deepcopy__(PyObject *memo)
    {
        (void)memo;
        return cside_##NOUN##_copy($self);
    }
    PyObject *__reduce_ex__(PyObject *protocol)
    {
        (void)protocol;
        PyErr_SetString(PyExc_TypeError, "cannot pickle 'TYPE' object");
        return NULL;
    }
}
%enddef
