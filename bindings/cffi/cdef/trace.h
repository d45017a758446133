/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cside/trace.h that the binding uses, for both modes, in the C that cffi can parse.
 */

typedef struct cs_trace_record {
    uint64_t calls;
    uint64_t errors;
    uint64_t in_nbytes;
    uint64_t out_nbytes;
    uint64_t total_ns;
    uint64_t histogram[40];
} cs_trace_record;

void cs_trace_enable(bool on);
bool cs_trace_enabled(void);
void cs_trace_reset(void);
size_t cs_trace_count(void);
const char *cs_trace_name(size_t index);
cs_status cs_trace_read(size_t index, cs_trace_record *out_record);
