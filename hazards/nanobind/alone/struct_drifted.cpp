/* SPDX-License-Identifier: Apache-2.0 */
#include "hz.h"

#include <nanobind/nanobind.h>

/* As it was in version 1 of the library. */
typedef struct hz_config {
    int32_t version;
    int32_t limit;
} hz_config;

static int32_t limit()
{
    hz_config config;
    hz_config_get(&config);
    return config.limit;
}

NB_MODULE(_alone_nanobind_struct_drifted, m)
{
    m.def("limit", limit);
}
