/* SPDX-License-Identifier: Apache-2.0
 *
 * described.hpp - docstrings and signatures of functions, for help() and inspect.
 */
#ifndef CSIDE_NANOBIND_DESCRIBED_HPP
#define CSIDE_NANOBIND_DESCRIBED_HPP

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace cside
{

/** Let the functions and methods of this module show their docstrings and signatures as those of C extensions do.
 *
 *  nanobind's function types put a signature of their own before each docstring, and inspect.signature() finds none.
 *  The docstrings here (docstrings.h) begin with the signature of the contract in the form that CPython reads; so
 *  `__doc__` becomes what follows it, and `__text_signature__` what precedes. The types are those of this module's domain
 *  (NB_DOMAIN), so that no other module's functions change. Calls do not look up attributes, and cost what they did. */
void describe_functions(nb::module_ &m);

} // namespace cside

#endif
