/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a struct that is read or written at other places than the header says, or after its end.
 */
#include "check.h"
#include "cside/idioms.h"

static void configs(void)
{
    struct {
        size_t struct_nbytes;
        uint32_t retries;
        double timeout_s;
    } *stale = check_alloc(CS_CONFIG_V1_NBYTES); /* on the heap, so that a sanitizer sees a read past its end */
    cs_config config = {.struct_nbytes = sizeof config, .retries = 3, .timeout_s = 0.5, .flags = 9};
    cs_config_view view = {0};

    CHECK_EQ(CS_CONFIG_V1_NBYTES, sizeof *stale);
    CHECK_EQ(cs_config_read(&config, &view), CS_OK);
    CHECK(view.version == 2 && view.retries == 3 && view.timeout_s == 0.5 && view.flags == 9);
    stale->struct_nbytes = CS_CONFIG_V1_NBYTES;
    stale->retries = 4;
    stale->timeout_s = 1.5;
    CHECK_EQ(cs_config_read((const cs_config *)(const void *)stale, &view), CS_OK);
    CHECK(view.version == 1 && view.retries == 4 && view.timeout_s == 1.5 && view.flags == 0);
    config.struct_nbytes = 0;
    CHECK_EQ(cs_config_read(&config, &view), CS_E_VERSION);
    config.struct_nbytes = sizeof config + 8;
    CHECK_EQ(cs_config_read(&config, &view), CS_E_VERSION);
    CHECK_EQ(view.version, 1);
    free(stale);
}

int main(void)
{
    cs_point sum = cs_point_add((cs_point){1, 2}, (cs_point){0.5, -4});
    cs_box box;

    CHECK(sum.x == 1.5 && sum.y == -2);
    memset(&box, 0xEE, sizeof box);
    cs_box_fill(&box, UINT32_MAX);
    CHECK(box.min.x == 4294967295.0 && box.min.y == 4294967296.0 && box.max.x == 4294967297.0);
    CHECK(box.max.y == 4294967299.0 && box.tag == UINT32_MAX);
    CHECK(cs_box_area(&box) == 6.0);

    configs();
    return 0;
}
