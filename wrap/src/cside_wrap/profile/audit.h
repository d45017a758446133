/* SPDX-License-Identifier: Apache-2.0
 * What audit.c and the generated wrappers.c share. One file holds all counters; every process that the profiled program
 * starts maps it, so that the counts of processes that end by _exit or a signal are there too.
 * cside_wrap.profile.counters reads the file, and knows this layout. */
#ifndef CSIDE_AUDIT_H
#define CSIDE_AUDIT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CS_BUCKETS 65
#define CS_OBJECTS 1024
#define CS_PATH 504
#define CS_NO_SIZE UINT64_MAX

typedef struct {
    _Atomic uint64_t calls; /* with a known size */
    _Atomic uint64_t bytes;
    _Atomic uint64_t buckets[CS_BUCKETS]; /* by the number of bits of the size: 0, 1, 2 to 3, 4 to 7, … */
} cs_sizes;

typedef struct {
    _Atomic uint64_t calls;  /* first: the stubs of wrappers.c increment it by the record's address */
    _Atomic uint64_t ticks;  /* inside, without calls that were made meanwhile on the same thread */
    _Atomic uint64_t object; /* the object that defines it, from 1; 0 while nothing was bound */
    _Atomic uint64_t others; /* bindings to a further definition, which are not counted */
    cs_sizes in, out;
} cs_function;

typedef struct {
    _Atomic uint64_t used; /* 1 while it is written, 2 afterwards */
    char path[CS_PATH];
} cs_object;

typedef struct {
    uint64_t functions;        /* written by the reader before the program starts */
    _Atomic uint64_t programs; /* that loaded the audit library */
    cs_object objects[CS_OBJECTS];
} cs_header;

typedef struct {
    uint64_t start, outer;
} cs_call;

/* Generated: the functions in alphabetical order; a wrapper is NULL where the machine has none. */
extern const size_t cs_count;
extern const char *const cs_names[];
extern void *const cs_wrappers[];
extern cs_function *cs_records[];
extern void *cs_real[];

extern _Thread_local uint64_t cs_inner;

#if defined(CS_TSC)
#include <x86intrin.h>
/* Between fences: without them the processor reads the counter while a short function still runs. */
static inline uint64_t cs_now(void)
{
    _mm_lfence();
    uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
}
#else
#include <time.h>
static inline uint64_t cs_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

static inline void cs_add(_Atomic uint64_t *to, uint64_t amount)
{
    atomic_fetch_add_explicit(to, amount, memory_order_relaxed);
}

/* `cs_inner` has the ticks of the calls that ended inside the one that is running on this thread. */
static inline cs_call cs_enter(void)
{
    cs_call call = {0, cs_inner};
    cs_inner = 0;
    call.start = cs_now();
    return call;
}

static inline void cs_leave(cs_function *one, cs_call call)
{
    uint64_t elapsed = cs_now() - call.start;
    cs_add(&one->calls, 1);
    cs_add(&one->ticks, elapsed > cs_inner ? elapsed - cs_inner : 0);
    cs_inner = call.outer + elapsed;
}

static inline uint64_t cs_plus(uint64_t one, uint64_t other)
{
    return one > UINT64_MAX / 2 || other > UINT64_MAX / 2 ? CS_NO_SIZE : one + other;
}

static inline void cs_size(cs_sizes *to, uint64_t bytes, uint64_t most)
{
    if (bytes > most || bytes > UINT64_MAX / 2) { /* negative, or an error code */
        return;
    }
    cs_add(&to->calls, 1);
    cs_add(&to->bytes, bytes);
    cs_add(&to->buckets[bytes ? 64 - __builtin_clzll(bytes) : 0], 1);
}

#endif
