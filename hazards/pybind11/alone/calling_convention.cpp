/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <pybind11/pybind11.h>

PYBIND11_MODULE(_alone_pybind11_calling_convention, m)
{
    m.def("subtract", hz_subtract); /* as if it had the convention of all other functions */
}
