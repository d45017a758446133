/* SPDX-License-Identifier: Apache-2.0
 *
 * presets.c - the tokens that are initialised with the module, because CSIDE_TOKEN_PRESET describes them.
 */
#include "slots.h"

#include <stdio.h>
#include <string.h>

#include <openssl/crypto.h>

CK_RV presets_apply(void)
{
    for (CK_ULONG i = 0; i < module->slot_count; i++) {
        struct slot *slot = &module->slots[i];
        struct token wanted = {0};
        char text[256];
        char *so_pin = NULL;
        char *user_pin = NULL;
        size_t nbytes = 0;
        const char *part = slot_setting("CSIDE_TOKEN_PRESET", i, &nbytes);
        CK_RV rv = CKR_OK;

        if (part == NULL || slot->state == TOKEN_GOOD) {
            continue;
        }
        if (slot->state == TOKEN_UNREADABLE) {
            fprintf(stderr, "libcside_token: CSIDE_TOKEN_PRESET is not applied to slot %lu, which is unreadable\n",
                    (unsigned long)i);
            continue;
        }
        snprintf(text, sizeof text, "%.*s", (int)(nbytes < sizeof text ? nbytes : sizeof text - 1), part);
        so_pin = strchr(text, ':');
        user_pin = so_pin != NULL ? strchr(so_pin + 1, ':') : NULL;
        if (user_pin == NULL) {
            fprintf(stderr, "libcside_token: CSIDE_TOKEN_PRESET is not label:so-pin:user-pin\n");
            return CKR_GENERAL_ERROR;
        }
        *so_pin++ = '\0';
        *user_pin++ = '\0';
        text_pad(wanted.label, sizeof wanted.label, text);
        rv = pin_set(&wanted.so_pin, (const CK_UTF8CHAR *)so_pin, strlen(so_pin));
        if (rv == CKR_OK) {
            rv = pin_set(&wanted.user_pin, (const CK_UTF8CHAR *)user_pin, strlen(user_pin));
        }
        if (rv == CKR_OK) {
            rv = token_initialize(slot, &wanted);
        }
        OPENSSL_cleanse(text, sizeof text);
        OPENSSL_cleanse(&wanted, sizeof wanted);
        if (rv != CKR_OK) {
            fprintf(stderr, "libcside_token: CSIDE_TOKEN_PRESET cannot be applied to slot %lu\n", (unsigned long)i);
            return CKR_GENERAL_ERROR;
        }
    }
    return CKR_OK;
}
