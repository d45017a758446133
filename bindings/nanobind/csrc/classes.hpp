/* SPDX-License-Identifier: Apache-2.0
 *
 * classes.hpp - what all bound classes have.
 */
#ifndef CSIDE_NANOBIND_CLASSES_HPP
#define CSIDE_NANOBIND_CLASSES_HPP

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace cside
{

/** For `__reduce__`: TypeError, so that neither pickle nor copy makes an object whose C++ part was never constructed. */
inline nb::object refuse_pickle(nb::handle self)
{
    PyErr_Format(PyExc_TypeError, "cannot pickle '%.100s' object", Py_TYPE(self.ptr())->tp_name);
    return nb::object();
}

} // namespace cside

#endif
