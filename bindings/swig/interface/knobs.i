/* SPDX-License-Identifier: Apache-2.0
 *
 * The few functions that are measured with other options of SWIG: cside_swig.default, cside_swig.fastproxy. Typemaps and
 * headers are those of the whole binding, of which this names a part.
 */
%module core

/* What is not named here is known and not wrapped. */
%rename("$ignore") "";
%rename(noop) cs_noop;
%rename(i32_add) cs_i32_add;
%rename(f64_add) cs_f64_add;
%rename(mixed_sum) cs_mixed_sum;
%rename(bytes_sum) cs_bytes_sum;
%rename(buffer_fill) cs_buffer_fill;
%rename(string_length) cs_string_length;
%rename(label_get) cs_label_get;
%rename(box_fill) cs_box_fill;
%rename(box_area) cs_box_area;
%rename(box_unpack) box_unpack;
%rename("%s") cs_box::cs_box;
%rename("%s") cs_box::~cs_box;
%rename(each_call) cs_each_call;
%rename(crc32) crc32;

%include "preamble.i"
%include "idioms/boxes.i"
%include "codec/checksums.i"
%feature("compactdefaultargs") crc32;
%checksum(crc32, 0)

%calls_back(cs_each_call)

#pragma SWIG nowarn=314
%include <cside/idioms.h>
