/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only: the callbacks of PKCS #11. pkcs11_callbacks.c passes each call on to a C function that cffi makes of a
 * Python one.
 */

extern "Python" CK_RV on_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, uintptr_t key);
extern "Python" CK_RV on_mutex_create(uintptr_t key, uintptr_t *out_mutex);
extern "Python" CK_RV on_mutex_destroy(uintptr_t key, uintptr_t mutex);
extern "Python" CK_RV on_mutex_lock(uintptr_t key, uintptr_t mutex);
extern "Python" CK_RV on_mutex_unlock(uintptr_t key, uintptr_t mutex);
extern "Python" CK_RV on_report(void);
CK_RV shim_on_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, void *user);
CK_RV shim_on_mutex_create(void *user, void **out_mutex);
CK_RV shim_on_mutex_destroy(void *user, void *mutex);
CK_RV shim_on_mutex_lock(void *user, void *mutex);
CK_RV shim_on_mutex_unlock(void *user, void *mutex);
CK_RV shim_on_report(void);
