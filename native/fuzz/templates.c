/* SPDX-License-Identifier: Apache-2.0
 *
 * templates.c - templates of an application. What an object was made with it has, and it can be read, searched for, changed,
 * copied and destroyed; what is refused leaves nothing behind.
 */
#include "token_input.h"

static CK_ULONG count_all(CK_SESSION_HANDLE session, CK_ATTRIBUTE *template, CK_ULONG template_count)
{
    CK_OBJECT_HANDLE found[64];
    CK_ULONG count = 0;
    CK_RV rv = C_FindObjectsInit(session, template, template_count);

    if (rv != CKR_OK)
        return 0;
    MUST(C_FindObjects(session, found, 64, &count) == CKR_OK);
    MUST(C_FindObjectsFinal(session) == CKR_OK);
    return count;
}

/* A value that the template gave is the object's, unless it is hidden. */
static void check_given(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, const CK_ATTRIBUTE *given)
{
    CK_ATTRIBUTE now = {given->type, malloc(given->ulValueLen > 0 ? given->ulValueLen : 1), given->ulValueLen};
    CK_RV rv = CKR_OK;

    MUST(now.pValue != NULL);
    if (given->type != CKA_UNWRAP_TEMPLATE) {
        rv = C_GetAttributeValue(session, object, &now, 1);
        /* numbers of a curve are kept with as many bytes as those of the curve have */
        MUST(rv == CKR_OK || rv == CKR_ATTRIBUTE_SENSITIVE ||
             (rv == CKR_BUFFER_TOO_SMALL && (given->type == CKA_VALUE || given->type == CKA_EC_POINT)));
        /* an empty check value asks for none to be computed; CK_BBOOLs other than 0 and 1 are not kept as they are */
        MUST(rv != CKR_OK || now.ulValueLen == given->ulValueLen);
        MUST(rv != CKR_OK || given->ulValueLen <= 1 || memcmp(now.pValue, given->pValue, given->ulValueLen) == 0);
    }
    free(now.pValue);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct input input = {data, nbytes};
    struct blocks blocks = {.count = 0};
    CK_ATTRIBUTE template[TEMPLATE_MAX], change[TEMPLATE_MAX];
    CK_SESSION_HANDLE session = kept_session("safe");
    CK_OBJECT_HANDLE object = 0, copy = 0;
    CK_MECHANISM generation = {CKM_AES_KEY_GEN, NULL, 0};
    bool generates = take_byte(&input) % 4 == 0;
    CK_ULONG count = take_template(&input, &blocks, template, TEMPLATE_MAX), changes = 0, before = 0;
    CK_RV rv = generates ? C_GenerateKey(session, &generation, template, count, &object)
                         : C_CreateObject(session, template, count, &object);

    MUST((rv == CKR_OK ? 1u : 0u) == count_all(session, NULL, 0));
    if (rv == CKR_OK) {
        for (CK_ULONG i = 0; i < count; i++)
            check_given(session, object, &template[i]);
        if (!generates)
            MUST(C_GetObjectSize(session, object, &before) == CKR_OK);
        for (unsigned i = 0; i < 8; i++)
            read_back(session, object, take_attribute_type(&input));
        changes = take_template(&input, &blocks, change, TEMPLATE_MAX);
        count_all(session, change, changes);
        if (C_SetAttributeValue(session, object, change, changes) == CKR_OK)
            for (CK_ULONG i = 0; i < changes; i++)
                check_given(session, object, &change[i]);
        changes = take_template(&input, &blocks, change, TEMPLATE_MAX);
        rv = C_CopyObject(session, object, change, changes, &copy);
        MUST((rv == CKR_OK ? 2u : 1u) == count_all(session, NULL, 0));
        if (rv == CKR_OK)
            for (CK_ULONG i = 0; i < changes; i++)
                check_given(session, copy, &change[i]);
        C_DestroyObject(session, object);
    }
    blocks_free(&blocks);
    return 0;
}
