/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what idioms_scalars.c defines.
 */

int64_t shim_varargs_sum(uint32_t count, const int64_t values[8]);
