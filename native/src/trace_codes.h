/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_codes.h - the places at which errors are counted by their code: one for each pair of function and return value.
 */
#ifndef CSIDE_TRACE_CODES_H
#define CSIDE_TRACE_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Number of places, which all threads share. */
#define CS_TRACE_CODES 1024

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/** The place of a pair, the same until the process ends. CS_TRACE_CODES if all places are taken, or if the code has
 *  more than 48 bits. */
size_t cs_trace_code_place(size_t id, uint64_t code);

/** Whether the place is one of function `id`. *out_code (which may be NULL) becomes its code. */
bool cs_trace_code_at(size_t place, size_t id, uint64_t *out_code);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
