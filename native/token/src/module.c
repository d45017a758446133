/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the module that calls find, and the count of the calls in it.
 *
 * Each call increments a counter before it checks whether the module is initialised. life.c changes that.
 */
#include "module.h"

#include <string.h>

#include "module_life.h"

struct module *module;

atomic_bool module_is_ready;
atomic_bool module_is_leaving;
atomic_int module_calls;
atomic_uint module_lives;
_Thread_local int module_callbacks;

CK_RV call_enter(void)
{
    atomic_fetch_add(&module_calls, 1);
    if (!atomic_load(&module_is_ready)) {
        atomic_fetch_sub(&module_calls, 1);
        return CKR_CRYPTOKI_NOT_INITIALIZED;
    }
    return CKR_OK;
}

void call_leave(void)
{
    atomic_fetch_sub(&module_calls, 1);
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
    return atomic_load_explicit(&module_lives, memory_order_relaxed);
}

bool module_is_ending(void)
{
    return atomic_load(&module_is_leaving);
}

void module_callback_begin(void)
{
    module_callbacks++;
}

void module_callback_end(void)
{
    module_callbacks--;
}

void text_pad(CK_UTF8CHAR *out, size_t out_nbytes, const char *text)
{
    size_t nbytes = strlen(text);

    memset(out, ' ', out_nbytes);
    memcpy(out, text, nbytes < out_nbytes ? nbytes : out_nbytes);
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
