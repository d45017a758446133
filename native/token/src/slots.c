/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.c - the slots, their number, and the information about them and their tokens.
 */
#include "slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "environment.h"

#define SLOTS_DEFAULT 3
#define SLOTS_MAX 64

static const CK_VERSION hardware_version = {1, 0};
static const CK_VERSION firmware_version = {1, 0};

static CK_ULONG wanted_count(void)
{
    const char *text = cs_environment("CSIDE_TOKEN_SLOTS");
    char *end = NULL;
    unsigned long count = text != NULL ? strtoul(text, &end, 10) : 0;

    return text == NULL || *end != '\0' || count < 1 || count > SLOTS_MAX ? SLOTS_DEFAULT : count;
}

const char *slot_setting(const char *variable, CK_SLOT_ID slot_id, size_t *out_nbytes)
{
    const char *list = cs_environment(variable);

    for (CK_ULONG i = 0; list != NULL; i++) {
        size_t nbytes = strcspn(list, ";");

        if (i == slot_id) {
            *out_nbytes = nbytes;
            return nbytes > 0 ? list : NULL;
        }
        list = list[nbytes] == ';' ? list + nbytes + 1 : NULL;
    }
    return NULL;
}

CK_RV slots_create(void)
{
    CK_ULONG count = wanted_count();
    struct slot *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return CKR_HOST_MEMORY;
    }
    module->slots = slots;
    module->slot_count = count;
    for (CK_SLOT_ID id = 0; id < count; id++) {
        struct slot *slot = &slots[id];
        size_t nbytes = 0;
        const char *name = slot_setting("CSIDE_TOKEN_SLOT_NAMES", id, &nbytes);

        slot->id = id;
        slot->is_present = true;
        slot->is_removable = id > 0 && id == count - 1;
        slot->logged_in = CKU_USER_NOBODY;
        text_pad(slot->token.label, sizeof slot->token.label, "");
        text_pad(slot->token.serial, sizeof slot->token.serial, "");
        if (name != NULL) {
            snprintf(slot->description, sizeof slot->description, "%.*s", (int)(nbytes < 64 ? nbytes : 64), name);
        } else {
            snprintf(slot->description, sizeof slot->description, "cside token slot %lu%s", (unsigned long)id,
                     slot->is_removable ? " (removable)" : "");
        }
    }
    return CKR_OK;
}

void slots_free(void)
{
    OPENSSL_cleanse(module->slots, module->slot_count * sizeof *module->slots);
    free(module->slots);
    module->slots = NULL;
    module->slot_count = 0;
}

CK_RV slot_find(CK_SLOT_ID slot_id, struct slot **out)
{
    if (slot_id >= module->slot_count) {
        return CKR_SLOT_ID_INVALID;
    }
    *out = &module->slots[slot_id];
    return CKR_OK;
}

CK_RV slot_with_token(CK_SLOT_ID slot_id, struct slot **out)
{
    CK_RV rv = slot_find(slot_id, out);

    if (rv == CKR_OK && !(*out)->is_present) {
        return CKR_TOKEN_NOT_PRESENT;
    }
    return rv == CKR_OK && (*out)->state == TOKEN_UNREADABLE ? CKR_TOKEN_NOT_RECOGNIZED : rv;
}

CK_RV C_GetSlotList(CK_BBOOL tokenPresent, CK_SLOT_ID_PTR pSlotList, CK_ULONG_PTR pulCount)
{
    CK_ULONG count = 0;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (pulCount == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        for (CK_ULONG i = 0; i < module->slot_count; i++) {
            if (!tokenPresent || module->slots[i].is_present) {
                if (pSlotList != NULL && count < *pulCount) {
                    pSlotList[count] = i;
                }
                count++;
            }
        }
        rv = pSlotList != NULL && *pulCount < count ? CKR_BUFFER_TOO_SMALL : CKR_OK;
        *pulCount = count;
    }
    module_leave();
    return rv;
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slotID, CK_SLOT_INFO_PTR pInfo)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pInfo == NULL ? CKR_ARGUMENTS_BAD : slot_find(slotID, &slot);
    if (rv == CKR_OK) {
        text_pad(pInfo->slotDescription, sizeof pInfo->slotDescription, slot->description);
        text_pad(pInfo->manufacturerID, sizeof pInfo->manufacturerID, TOKEN_MANUFACTURER);
        pInfo->flags = (slot->is_present ? CKF_TOKEN_PRESENT : 0) | (slot->is_removable ? CKF_REMOVABLE_DEVICE : 0);
        pInfo->hardwareVersion = hardware_version;
        pInfo->firmwareVersion = firmware_version;
    }
    module_leave();
    return rv;
}

static CK_FLAGS pin_flags(const struct pin *pin, CK_FLAGS low, CK_FLAGS final, CK_FLAGS locked)
{
    if (!pin->is_set || pin->failures == 0) {
        return 0;
    }
    if (pin->failures >= PIN_TRIES) {
        return locked;
    }
    return low | (pin->failures == PIN_TRIES - 1 ? final : 0);
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slotID, CK_TOKEN_INFO_PTR pInfo)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pInfo == NULL ? CKR_ARGUMENTS_BAD : slot_with_token(slotID, &slot);
    if (rv == CKR_OK) {
        memcpy(pInfo->label, slot->token.label, sizeof pInfo->label);
        text_pad(pInfo->manufacturerID, sizeof pInfo->manufacturerID, TOKEN_MANUFACTURER);
        text_pad(pInfo->model, sizeof pInfo->model, TOKEN_MODEL);
        memcpy(pInfo->serialNumber, slot->token.serial, sizeof pInfo->serialNumber);
        pInfo->flags =
            CKF_RNG | CKF_LOGIN_REQUIRED | CKF_DUAL_CRYPTO_OPERATIONS | CKF_RESTORE_KEY_NOT_NEEDED |
            (slot->state == TOKEN_GOOD ? CKF_TOKEN_INITIALIZED : 0) |
            (slot->token.user_pin.is_set ? CKF_USER_PIN_INITIALIZED : 0) |
            pin_flags(&slot->token.user_pin, CKF_USER_PIN_COUNT_LOW, CKF_USER_PIN_FINAL_TRY, CKF_USER_PIN_LOCKED) |
            pin_flags(&slot->token.so_pin, CKF_SO_PIN_COUNT_LOW, CKF_SO_PIN_FINAL_TRY, CKF_SO_PIN_LOCKED);
        pInfo->ulMaxSessionCount = CK_EFFECTIVELY_INFINITE;
        pInfo->ulSessionCount = slot->session_count;
        pInfo->ulMaxRwSessionCount = CK_EFFECTIVELY_INFINITE;
        pInfo->ulRwSessionCount = slot->rw_session_count;
        pInfo->ulMaxPinLen = PIN_MAX_NBYTES;
        pInfo->ulMinPinLen = PIN_MIN_NBYTES;
        pInfo->ulTotalPublicMemory = CK_UNAVAILABLE_INFORMATION;
        pInfo->ulFreePublicMemory = CK_UNAVAILABLE_INFORMATION;
        pInfo->ulTotalPrivateMemory = CK_UNAVAILABLE_INFORMATION;
        pInfo->ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION;
        pInfo->hardwareVersion = hardware_version;
        pInfo->firmwareVersion = firmware_version;
        text_pad(pInfo->utcTime, sizeof pInfo->utcTime, ""); /* the token has no clock */
    }
    module_leave();
    return rv;
}
