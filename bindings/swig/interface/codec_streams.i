/* SPDX-License-Identifier: Apache-2.0
 *
 * What Compress and Decompress share: a lock, so that one thread at a time uses a stream, and copying.
 */
%{
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

/* The exceptions that creating and copying an object have in common. `noun` is "compression" or "decompression". */
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

/* The methods that both classes have. */
%define %copies(TYPE, NOUN)
%made_by_functions(TYPE)
%newobject TYPE::copy;
%newobject TYPE::__copy__;
%newobject TYPE::__deepcopy__;
%raises_itself(TYPE::TYPE)
%raises_itself(TYPE::copy)
%raises_itself(TYPE::__copy__)
%raises_itself(TYPE::__deepcopy__)
%extend TYPE {
    TYPE() /* a call of the class */
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
