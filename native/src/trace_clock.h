/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_clock.h - the clock of the trace: the processor's time-stamp counter where it can be trusted, else
 * CLOCK_MONOTONIC. Reading the counter costs a third of reading the system's clock, and it is read twice a call.
 * Neither is finer than its hardware: where the counter goes in steps of 10 ns, single short calls fall into buckets
 * beside the right one, and only their sums mean much.
 */
#ifndef CSIDE_TRACE_CLOCK_H
#define CSIDE_TRACE_CLOCK_H

#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/** Choose the clock and calibrate it. Takes about 2 ms with a time-stamp counter. Call it once, before the others. */
void cs_trace_clock_start(void);

/** Nanoseconds in a difference of cs_trace_ticks(). */
uint64_t cs_trace_ticks_ns(uint64_t ticks);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
