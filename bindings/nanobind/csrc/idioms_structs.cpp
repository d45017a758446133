/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_structs.cpp - structs by value and by pointer, and a struct that holds its own size.
 */
#include "arguments.hpp"
#include "classes.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <new>

namespace cside
{

namespace
{

/* ---- Point ------------------------------------------------------------------------------------ */

nb::handle point_type;

/** A constructor, which also sets the coordinates of a point that exists. If it took a `cs_point *` as others do,
 *  nanobind would refuse the latter with a warning. */
nb::object point_init(nb::handle self, nb::handle x, nb::handle y)
{
    cs_point point = {0.0, 0.0};

    if (!self.type().is(point_type)) {
        return fail_type("a Point", self);
    }
    if (!convert(x, point.x) || !convert(y, point.y)) {
        return nb::object();
    }
    *nb::inst_ptr<cs_point>(self) = point;
    nb::inst_mark_ready(self);
    return nb::none();
}

template <double cs_point::*Coordinate> double point_get(const cs_point &self)
{
    return self.*Coordinate;
}

template <double cs_point::*Coordinate> nb::object point_set(cs_point &self, nb::handle number)
{
    double value = 0.0;

    if (!convert(number, value)) {
        return nb::object();
    }
    self.*Coordinate = value;
    return nb::none();
}

nb::object point_repr(const cs_point &self)
{
    nb::object x = nb::cast(self.x);
    nb::object y = nb::cast(self.y);

    return nb::steal(PyUnicode_FromFormat("Point(x=%R, y=%R)", x.ptr(), y.ptr()));
}

bool point_equal(const cs_point &a, const cs_point &b)
{
    return a.x == b.x && a.y == b.y;
}

bool point_differs(const cs_point &a, const cs_point &b)
{
    return !point_equal(a, b);
}

/* ---- Box -------------------------------------------------------------------------------------- */

void box_init(cs_box *self)
{
    new (self) cs_box();
}

nb::object box_fill(cs_box &box, nb::handle tag)
{
    uint32_t value = 0;

    if (!convert(tag, value)) {
        return nb::object();
    }
    cs_box_fill(&box, value);
    return nb::none();
}

nb::tuple box_unpack(const cs_box &box)
{
    return nb::make_tuple(box.min.x, box.min.y, box.max.x, box.max.y, box.tag);
}

/* ---- a struct that holds its own size --------------------------------------------------------- */

nb::object config_read(nb::handle retries, nb::handle timeout_s, nb::handle flags, nb::handle struct_nbytes)
{
    cs_config config = {};
    cs_config_view view = {};
    uint64_t nbytes = 0;

    if (!convert(retries, config.retries) || !convert(timeout_s, config.timeout_s) || !convert(flags, config.flags) ||
        !convert(struct_nbytes, nbytes)) {
        return nb::object();
    }
#if SIZE_MAX < UINT64_MAX
    if (nbytes > SIZE_MAX) {
        return fail(PyExc_OverflowError, "value does not fit size_t");
    }
#endif
    config.struct_nbytes = static_cast<size_t>(nbytes);
    cs_status status = cs_config_read(&config, &view);
    if (status < 0) {
        return fail_status(status);
    }
    return nb::make_tuple(view.version, view.retries, view.timeout_s, view.flags);
}

} // namespace

void bind_idioms_structs(nb::module_ &m)
{
    /* lock() and lock_self() are critical sections in builds without a GIL and nothing in all others. */
    nb::class_<cs_point> point(m, "Point", nb::is_final(), nb::pooled(), DOC_Point);
    point_type = point;
    point.def("__init__", point_init, nb::lock_self(), "__init__($self, x, y, /)\n--\n\nSet both coordinates.")
        .def_prop_rw("x", point_get<&cs_point::x>, point_set<&cs_point::x>, nb::lock_self(), "The first coordinate.")
        .def_prop_rw("y", point_get<&cs_point::y>, point_set<&cs_point::y>, nb::lock_self(), "The second coordinate.")
        .def("__repr__", point_repr, nb::lock_self())
        .def("__reduce__", refuse_pickle)
        .def("__eq__", point_equal, nb::is_operator(), nb::lock_self(), nb::arg().lock())
        .def("__ne__", point_differs, nb::is_operator(), nb::lock_self(), nb::arg().lock());
    point.attr("__hash__") = nb::none(); /* equal points need equal hashes, but points change */
    nb::class_<cs_box>(m, "Box", nb::is_final(), nb::pooled(), DOC_Box)
        .def("__init__", box_init, "__init__($self, /)\n--\n\nSet all fields to zero.")
        .def("__reduce__", refuse_pickle);
    m.def("point_add", cs_point_add, nb::arg().lock(), nb::arg().lock(), DOC_point_add);
    m.def("box_fill", box_fill, nb::arg().lock(), nb::arg(), DOC_box_fill);
    m.def("box_area", cs_box_area, nb::arg().lock(), DOC_box_area);
    m.def("box_unpack", box_unpack, nb::arg().lock(), DOC_box_unpack);
    m.def("config_read", config_read, DOC_config_read);
    m.attr("CONFIG_NBYTES") = CS_CONFIG_NBYTES;
    m.attr("CONFIG_V1_NBYTES") = CS_CONFIG_V1_NBYTES;
}

} // namespace cside
