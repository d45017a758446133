/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks of PKCS #11. As in idioms_callbacks.c, Python takes a pointer that it gave to C back as an integer.
 */
#include <stdint.h>

#include "cside/pkcs11_shim.h"

/* cffi defines them, below. */
static CK_RV on_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, uintptr_t key);
static CK_RV on_mutex_create(uintptr_t key, uintptr_t *out_mutex);
static CK_RV on_mutex_destroy(uintptr_t key, uintptr_t mutex);
static CK_RV on_mutex_lock(uintptr_t key, uintptr_t mutex);
static CK_RV on_mutex_unlock(uintptr_t key, uintptr_t mutex);
static CK_RV on_report(void);

static CK_RV shim_on_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *user)
{
    return on_notify(session, event, (uintptr_t)user);
}

static CK_RV shim_on_mutex_create(void *user, void **out_mutex)
{
    uintptr_t mutex = 0;
    CK_RV rv = on_mutex_create((uintptr_t)user, &mutex);

    *out_mutex = (void *)mutex;
    return rv;
}

static CK_RV shim_on_mutex_destroy(void *user, void *mutex)
{
    return on_mutex_destroy((uintptr_t)user, (uintptr_t)mutex);
}

static CK_RV shim_on_mutex_lock(void *user, void *mutex)
{
    return on_mutex_lock((uintptr_t)user, (uintptr_t)mutex);
}

static CK_RV shim_on_mutex_unlock(void *user, void *mutex)
{
    return on_mutex_unlock((uintptr_t)user, (uintptr_t)mutex);
}

static CK_RV shim_on_report(void)
{
    return on_report();
}
