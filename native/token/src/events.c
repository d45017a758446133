/* SPDX-License-Identifier: Apache-2.0
 *
 * events.c - insertion and removal of tokens, and waiting for them.
 *
 * Waiting needs a condition variable, which an application's mutexes do not offer, so this one lock is always the
 * system's. It is taken after the module's lock, never before it.
 */
#include "sessions.h"

#include "cside_token.h"

static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t happened = PTHREAD_COND_INITIALIZER;
static unsigned long happenings; /* guarded by wait_lock */

void events_wake(void)
{
    pthread_mutex_lock(&wait_lock);
    happenings++;
    pthread_cond_broadcast(&happened);
    pthread_mutex_unlock(&wait_lock);
}

void events_after_fork(void)
{
    pthread_mutex_init(&wait_lock, NULL);
    pthread_cond_init(&happened, NULL);
}

static CK_RV move_token(CK_SLOT_ID slot_id, bool is_present)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = slot_find(slot_id, &slot);
    if (rv == CKR_OK && !slot->is_removable) {
        rv = CKR_ACTION_PROHIBITED;
    }
    if (rv == CKR_OK && slot->is_present != is_present) {
        if (!is_present) {
            sessions_close(slot);
        }
        slot->is_present = is_present;
        slot->has_event = true;
        events_wake();
    }
    module_leave();
    return rv;
}

CK_RV cside_token_insert(CK_SLOT_ID slot_id)
{
    return move_token(slot_id, true);
}

CK_RV cside_token_remove(CK_SLOT_ID slot_id)
{
    return move_token(slot_id, false);
}

/* The first event that was not reported yet. */
static CK_RV take_event(CK_SLOT_ID *out_slot_id)
{
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = CKR_NO_EVENT;
    for (CK_ULONG i = 0; i < module->slot_count && rv == CKR_NO_EVENT; i++) {
        if (module->slots[i].has_event) {
            module->slots[i].has_event = false;
            *out_slot_id = i;
            rv = CKR_OK;
        }
    }
    lock_give(&module->lock);
    return rv;
}

CK_RV C_WaitForSlotEvent(CK_FLAGS flags, CK_SLOT_ID_PTR pSlot, CK_VOID_PTR pReserved)
{
    unsigned long seen = 0;
    CK_RV rv = call_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (pSlot == NULL || pReserved != NULL) {
        rv = CKR_ARGUMENTS_BAD;
        goto done;
    }
    for (;;) {
        pthread_mutex_lock(&wait_lock);
        seen = happenings;
        pthread_mutex_unlock(&wait_lock);
        if (module_is_ending()) {
            rv = CKR_CRYPTOKI_NOT_INITIALIZED;
            goto done;
        }
        rv = take_event(pSlot);
        if (rv != CKR_NO_EVENT || (flags & CKF_DONT_BLOCK) != 0) {
            goto done;
        }
        pthread_mutex_lock(&wait_lock);
        while (happenings == seen && !module_is_ending()) {
            pthread_cond_wait(&happened, &wait_lock);
        }
        pthread_mutex_unlock(&wait_lock);
    }
done:
    call_leave();
    return rv;
}
