/* SPDX-License-Identifier: Apache-2.0
 *
 * find.c - searches. C_FindObjectsInit collects all handles, so that the result is that of one moment. If an object is
 * destroyed before C_FindObjects returns its handle, that handle is no longer valid.
 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

static bool matches(const struct object *object, struct template template)
{
    for (CK_ULONG i = 0; i < template.count; i++) {
        const CK_ATTRIBUTE *wanted = &template.list[i];
        const struct attribute *attribute = attribute_find(object, wanted->type);

        /* a value that must not be read is not compared, not even to measure how long that takes */
        if (attribute_hidden(object, wanted->type) || attribute == NULL || attribute->nbytes != wanted->ulValueLen ||
            (attribute->nbytes > 0 && memcmp(attribute_bytes(attribute), wanted->pValue, attribute->nbytes) != 0)) {
            return false;
        }
    }
    return true;
}

static CK_RV add_handle(struct find_operation *find, CK_OBJECT_HANDLE handle)
{
    if (find->count == find->capacity) {
        CK_ULONG capacity = find->capacity > 0 ? find->capacity * 2 : 64;
        CK_OBJECT_HANDLE *handles = realloc(find->handles, capacity * sizeof *handles);

        if (handles == NULL) {
            return CKR_HOST_MEMORY;
        }
        find->handles = handles;
        find->capacity = capacity;
    }
    find->handles[find->count++] = handle;
    return CKR_OK;
}

/* Order by handle, the oldest first. */
static void reverse(struct find_operation *find)
{
    for (CK_ULONG low = 0, high = find->count; low + 1 < high; low++, high--) {
        CK_OBJECT_HANDLE handle = find->handles[low];

        find->handles[low] = find->handles[high - 1];
        find->handles[high - 1] = handle;
    }
}

static CK_RV find_all(struct session *session, struct template template)
{
    bool is_user = false;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    is_user = session_is_user(session);
    session->find.count = 0;
    session->find.next = 0;
    for (struct object *object = session->slot->objects; object != NULL && rv == CKR_OK; object = object->next) {
        if ((!object->is_private || is_user) && matches(object, template)) {
            rv = add_handle(&session->find, object->handle);
        }
    }
    lock_give(&module->lock);
    reverse(&session->find);
    return rv;
}

CK_RV C_FindObjectsInit(CK_SESSION_HANDLE hSession, CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulCount)
{
    struct session *session = NULL;
    struct template template = {pTemplate, ulCount};
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->find.is_active ? CKR_OPERATION_ACTIVE : template_check(template);
    if (rv == CKR_OK) {
        rv = find_all(session, template);
        session->find.is_active = rv == CKR_OK;
    }
    session_leave(session);
    return rv;
}

CK_RV C_FindObjects(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE_PTR phObject, CK_ULONG ulMaxObjectCount,
                    CK_ULONG_PTR pulObjectCount)
{
    struct session *session = NULL;
    struct find_operation *find = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    find = &session->find;
    if (!find->is_active) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (pulObjectCount == NULL || (phObject == NULL && ulMaxObjectCount > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        CK_ULONG left = find->count - find->next;
        CK_ULONG count = left < ulMaxObjectCount ? left : ulMaxObjectCount;

        if (count > 0) {
            memcpy(phObject, find->handles + find->next, count * sizeof *phObject);
        }
        find->next += count;
        *pulObjectCount = count;
    }
    session_leave(session);
    return rv;
}

CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE hSession)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->find.is_active ? CKR_OK : CKR_OPERATION_NOT_INITIALIZED;
    session->find.is_active = false;
    session_leave(session);
    return rv;
}
