/* SPDX-License-Identifier: Apache-2.0
 *
 * groups.hpp - what each file adds to the module. The name of a function is that of its file.
 */
#ifndef CSIDE_NANOBIND_GROUPS_HPP
#define CSIDE_NANOBIND_GROUPS_HPP

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace cside
{

void bind_idioms_scalars(nb::module_ &m);
void bind_idioms_buffers(nb::module_ &m);
void bind_idioms_text(nb::module_ &m);
void bind_idioms_structs(nb::module_ &m);
void bind_idioms_arrays(nb::module_ &m);
void bind_idioms_callbacks(nb::module_ &m);
void bind_idioms_handles(nb::module_ &m);
void bind_idioms_errors(nb::module_ &m);
void bind_idioms_values(nb::module_ &m);
void bind_idioms_threads(nb::module_ &m);
void bind_idioms_trace(nb::module_ &m);

void bind_codec_constants(nb::module_ &m);
void bind_codec_errors(nb::module_ &m);
void bind_codec_checksums(nb::module_ &m);
void bind_codec_oneshot(nb::module_ &m);
void bind_codec_compress(nb::module_ &m);
void bind_codec_decompress(nb::module_ &m);

} // namespace cside

#endif
