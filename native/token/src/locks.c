/* SPDX-License-Identifier: Apache-2.0
 *
 * locks.c - the application's mutexes, or the system's. Where the application allows both, its own are used.
 */
#include "module.h"

static CK_CREATEMUTEX mutex_create; /* NULL if the system's mutexes are used */
static CK_DESTROYMUTEX mutex_destroy;
static CK_LOCKMUTEX mutex_lock;
static CK_UNLOCKMUTEX mutex_unlock;

void locks_choose(const CK_C_INITIALIZE_ARGS *args)
{
    mutex_create = args != NULL ? args->CreateMutex : NULL;
    mutex_destroy = args != NULL ? args->DestroyMutex : NULL;
    mutex_lock = args != NULL ? args->LockMutex : NULL;
    mutex_unlock = args != NULL ? args->UnlockMutex : NULL;
}

CK_RV lock_create(struct lock *lock)
{
    lock->mutex = NULL;
    if (mutex_create != NULL) {
        CK_RV rv = mutex_create(&lock->mutex);

        return rv == CKR_OK || rv == CKR_HOST_MEMORY ? rv : CKR_GENERAL_ERROR;
    }
    return pthread_mutex_init(&lock->os_mutex, NULL) == 0 ? CKR_OK : CKR_HOST_MEMORY;
}

void lock_destroy(struct lock *lock)
{
    if (mutex_create != NULL) {
        mutex_destroy(lock->mutex);
    } else {
        pthread_mutex_destroy(&lock->os_mutex);
    }
}

CK_RV lock_take(struct lock *lock)
{
    if (mutex_create != NULL) {
        return mutex_lock(lock->mutex) == CKR_OK ? CKR_OK : CKR_GENERAL_ERROR;
    }
    return pthread_mutex_lock(&lock->os_mutex) == 0 ? CKR_OK : CKR_GENERAL_ERROR;
}

void lock_give(struct lock *lock)
{
    if (mutex_create != NULL) {
        mutex_unlock(lock->mutex);
    } else {
        pthread_mutex_unlock(&lock->os_mutex);
    }
}
