/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.c - C_DeriveKey.
 */
#include "derive.h"

static CK_RV publish(struct session *session, struct object *object, CK_OBJECT_HANDLE *out_handle)
{
    CK_RV rv = lock_take(&module->lock);

    if (rv == CKR_OK) {
        rv = object_add(session, object, out_handle);
        lock_give(&module->lock);
    }
    return rv;
}

static CK_RV derive(struct session *session, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE base,
                    struct template template, CK_OBJECT_HANDLE *out_handle)
{
    const struct mechanism *mechanism = NULL;
    struct object *object = NULL;
    CK_RV rv = mechanism_choose(wanted, CKF_DERIVE, &mechanism);

    if (rv == CKR_OK) {
        rv = mechanism->family == FAMILY_ECDH ? derive_ecdh(session, mechanism, wanted, base, template, &object)
                                              : derive_join(session, mechanism, wanted, base, template, &object);
    }
    if (rv == CKR_OK) {
        rv = object_complete(object);
    }
    if (rv == CKR_OK) {
        rv = publish(session, object, out_handle);
    }
    if (rv != CKR_OK) {
        object_free(object);
    }
    return rv;
}

CK_RV C_DeriveKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hBaseKey,
                  CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulAttributeCount, CK_OBJECT_HANDLE_PTR phKey)
{
    struct session *session = NULL;
    CK_RV rv = session_hold(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phKey == NULL || (pTemplate == NULL && ulAttributeCount > 0)
             ? CKR_ARGUMENTS_BAD
             : derive(session, pMechanism, hBaseKey, (struct template){pTemplate, ulAttributeCount}, phKey);
    session_drop(session);
    return rv;
}
