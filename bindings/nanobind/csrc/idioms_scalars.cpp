/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.cpp - a call without arguments, scalars of each width, six arguments, variadic calls.
 */
#include "docstrings.h"
#include "groups.hpp"
#include "scalars.hpp"

#include <cside/idioms.h>

namespace cside
{

namespace
{

/** The default of an argument that may be left out. Nobody else has this object. */
PyObject *left_out = nullptr;

/* Eight arguments with defaults take less time than an nb::args, for which nanobind makes a tuple. */
template <typename... Handle> nb::object varargs_sum(Handle... objects)
{
    static_assert(sizeof...(Handle) == CS_VARARGS_MAX);
    int64_t v[CS_VARARGS_MAX] = {0};
    uint32_t count = 0;

    for (nb::handle object : {objects...}) {
        if (object.ptr() == left_out) {
            break;
        }
        if (!convert(object, v[count])) {
            return nb::object();
        }
        count++;
    }
    /* C reads as many arguments as the first one says. */
    return nb::cast(cs_varargs_sum(count, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}

} // namespace

void bind_idioms_scalars(nb::module_ &m)
{
    m.def("noop", cs_noop, DOC_noop);
    m.def("i8_add", scalar_call<cs_i8_add>::call, DOC_i8_add);
    m.def("u8_add", scalar_call<cs_u8_add>::call, DOC_u8_add);
    m.def("i16_add", scalar_call<cs_i16_add>::call, DOC_i16_add);
    m.def("u16_add", scalar_call<cs_u16_add>::call, DOC_u16_add);
    m.def("i32_add", scalar_call<cs_i32_add>::call, DOC_i32_add);
    m.def("u32_add", scalar_call<cs_u32_add>::call, DOC_u32_add);
    m.def("i64_add", scalar_call<cs_i64_add>::call, DOC_i64_add);
    m.def("u64_add", scalar_call<cs_u64_add>::call, DOC_u64_add);
    m.def("f32_add", scalar_call<cs_f32_add>::call, DOC_f32_add);
    m.def("f64_add", scalar_call<cs_f64_add>::call, DOC_f64_add);
    /* Without none() the dispatcher refuses None, which has a truth value like any other object. */
    m.def("bool_not", scalar_call<cs_bool_not>::call, nb::arg().none(), DOC_bool_not);
    m.def("mixed_sum", scalar_call<cs_mixed_sum>::call, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
          nb::arg(), DOC_mixed_sum);

    nb::object missing = nb::steal(PyObject_CallNoArgs(reinterpret_cast<PyObject *>(&PyBaseObject_Type)));
    if (!missing.is_valid()) {
        nb::raise_python_error();
    }
    m.def("varargs_sum",
          varargs_sum<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>,
          nb::arg() = missing, nb::arg() = missing, nb::arg() = missing, nb::arg() = missing, nb::arg() = missing,
          nb::arg() = missing, nb::arg() = missing, nb::arg() = missing, DOC_varargs_sum);
    left_out = missing.release().ptr();
}

} // namespace cside
