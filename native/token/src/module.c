/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - C_Initialize and C_Finalize, and the state of the module after fork().
 *
 * Each call increments a counter before it checks whether the module is initialised. C_Finalize first marks the module
 * as not initialised, and then waits until the counter is 0. In a child of fork(2) the module is not initialised; the
 * parent's memory stays allocated, since its locks may be held by threads that do not exist in the child. A call that
 * is in a callback while the process forks ends in the child with an error, and no longer counts there.
 */
#include "module.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "policy.h"
#include "sessions.h"
#include "store.h"

struct module *module;

static struct module *abandoned; /* the parent process's; it stays reachable, so that it is no leak */
static atomic_bool is_ready;
static atomic_bool is_ending;
static atomic_int calls;
static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER; /* makes C_Initialize and C_Finalize exclude each other */
static atomic_uint life;
static _Thread_local int callbacks; /* number of callbacks that this thread is in */

static void before_fork(void)
{
    pthread_mutex_lock(&life_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&life_lock);
}

static void after_fork_in_child(void)
{
    pthread_mutex_init(&life_lock, NULL);
    atomic_store(&is_ready, false);
    atomic_store(&is_ending, false);
    atomic_store(&calls, 0);
    atomic_fetch_add(&life, 1);
    callbacks = 0;
    events_after_fork();
    if (module != NULL) {
        store_close(); /* else the child would own the store, too */
        module->abandoned = abandoned;
        abandoned = module;
        module = NULL;
    }
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

CK_RV call_enter(void)
{
    atomic_fetch_add(&calls, 1);
    if (!atomic_load(&is_ready)) {
        atomic_fetch_sub(&calls, 1);
        return CKR_CRYPTOKI_NOT_INITIALIZED;
    }
    return CKR_OK;
}

void call_leave(void)
{
    atomic_fetch_sub(&calls, 1);
}

CK_RV module_enter(void)
{
    CK_RV rv = call_enter();

    if (rv == CKR_OK) {
        rv = lock_take(&module->lock);
        if (rv != CKR_OK) {
            call_leave();
        }
    }
    return rv;
}

void module_leave(void)
{
    lock_give(&module->lock);
    call_leave();
}

unsigned module_life(void)
{
    return atomic_load_explicit(&life, memory_order_relaxed);
}

bool module_is_ending(void)
{
    return atomic_load(&is_ending);
}

void module_callback_begin(void)
{
    callbacks++;
}

void module_callback_end(void)
{
    callbacks--;
}

void text_pad(CK_UTF8CHAR *out, size_t out_nbytes, const char *text)
{
    size_t nbytes = strlen(text);

    memset(out, ' ', out_nbytes);
    memcpy(out, text, nbytes < out_nbytes ? nbytes : out_nbytes);
}

/* ---- life
 * ------------------------------------------------------------------------------------------------------------ */

static CK_RV arguments_check(const CK_C_INITIALIZE_ARGS *args)
{
    int mutexes = 0;

    if (args == NULL) {
        return CKR_OK;
    }
    mutexes = (args->CreateMutex != NULL) + (args->DestroyMutex != NULL) + (args->LockMutex != NULL) +
              (args->UnlockMutex != NULL);
    return args->pReserved != NULL || (mutexes != 0 && mutexes != 4) ? CKR_ARGUMENTS_BAD : CKR_OK;
}

static void release(void)
{
    sessions_free();
    states_free();
    if (module->slots != NULL) {
        slots_free();
    }
    handle_table_free(&module->objects);
    handle_table_free(&module->sessions);
    algorithms_free();
    lock_destroy(&module->lock);
    store_close();
    free(module);
    module = NULL;
}

static CK_RV build(const CK_C_INITIALIZE_ARGS *args)
{
    CK_RV rv = CKR_OK;

    module = calloc(1, sizeof *module);
    if (module == NULL) {
        return CKR_HOST_MEMORY;
    }
    locks_choose(args);
    rv = lock_create(&module->lock);
    if (rv != CKR_OK) {
        free(module);
        module = NULL;
        return rv;
    }
    algorithms_fetch();
    rv = policy_choose();
    if (rv == CKR_OK) {
        rv = slots_create();
    }
    if (rv == CKR_OK) {
        rv = store_open(module->slot_count);
    }
    if (rv == CKR_OK) {
        store_load(module->slots, module->slot_count);
        rv = presets_apply();
    }
    if (rv != CKR_OK) {
        release();
    }
    return rv;
}

static void pause_briefly(void)
{
    const struct timespec pause = {0, 100000};

    nanosleep(&pause, NULL);
}

/* Take life_lock when no thread is in C_Finalize. C_Finalize does not hold the lock while it waits for calls, because
 * one of them may be in a callback that forks, which takes the lock, too. */
static void life_take(void)
{
    pthread_mutex_lock(&life_lock);
    while (atomic_load(&is_ending)) {
        pthread_mutex_unlock(&life_lock);
        pause_briefly();
        pthread_mutex_lock(&life_lock);
    }
}

CK_RV C_Initialize(CK_VOID_PTR pInitArgs)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    CK_RV rv = arguments_check(pInitArgs);

    pthread_once(&once, watch_forks);
    if (rv != CKR_OK) {
        return atomic_load(&is_ready) ? CKR_CRYPTOKI_ALREADY_INITIALIZED : rv;
    }
    if (callbacks > 0) {
        return CKR_CRYPTOKI_ALREADY_INITIALIZED; /* another thread may be in C_Finalize, which waits for this one */
    }
    life_take();
    if (atomic_load(&is_ready)) {
        rv = CKR_CRYPTOKI_ALREADY_INITIALIZED;
    } else {
        rv = build(pInitArgs);
        atomic_store(&is_ready, rv == CKR_OK);
    }
    pthread_mutex_unlock(&life_lock);
    return rv;
}

CK_RV C_Finalize(CK_VOID_PTR pReserved)
{
    CK_RV rv = CKR_OK;

    if (callbacks > 0) {
        return CKR_FUNCTION_FAILED; /* the call that called the callback would wait for itself */
    }
    life_take();
    if (!atomic_load(&is_ready)) {
        rv = CKR_CRYPTOKI_NOT_INITIALIZED;
    } else if (pReserved != NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        atomic_store(&is_ending, true);
        atomic_store(&is_ready, false);
        events_wake();
        pthread_mutex_unlock(&life_lock);
        while (atomic_load(&calls) > 0) {
            pause_briefly();
        }
        pthread_mutex_lock(&life_lock);
        release();
        atomic_store(&is_ending, false);
    }
    pthread_mutex_unlock(&life_lock);
    return rv;
}

CK_RV C_GetInfo(CK_INFO_PTR pInfo)
{
    CK_RV rv = call_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (pInfo == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        pInfo->cryptokiVersion = (CK_VERSION){CRYPTOKI_VERSION_MAJOR, CRYPTOKI_VERSION_MINOR};
        text_pad(pInfo->manufacturerID, sizeof pInfo->manufacturerID, TOKEN_MANUFACTURER);
        pInfo->flags = 0;
        text_pad(pInfo->libraryDescription, sizeof pInfo->libraryDescription, "cside software token");
        pInfo->libraryVersion = (CK_VERSION){1, 0};
    }
    call_leave();
    return rv;
}
