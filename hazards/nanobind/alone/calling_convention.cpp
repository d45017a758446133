/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <nanobind/nanobind.h>

NB_MODULE(_alone_nanobind_calling_convention, m)
{
    m.def("subtract", hz_subtract); /* as if it had the convention of all other functions */
}
