/* SPDX-License-Identifier: Apache-2.0
 *
 * templates.c - checks templates against the rules, and makes objects from them.
 */
#include <string.h>

#include "array_attributes.h"
#include "policy.h"
#include "templates.h"

/* Find the rule for an attribute, and check that its value is of the right kind. */
CK_RV template_rule(unsigned bit, const CK_ATTRIBUTE *attribute, const struct attribute_rule **out_rule)
{
    bool is_known = false;

    *out_rule = attribute_rule(attribute->type, bit, &is_known);
    if (*out_rule == NULL) {
        return is_known ? CKR_TEMPLATE_INCONSISTENT : CKR_ATTRIBUTE_TYPE_INVALID;
    }
    return attribute_value_check(*out_rule, attribute->pValue, attribute->ulValueLen);
}

CK_RV template_only_so(const struct session *session, const struct attribute_rule *rule, const CK_ATTRIBUTE *attribute)
{
    bool is_true = rule->kind == KIND_BOOL && *(const CK_BBOOL *)attribute->pValue != CK_FALSE;

    return (rule->rules & RULE_SO_TRUE) != 0 && is_true && session->slot->logged_in != CKU_SO ? CKR_ATTRIBUTE_READ_ONLY
                                                                                              : CKR_OK;
}

/* ---- new objects
 * ----------------------------------------------------------------------------------------------------- */

/* Whether such objects have the attribute, and this one does not have it yet. */
static bool is_missing(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    bool is_known = false;

    return attribute_find(object, type) == NULL &&
           attribute_rule(type, object_bit(object->object_class, object->key_type), &is_known) != NULL;
}

static CK_RV set_default(struct object *object, CK_ATTRIBUTE_TYPE type, bool value)
{
    return is_missing(object, type) ? attribute_set_bool(object, type, value) : CKR_OK;
}

/* Defaults that the standard leaves to the token: keys are private, sensitive and not extractable, and allow the
 * operations of their type, or wrapping if the template asks for that. */
static CK_RV set_defaults(struct object *object)
{
    bool is_secret = object->object_class == CKO_SECRET_KEY;
    bool is_key = is_secret || object->object_class == CKO_PRIVATE_KEY;
    bool is_aes = object->key_type == CKK_AES;
    bool is_mac = is_secret && !is_aes;
    bool is_rsa = (object_bit(object->object_class, object->key_type) & (IN_RSA_PUBLIC | IN_RSA_PRIVATE)) != 0;
    bool is_curve = !is_secret && !is_rsa;
    bool encrypts = (is_aes || is_rsa) && policy_encrypts_by_default(object);
    bool signs = is_mac || is_curve || (is_rsa && policy_encrypts_by_default(object));
    const struct {
        CK_ATTRIBUTE_TYPE type;
        bool value;
    } defaults[] = {
        {CKA_TOKEN, false},
        {CKA_PRIVATE, is_key},
        {CKA_MODIFIABLE, true},
        {CKA_COPYABLE, true},
        {CKA_DESTROYABLE, true},
        {CKA_DERIVE, false},
        {CKA_ENCRYPT, encrypts},
        {CKA_DECRYPT, encrypts},
        {CKA_SIGN, signs},
        {CKA_VERIFY, signs},
        {CKA_SIGN_RECOVER, false},
        {CKA_VERIFY_RECOVER, false},
        {CKA_WRAP, false},
        {CKA_UNWRAP, false},
        {CKA_TRUSTED, false},
        {CKA_SENSITIVE, true},
        {CKA_EXTRACTABLE, false},
        {CKA_WRAP_WITH_TRUSTED, false},
        {CKA_ALWAYS_AUTHENTICATE, false},
    };
    static const CK_ATTRIBUTE_TYPE empties[] = {CKA_LABEL,       CKA_ID,      CKA_START_DATE, CKA_END_DATE,
                                                CKA_APPLICATION, CKA_SUBJECT, CKA_ISSUER,     CKA_SERIAL_NUMBER,
                                                CKA_OBJECT_ID};
    CK_RV rv = CKR_OK;

    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0] && rv == CKR_OK; i++) {
        rv = set_default(object, defaults[i].type, defaults[i].value);
    }
    for (size_t i = 0; i < sizeof empties / sizeof empties[0] && rv == CKR_OK; i++) {
        if (is_missing(object, empties[i])) {
            rv = attribute_set(object, empties[i], NULL, 0);
        }
    }
    if (rv == CKR_OK && object->object_class == CKO_DATA && attribute_find(object, CKA_VALUE) == NULL) {
        rv = attribute_set(object, CKA_VALUE, NULL, 0);
    }
    if (rv == CKR_OK && object->object_class == CKO_CERTIFICATE &&
        attribute_find(object, CKA_CERTIFICATE_CATEGORY) == NULL) {
        rv = attribute_set_ulong(object, CKA_CERTIFICATE_CATEGORY, CK_CERTIFICATE_CATEGORY_UNSPECIFIED);
    }
    return rv;
}

/* Generate a new CKA_UNIQUE_ID, which is also the name of the file if the object is stored. */
CK_RV object_set_unique_id(struct object *object)
{
    uint8_t bytes[16];
    char text[2 * sizeof bytes];
    CK_RV rv = random_bytes(bytes, sizeof bytes);

    for (size_t i = 0; i < sizeof bytes; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    return rv == CKR_OK ? attribute_set(object, CKA_UNIQUE_ID, text, sizeof text) : rv;
}

/* Update the members of the struct that repeat attributes. */
void object_mirror(struct object *object)
{
    object->is_token = attribute_bool(object, CKA_TOKEN);
    object->is_private = attribute_bool(object, CKA_PRIVATE);
}

static CK_RV check_purpose(enum purpose purpose, const struct attribute_rule *rule)
{
    if ((rule->rules & RULE_NEVER) != 0) {
        return CKR_ATTRIBUTE_READ_ONLY;
    }
    if ((rule->rules & RULE_ONLY_CREATE) != 0 && purpose != TO_CREATE) {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    if ((rule->rules & RULE_ONLY_GENERATE) != 0 && purpose == TO_CREATE) {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    return CKR_OK;
}

/* Check that the template has the attributes that C_CreateObject requires. The parameters of an unwrapped private key
 * are in its value, and the public exponent of a pair that is generated has a default. */
static CK_RV check_needed(enum purpose purpose, const struct object *object)
{
    unsigned bit = object_bit(object->object_class, object->key_type);
    const struct attribute_rule *rule = NULL;

    for (size_t i = 0; (rule = attribute_rule_at(i)) != NULL; i++) {
        bool is_needed = (rule->objects & bit) != 0 && (rule->rules & RULE_NEEDED) != 0 &&
                         (purpose == TO_CREATE || (rule->rules & RULE_ONLY_CREATE) == 0);
        bool comes_later = purpose != TO_CREATE && ((rule->type == CKA_EC_PARAMS && bit == IN_CURVE_PRIVATE) ||
                                                    rule->type == CKA_PUBLIC_EXPONENT);

        if (is_needed && !comes_later && attribute_find(object, rule->type) == NULL) {
            return CKR_TEMPLATE_INCOMPLETE;
        }
    }
    return CKR_OK;
}

/* The value in the template, or else the default. If the mechanism determines the default, the two must not differ. */
static CK_RV choose(struct template template, CK_ATTRIBUTE_TYPE type, CK_ULONG *io_value)
{
    CK_ULONG implied = *io_value;
    CK_RV rv = template_ulong(template, type, io_value);

    if (rv != CKR_OK) {
        return rv;
    }
    if (*io_value == CK_UNAVAILABLE_INFORMATION) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    return implied != CK_UNAVAILABLE_INFORMATION && implied != *io_value ? CKR_TEMPLATE_INCONSISTENT : CKR_OK;
}

static bool key_type_known(CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type)
{
    if (object_class != CKO_SECRET_KEY) {
        return object_bit(object_class, key_type) != 0;
    }
    return key_length_fits(key_type, key_type == CKK_AES ? 16 : 1);
}

static CK_RV set_given(struct object *object, const struct attribute_rule *rule, const CK_ATTRIBUTE *given)
{
    struct bytes piece = {0};
    CK_RV rv = CKR_OK;

    if (rule->kind != KIND_ARRAY) {
        return attribute_set(object, given->type, given->pValue, given->ulValueLen);
    }
    rv = array_pack(given, &piece);
    if (rv == CKR_OK) {
        rv = attribute_set(object, given->type, piece.data, piece.nbytes);
    }
    bytes_free(&piece);
    return rv;
}

CK_RV object_from_template(struct session *session, enum purpose purpose, struct template template,
                           CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type, struct object **out)
{
    struct object *object = NULL;
    CK_RV rv = template_check(template);

    if (rv == CKR_OK) {
        rv = choose(template, CKA_CLASS, &object_class);
    }
    if (rv == CKR_OK && class_bits(object_class) == 0) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv == CKR_OK && (class_bits(object_class) & IN_KEYS) != 0) {
        rv = choose(template, CKA_KEY_TYPE, &key_type);
        if (rv == CKR_OK && !key_type_known(object_class, key_type)) {
            rv = CKR_ATTRIBUTE_VALUE_INVALID;
        }
    }
    if (rv != CKR_OK) {
        return rv;
    }
    object = object_new(session->slot, object_class);
    if (object == NULL) {
        return CKR_HOST_MEMORY;
    }
    rv = attribute_set_ulong(object, CKA_CLASS, object_class);
    if (rv == CKR_OK && (class_bits(object_class) & IN_KEYS) != 0) {
        object->key_type = key_type;
        rv = attribute_set_ulong(object, CKA_KEY_TYPE, key_type);
    }
    for (CK_ULONG i = 0; i < template.count && rv == CKR_OK; i++) {
        const CK_ATTRIBUTE *attribute = &template.list[i];
        const struct attribute_rule *rule = NULL;

        rv = template_rule(object_bit(object_class, key_type), attribute, &rule);
        if (rv == CKR_OK) {
            rv = check_purpose(purpose, rule);
        }
        if (rv == CKR_OK) {
            rv = template_only_so(session, rule, attribute);
        }
        if (rv == CKR_OK) {
            rv = set_given(object, rule, attribute);
        }
    }
    if (rv == CKR_OK) {
        rv = check_needed(purpose, object);
    }
    if (rv == CKR_OK) {
        rv = set_defaults(object);
    }
    if (rv == CKR_OK) {
        rv = policy_new(object);
    }
    if (rv == CKR_OK && attribute_bool(object, CKA_ALWAYS_AUTHENTICATE) && !attribute_bool(object, CKA_PRIVATE)) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv == CKR_OK) {
        rv = object_set_unique_id(object);
    }
    if (rv == CKR_OK) {
        object_mirror(object);
        rv = object_writable(session, object);
    }
    if (rv != CKR_OK) {
        object_free(object);
        return rv;
    }
    *out = object;
    return CKR_OK;
}
