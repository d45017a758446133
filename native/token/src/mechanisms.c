/* SPDX-License-Identifier: Apache-2.0
 *
 * mechanisms.c - the table of mechanisms, sorted by number, and the search in it.
 */
#include "mechanisms.h"

#include "rsa.h"
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
#define RSA_ROW(type, family, id, flags) {type, family, id, MODE_NONE, CKK_RSA, RSA_MIN_BITS, RSA_MAX_BITS, flags}
#define RSA_SIGN_ROW(type, family, id) RSA_ROW(type, family, id, SIGNS)
#define EC_ROW(type, family, id, flags) {type, family, id, MODE_NONE, CKK_EC, 256, 521, (flags) | CURVES}
#define EDWARDS_ROW(type, family, flags) \
    {type, family, DIGEST_NONE, MODE_NONE, CKK_EC_EDWARDS, 255, 255, (flags) | CKF_EC_OID | CKF_EC_CURVENAME}
#define JOIN_ROW(type) \
    {type, FAMILY_JOIN, DIGEST_NONE, MODE_NONE, CK_UNAVAILABLE_INFORMATION, SECRET_MIN, SECRET_MAX, CKF_DERIVE}
#define AES_ROW(type, family, mode, flags) {type, family, DIGEST_NONE, mode, CKK_AES, 16, 32, flags}

static const struct mechanism mechanisms[] = {
    RSA_ROW(CKM_RSA_PKCS_KEY_PAIR_GEN, FAMILY_KEY_PAIR_GEN, DIGEST_NONE, CKF_GENERATE_KEY_PAIR),
    RSA_ROW(CKM_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_NONE, SIGNS | CIPHERS | WRAPS),
    RSA_ROW(CKM_RSA_X_509, FAMILY_RSA_RAW, DIGEST_NONE, SIGNS | CIPHERS),
    RSA_SIGN_ROW(CKM_MD5_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_MD5),
    RSA_SIGN_ROW(CKM_SHA1_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA1),
    RSA_ROW(CKM_RSA_PKCS_OAEP, FAMILY_RSA_OAEP, DIGEST_NONE, CIPHERS | WRAPS),
    RSA_SIGN_ROW(CKM_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_NONE),
    RSA_SIGN_ROW(CKM_SHA1_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA1),
    RSA_SIGN_ROW(CKM_SHA256_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA256),
    RSA_SIGN_ROW(CKM_SHA384_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA384),
    RSA_SIGN_ROW(CKM_SHA512_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA512),
    RSA_SIGN_ROW(CKM_SHA256_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA256),
    RSA_SIGN_ROW(CKM_SHA384_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA384),
    RSA_SIGN_ROW(CKM_SHA512_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA512),
    RSA_SIGN_ROW(CKM_SHA224_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA224),
    RSA_SIGN_ROW(CKM_SHA224_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA224),
    RSA_SIGN_ROW(CKM_SHA3_256_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA3_256),
    RSA_SIGN_ROW(CKM_SHA3_384_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA3_384),
    RSA_SIGN_ROW(CKM_SHA3_512_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA3_512),
    RSA_SIGN_ROW(CKM_SHA3_256_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA3_256),
    RSA_SIGN_ROW(CKM_SHA3_384_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA3_384),
    RSA_SIGN_ROW(CKM_SHA3_512_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA3_512),
    RSA_SIGN_ROW(CKM_SHA3_224_RSA_PKCS, FAMILY_RSA_PKCS, DIGEST_SHA3_224),
    RSA_SIGN_ROW(CKM_SHA3_224_RSA_PKCS_PSS, FAMILY_RSA_PSS, DIGEST_SHA3_224),
    DIGEST_ROW(CKM_MD5, DIGEST_MD5),
    HMAC_ROWS(CKM_MD5_HMAC, CKM_MD5_HMAC_GENERAL, DIGEST_MD5, CKK_MD5_HMAC),
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
    JOIN_ROW(CKM_CONCATENATE_BASE_AND_KEY),
    JOIN_ROW(CKM_CONCATENATE_BASE_AND_DATA),
    JOIN_ROW(CKM_CONCATENATE_DATA_AND_BASE),
    JOIN_ROW(CKM_XOR_BASE_AND_DATA),
    EC_ROW(CKM_EC_KEY_PAIR_GEN, FAMILY_KEY_PAIR_GEN, DIGEST_NONE, CKF_GENERATE_KEY_PAIR),
    EC_ROW(CKM_ECDSA, FAMILY_ECDSA, DIGEST_NONE, SIGNS),
    EC_ROW(CKM_ECDSA_SHA1, FAMILY_ECDSA, DIGEST_SHA1, SIGNS),
    EC_ROW(CKM_ECDSA_SHA224, FAMILY_ECDSA, DIGEST_SHA224, SIGNS),
    EC_ROW(CKM_ECDSA_SHA256, FAMILY_ECDSA, DIGEST_SHA256, SIGNS),
    EC_ROW(CKM_ECDSA_SHA384, FAMILY_ECDSA, DIGEST_SHA384, SIGNS),
    EC_ROW(CKM_ECDSA_SHA512, FAMILY_ECDSA, DIGEST_SHA512, SIGNS),
    EC_ROW(CKM_ECDSA_SHA3_224, FAMILY_ECDSA, DIGEST_SHA3_224, SIGNS),
    EC_ROW(CKM_ECDSA_SHA3_256, FAMILY_ECDSA, DIGEST_SHA3_256, SIGNS),
    EC_ROW(CKM_ECDSA_SHA3_384, FAMILY_ECDSA, DIGEST_SHA3_384, SIGNS),
    EC_ROW(CKM_ECDSA_SHA3_512, FAMILY_ECDSA, DIGEST_SHA3_512, SIGNS),
    EC_ROW(CKM_ECDH1_DERIVE, FAMILY_ECDH, DIGEST_NONE, CKF_DERIVE),
    EC_ROW(CKM_ECDH1_COFACTOR_DERIVE, FAMILY_ECDH, DIGEST_NONE, CKF_DERIVE),
    EDWARDS_ROW(CKM_EC_EDWARDS_KEY_PAIR_GEN, FAMILY_KEY_PAIR_GEN, CKF_GENERATE_KEY_PAIR),
    EDWARDS_ROW(CKM_EDDSA, FAMILY_EDDSA, SIGNS),
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
    size_t low = 0;
    size_t high = MECHANISMS;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (mechanisms[middle].type < type) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < MECHANISMS && mechanisms[low].type == type && is_available(&mechanisms[low]) ? &mechanisms[low] : NULL;
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

bool mechanism_takes_parts(const struct mechanism *mechanism)
{
    switch (mechanism->family) {
    case FAMILY_EDDSA:
    case FAMILY_RSA_RAW:
    case FAMILY_RSA_OAEP:
        return false;
    case FAMILY_ECDSA:
    case FAMILY_RSA_PKCS:
    case FAMILY_RSA_PSS:
        return mechanism->digest != DIGEST_NONE;
    default:
        return true;
    }
}

bool mechanism_is_rsa(const struct mechanism *mechanism)
{
    return mechanism->key_type == CKK_RSA && mechanism->family != FAMILY_DIGEST;
}

CK_ULONG digest_nbytes(enum digest_id id)
{
    static const CK_ULONG nbytes[DIGESTS] = {16, 20, 28, 32, 48, 64, 28, 32, 48, 64};

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
    /* from the last to the first: a program that takes the first RSA mechanism gets one that takes parts */
    for (size_t i = MECHANISMS; i-- > 0;) {
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
