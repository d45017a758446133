/* SPDX-License-Identifier: Apache-2.0
 *
 * mechanisms.c - the table of mechanisms, sorted by number.
 */
#include "mechanisms.h"

#include "slots.h"

#define SIGNS (CKF_SIGN | CKF_VERIFY)
#define CIPHERS (CKF_ENCRYPT | CKF_DECRYPT)
#define WRAPS (CKF_WRAP | CKF_UNWRAP)
#define CURVES (CKF_EC_F_P | CKF_EC_OID | CKF_EC_UNCOMPRESS)
#define SECRET_MIN 1 /* bytes */
#define SECRET_MAX 4096

#define DIGEST_ROW(type, id) {type, FAMILY_DIGEST, id, MODE_NONE, 0, 0, 0, CKF_DIGEST}
#define HMAC_ROWS(plain, general, id, key_type) \
    {plain, FAMILY_HMAC, id, MODE_NONE, key_type, SECRET_MIN, SECRET_MAX, SIGNS}, \
    { \
        general, FAMILY_HMAC_GENERAL, id, MODE_NONE, key_type, SECRET_MIN, SECRET_MAX, SIGNS \
    }
#define KEY_GEN_ROW(type, id, key_type) \
    {type, FAMILY_SECRET_KEY_GEN, id, MODE_NONE, key_type, SECRET_MIN, SECRET_MAX, CKF_GENERATE}
#define ECDSA_ROW(type, family, id) {type, family, id, MODE_NONE, CKK_EC, 256, 256, SIGNS | CURVES}
#define AES_ROW(type, family, mode, flags) {type, family, DIGEST_NONE, mode, CKK_AES, 16, 32, flags}

static const struct mechanism mechanisms[] = {
    DIGEST_ROW(CKM_SHA_1, DIGEST_SHA1),
    HMAC_ROWS(CKM_SHA_1_HMAC, CKM_SHA_1_HMAC_GENERAL, DIGEST_SHA1, CKK_SHA_1_HMAC),
    DIGEST_ROW(CKM_SHA256, DIGEST_SHA256),
    HMAC_ROWS(CKM_SHA256_HMAC, CKM_SHA256_HMAC_GENERAL, DIGEST_SHA256, CKK_SHA256_HMAC),
    DIGEST_ROW(CKM_SHA224, DIGEST_SHA224),
    HMAC_ROWS(CKM_SHA224_HMAC, CKM_SHA224_HMAC_GENERAL, DIGEST_SHA224, CKK_SHA224_HMAC),
    DIGEST_ROW(CKM_SHA384, DIGEST_SHA384),
    HMAC_ROWS(CKM_SHA384_HMAC, CKM_SHA384_HMAC_GENERAL, DIGEST_SHA384, CKK_SHA384_HMAC),
    DIGEST_ROW(CKM_SHA512, DIGEST_SHA512),
    HMAC_ROWS(CKM_SHA512_HMAC, CKM_SHA512_HMAC_GENERAL, DIGEST_SHA512, CKK_SHA512_HMAC),
    DIGEST_ROW(CKM_SHA3_256, DIGEST_SHA3_256),
    HMAC_ROWS(CKM_SHA3_256_HMAC, CKM_SHA3_256_HMAC_GENERAL, DIGEST_SHA3_256, CKK_SHA3_256_HMAC),
    KEY_GEN_ROW(CKM_SHA3_256_KEY_GEN, DIGEST_SHA3_256, CKK_SHA3_256_HMAC),
    DIGEST_ROW(CKM_SHA3_224, DIGEST_SHA3_224),
    HMAC_ROWS(CKM_SHA3_224_HMAC, CKM_SHA3_224_HMAC_GENERAL, DIGEST_SHA3_224, CKK_SHA3_224_HMAC),
    KEY_GEN_ROW(CKM_SHA3_224_KEY_GEN, DIGEST_SHA3_224, CKK_SHA3_224_HMAC),
    DIGEST_ROW(CKM_SHA3_384, DIGEST_SHA3_384),
    HMAC_ROWS(CKM_SHA3_384_HMAC, CKM_SHA3_384_HMAC_GENERAL, DIGEST_SHA3_384, CKK_SHA3_384_HMAC),
    KEY_GEN_ROW(CKM_SHA3_384_KEY_GEN, DIGEST_SHA3_384, CKK_SHA3_384_HMAC),
    DIGEST_ROW(CKM_SHA3_512, DIGEST_SHA3_512),
    HMAC_ROWS(CKM_SHA3_512_HMAC, CKM_SHA3_512_HMAC_GENERAL, DIGEST_SHA3_512, CKK_SHA3_512_HMAC),
    KEY_GEN_ROW(CKM_SHA3_512_KEY_GEN, DIGEST_SHA3_512, CKK_SHA3_512_HMAC),
    /* the sizes of this mechanism are in bits */
    {CKM_GENERIC_SECRET_KEY_GEN, FAMILY_SECRET_KEY_GEN, DIGEST_NONE, MODE_NONE, CKK_GENERIC_SECRET, SECRET_MIN * 8,
     SECRET_MAX * 8, CKF_GENERATE},
    {CKM_EC_KEY_PAIR_GEN, FAMILY_EC_KEY_PAIR_GEN, DIGEST_NONE, MODE_NONE, CKK_EC, 256, 256,
     CKF_GENERATE_KEY_PAIR | CURVES},
    ECDSA_ROW(CKM_ECDSA, FAMILY_ECDSA, DIGEST_NONE),
    ECDSA_ROW(CKM_ECDSA_SHA1, FAMILY_ECDSA_DIGEST, DIGEST_SHA1),
    ECDSA_ROW(CKM_ECDSA_SHA224, FAMILY_ECDSA_DIGEST, DIGEST_SHA224),
    ECDSA_ROW(CKM_ECDSA_SHA256, FAMILY_ECDSA_DIGEST, DIGEST_SHA256),
    ECDSA_ROW(CKM_ECDSA_SHA384, FAMILY_ECDSA_DIGEST, DIGEST_SHA384),
    ECDSA_ROW(CKM_ECDSA_SHA512, FAMILY_ECDSA_DIGEST, DIGEST_SHA512),
    ECDSA_ROW(CKM_ECDSA_SHA3_224, FAMILY_ECDSA_DIGEST, DIGEST_SHA3_224),
    ECDSA_ROW(CKM_ECDSA_SHA3_256, FAMILY_ECDSA_DIGEST, DIGEST_SHA3_256),
    ECDSA_ROW(CKM_ECDSA_SHA3_384, FAMILY_ECDSA_DIGEST, DIGEST_SHA3_384),
    ECDSA_ROW(CKM_ECDSA_SHA3_512, FAMILY_ECDSA_DIGEST, DIGEST_SHA3_512),
    {CKM_ECDH1_DERIVE, FAMILY_ECDH, DIGEST_NONE, MODE_NONE, CKK_EC, 256, 256, CKF_DERIVE | CURVES},
    {CKM_ECDH1_COFACTOR_DERIVE, FAMILY_ECDH, DIGEST_NONE, MODE_NONE, CKK_EC, 256, 256, CKF_DERIVE | CURVES},
    AES_ROW(CKM_AES_KEY_GEN, FAMILY_SECRET_KEY_GEN, MODE_NONE, CKF_GENERATE),
    AES_ROW(CKM_AES_ECB, FAMILY_AES, MODE_ECB, CIPHERS),
    AES_ROW(CKM_AES_CBC, FAMILY_AES, MODE_CBC, CIPHERS),
    AES_ROW(CKM_AES_CBC_PAD, FAMILY_AES_PAD, MODE_CBC, CIPHERS | WRAPS),
    AES_ROW(CKM_AES_CTR, FAMILY_AES_CTR, MODE_CTR, CIPHERS),
    AES_ROW(CKM_AES_GCM, FAMILY_AES_GCM, MODE_GCM,
            CIPHERS | CKF_MESSAGE_ENCRYPT | CKF_MESSAGE_DECRYPT | CKF_MULTI_MESSAGE),
    AES_ROW(CKM_AES_KEY_WRAP, FAMILY_AES_WRAP, MODE_WRAP, WRAPS),
    AES_ROW(CKM_AES_KEY_WRAP_PAD, FAMILY_AES_WRAP, MODE_WRAP_PAD, WRAPS),
    AES_ROW(CKM_AES_KEY_WRAP_KWP, FAMILY_AES_WRAP, MODE_WRAP_PAD, WRAPS),
    KEY_GEN_ROW(CKM_SHA_1_KEY_GEN, DIGEST_SHA1, CKK_SHA_1_HMAC),
    KEY_GEN_ROW(CKM_SHA224_KEY_GEN, DIGEST_SHA224, CKK_SHA224_HMAC),
    KEY_GEN_ROW(CKM_SHA256_KEY_GEN, DIGEST_SHA256, CKK_SHA256_HMAC),
    KEY_GEN_ROW(CKM_SHA384_KEY_GEN, DIGEST_SHA384, CKK_SHA384_HMAC),
    KEY_GEN_ROW(CKM_SHA512_KEY_GEN, DIGEST_SHA512, CKK_SHA512_HMAC),
};

#define MECHANISMS (sizeof mechanisms / sizeof mechanisms[0])

static bool is_available(const struct mechanism *mechanism)
{
    if (mechanism->digest != DIGEST_NONE && algorithms.digests[mechanism->digest] == NULL) {
        return false;
    }
    if (mechanism->mode != MODE_NONE && algorithms.aes[mechanism->mode][0] == NULL) {
        return false;
    }
    return algorithms.hmac != NULL || (mechanism->family != FAMILY_HMAC && mechanism->family != FAMILY_HMAC_GENERAL);
}

const struct mechanism *mechanism_find(CK_MECHANISM_TYPE type)
{
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].type == type) {
            return is_available(&mechanisms[i]) ? &mechanisms[i] : NULL;
        }
    }
    return NULL;
}

CK_RV mechanism_choose(const CK_MECHANISM *wanted, CK_FLAGS flag, const struct mechanism **out)
{
    if (wanted == NULL) {
        return CKR_ARGUMENTS_BAD;
    }
    *out = mechanism_find(wanted->mechanism);
    if (*out == NULL || ((*out)->flags & flag) == 0) {
        return CKR_MECHANISM_INVALID;
    }
    if (wanted->pParameter == NULL && wanted->ulParameterLen > 0) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    return CKR_OK;
}

CK_RV mechanism_no_parameter(const CK_MECHANISM *wanted)
{
    return wanted->ulParameterLen == 0 ? CKR_OK : CKR_MECHANISM_PARAM_INVALID;
}

CK_ULONG digest_nbytes(enum digest_id id)
{
    static const CK_ULONG nbytes[DIGESTS] = {20, 28, 32, 48, 64, 28, 32, 48, 64};

    return id < DIGESTS ? nbytes[id] : 0;
}

CK_RV C_GetMechanismList(CK_SLOT_ID slotID, CK_MECHANISM_TYPE_PTR pMechanismList, CK_ULONG_PTR pulCount)
{
    struct slot *slot = NULL;
    CK_ULONG count = 0;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pulCount == NULL ? CKR_ARGUMENTS_BAD : slot_with_token(slotID, &slot);
    if (rv != CKR_OK) {
        goto done;
    }
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (is_available(&mechanisms[i])) {
            if (pMechanismList != NULL && count < *pulCount) {
                pMechanismList[count] = mechanisms[i].type;
            }
            count++;
        }
    }
    rv = pMechanismList != NULL && *pulCount < count ? CKR_BUFFER_TOO_SMALL : CKR_OK;
    *pulCount = count;
done:
    module_leave();
    return rv;
}

CK_RV C_GetMechanismInfo(CK_SLOT_ID slotID, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO_PTR pInfo)
{
    struct slot *slot = NULL;
    const struct mechanism *mechanism = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pInfo == NULL ? CKR_ARGUMENTS_BAD : slot_with_token(slotID, &slot);
    if (rv == CKR_OK) {
        mechanism = mechanism_find(type);
        rv = mechanism == NULL ? CKR_MECHANISM_INVALID : CKR_OK;
    }
    if (rv == CKR_OK) {
        *pInfo = (CK_MECHANISM_INFO){mechanism->min_key, mechanism->max_key, mechanism->flags};
    }
    module_leave();
    return rv;
}
