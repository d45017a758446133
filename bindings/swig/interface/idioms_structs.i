/* SPDX-License-Identifier: Apache-2.0
 *
 * Box, box_fill, box_area, box_unpack; Point, point_add; config_read, CONFIG_NBYTES, CONFIG_V1_NBYTES.
 *
 * The typemaps for a wrapped struct, by pointer and by value, serve every class and are in typemaps/structs.i.
 */

/* For constructors whose C code returns NULL where memory is missing. */
%define %may_lack_memory(NAME)
%exception NAME {
    $action
    if (!result) {
        PyErr_NoMemory();
        SWIG_fail;
    }
}
%enddef

/* ---- Box: a struct that the caller allocates, passed by pointer -------------------------------------------------- */

%rename(Box) cs_box;
%ignore cs_box::min; /* a wrapper of it would outlive the box that it points into */
%ignore cs_box::max;
%ignore cs_box::tag;

%may_lack_memory(cs_box::cs_box)

%extend cs_box {
    cs_box(void)
    {
        return calloc(1, sizeof(cs_box));
    }
}

%rename(box_fill) cs_box_fill;
%rename(box_area) cs_box_area;

%rename(box_unpack) box_unpack;
%inline %{
static PyObject *box_unpack(const cs_box *box)
{
    return cside_tuple(PyFloat_FromDouble(box->min.x), PyFloat_FromDouble(box->min.y),
                       PyFloat_FromDouble(box->max.x), PyFloat_FromDouble(box->max.y),
                       PyLong_FromUnsignedLong(box->tag));
}
%}

#ifndef CSIDE_PARTIAL
/* ---- Point: a struct that is passed and returned by value -------------------------------------------------------- */

%rename(Point) cs_point;
%nodefaultctor cs_point;

%may_lack_memory(cs_point::cs_point)

%fragment("cside_struct");
%{
static PyObject *cside_point_repr(PyObject *object)
{
    const cs_point *point = cside_struct(object, SWIGTYPE_p_cs_point, 0);
    PyObject *x = NULL, *y = NULL, *text = NULL;

    if (point == NULL)
        return cside_repr(object);
    if ((x = PyFloat_FromDouble(point->x)) != NULL && (y = PyFloat_FromDouble(point->y)) != NULL)
        text = PyUnicode_FromFormat("Point(x=%R, y=%R)", x, y);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return text;
}

/* Points compare by value, where SWIG's own function compares addresses. */
static PyObject *cside_point_compare(PyObject *object, PyObject *other, int operation)
{
    const cs_point *point = cside_struct(object, SWIGTYPE_p_cs_point, 0);
    const cs_point *with = cside_struct(other, SWIGTYPE_p_cs_point, 0);

    if ((operation != Py_EQ && operation != Py_NE) || point == NULL || with == NULL)
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((point->x == with->x && point->y == with->y) == (operation == Py_EQ));
}
%}
%feature("python:tp_repr") cs_point "cside_point_repr";
%feature("python:tp_richcompare") cs_point "cside_point_compare";
%feature("python:tp_hash") cs_point "PyObject_HashNotImplemented"; /* it can change */

%feature("docstring") cs_point::x "The first coordinate.";
%feature("docstring") cs_point::y "The second coordinate.";

%extend cs_point {
    cs_point(double x, double y)
    {
        cs_point *point = malloc(sizeof *point);
        if (point != NULL) {
            point->x = x;
            point->y = y;
        }
        return point;
    }
    /* CPython refuses to copy and to pickle by itself; PyPy would make a point without a struct. */
    PyObject *__reduce_ex__(PyObject *protocol)
    {
        (void)protocol;
        PyErr_SetString(PyExc_TypeError, "cannot pickle 'Point' object");
        return NULL;
    }
}

%rename(point_add) cs_point_add;

/* ---- config_read: a struct with a size field --------------------------------------------------------------------- */

%ignore cs_config;
%ignore cs_config_view;
%ignore CS_CONFIG_NBYTES;
%constant unsigned long CONFIG_NBYTES = CS_CONFIG_NBYTES;
%ignore CS_CONFIG_V1_NBYTES;
%constant unsigned long CONFIG_V1_NBYTES = CS_CONFIG_V1_NBYTES;

%typemap(in, numinputs=0) cs_config_view *out_view (cs_config_view view) "$1 = &view;"
%typemap(argout) cs_config_view *out_view {
    %set_result(cside_tuple(PyLong_FromUnsignedLong($1->version), PyLong_FromUnsignedLong($1->retries),
                            PyFloat_FromDouble($1->timeout_s), PyLong_FromUnsignedLong($1->flags)))
}

/* The fields are arguments in Python. */
%ignore cs_config_read;
%inline %{
static cs_status config_read(uint32_t retries, double timeout_s, uint32_t flags, size_t struct_nbytes,
                             cs_config_view *out_view)
{
    const cs_config config = {
        .struct_nbytes = struct_nbytes, .retries = retries, .timeout_s = timeout_s, .flags = flags};
    return cs_config_read(&config, out_view);
}
%}
#endif
