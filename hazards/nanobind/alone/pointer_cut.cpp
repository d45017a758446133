/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <nanobind/nanobind.h>

static int value_of_opened(int value)
{
    int handle = hz_open(value); /* returns a pointer */
    return hz_value(reinterpret_cast<hz_handle *>(handle));
}

NB_MODULE(_alone_nanobind_pointer_cut, m)
{
    m.def("value_of_opened", value_of_opened);
}
