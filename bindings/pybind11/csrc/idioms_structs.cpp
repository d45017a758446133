// SPDX-License-Identifier: Apache-2.0
//
// idioms_structs.cpp - structs by value and by pointer, and a struct that states its own size.
#include "arguments.hpp"
#include "docstrings.hpp"
#include "guarded.hpp"
#include "zeroed.hpp"

#include <cside/idioms.h>

namespace
{

// ---- Point -------------------------------------------------------------------------------------

struct point : zeroed {
    point(double x, double y) : fields{x, y}
    {
    }

    explicit point(cs_point other) : fields(other)
    {
    }

    cs_point fields;
};

template <double cs_point::*coordinate> double get(guarded<point> self)
{
    const py::scoped_critical_section section(self.object);

    return self.value->fields.*coordinate;
}

template <double cs_point::*coordinate> void set(guarded<point> self, real number)
{
    const py::scoped_critical_section section(self.object);

    self.value->fields.*coordinate = number;
}

py::object repr(guarded<point> self)
{
    const cs_point fields = self.copied().fields;
    const py::float_ x(fields.x);
    const py::float_ y(fields.y);

    return stolen(PyUnicode_FromFormat("Point(x=%R, y=%R)", x.ptr(), y.ptr()));
}

bool equal(guarded<point> self, guarded<point> other)
{
    const cs_point a = self.copied().fields;
    const cs_point b = other.copied().fields;

    return a.x == b.x && a.y == b.y;
}

point point_add(guarded<point> a, guarded<point> b)
{
    return point(cs_point_add(a.copied().fields, b.copied().fields));
}

// ---- Box ---------------------------------------------------------------------------------------

struct box : zeroed {
    cs_box fields{};
};

void box_fill(guarded<box> self, u32 tag)
{
    const py::scoped_critical_section section(self.object);

    cs_box_fill(&self.value->fields, tag);
}

double box_area(guarded<box> self)
{
    const py::scoped_critical_section section(self.object);

    return cs_box_area(&self.value->fields);
}

py::tuple box_unpack(guarded<box> self)
{
    const cs_box fields = self.copied().fields;

    return py::make_tuple(fields.min.x, fields.min.y, fields.max.x, fields.max.y, fields.tag);
}

// ---- a struct that holds its own size ----------------------------------------------------------

py::tuple config_read(u32 retries, real timeout_s, u32 flags, integer<std::size_t> struct_nbytes)
{
    const cs_config config{struct_nbytes, retries, timeout_s, flags};
    cs_config_view view{};

    check(cs_config_read(&config, &view));
    return py::make_tuple(view.version, view.retries, view.timeout_s, view.flags);
}

} // namespace

void bind_idioms_structs(py::module_ &m)
{
    py::class_<point>(m, "Point", py::is_final(), DOC_Point)
        .def(py::init([](real x, real y) { return point(x, y); }))
        .def_property("x", get<&cs_point::x>, set<&cs_point::x>, "The first coordinate.")
        .def_property("y", get<&cs_point::y>, set<&cs_point::y>, "The second coordinate.")
        .def("__repr__", repr)
        .def("__eq__", equal, py::is_operator())
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.");
    py::class_<box>(m, "Box", py::is_final(), DOC_Box)
        .def(py::init<>())
        .def("__reduce__", refuse_pickle, "__reduce__(self, /)\n--\n\nRaise `TypeError`.");
    m.def("point_add", point_add, DOC_point_add);
    m.def("box_fill", box_fill, DOC_box_fill);
    m.def("box_area", box_area, DOC_box_area);
    m.def("box_unpack", box_unpack, DOC_box_unpack);
    m.def("config_read", config_read, DOC_config_read);

    m.attr("CONFIG_NBYTES") = CS_CONFIG_NBYTES;
    m.attr("CONFIG_V1_NBYTES") = CS_CONFIG_V1_NBYTES;
}
