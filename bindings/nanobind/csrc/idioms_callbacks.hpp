/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.hpp - the C function through which the library calls a Python callable.
 */
#ifndef CSIDE_NANOBIND_IDIOMS_CALLBACKS_HPP
#define CSIDE_NANOBIND_IDIOMS_CALLBACKS_HPP

#include <cstdint>

namespace cside
{

/** A cs_each_fn whose `user` is a Python callable. The thread must hold the GIL. It returns CS_EACH_STOP with an
 *  exception set if the callable fails. */
int64_t each(void *user, int32_t value);

} // namespace cside

#endif
