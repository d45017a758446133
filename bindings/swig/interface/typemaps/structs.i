/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that are wrapped: by pointer and by value.
 */

/* SWIG lets None through as NULL, and follows a NULL type in an object of Class.__new__(Class), which holds no struct.
 * Neither may reach C; and an object of just the right type needs no search. */
%fragment("cside_struct", "header") %{
#ifndef SWIGPYTHON_BUILTIN
/* The one step from a proxy to what it holds, which is also what a destructor is called with. SWIG's own search follows
 * the `this` of a `this` without end. */
SWIGINTERN SwigPyObject *cside_this(PyObject *object)
{
    SwigPyObject *wrapped;
    PyObject *this;

    if (SwigPyObject_Check(object))
        return (SwigPyObject *)object;
    if ((this = PyObject_GetAttr(object, SWIG_This())) == NULL) {
        PyErr_Clear();
        return NULL;
    }
    wrapped = SwigPyObject_Check(this) ? (SwigPyObject *)this : NULL;
    Py_DECREF(this); /* the proxy keeps it */
    return wrapped;
}
#endif

SWIGINTERN void *cside_struct(PyObject *object, swig_type_info *type, int flags)
{
    void *address = NULL;
#ifdef SWIGPYTHON_BUILTIN
    SwigPyObject *wrapped = SWIG_Python_GetSwigThis(object);

    if (wrapped == NULL || wrapped->ty == NULL)
        return NULL;
#else
    SwigPyObject *wrapped = cside_this(object);

    if (wrapped == NULL || wrapped->ty != type) /* by address: types of other modules may have the same name */
        return NULL;
#endif
    if (wrapped->ty == type && flags == 0)
        return wrapped->ptr;
    return SWIG_IsOK(SWIG_ConvertPtr(object, &address, type, flags)) ? address : NULL;
}
%}

/* SWIG 4.5 takes a reference on the type of each object that it makes, and never gives it back. Every destructor calls
 * this. The type stays alive in any case, since SWIG holds it for ever; that is not so of a Python subclass. Of a proxy
 * the type is that of what it holds. */
%fragment("cside_type_release", "header") %{
SWIGINTERN void cside_type_release(PyObject *object, swig_type_info *type)
{
#if defined(SWIGPYTHON_BUILTIN) && defined(SWIG_HEAPTYPES) && !defined(PYPY_VERSION)
    const SwigPyClientData *known = type->clientdata;

    if (known != NULL && known->pytype == Py_TYPE(object))
        Py_DECREF((PyObject *)known->pytype);
#elif defined(SWIG_HEAPTYPES) && !defined(PYPY_VERSION)
    (void)type;
    if (SwigPyObject_Check(object))
        Py_DECREF((PyObject *)Py_TYPE(object));
#else
    (void)object, (void)type;
#endif
}
%}

%typemap(in, fragment="cside_struct,cside_type_release") SWIGTYPE * {
    if (($disown) & SWIG_POINTER_DISOWN) /* nothing but destructors disowns here */
        cside_type_release($input, $1_descriptor);
    $1 = ($1_ltype)cside_struct($input, $1_descriptor, $disown);
    if ($1 == NULL)
        SWIG_exception_fail(SWIG_TypeError, "in '$symname', argument $argnum must be a $*1_ltype");
}
%typemap(in, fragment="cside_struct") SWIGTYPE {
    const $&1_ltype address = ($&1_ltype)cside_struct($input, $&1_descriptor, 0);
    if (address == NULL)
        SWIG_exception_fail(SWIG_TypeError, "in '$symname', argument $argnum must be a $1_ltype");
    $1 = *address;
}

/* A copy that the object owns, by malloc(): SWIG's own typemap takes calloc(), which is slower, and trusts it to
 * succeed. */
%typemap(out) SWIGTYPE {
    $&1_ltype copy = malloc(sizeof *copy);
    if (copy == NULL) {
        PyErr_NoMemory();
        SWIG_fail;
    }
    *copy = $1;
    $result = SWIG_NewPointerObj(copy, $&1_descriptor, SWIG_POINTER_OWN);
}

%{
/* A tuple of `count` new references, which it takes over; NULL if one of them is. */
static PyObject *cside_tuple(int count, ...)
{
    PyObject *tuple = PyTuple_New(count);
    bool complete = tuple != NULL;
    va_list items;

    va_start(items, count);
    for (int i = 0; i < count; i++) {
        PyObject *item = va_arg(items, PyObject *);
        complete = complete && item != NULL;
        if (tuple != NULL)
            PyTuple_SET_ITEM(tuple, i, item);
        else
            Py_XDECREF(item);
    }
    va_end(items);
    if (!complete)
        Py_CLEAR(tuple);
    return tuple;
}
%}
