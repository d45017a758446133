/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <pybind11/pybind11.h>

static char written()
{
    char *motto = hz_motto();
    motto[0] = 'N';
    return motto[0];
}

PYBIND11_MODULE(_alone_pybind11_const_dropped, m)
{
    m.def("written", written);
}
