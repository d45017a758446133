/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "trace_clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trace_scope.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <x86intrin.h>
#define HAVE_TSC 1
#else
#define HAVE_TSC 0
#endif

#define CALIBRATION_NS 2000000u

/* Nanoseconds per tick, times 2^32; 0 if ticks are nanoseconds. It is written once, before tracing is switched on for
 * the first time. */
static _Atomic uint64_t ns_per_tick_q32;

static uint64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if HAVE_TSC
/* Whether the counter runs at a constant rate in all power states (CPUID 80000007h, EDX bit 8) and the kernel uses it
 * as its clock source, which it does only if the counters of all processors agree. */
static bool tsc_is_trusted(void)
{
    static const char *const trusted[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page"};
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    char name[64] = "", *end = NULL;
    FILE *file = NULL;

    if (!__get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) || (edx & (1u << 8)) == 0)
        return false;
    file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file == NULL)
        return false;
    if (fgets(name, sizeof name, file) == NULL)
        name[0] = '\0';
    fclose(file);
    end = strchr(name, '\n');
    if (end != NULL)
        *end = '\0';
    for (size_t i = 0; i < sizeof trusted / sizeof trusted[0]; i++) {
        if (strcmp(name, trusted[i]) == 0)
            return true;
    }
    return false;
}

/* Read both clocks at one instant: of a few attempts, keep the one in which the two readings of the counter before and
 * after are closest. */
static uint64_t read_both(uint64_t *out_ns)
{
    uint64_t best = UINT64_MAX, ticks = 0;

    for (int i = 0; i < 8; i++) {
        uint64_t before = __rdtsc();
        uint64_t ns = monotonic_ns();
        uint64_t after = __rdtsc();
        if (after - before < best) {
            best = after - before;
            ticks = before + (after - before) / 2;
            *out_ns = ns;
        }
    }
    return ticks;
}
#endif

void cs_trace_clock_start(void)
{
#if HAVE_TSC
    uint64_t first_ns = 0, last_ns = 0, first = 0, last = 0, ratio = 0;

    if (!tsc_is_trusted())
        return;
    first = read_both(&first_ns);
    while (monotonic_ns() - first_ns < CALIBRATION_NS)
        continue;
    last = read_both(&last_ns);
    if (last <= first || last_ns <= first_ns)
        return;
    ratio = (uint64_t)((double)(last_ns - first_ns) / (double)(last - first) * 4294967296.0);
    atomic_store_explicit(&ns_per_tick_q32, ratio, memory_order_relaxed);
#endif
}

uint64_t cs_trace_ticks(void)
{
    /* pairs with the release in cs_trace_enable(): a thread that sees tracing switched on also sees which clock was
     * chosen */
    (void)atomic_load_explicit(&cs_trace_flag, memory_order_acquire);
#if HAVE_TSC
    if (atomic_load_explicit(&ns_per_tick_q32, memory_order_relaxed) != 0)
        return __rdtsc();
#endif
    return monotonic_ns();
}

uint64_t cs_trace_ticks_ns(uint64_t ticks)
{
    uint64_t ratio = atomic_load_explicit(&ns_per_tick_q32, memory_order_relaxed);

    if (ratio == 0)
        return ticks;
    return (ticks >> 32) * ratio + (((ticks & 0xFFFFFFFFu) * ratio) >> 32);
}
