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

/* The PIN that a user of this type logs in with. */
static struct pin *pin_of(struct token *token, CK_USER_TYPE user_type)
{
    return user_type == CKU_SO ? &token->so_pin : &token->user_pin;
}

CK_RV pin_check(struct slot *slot, CK_USER_TYPE user_type, const CK_UTF8CHAR *text, CK_ULONG nbytes)
{
    struct token counted = slot->token;
    struct pin *pin = pin_of(&counted, user_type);
    uint8_t hash[PIN_HASH_NBYTES];
    bool is_right = false;
    CK_RV rv = CKR_OK;

    if (pin->failures >= PIN_TRIES) {
        rv = CKR_PIN_LOCKED;
        goto done;
    }
    pin->failures++;
    rv = store_token(slot, &counted);
    if (rv == CKR_OK && length_fits(nbytes)) {
        rv = hash_pin(pin->salt, text, nbytes, hash);
        is_right = rv == CKR_OK && CRYPTO_memcmp(hash, pin->hash, sizeof hash) == 0;
        OPENSSL_cleanse(hash, sizeof hash);
    }
    if (is_right) {
        pin->failures = 0;
        store_token(slot, &counted); /* if this fails the attempt stays counted, until the next that is right */
    } else if (rv == CKR_OK) {
        rv = CKR_PIN_INCORRECT;
    }
done:
    OPENSSL_cleanse(&counted, sizeof counted);
    return rv;
}

CK_RV token_initialize(struct slot *slot, const struct token *wanted)
{
    struct token fresh = *wanted;
    uint8_t serial[SERIAL_NBYTES / 2];
    CK_RV rv = random_bytes(serial, sizeof serial);

    for (size_t i = 0; i < sizeof serial; i++) {
        fresh.serial[2 * i] = (CK_CHAR) "0123456789abcdef"[serial[i] >> 4];
        fresh.serial[2 * i + 1] = (CK_CHAR) "0123456789abcdef"[serial[i] & 15];
    }
    if (rv == CKR_OK) {
        rv = store_initialize(slot, &fresh);
    }
    if (rv == CKR_OK) {
        objects_forget(slot);
    }
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return rv;
}

CK_RV C_InitToken(CK_SLOT_ID slotID, CK_UTF8CHAR_PTR pPin, CK_ULONG ulPinLen, CK_UTF8CHAR_PTR pLabel)
{
    struct slot *slot = NULL;
    struct token wanted = {0};
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pPin == NULL || pLabel == NULL ? CKR_ARGUMENTS_BAD : slot_with_token(slotID, &slot);
    if (rv == CKR_OK && slot->session_count > 0) {
        rv = CKR_SESSION_EXISTS;
    }
    if (rv == CKR_OK && slot->state == TOKEN_GOOD) {
        rv = pin_check(slot, CKU_SO, pPin, ulPinLen);
    }
    if (rv == CKR_OK) {
        memcpy(wanted.label, pLabel, sizeof wanted.label);
        rv = pin_set(&wanted.so_pin, pPin, ulPinLen);
    }
    if (rv == CKR_OK) {
        rv = token_initialize(slot, &wanted);
    }
    OPENSSL_cleanse(&wanted, sizeof wanted);
    module_leave();
    return rv;
}

/* Change a PIN both in memory and in the store, or in neither. */
static CK_RV pin_replace(struct slot *slot, CK_USER_TYPE user_type, const CK_UTF8CHAR *text, CK_ULONG nbytes)
{
    struct token fresh = slot->token;
    CK_RV rv = pin_set(pin_of(&fresh, user_type), text, nbytes);

    if (rv == CKR_OK) {
        rv = store_token(slot, &fresh);
    }
    OPENSSL_cleanse(&fresh, sizeof fresh);
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
        rv = pin_replace(session->slot, CKU_USER, pPin, ulPinLen);
    }
    module_leave();
    return rv;
}

CK_RV C_SetPIN(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pOldPin, CK_ULONG ulOldLen, CK_UTF8CHAR_PTR pNewPin,
               CK_ULONG ulNewLen)
{
    struct session *session = NULL;
    struct slot *slot = NULL;
    CK_USER_TYPE user_type = CKU_USER;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    slot = session->slot;
    user_type = slot->logged_in == CKU_SO ? CKU_SO : CKU_USER;
    if (pOldPin == NULL || pNewPin == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!session_is_rw(session)) {
        rv = CKR_SESSION_READ_ONLY;
    } else if (!pin_of(&slot->token, user_type)->is_set) {
        rv = CKR_USER_PIN_NOT_INITIALIZED;
    } else if (!length_fits(ulNewLen)) {
        rv = CKR_PIN_LEN_RANGE;
    } else {
        rv = pin_check(slot, user_type, pOldPin, ulOldLen);
    }
    if (rv == CKR_OK) {
        rv = pin_replace(slot, user_type, pNewPin, ulNewLen);
    }
    module_leave();
    return rv;
}
