/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: what idioms_callbacks.c defines, and the C function that cffi makes of a Python one.
 */

void shim_ops_fetch(void);
int32_t shim_ops_add(int32_t a, int32_t b);
int32_t shim_ops_multiply(int32_t a, int32_t b);

extern "Python" int64_t on_each(uintptr_t key, int32_t position);
int64_t shim_on_each(void *user, int32_t position);
