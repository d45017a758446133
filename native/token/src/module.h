/* SPDX-License-Identifier: Apache-2.0
 *
 * module.h - the module: its initialisation, its locks and its tables.
 *
 * Locks, outermost first:
 * - a session's `lock` guards its operations, and is held while they compute;
 * - the module's `lock` guards slots, tokens, PINs, objects and the tables of handles. It is never held during
 *   cryptography of a session, nor during a callback.
 */
#ifndef TOKEN_MODULE_H
#define TOKEN_MODULE_H

#define CK_DECLARE_FUNCTION(returnType, name) __attribute__((visibility("default"))) returnType name

#include "cside/pkcs11.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms.h"

#define TOKEN_MANUFACTURER "cside"
#define TOKEN_MODEL "software token"
#define PIN_MIN_NBYTES 4
#define PIN_MAX_NBYTES 64

/* ---- locks
 * ----------------------------------------------------------------------------------------------------------- */

/** The application's mutex if it gave the functions for mutexes, else the system's. */
struct lock {
    void *mutex;
    pthread_mutex_t os_mutex;
};

void locks_choose(const CK_C_INITIALIZE_ARGS *args);
CK_RV lock_create(struct lock *lock);
void lock_destroy(struct lock *lock);
CK_RV lock_take(struct lock *lock);
void lock_give(struct lock *lock);

/* ---- handles
 * --------------------------------------------------------------------------------------------------------- */

/** Items by handle. A handle has a serial number in its upper bits and an index in its lower bits. It is never used
 *  twice in a process, so that a stale handle is detected. Guarded by the module's lock. */
struct handle_table {
    struct handle_entry *entries;
    uint32_t capacity;
    uint32_t used;
    uint32_t free_head; /* index + 1 of the first free entry; 0 if there is none */
};

CK_ULONG handle_add(struct handle_table *table, void *item); /* CK_INVALID_HANDLE if the table is full */
void *handle_get(const struct handle_table *table, CK_ULONG handle);
CK_ULONG handle_renew(struct handle_table *table, CK_ULONG handle);
void handle_remove(struct handle_table *table, CK_ULONG handle);
void *handle_at(const struct handle_table *table, uint32_t index); /* NULL if the entry is free */
void handle_table_free(struct handle_table *table);

/* ---- the module
 * ------------------------------------------------------------------------------------------------------ */

struct slot;
struct session;

struct module {
    struct lock lock;
    struct slot *slots;
    CK_ULONG slot_count;
    struct handle_table sessions;
    struct handle_table objects;
    struct module *abandoned; /* in a child of fork(): the parent process's module */
};

/** The one module; NULL before C_Initialize. */
extern struct module *module;

/** Every call begins with one of the enter functions, and ends with the matching leave function unless entering failed.
 *  C_Finalize waits for calls. */
CK_RV call_enter(void);
void call_leave(void);

/** For a call that holds the module's lock all the time. */
CK_RV module_enter(void);
void module_leave(void);

/** A number that changes in a child of fork(), where every call that led to the fork belongs to an abandoned module. */
unsigned module_life(void);

/** Whether the module is being finalised, which ends waiting calls. */
bool module_is_ending(void);

/** To be called before and after a callback of the application, during which the module must not be finalised. In a
 *  child of fork() that was made in the callback, module_callback_end() is not called. */
void module_callback_begin(void);
void module_callback_end(void);

/** Write text as in the standard's structs, padded with blanks. */
void text_pad(CK_UTF8CHAR *out, size_t out_nbytes, const char *text);

/* ---- random numbers
 * -------------------------------------------------------------------------------------------------- */

CK_RV random_bytes(void *out, CK_ULONG nbytes);

/** The same for keys, by a generator of libcrypto whose output is never shown to anybody. */
CK_RV random_secret(void *out, CK_ULONG nbytes);

#endif
