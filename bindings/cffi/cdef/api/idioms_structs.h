/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what idioms_structs.c defines.
 */

cs_status shim_config_read(uint32_t retries, double timeout_s, uint32_t flags, size_t struct_nbytes,
                           cs_config_view *out_view);
