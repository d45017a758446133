/* SPDX-License-Identifier: Apache-2.0
 *
 * status.hpp - the exception for a status of the library.
 */
#ifndef CSIDE_NANOBIND_STATUS_HPP
#define CSIDE_NANOBIND_STATUS_HPP

#include <nanobind/nanobind.h>

#include <cside/status.h>

namespace nb = nanobind;

namespace cside
{

/** Set the exception for a negative status. Returns the null object that tells nanobind so. */
nb::object fail_status(cs_status status);

} // namespace cside

#endif
