/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <pybind11/pybind11.h>

static int value_of_opened(int value)
{
    int handle = hz_open(value); /* returns a pointer */
    return hz_value(reinterpret_cast<hz_handle *>(handle));
}

PYBIND11_MODULE(_alone_pybind11_pointer_cut, m)
{
    m.def("value_of_opened", value_of_opened);
}
