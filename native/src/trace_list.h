/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_list.h - every traced function, by its name without `cs_`. The indices of cs_trace_name() follow this order.
 * The functions of PKCS #11 come after these, under their own names and in the order of their list.
 */
#ifndef CSIDE_TRACE_LIST_H
#define CSIDE_TRACE_LIST_H

#define CS_TRACE_LIST(X) \
    X(noop) \
    X(i8_add) \
    X(u8_add) \
    X(i16_add) \
    X(u16_add) \
    X(i32_add) \
    X(u32_add) \
    X(i64_add) \
    X(u64_add) \
    X(f32_add) \
    X(f64_add) \
    X(bool_not) \
    X(mixed_sum) \
    X(bytes_sum) \
    X(buffer_fill) \
    X(blob_get) \
    X(runs_expand) \
    X(string_length) \
    X(string_borrow) \
    X(string_repeat) \
    X(string_free) \
    X(label_get) \
    X(label_hash) \
    X(point_add) \
    X(box_fill) \
    X(box_area) \
    X(attrs_digest) \
    X(attrs_get) \
    X(counter_open) \
    X(counter_add) \
    X(counter_close) \
    X(ops_get) \
    X(each_call) \
    X(counter_each) \
    X(thread_call) \
    X(status_return) \
    X(errno_fail) \
    X(color_next) \
    X(flags_toggle) \
    X(variant_double) \
    X(bits_pack) \
    X(bits_unpack) \
    X(varargs_sum) \
    X(const_text) \
    X(spin) \
    X(state_init) \
    X(state_next) \
    X(state_fini) \
    X(tls_set) \
    X(tls_get) \
    X(config_read) \
    X(engine_version) \
    X(engine_header_version) \
    X(crc32) \
    X(adler32) \
    X(crc32_combine) \
    X(adler32_combine) \
    X(compress_bound) \
    X(compress) \
    X(decompress) \
    X(deflate_init) \
    X(deflate) \
    X(deflate_set_dictionary) \
    X(deflate_copy) \
    X(deflate_end) \
    X(inflate_init) \
    X(inflate) \
    X(inflate_set_dictionary) \
    X(inflate_copy) \
    X(inflate_end) \
    X(codec_error_text) \
    X(codec_fail_after)

#define CS_TRACE_ID(name) CS_TRACE_ID_##name,
#define CK_PKCS11_FUNCTION_INFO(name) CS_TRACE_ID(name)
/* clang-format off */
enum {
    CS_TRACE_LIST(CS_TRACE_ID)
#include "cside/pkcs11f.h"
    CS_TRACE_FUNCTIONS
};
/* clang-format on */
#undef CK_PKCS11_FUNCTION_INFO
#undef CS_TRACE_ID

#endif
