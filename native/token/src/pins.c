/* SPDX-License-Identifier: Apache-2.0
 *
 * pins.c - PINs, which are stored as salted PBKDF2 and compared in constant time. Wrong PINs are counted.
 *
 * The number of iterations is small, because the benchmarks measure a login and no real key is behind it. A token for
 * real keys takes hundreds of thousands.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "objects.h"
#include "store.h"

#define ITERATIONS 1000

static bool length_fits(CK_ULONG nbytes)
{
    return nbytes >= PIN_MIN_NBYTES && nbytes <= PIN_MAX_NBYTES;
}

static CK_RV hash_pin(const uint8_t *salt, const CK_UTF8CHAR *text, CK_ULONG nbytes, uint8_t *out)
{
    const EVP_MD *digest = algorithms.digests[DIGEST_SHA256];

    return digest != NULL && PKCS5_PBKDF2_HMAC((const char *)text, (int)nbytes, salt, PIN_SALT_NBYTES, ITERATIONS,
                                               digest, PIN_HASH_NBYTES, out) == 1
               ? CKR_OK
               : CKR_FUNCTION_FAILED;
}

CK_RV pin_set(struct pin *pin, const CK_UTF8CHAR *text, CK_ULONG nbytes)
{
    struct pin fresh = {.is_set = true};
    CK_RV rv = CKR_OK;

    if (!length_fits(nbytes)) {
        return CKR_PIN_LEN_RANGE;
    }
    rv = random_bytes(fresh.salt, sizeof fresh.salt);
    if (rv == CKR_OK) {
        rv = hash_pin(fresh.salt, text, nbytes, fresh.hash);
    }
    if (rv == CKR_OK) {
        *pin = fresh;
    }
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return rv;
}

CK_RV pin_check(struct slot *slot, struct pin *pin, const CK_UTF8CHAR *text, CK_ULONG nbytes)
{
    uint8_t hash[PIN_HASH_NBYTES];
    bool is_right = false;
    CK_RV rv = CKR_OK;

    if (pin->failures >= PIN_TRIES) {
        return CKR_PIN_LOCKED;
    }
    if (length_fits(nbytes)) {
        rv = hash_pin(pin->salt, text, nbytes, hash);
        if (rv != CKR_OK) {
            return rv;
        }
        is_right = CRYPTO_memcmp(hash, pin->hash, sizeof hash) == 0;
        OPENSSL_cleanse(hash, sizeof hash);
    }
    if (is_right && pin->failures == 0) {
        return CKR_OK;
    }
    pin->failures = is_right ? 0 : (uint8_t)(pin->failures + 1);
    rv = store_token(slot);
    if (rv != CKR_OK) {
        return rv;
    }
    return is_right ? CKR_OK : CKR_PIN_INCORRECT;
}

CK_RV token_initialize(struct slot *slot, const CK_UTF8CHAR *so_pin, CK_ULONG so_pin_nbytes, const CK_UTF8CHAR *label)
{
    uint8_t serial[SERIAL_NBYTES / 2];
    struct pin fresh = {0};
    CK_RV rv = random_bytes(serial, sizeof serial);

    if (rv == CKR_OK) {
        rv = pin_set(&fresh, so_pin, so_pin_nbytes);
    }
    if (rv == CKR_OK) {
        rv = store_erase(slot);
    }
    if (rv != CKR_OK) {
        goto done;
    }
    objects_forget(slot);
    slot->is_initialized = true;
    slot->so_pin = fresh;
    OPENSSL_cleanse(&slot->user_pin, sizeof slot->user_pin);
    memcpy(slot->label, label, sizeof slot->label);
    for (size_t i = 0; i < sizeof serial; i++) {
        slot->serial[2 * i] = (CK_CHAR) "0123456789abcdef"[serial[i] >> 4];
        slot->serial[2 * i + 1] = (CK_CHAR) "0123456789abcdef"[serial[i] & 15];
    }
    rv = store_token(slot);
done:
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return rv;
}

CK_RV C_InitToken(CK_SLOT_ID slotID, CK_UTF8CHAR_PTR pPin, CK_ULONG ulPinLen, CK_UTF8CHAR_PTR pLabel)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pPin == NULL || pLabel == NULL ? CKR_ARGUMENTS_BAD : slot_with_token(slotID, &slot);
    if (rv == CKR_OK && slot->session_count > 0) {
        rv = CKR_SESSION_EXISTS;
    }
    if (rv == CKR_OK && slot->is_initialized) {
        rv = pin_check(slot, &slot->so_pin, pPin, ulPinLen);
    }
    if (rv == CKR_OK) {
        rv = token_initialize(slot, pPin, ulPinLen, pLabel);
    }
    module_leave();
    return rv;
}

/* Change a PIN both in memory and in the store, or in neither. */
static CK_RV pin_replace(struct slot *slot, struct pin *pin, const CK_UTF8CHAR *text, CK_ULONG nbytes)
{
    struct pin old = *pin;
    CK_RV rv = pin_set(pin, text, nbytes);

    if (rv == CKR_OK) {
        rv = store_token(slot);
        if (rv != CKR_OK) {
            *pin = old;
        }
    }
    OPENSSL_cleanse(&old, sizeof old);
    return rv;
}

CK_RV C_InitPIN(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pPin, CK_ULONG ulPinLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pPin == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (session->slot->logged_in != CKU_SO) {
        rv = CKR_USER_NOT_LOGGED_IN;
    } else {
        rv = pin_replace(session->slot, &session->slot->user_pin, pPin, ulPinLen);
    }
    module_leave();
    return rv;
}

CK_RV C_SetPIN(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pOldPin, CK_ULONG ulOldLen, CK_UTF8CHAR_PTR pNewPin,
               CK_ULONG ulNewLen)
{
    struct session *session = NULL;
    struct slot *slot = NULL;
    struct pin *pin = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    slot = session->slot;
    pin = slot->logged_in == CKU_SO ? &slot->so_pin : &slot->user_pin;
    if (pOldPin == NULL || pNewPin == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!session_is_rw(session)) {
        rv = CKR_SESSION_READ_ONLY;
    } else if (!pin->is_set) {
        rv = CKR_USER_PIN_NOT_INITIALIZED;
    } else if (!length_fits(ulNewLen)) {
        rv = CKR_PIN_LEN_RANGE;
    } else {
        rv = pin_check(slot, pin, pOldPin, ulOldLen);
    }
    if (rv == CKR_OK) {
        rv = pin_replace(slot, pin, pNewPin, ulNewLen);
    }
    module_leave();
    return rv;
}
