/* SPDX-License-Identifier: Apache-2.0
 *
 * _core.cpp - the module: what each group adds to it.
 */
#include "described.hpp"
#include "groups.hpp"

NB_MODULE(_core, m)
{
    m.doc() = "libcside, bound with nanobind; see cside_nanobind.idioms and cside_nanobind.codec.";

    cside::bind_idioms_errors(m);
    cside::bind_idioms_scalars(m);
    cside::bind_idioms_buffers(m);
    cside::bind_idioms_text(m);
    cside::bind_idioms_structs(m);
    cside::bind_idioms_arrays(m);
    cside::bind_idioms_callbacks(m);
    cside::bind_idioms_handles(m);
    cside::bind_idioms_values(m);
    cside::bind_idioms_threads(m);
    cside::bind_idioms_trace(m);

    cside::bind_codec_constants(m);
    cside::bind_codec_errors(m);
    cside::bind_codec_checksums(m);
    cside::bind_codec_oneshot(m);
    cside::bind_codec_compress(m);
    cside::bind_codec_decompress(m);

    cside::describe_functions(m);
}
