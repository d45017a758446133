/* SPDX-License-Identifier: Apache-2.0
 *
 * curves.c - the table of curves, and the encodings of points.
 */
#include "curves.h"

#include <string.h>

#include <openssl/ec.h>
#include <openssl/objects.h>

#define TAG_OCTET_STRING 0x04
#define TAG_OID 0x06
#define TAG_PRINTABLE_STRING 0x13
#define ONE_LENGTH_BYTE 0x81 /* DER: the length is in the next byte */
#define SHORT_LENGTH_MAX 127
#define UNCOMPRESSED 0x04 /* SEC 1, 2.3.3 */

/* Object identifiers in DER: SEC 2, and RFC 8410, 3 */
static const uint8_t p256[] = {TAG_OID, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
static const uint8_t p384[] = {TAG_OID, 5, 0x2b, 0x81, 0x04, 0x00, 0x22};
static const uint8_t p521[] = {TAG_OID, 5, 0x2b, 0x81, 0x04, 0x00, 0x23};
static const uint8_t ed25519[] = {TAG_OID, 3, 0x2b, 0x65, 0x70};

static const uint8_t p256_info[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
                                    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
static const uint8_t p384_info[] = {0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02,
                                    0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00};
static const uint8_t p521_info[] = {0x30, 0x81, 0x9b, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02,
                                    0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23, 0x03, 0x81, 0x86, 0x00};
static const uint8_t ed25519_info[] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

static const struct curve curves[] = {
    {CKK_EC, "P-256", NID_X9_62_prime256v1, 32, 65, p256, sizeof p256, p256_info, sizeof p256_info},
    {CKK_EC, "P-384", NID_secp384r1, 48, 97, p384, sizeof p384, p384_info, sizeof p384_info},
    {CKK_EC, "P-521", NID_secp521r1, 66, 133, p521, sizeof p521, p521_info, sizeof p521_info},
    {CKK_EC_EDWARDS, "ED25519", NID_ED25519, 32, 32, ed25519, sizeof ed25519, ed25519_info, sizeof ed25519_info},
};

#define CURVES (sizeof curves / sizeof curves[0])

/* Other values of CKA_EC_PARAMS that programs give for Ed25519: the name of PKCS #11 3.0, and the identifier that GnuPG
 * uses, 1.3.6.1.4.1.11591.15.1. */
static const uint8_t ed25519_name[] = {
    TAG_PRINTABLE_STRING, 12, 'e', 'd', 'w', 'a', 'r', 'd', 's', '2', '5', '5', '1', '9'};
static const uint8_t ed25519_other[] = {TAG_OID, 9, 0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x0f, 0x01};

static bool is_same(const uint8_t *params, CK_ULONG nbytes, const uint8_t *known, CK_ULONG known_nbytes)
{
    return nbytes == known_nbytes && memcmp(params, known, nbytes) == 0;
}

CK_RV curve_find(CK_KEY_TYPE key_type, const uint8_t *params, CK_ULONG nbytes, const struct curve **out)
{
    bool is_named =
        nbytes >= 3 && (params[0] == TAG_OID || params[0] == TAG_PRINTABLE_STRING) && params[1] == nbytes - 2;

    *out = NULL;
    for (size_t i = 0; i < CURVES; i++) {
        bool fits = is_same(params, nbytes, curves[i].params, curves[i].params_nbytes) ||
                    (curves[i].nid == NID_ED25519 && (is_same(params, nbytes, ed25519_name, sizeof ed25519_name) ||
                                                      is_same(params, nbytes, ed25519_other, sizeof ed25519_other)));

        if (fits && curves[i].key_type == key_type) {
            *out = &curves[i];
            return CKR_OK;
        }
    }
    return is_named ? CKR_CURVE_NOT_SUPPORTED : CKR_ATTRIBUTE_VALUE_INVALID;
}

CK_RV curve_of_object(const struct object *object, const struct curve **out)
{
    const struct attribute *params = attribute_find(object, CKA_EC_PARAMS);

    *out = NULL;
    return params != NULL ? curve_find(object->key_type, attribute_bytes(params), params->nbytes, out)
                          : CKR_TEMPLATE_INCOMPLETE;
}

CK_RV curve_check(const struct object *public_object)
{
    const struct curve *curve = NULL;

    return curve_of_object(public_object, &curve);
}

const struct curve *curve_of_key(EVP_PKEY *key)
{
    char group[32] = "";
    int nid = NID_undef;

    if (EVP_PKEY_is_a(key, "ED25519")) {
        nid = NID_ED25519;
    } else if (EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1) {
        nid = OBJ_txt2nid(group);
        nid = nid != NID_undef ? nid : EC_curve_nist2nid(group);
    }
    for (size_t i = 0; i < CURVES; i++) {
        if (curves[i].nid == nid) {
            return &curves[i];
        }
    }
    return NULL;
}

/* The bytes of DER before a point. Returns their number. */
static CK_ULONG point_head(const struct curve *curve, uint8_t out[3])
{
    CK_ULONG nbytes = 0;

    out[nbytes++] = TAG_OCTET_STRING;
    if (curve->point_nbytes > SHORT_LENGTH_MAX) {
        out[nbytes++] = ONE_LENGTH_BYTE;
    }
    out[nbytes++] = (uint8_t)curve->point_nbytes;
    return nbytes;
}

const uint8_t *curve_bare_point(const struct curve *curve, const uint8_t *point, CK_ULONG nbytes)
{
    uint8_t head[3];
    CK_ULONG head_nbytes = point_head(curve, head);

    if (nbytes == curve->point_nbytes + head_nbytes && memcmp(point, head, head_nbytes) == 0) {
        point += head_nbytes;
    } else if (nbytes != curve->point_nbytes) {
        return NULL;
    }
    return curve->key_type != CKK_EC || point[0] == UNCOMPRESSED ? point : NULL;
}

CK_RV curve_set_point(const struct curve *curve, struct object *object, const uint8_t *point)
{
    uint8_t der[CURVE_DER_POINT_MAX_NBYTES];
    CK_ULONG head_nbytes = point_head(curve, der);

    memcpy(der + head_nbytes, point, curve->point_nbytes);
    return attribute_set(object, CKA_EC_POINT, der, head_nbytes + curve->point_nbytes);
}

CK_RV curve_set_info(const struct curve *curve, struct object *object, const uint8_t *point)
{
    uint8_t der[sizeof p256_info + CURVE_POINT_MAX_NBYTES];

    memcpy(der, curve->info_head, curve->info_head_nbytes);
    memcpy(der + curve->info_head_nbytes, point, curve->point_nbytes);
    return attribute_set(object, CKA_PUBLIC_KEY_INFO, der, curve->info_head_nbytes + curve->point_nbytes);
}
