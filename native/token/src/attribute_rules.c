/* SPDX-License-Identifier: Apache-2.0
 *
 * attribute_rules.c - the attributes of each kind of object, and who may set them when: PKCS #11, "Objects", as a table.
 */
#include "objects.h"

#include <string.h>

#define CHANGE_COPY (RULE_CHANGE | RULE_COPY)

static const struct attribute_rule rules[] = {
    /* all objects */
    {CKA_CLASS, KIND_ULONG, IN_ALL, RULE_NEEDED},
    {CKA_TOKEN, KIND_BOOL, IN_ALL, RULE_COPY},
    {CKA_PRIVATE, KIND_BOOL, IN_ALL, RULE_COPY},
    {CKA_LABEL, KIND_BYTES, IN_ALL, CHANGE_COPY},
    {CKA_UNIQUE_ID, KIND_BYTES, IN_ALL, RULE_NEVER},
    {CKA_MODIFIABLE, KIND_BOOL, IN_ALL, RULE_COPY},
    {CKA_COPYABLE, KIND_BOOL, IN_ALL, CHANGE_COPY | RULE_STAYS_FALSE},
    {CKA_DESTROYABLE, KIND_BOOL, IN_ALL, CHANGE_COPY},

    /* data */
    {CKA_APPLICATION, KIND_BYTES, IN_DATA, CHANGE_COPY},
    {CKA_OBJECT_ID, KIND_BYTES, IN_DATA, CHANGE_COPY},
    {CKA_VALUE, KIND_BYTES, IN_DATA, CHANGE_COPY},

    /* certificates, which are stored and not interpreted */
    {CKA_CERTIFICATE_TYPE, KIND_ULONG, IN_CERTIFICATE, RULE_NEEDED},
    {CKA_CERTIFICATE_CATEGORY, KIND_ULONG, IN_CERTIFICATE, 0},
    {CKA_SUBJECT, KIND_BYTES, IN_CERTIFICATE, RULE_NEEDED},
    {CKA_VALUE, KIND_BYTES, IN_CERTIFICATE, RULE_NEEDED},
    {CKA_ISSUER, KIND_BYTES, IN_CERTIFICATE, CHANGE_COPY},
    {CKA_SERIAL_NUMBER, KIND_BYTES, IN_CERTIFICATE, CHANGE_COPY},
    {CKA_ID, KIND_BYTES, IN_CERTIFICATE, CHANGE_COPY},
    {CKA_URL, KIND_BYTES, IN_CERTIFICATE, 0},
    {CKA_CHECK_VALUE, KIND_BYTES, IN_CERTIFICATE, 0},
    {CKA_START_DATE, KIND_DATE, IN_CERTIFICATE, 0},
    {CKA_END_DATE, KIND_DATE, IN_CERTIFICATE, 0},
    {CKA_PUBLIC_KEY_INFO, KIND_BYTES, IN_CERTIFICATE, 0},

    /* keys */
    {CKA_KEY_TYPE, KIND_ULONG, IN_KEYS, RULE_NEEDED},
    {CKA_ID, KIND_BYTES, IN_KEYS, CHANGE_COPY},
    {CKA_START_DATE, KIND_DATE, IN_KEYS, CHANGE_COPY},
    {CKA_END_DATE, KIND_DATE, IN_KEYS, CHANGE_COPY},
    {CKA_DERIVE, KIND_BOOL, IN_KEYS, CHANGE_COPY},
    {CKA_LOCAL, KIND_BOOL, IN_KEYS, RULE_NEVER},
    {CKA_KEY_GEN_MECHANISM, KIND_ULONG, IN_KEYS, RULE_NEVER},
    {CKA_ALLOWED_MECHANISMS, KIND_MECHANISMS, IN_KEYS, 0},
    {CKA_SUBJECT, KIND_BYTES, IN_PUBLIC | IN_PRIVATE, CHANGE_COPY},
    {CKA_PUBLIC_KEY_INFO, KIND_BYTES, IN_PUBLIC | IN_PRIVATE, RULE_NEVER},
    {CKA_ENCRYPT, KIND_BOOL, IN_PUBLIC | IN_SECRET, CHANGE_COPY},
    {CKA_DECRYPT, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY},
    {CKA_SIGN, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY},
    {CKA_SIGN_RECOVER, KIND_BOOL, IN_PRIVATE, CHANGE_COPY},
    {CKA_VERIFY, KIND_BOOL, IN_PUBLIC | IN_SECRET, CHANGE_COPY},
    {CKA_VERIFY_RECOVER, KIND_BOOL, IN_PUBLIC, CHANGE_COPY},
    {CKA_WRAP, KIND_BOOL, IN_PUBLIC | IN_SECRET, CHANGE_COPY},
    {CKA_UNWRAP, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY},
    {CKA_UNWRAP_TEMPLATE, KIND_ARRAY, IN_PRIVATE | IN_SECRET, 0},
    {CKA_TRUSTED, KIND_BOOL, IN_CERTIFICATE | IN_PUBLIC | IN_SECRET, CHANGE_COPY | RULE_SO_TRUE},
    {CKA_SENSITIVE, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY | RULE_STAYS_TRUE},
    {CKA_EXTRACTABLE, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY | RULE_STAYS_FALSE},
    {CKA_ALWAYS_SENSITIVE, KIND_BOOL, IN_PRIVATE | IN_SECRET, RULE_NEVER},
    {CKA_NEVER_EXTRACTABLE, KIND_BOOL, IN_PRIVATE | IN_SECRET, RULE_NEVER},
    {CKA_WRAP_WITH_TRUSTED, KIND_BOOL, IN_PRIVATE | IN_SECRET, CHANGE_COPY | RULE_STAYS_TRUE},
    {CKA_ALWAYS_AUTHENTICATE, KIND_BOOL, IN_PRIVATE, 0},
    {CKA_CHECK_VALUE, KIND_BYTES, IN_SECRET, 0},
    {CKA_VALUE, KIND_BYTES, IN_CURVE_PRIVATE | IN_SECRET, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_VALUE_LEN, KIND_ULONG, IN_SECRET, RULE_ONLY_GENERATE},
    {CKA_EC_PARAMS, KIND_BYTES, IN_CURVE_PUBLIC | IN_CURVE_PRIVATE, RULE_NEEDED},
    {CKA_EC_POINT, KIND_BYTES, IN_CURVE_PUBLIC, RULE_NEEDED | RULE_ONLY_CREATE},
    {CKA_MODULUS, KIND_BYTES, IN_RSA_PUBLIC | IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE},
    {CKA_MODULUS_BITS, KIND_ULONG, IN_RSA_PUBLIC, RULE_ONLY_GENERATE},
    {CKA_PUBLIC_EXPONENT, KIND_BYTES, IN_RSA_PUBLIC, RULE_NEEDED},
    {CKA_PUBLIC_EXPONENT, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE},
    {CKA_PRIVATE_EXPONENT, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_PRIME_1, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_PRIME_2, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_EXPONENT_1, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_EXPONENT_2, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
    {CKA_COEFFICIENT, KIND_BYTES, IN_RSA_PRIVATE, RULE_NEEDED | RULE_ONLY_CREATE | RULE_SENSITIVE},
};

#define RULES (sizeof rules / sizeof rules[0])

unsigned class_bits(CK_OBJECT_CLASS object_class)
{
    switch (object_class) {
    case CKO_DATA:
        return IN_DATA;
    case CKO_CERTIFICATE:
        return IN_CERTIFICATE;
    case CKO_PUBLIC_KEY:
        return IN_PUBLIC;
    case CKO_PRIVATE_KEY:
        return IN_PRIVATE;
    case CKO_SECRET_KEY:
        return IN_SECRET;
    default:
        return 0;
    }
}

unsigned object_bit(CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type)
{
    unsigned bits = class_bits(object_class);
    bool is_pair = (bits & (IN_PUBLIC | IN_PRIVATE)) != 0;

    if (!is_pair) {
        return bits;
    }
    switch (key_type) {
    case CKK_RSA:
        return bits & (IN_RSA_PUBLIC | IN_RSA_PRIVATE);
    case CKK_EC:
    case CKK_EC_EDWARDS:
        return bits & (IN_CURVE_PUBLIC | IN_CURVE_PRIVATE);
    default:
        return 0;
    }
}

const struct attribute_rule *attribute_rule(CK_ATTRIBUTE_TYPE type, unsigned bits, bool *out_known)
{
    *out_known = false;
    for (size_t i = 0; i < RULES; i++) {
        if (rules[i].type == type) {
            *out_known = true;
            if ((rules[i].objects & bits) != 0) {
                return &rules[i];
            }
        }
    }
    return NULL;
}

const struct attribute_rule *attribute_rule_at(size_t index)
{
    return index < RULES ? &rules[index] : NULL;
}

static bool is_date(const uint8_t *digits, CK_ULONG nbytes)
{
    unsigned month = 0;
    unsigned day = 0;

    if (nbytes == 0) {
        return true; /* an empty date */
    }
    if (nbytes != sizeof(CK_DATE)) {
        return false;
    }
    for (CK_ULONG i = 0; i < nbytes; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return false;
        }
    }
    month = (digits[4] - '0') * 10u + (digits[5] - '0');
    day = (digits[6] - '0') * 10u + (digits[7] - '0');
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

CK_RV attribute_value_check(const struct attribute_rule *rule, const void *value, CK_ULONG nbytes)
{
    bool fits = false;

    switch (rule->kind) {
    case KIND_BOOL:
        fits = nbytes == sizeof(CK_BBOOL) && *(const CK_BBOOL *)value <= CK_TRUE;
        break;
    case KIND_ULONG:
        fits = nbytes == sizeof(CK_ULONG);
        break;
    case KIND_DATE:
        fits = is_date(value, nbytes);
        break;
    case KIND_MECHANISMS:
        fits = nbytes % sizeof(CK_MECHANISM_TYPE) == 0 && nbytes <= ATTRIBUTE_MAX_NBYTES;
        break;
    case KIND_ARRAY: /* as the application gives it */
        fits = nbytes % sizeof(CK_ATTRIBUTE) == 0 && nbytes <= ATTRIBUTE_MAX_NBYTES;
        break;
    case KIND_BYTES:
        fits = nbytes <= ATTRIBUTE_MAX_NBYTES;
        break;
    }
    return fits ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
}
