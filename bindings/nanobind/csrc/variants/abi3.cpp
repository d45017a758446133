/* SPDX-License-Identifier: Apache-2.0
 *
 * abi3.cpp - the module of the variant for the stable ABI. `cside_nanobind.abi3` takes from it what every variant has.
 */
#include "groups.hpp"

NB_MODULE(_abi3, m)
{
    m.doc() = "Functions of libcside, bound with nanobind for the stable ABI; see cside_nanobind.abi3.";

    cside::bind_idioms_errors(m);
    cside::bind_idioms_scalars(m);
    cside::bind_idioms_buffers(m);
    cside::bind_idioms_text(m);
    cside::bind_idioms_structs(m);
    cside::bind_idioms_callbacks(m);

    cside::bind_codec_checksums(m);
}
