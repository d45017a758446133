/* SPDX-License-Identifier: Apache-2.0
 *
 * A struct filled in by C, in the crossing that passes it on: setting its fields from Python takes four more steps.
 */
#include <stddef.h>
#include <stdint.h>

#include "cside/idioms.h"

static cs_status shim_config_read(uint32_t retries, double timeout_s, uint32_t flags, size_t struct_nbytes,
                                  cs_config_view *out_view)
{
    cs_config config = {.struct_nbytes = struct_nbytes, .retries = retries, .timeout_s = timeout_s, .flags = flags};

    return cs_config_read(&config, out_view);
}
