/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <nanobind/nanobind.h>

static char written()
{
    char *motto = hz_motto();
    motto[0] = 'N';
    return motto[0];
}

NB_MODULE(_alone_nanobind_const_dropped, m)
{
    m.def("written", written);
}
