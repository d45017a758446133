/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_structs.c - structs by value and by pointer, and a struct whose size says which version it is.
 */
#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_VALUE(cs_point, point_add, (cs_point a, cs_point b), (a, b), 0, 0)
{
    return (cs_point){a.x + b.x, a.y + b.y};
}

CS_TRACED_VOID(box_fill, (cs_box * box, uint32_t tag), (box, tag), 0, 0)
{
    double base = (double)tag;

    box->min = (cs_point){base, base + 1};
    box->max = (cs_point){base + 2, base + 4};
    box->tag = tag;
}

CS_TRACED_VALUE(double, box_area, (const cs_box *box), (box), 0, 0)
{
    return (box->max.x - box->min.x) * (box->max.y - box->min.y);
}

CS_TRACED_STATUS(config_read, (const cs_config *config, cs_config_view *out_view), (config, out_view), 0, 0)
{
    size_t struct_nbytes = config->struct_nbytes;

    if (struct_nbytes != CS_CONFIG_V1_NBYTES && struct_nbytes != CS_CONFIG_NBYTES)
        return CS_E_VERSION;
    out_view->version = struct_nbytes == CS_CONFIG_NBYTES ? 2 : 1;
    out_view->retries = config->retries;
    out_view->timeout_s = config->timeout_s;
    out_view->flags = out_view->version >= 2 ? config->flags : 0;
    return CS_OK;
}
