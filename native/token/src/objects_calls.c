/* SPDX-License-Identifier: Apache-2.0
 *
 * objects_calls.c - C_CreateObject, C_CopyObject, C_DestroyObject, C_GetObjectSize, C_SetAttributeValue.
 */
#include "pairs.h"
#include "store.h"

CK_RV C_CreateObject(CK_SESSION_HANDLE hSession, CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulCount,
                     CK_OBJECT_HANDLE_PTR phObject)
{
    struct session *session = NULL;
    struct object *object = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pTemplate == NULL || phObject == NULL) {
        rv = CKR_ARGUMENTS_BAD;
        goto done;
    }
    rv = object_from_template(session, TO_CREATE, (struct template){pTemplate, ulCount}, CK_UNAVAILABLE_INFORMATION,
                              CK_UNAVAILABLE_INFORMATION, &object);
    if (rv == CKR_OK && (class_bits(object->object_class) & IN_KEYS) != 0) {
        rv = key_history(object, false, CK_UNAVAILABLE_INFORMATION, NULL);
    }
    if (rv == CKR_OK) {
        rv = object_complete(object);
    }
    if (rv == CKR_OK && object_bit(object->object_class, object->key_type) == IN_RSA_PRIVATE &&
        !pair_matches(object->key)) { /* of a curve, the public value was computed from the private one */
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv == CKR_OK) {
        rv = object_add(session, object, phObject);
    }
    if (rv != CKR_OK) {
        object_free(object);
    }
done:
    module_leave();
    return rv;
}

CK_RV C_CopyObject(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject, CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulCount,
                   CK_OBJECT_HANDLE_PTR phNewObject)
{
    struct session *session = NULL;
    struct object *original = NULL;
    struct object *copy = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    original = object_find(session, hObject);
    if (phNewObject == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (original == NULL) {
        rv = CKR_OBJECT_HANDLE_INVALID;
    } else if (!attribute_bool(original, CKA_COPYABLE)) {
        rv = CKR_ACTION_PROHIBITED;
    } else {
        rv = object_copy(session, original, (struct template){pTemplate, ulCount}, &copy);
    }
    if (rv == CKR_OK) {
        rv = object_add(session, copy, phNewObject);
        if (rv != CKR_OK) {
            object_free(copy);
        }
    }
    module_leave();
    return rv;
}

CK_RV C_DestroyObject(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject)
{
    struct session *session = NULL;
    struct object *object = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    object = object_find(session, hObject);
    rv = object == NULL ? CKR_OBJECT_HANDLE_INVALID : object_writable(session, object);
    if (rv == CKR_OK && !attribute_bool(object, CKA_DESTROYABLE)) {
        rv = CKR_ACTION_PROHIBITED;
    }
    if (rv == CKR_OK) {
        rv = store_forget(object);
    }
    if (rv == CKR_OK) {
        object_unlink(object);
    }
    module_leave();
    return rv;
}

CK_RV C_GetObjectSize(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject, CK_ULONG_PTR pulSize)
{
    struct session *session = NULL;
    const struct object *object = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    object = object_find(session, hObject);
    if (pulSize == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (object == NULL) {
        rv = CKR_OBJECT_HANDLE_INVALID;
    } else {
        CK_ULONG nbytes = sizeof *object;

        for (size_t i = 0; i < object->count; i++) {
            nbytes += sizeof object->attributes[i] + object->attributes[i].nbytes;
        }
        *pulSize = nbytes;
    }
    module_leave();
    return rv;
}

CK_RV C_SetAttributeValue(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject, CK_ATTRIBUTE_PTR pTemplate,
                          CK_ULONG ulCount)
{
    struct session *session = NULL;
    struct object *object = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    object = object_find(session, hObject);
    if (pTemplate == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (object == NULL) {
        rv = CKR_OBJECT_HANDLE_INVALID;
    } else {
        rv = object_writable(session, object);
    }
    if (rv == CKR_OK && !attribute_bool(object, CKA_MODIFIABLE)) {
        rv = CKR_ACTION_PROHIBITED;
    }
    if (rv == CKR_OK) {
        rv = object_change(session, object, (struct template){pTemplate, ulCount});
    }
    module_leave();
    return rv;
}
