/* SPDX-License-Identifier: Apache-2.0
 *
 * template_read.c - checks and reads a template by itself, whatever it is for.
 */
#include <string.h>

#include "objects.h"

#define TEMPLATE_MAX 1024 /* attributes; the token has about fifty */

CK_RV template_check(struct template template)
{
    if (template.list == NULL && template.count > 0) {
        return CKR_ARGUMENTS_BAD;
    }
    if (template.count > TEMPLATE_MAX) {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    for (CK_ULONG i = 0; i < template.count; i++) {
        if (template.list[i].pValue == NULL && template.list[i].ulValueLen > 0) {
            return CKR_ATTRIBUTE_VALUE_INVALID;
        }
        for (CK_ULONG j = 0; j < i; j++) {
            if (template.list[j].type == template.list[i].type) {
                return CKR_TEMPLATE_INCONSISTENT;
            }
        }
    }
    return CKR_OK;
}

const CK_ATTRIBUTE *template_find(struct template template, CK_ATTRIBUTE_TYPE type)
{
    for (CK_ULONG i = 0; i < template.count; i++) {
        if (template.list[i].type == type) {
            return &template.list[i];
        }
    }
    return NULL;
}

CK_RV template_ulong(struct template template, CK_ATTRIBUTE_TYPE type, CK_ULONG *out)
{
    const CK_ATTRIBUTE *found = template_find(template, type);

    if (found == NULL) {
        return CKR_OK;
    }
    if (found->ulValueLen != sizeof *out) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    memcpy(out, found->pValue, sizeof *out);
    return CKR_OK;
}
