/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that SWIG wraps in a class, by pointer and by value.
 */

/* The struct that an object wraps, or NULL. SWIG's own conversion passes None to C as NULL, and crashes on an object of
 * Class.__new__(Class), which wraps no struct and has no type. An object of exactly the right type needs no search. */
%fragment("cside_struct", "header") %{
#ifndef SWIGPYTHON_BUILTIN
/* What a proxy holds as its attribute `this`. A destructor is called with that object itself. SWIG's own search follows
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
    Py_DECREF(this); /* the proxy still holds one */
    return wrapped;
}
#endif

SWIGINTERN void *cside_struct(PyObject *object, swig_type_info *type, int flags)
{
    void *address = NULL;
#ifdef SWIGPYTHON_BUILTIN
    const SwigPyClientData *known = type->clientdata;
    SwigPyObject *wrapped;

    if (known != NULL && Py_TYPE(object) == known->pytype) /* the usual case, without a search through the bases */
        wrapped = (SwigPyObject *)object;
    else
        wrapped = SWIG_Python_GetSwigThis(object);
    if (wrapped == NULL || wrapped->ty == NULL)
        return NULL;
#else
    SwigPyObject *wrapped = cside_this(object);

    if (wrapped == NULL || wrapped->ty != type) /* another module may have a type of the same name */
        return NULL;
#endif
    if (wrapped->ty == type && flags == 0)
        return wrapped->ptr;
    return SWIG_IsOK(SWIG_ConvertPtr(object, &address, type, flags)) ? address : NULL;
}
%}

/* The repr of object itself: SWIG's own shows the type in C. A class that has a better one says so. */
%{
SWIGINTERN PyObject *cside_repr(PyObject *object)
{
    return PyBaseObject_Type.tp_repr(object);
}
%}
%feature("python:tp_repr", "cside_repr");

/* SWIG 4.5 takes a reference to the type of each object that it makes, and never releases it. Every destructor calls
 * this function, which does. It leaves Python subclasses alone: the class itself outlives the release, since SWIG holds
 * it for the life of the process, and a subclass might not. Proxies: the type is that of the object that the proxy
 * holds. */
%fragment("cside_type_release", "header") %{
SWIGINTERN void cside_type_release(PyObject *object, swig_type_info *type)
{
#ifdef SWIGPYTHON_BUILTIN
    Py_CLEAR(((SwigPyObject *)object)->next); /* each further call of __init__() appends a struct here */
#endif
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
    if (($disown) & SWIG_POINTER_DISOWN) /* only destructors do */
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

/* The object owns a copy, from malloc(). SWIG's own typemap calls calloc(), which is slower, and does not check that it
 * succeeded. */
%typemap(out) SWIGTYPE {
    $&1_ltype copy = malloc(sizeof *copy);
    if (copy == NULL) {
        PyErr_NoMemory();
        SWIG_fail;
    }
    *copy = $1;
    $result = SWIG_NewPointerObj(copy, $&1_descriptor, SWIG_POINTER_OWN);
}

/* For classes whose objects come from functions only: SWIG makes those without tp_new, and Class.__new__() raises. */
%fragment("cside_refuse_new", "header") %{
static PyObject *cside_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
    return NULL;
}
%}
%define %made_by_functions(TYPE)
%fragment("cside_refuse_new");
%feature("python:tp_new") TYPE "cside_refuse_new";
%enddef
