/* SPDX-License-Identifier: Apache-2.0 */
/* libhz: a small library whose interfaces are those that bindings get wrong. It checks nothing, as much C does. */
#ifndef HZ_H
#define HZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A calling convention that is not the platform's own, as stdcall is on 32-bit Windows. */
#if defined(__x86_64__) && defined(__GNUC__)
#define HZ_CALL __attribute__((ms_abi))
#else
#define HZ_CALL
#endif

/* Calls by value. */
double hz_scale(double value, int by);
uint32_t hz_low(uint32_t value);
int HZ_CALL hz_subtract(int left, int right);
size_t hz_text_length(const char *text);

/* A buffer that the library keeps: the caller has to keep it in place until hz_keep() is called with another. */
void hz_keep(const uint8_t *data, size_t data_nbytes);
uint64_t hz_kept_sum(void);

/* Writes n values. */
void hz_fill(uint8_t *out, size_t n);
void hz_fill_int32(int32_t *out, size_t n);

/* Memory of the caller's, to be given back by hz_buffer_free(). Every byte of it is written. */
uint8_t *hz_buffer_new(size_t nbytes);
void hz_buffer_free(uint8_t *buffer);

/* A handle. It is large, so that the system takes its memory back when it is closed. */
typedef struct hz_handle hz_handle;
typedef int (*hz_callback)(int value, void *user);
hz_handle *hz_open(int value);
int hz_value(const hz_handle *handle);
void hz_close(hz_handle *handle);

/* A callback that the library keeps, and calls in hz_fire(), in a thread of its own, or when the process ends. */
void hz_set_callback(hz_callback callback, void *user);
int hz_fire(int value);
int hz_fire_in_thread(int value);
void hz_fire_at_exit(int value); /* writes what the callback returns to standard output */

/* A record; hz_find() returns NULL for an id that it does not know. */
typedef struct hz_record {
    int id;
    int value;
} hz_record;
hz_record *hz_find(int id);
int hz_lookup(int id, int *value); /* -1, and *value is not written, for an id that it does not know */

/* Since version 2 it has the member `flags`, before `limit`. */
typedef struct hz_config {
    int32_t version;
    int32_t flags;
    int32_t limit;
} hz_config;
void hz_config_get(hz_config *config);

/* `kind` says which member of the union is set: 0 `whole`, 1 `real`. */
typedef struct hz_variant {
    int kind;
    union {
        int64_t whole;
        double real;
    } as;
} hz_variant;
void hz_variant_get(hz_variant *variant);

/* Eight characters, padded by spaces, without NUL. */
typedef struct hz_label {
    char text[8];
    char owner[8];
} hz_label;
void hz_label_get(hz_label *label);

/* A constant: nobody may write to it. */
const char *hz_motto(void);

/* Sleeps. */
void hz_sleep(int ms);

/* A worker thread, which hz_worker_add() waits for. */
void hz_worker_start(void);
int hz_worker_add(int left, int right);

#ifdef __cplusplus
}
#endif

#endif
