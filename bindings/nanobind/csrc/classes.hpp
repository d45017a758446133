/* SPDX-License-Identifier: Apache-2.0
 *
 * classes.hpp - what all bound classes have.
 */
#ifndef CSIDE_NANOBIND_CLASSES_HPP
#define CSIDE_NANOBIND_CLASSES_HPP

#include "limited_api.hpp"

namespace nb = nanobind;

namespace cside
{

/** For `__reduce__`: TypeError, so that neither pickle nor copy makes an object whose C++ part was never constructed. */
inline nb::object refuse_pickle(nb::handle self)
{
    type_error("cannot pickle", " ", self, " object");
    return nb::object();
}

} // namespace cside

#endif
