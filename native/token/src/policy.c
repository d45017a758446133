/* SPDX-License-Identifier: Apache-2.0
 *
 * policy.c - the rules of the policy "safe".
 */
#include "policy.h"

#include "array_attributes.h"
#include "environment.h"

#include <stdio.h>
#include <string.h>

#define DERIVED_MIN_NBYTES 16

static bool allows_standard; /* set by C_Initialize, while no other call runs */

CK_RV policy_choose(void)
{
    const char *name = cs_environment("CSIDE_TOKEN_POLICY");

    allows_standard = name != NULL && strcmp(name, "standard") == 0;
    if (name == NULL || strcmp(name, "safe") == 0 || allows_standard) {
        return CKR_OK;
    }
    fprintf(stderr, "libcside_token: CSIDE_TOKEN_POLICY is \"%s\", which is no policy. Use safe or standard\n", name);
    return CKR_GENERAL_ERROR;
}

/* ---- roles
 * ----------------------------------------------------------------------------------------------------------- */

/* A private RSA key that signs raw data decrypts by that. */
static bool is_data_role(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    bool is_rsa = object_bit(object->object_class, object->key_type) == IN_RSA_PRIVATE;

    return type == CKA_ENCRYPT || type == CKA_DECRYPT || (type == CKA_SIGN && is_rsa);
}

static bool is_role(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    return is_data_role(object, type) || type == CKA_WRAP || type == CKA_UNWRAP;
}

static bool encrypts_data(const struct object *object)
{
    return attribute_bool(object, CKA_ENCRYPT) || attribute_bool(object, CKA_DECRYPT) ||
           (is_data_role(object, CKA_SIGN) && attribute_bool(object, CKA_SIGN));
}

static bool wraps_keys(const struct object *object)
{
    return attribute_bool(object, CKA_WRAP) || attribute_bool(object, CKA_UNWRAP);
}

bool policy_encrypts_by_default(const struct object *object)
{
    return allows_standard || !wraps_keys(object);
}

CK_RV policy_new(const struct object *object)
{
    bool is_double = encrypts_data(object) && wraps_keys(object);

    return is_double && !allows_standard ? CKR_TEMPLATE_INCONSISTENT : CKR_OK;
}

CK_RV policy_use(const struct object *key, CK_ATTRIBUTE_TYPE usage)
{
    bool is_double = is_role(key, usage) && (is_data_role(key, usage) ? wraps_keys(key) : encrypts_data(key));

    return is_double && !allows_standard ? CKR_KEY_FUNCTION_NOT_PERMITTED : CKR_OK;
}

CK_RV policy_change(const struct object *object, const CK_ATTRIBUTE *attribute)
{
    bool now = attribute_bool(object, attribute->type);
    bool adds_role = false;
    bool opens = false;

    if (allows_standard || !(is_role(object, attribute->type) || attribute->type == CKA_PRIVATE) ||
        now == (*(const CK_BBOOL *)attribute->pValue != CK_FALSE)) {
        return CKR_OK;
    }
    if (attribute->type == CKA_PRIVATE) {
        opens = now;
    } else { /* a key that has no role any more may have had either */
        adds_role = !now && !(is_data_role(object, attribute->type) ? encrypts_data(object) : wraps_keys(object));
    }
    return opens || adds_role ? CKR_ATTRIBUTE_READ_ONLY : CKR_OK;
}

CK_RV policy_copy(const struct session *session, struct object *copy)
{
    bool keeps_trust = allows_standard || session->slot->logged_in == CKU_SO;

    return keeps_trust || !attribute_bool(copy, CKA_TRUSTED) ? CKR_OK : attribute_set_bool(copy, CKA_TRUSTED, false);
}

/* ---- new keys from others
 * -------------------------------------------------------------------------------------------- */

static bool has_integrity(const struct mechanism *mechanism)
{
    return mechanism->mode == MODE_WRAP || mechanism->mode == MODE_WRAP_PAD || mechanism->family == FAMILY_RSA_OAEP;
}

/* Whether nobody outside the token can undo what the key wraps, or the SO answers for it. The private key that belongs to a
 * public one may be anywhere. */
static bool is_unknown(const struct object *key)
{
    bool is_born_here = attribute_bool(key, CKA_LOCAL) && attribute_bool(key, CKA_ALWAYS_SENSITIVE) &&
                        attribute_bool(key, CKA_NEVER_EXTRACTABLE);

    if (key->object_class == CKO_PUBLIC_KEY) {
        return attribute_bool(key, CKA_TRUSTED);
    }
    return attribute_bool(key, CKA_SENSITIVE) && !attribute_bool(key, CKA_EXTRACTABLE) &&
           (is_born_here || attribute_bool(key, CKA_TRUSTED));
}

CK_RV policy_wrap(const struct object *key, const struct object *wrapping, const struct mechanism *mechanism)
{
    bool is_sensitive = attribute_bool(key, CKA_SENSITIVE);

    if (allows_standard) {
        return CKR_OK;
    }
    return attribute_bool(key, CKA_ALWAYS_AUTHENTICATE) ||
                   (is_sensitive && !(has_integrity(mechanism) && is_unknown(wrapping)))
               ? CKR_KEY_NOT_WRAPPABLE
               : CKR_OK;
}

/* Whether the new key is guarded less than the one that it was made with. */
static bool is_weaker(const struct object *fresh, const struct object *parent)
{
    return (attribute_bool(parent, CKA_SENSITIVE) && !attribute_bool(fresh, CKA_SENSITIVE)) ||
           (attribute_bool(parent, CKA_PRIVATE) && !attribute_bool(fresh, CKA_PRIVATE));
}

/* Whether the new key wraps or unwraps others, and the template of the key that unwraps it does not say so. */
static bool has_other_role(const struct object *fresh, const struct object *unwrapping)
{
    static const CK_ATTRIBUTE_TYPE roles[] = {CKA_WRAP, CKA_UNWRAP};
    bool is_other = false;

    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        is_other =
            is_other || (attribute_bool(fresh, roles[i]) && !array_bool(unwrapping, CKA_UNWRAP_TEMPLATE, roles[i]));
    }
    return is_other;
}

CK_RV policy_unwrap(const struct object *fresh, const struct object *unwrapping, const struct mechanism *mechanism)
{
    bool is_sensitive = attribute_bool(unwrapping, CKA_SENSITIVE);

    if (allows_standard) {
        return CKR_OK;
    }
    if (attribute_bool(unwrapping, CKA_ALWAYS_AUTHENTICATE)) {
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    }
    if (is_sensitive && !has_integrity(mechanism)) {
        return CKR_MECHANISM_INVALID;
    }
    return is_weaker(fresh, unwrapping) || (is_sensitive && has_other_role(fresh, unwrapping))
               ? CKR_TEMPLATE_INCONSISTENT
               : CKR_OK;
}

CK_RV policy_derive(const struct object *fresh, const struct object *base, CK_ULONG nbytes)
{
    if (allows_standard) {
        return CKR_OK;
    }
    if (attribute_bool(base, CKA_ALWAYS_AUTHENTICATE)) {
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    }
    if (is_weaker(fresh, base)) {
        return CKR_TEMPLATE_INCONSISTENT;
    }
    return attribute_bool(base, CKA_SENSITIVE) && nbytes < DERIVED_MIN_NBYTES ? CKR_KEY_SIZE_RANGE : CKR_OK;
}

CK_RV policy_join(const struct object *fresh, const struct object *part, CK_ULONG nbytes)
{
    if (!allows_standard && attribute_bool(part, CKA_SENSITIVE)) {
        if (wraps_keys(part)) {
            return CKR_KEY_FUNCTION_NOT_PERMITTED;
        }
        if (wraps_keys(fresh)) {
            return CKR_TEMPLATE_INCONSISTENT;
        }
    }
    return policy_derive(fresh, part, nbytes);
}
