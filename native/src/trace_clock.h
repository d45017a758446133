/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_clock.h - the clock of the trace: the processor's time-stamp counter where it is reliable, else
 * CLOCK_MONOTONIC. The clock is read twice per call, and reading the counter takes a third of the time of reading the
 * system's clock. The resolution is that of the hardware. Where the counter advances in steps of 10 ns, a short call
 * may be counted in a neighbouring bucket of the histogram; the sums are then more accurate than the histogram.
 */
#ifndef CSIDE_TRACE_CLOCK_H
#define CSIDE_TRACE_CLOCK_H

#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/** Choose the clock and calibrate it, which takes about 2 ms with a time-stamp counter. Call it once, before the other
 *  functions. */
void cs_trace_clock_start(void);

/** Convert a difference of cs_trace_ticks() to nanoseconds. */
uint64_t cs_trace_ticks_ns(uint64_t ticks);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
