/* SPDX-License-Identifier: Apache-2.0
 *
 * life.c - C_Initialize and C_Finalize, and the state of the module after fork().
 *
 * C_Finalize first marks the module as not initialised, and then waits until no call is in it. In a child of fork(2) the
 * module is not initialised; the parent's memory stays allocated, since its locks may be held by threads that do not
 * exist in the child. A call that is in a callback while the process forks ends in the child with an error, and no longer
 * counts there.
 */
#include "module_life.h"

#include <stdlib.h>
#include <time.h>

#include "policy.h"
#include "store.h"

static struct module *abandoned; /* the parent process's; it stays reachable, so that it is no leak */
static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER; /* makes C_Initialize and C_Finalize exclude each other */

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
    atomic_store(&module_is_ready, false);
    atomic_store(&module_is_leaving, false);
    atomic_store(&module_calls, 0);
    atomic_fetch_add(&module_lives, 1);
    module_callbacks = 0;
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
        for (CK_ULONG i = 0; i < module->slot_count; i++) {
            objects_forget(&module->slots[i]);
        }
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
    while (atomic_load(&module_is_leaving)) {
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
        return atomic_load(&module_is_ready) ? CKR_CRYPTOKI_ALREADY_INITIALIZED : rv;
    }
    if (module_callbacks > 0) {
        return CKR_CRYPTOKI_ALREADY_INITIALIZED; /* another thread may be in C_Finalize, which waits for this one */
    }
    life_take();
    if (atomic_load(&module_is_ready)) {
        rv = CKR_CRYPTOKI_ALREADY_INITIALIZED;
    } else {
        rv = build(pInitArgs);
        atomic_store(&module_is_ready, rv == CKR_OK);
    }
    pthread_mutex_unlock(&life_lock);
    return rv;
}

CK_RV C_Finalize(CK_VOID_PTR pReserved)
{
    CK_RV rv = CKR_OK;

    if (module_callbacks > 0) {
        return CKR_FUNCTION_FAILED; /* the call that called the callback would wait for itself */
    }
    life_take();
    if (!atomic_load(&module_is_ready)) {
        rv = CKR_CRYPTOKI_NOT_INITIALIZED;
    } else if (pReserved != NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        atomic_store(&module_is_leaving, true);
        atomic_store(&module_is_ready, false);
        events_wake();
        pthread_mutex_unlock(&life_lock);
        while (atomic_load(&module_calls) > 0) {
            pause_briefly();
        }
        pthread_mutex_lock(&life_lock);
        release();
        atomic_store(&module_is_leaving, false);
    }
    pthread_mutex_unlock(&life_lock);
    return rv;
}
