/* SPDX-License-Identifier: Apache-2.0
 *
 * derive_join.c - keys that are joined of others, or of a key and data: concatenation and exclusive or. PKCS #11,
 * "Miscellaneous simple key derivation mechanisms", says that such a key is sensitive, or not extractable, if one that it
 * was made of is.
 */
#include "derive.h"

#include <string.h>

#include "policy.h"
#include "secrets.h"

/* Something that is joined. */
struct part {
    const struct object *key; /* NULL for data */
    const uint8_t *bytes;
    CK_ULONG nbytes;
};

static void set_key(struct part *part, const struct object *key)
{
    const struct attribute *value = attribute_find(key, CKA_VALUE);

    *part = (struct part){key, attribute_bytes(value), value->nbytes};
}

static CK_RV set_data(struct part *part, const CK_MECHANISM *wanted)
{
    CK_KEY_DERIVATION_STRING_DATA data;

    if (wanted->ulParameterLen != sizeof data) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&data, wanted->pParameter, sizeof data);
    *part = (struct part){NULL, data.pData, data.ulLen};
    return (data.pData == NULL && data.ulLen > 0) || data.ulLen > DERIVED_MAX_NBYTES ? CKR_MECHANISM_PARAM_INVALID
                                                                                     : CKR_OK;
}

/* The other key, which must allow derivation too. */
static CK_RV find_other(const struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                        struct part *out)
{
    CK_OBJECT_HANDLE handle = CK_INVALID_HANDLE;
    struct object *key = NULL;
    CK_RV rv = CKR_OK;

    if (wanted->ulParameterLen != sizeof handle) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&handle, wanted->pParameter, sizeof handle);
    rv = key_find(session, handle, CKO_SECRET_KEY, CKA_DERIVE, mechanism, &key);
    if (rv == CKR_OK) {
        set_key(out, key);
    }
    return rv;
}

static CK_RV find_parts(const struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                        CK_OBJECT_HANDLE base_handle, struct part out[2])
{
    bool data_first = mechanism->type == CKM_CONCATENATE_DATA_AND_BASE;
    struct part *other = &out[data_first ? 0 : 1];
    struct object *base = NULL;
    CK_RV rv = key_find(session, base_handle, CKO_SECRET_KEY, CKA_DERIVE, mechanism, &base);

    if (rv != CKR_OK) {
        return rv;
    }
    set_key(&out[data_first ? 1 : 0], base);
    return mechanism->type == CKM_CONCATENATE_BASE_AND_KEY ? find_other(session, mechanism, wanted, other)
                                                           : set_data(other, wanted);
}

static CK_ULONG least(CK_ULONG one, CK_ULONG other)
{
    return one < other ? one : other;
}

/* Join the parts: all that there is. */
static CK_RV join(const struct mechanism *mechanism, const struct part parts[2], struct secret *out)
{
    bool is_xor = mechanism->type == CKM_XOR_BASE_AND_DATA;
    CK_ULONG nbytes = is_xor ? least(parts[0].nbytes, parts[1].nbytes) : parts[0].nbytes + parts[1].nbytes;
    CK_RV rv = nbytes > 0 ? secret_allocate(out, nbytes) : CKR_KEY_SIZE_RANGE;

    if (rv != CKR_OK) {
        return rv;
    }
    out->nbytes = nbytes;
    for (CK_ULONG i = 0; i < nbytes; i++) {
        if (is_xor) {
            out->data[i] = parts[0].bytes[i] ^ parts[1].bytes[i];
        } else {
            out->data[i] = i < parts[0].nbytes ? parts[0].bytes[i] : parts[1].bytes[i - parts[0].nbytes];
        }
    }
    return CKR_OK;
}

/* The number of bytes of a part that a new key of `nbytes` has, which are its first ones. */
static CK_ULONG share(const struct mechanism *mechanism, const struct part parts[2], size_t which, CK_ULONG nbytes)
{
    CK_ULONG before = mechanism->type == CKM_XOR_BASE_AND_DATA || which == 0 ? 0 : parts[0].nbytes;

    return nbytes > before ? least(nbytes - before, parts[which].nbytes) : 0;
}

/* What the new key takes from a key that it is made of. */
static CK_RV inherit(struct object *object, const struct object *key, CK_ULONG nbytes)
{
    CK_RV rv = policy_join(object, key, nbytes);

    if (rv == CKR_OK && ((attribute_bool(key, CKA_SENSITIVE) && !attribute_bool(object, CKA_SENSITIVE)) ||
                         (!attribute_bool(key, CKA_EXTRACTABLE) && attribute_bool(object, CKA_EXTRACTABLE)))) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv == CKR_OK && !attribute_bool(key, CKA_ALWAYS_SENSITIVE)) {
        rv = attribute_set_bool(object, CKA_ALWAYS_SENSITIVE, false);
    }
    if (rv == CKR_OK && !attribute_bool(key, CKA_NEVER_EXTRACTABLE)) {
        rv = attribute_set_bool(object, CKA_NEVER_EXTRACTABLE, false);
    }
    return rv;
}

static CK_RV set_value(struct object *object, const struct secret *joined, CK_ULONG nbytes)
{
    if (nbytes > joined->nbytes) {
        return CKR_KEY_SIZE_RANGE;
    }
    return key_length_fits(object->key_type, nbytes) ? attribute_set(object, CKA_VALUE, joined->data, nbytes)
                                                     : CKR_ATTRIBUTE_VALUE_INVALID;
}

CK_RV derive_join(struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  CK_OBJECT_HANDLE base_handle, struct template template, struct object **out)
{
    struct part parts[2] = {{0}};
    struct secret joined = {0};
    CK_ULONG nbytes = 0;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = find_parts(session, mechanism, wanted, base_handle, parts);
    if (rv == CKR_OK) {
        rv = derive_object(session, template, out);
    }
    if (rv == CKR_OK) {
        rv = join(mechanism, parts, &joined);
    }
    if (rv == CKR_OK) {
        nbytes = joined.nbytes;
        rv = template_ulong(template, CKA_VALUE_LEN, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = set_value(*out, &joined, nbytes);
    }
    if (rv == CKR_OK) {
        rv = key_history(*out, false, CK_UNAVAILABLE_INFORMATION, parts[0].key != NULL ? parts[0].key : parts[1].key);
    }
    for (size_t i = 0; i < 2 && rv == CKR_OK; i++) {
        if (parts[i].key != NULL) {
            rv = inherit(*out, parts[i].key, share(mechanism, parts, i, nbytes));
        }
    }
    secret_free(&joined);
    lock_give(&module->lock);
    return rv;
}
