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
