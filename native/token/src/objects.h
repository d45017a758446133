/* SPDX-License-Identifier: Apache-2.0
 *
 * objects.h - objects and their attributes. The module's lock guards all but objects that are not in the table yet.
 */
#ifndef TOKEN_OBJECTS_H
#define TOKEN_OBJECTS_H

#include "sessions.h"

/* ---- attributes
 * ------------------------------------------------------------------------------------------------------ */

#define ATTRIBUTE_SMALL_NBYTES 16
#define ATTRIBUTE_MAX_NBYTES ((CK_ULONG)1 << 24)
#define ATTRIBUTES_MAX 128 /* of one object; the rules have fewer than half as many for any class */

struct attribute {
    uint32_t type;
    uint32_t nbytes;
    union {
        uint8_t small[ATTRIBUTE_SMALL_NBYTES];
        uint8_t *large;
    } value;
};

struct object {
    CK_OBJECT_HANDLE handle;
    struct slot *slot;
    CK_SESSION_HANDLE owner; /* the session of a session object */
    CK_OBJECT_CLASS object_class;
    CK_KEY_TYPE key_type;
    bool is_token;
    bool is_private;
    uint16_t count;
    uint16_t capacity;
    struct attribute *attributes; /* sorted by type */
    EVP_PKEY *key;                /* of public and private keys */
    EVP_MAC_CTX *mac;             /* with the key set; operations copy it, which is quicker */
    enum digest_id mac_digest;
    struct object *next;
    struct object *previous;
};

const struct attribute *attribute_find(const struct object *object, CK_ATTRIBUTE_TYPE type);
const uint8_t *attribute_bytes(const struct attribute *attribute);
CK_RV attribute_set(struct object *object, CK_ATTRIBUTE_TYPE type, const void *value, CK_ULONG nbytes);
CK_RV attribute_set_bool(struct object *object, CK_ATTRIBUTE_TYPE type, bool value);
CK_RV attribute_set_ulong(struct object *object, CK_ATTRIBUTE_TYPE type, CK_ULONG value);
bool attribute_bool(const struct object *object, CK_ATTRIBUTE_TYPE type); /* false if there is no such attribute */
CK_ULONG attribute_ulong(const struct object *object, CK_ATTRIBUTE_TYPE type);

/** Whether the attribute of this object must not be read. */
bool attribute_hidden(const struct object *object, CK_ATTRIBUTE_TYPE type);

/* ---- what attributes there are
 * --------------------------------------------------------------------------------------- */

enum attribute_kind { KIND_BOOL, KIND_ULONG, KIND_BYTES, KIND_DATE, KIND_MECHANISMS, KIND_ARRAY };

enum {
    IN_DATA = 1,
    IN_CERTIFICATE = 2,
    IN_CURVE_PUBLIC = 4, /* of CKK_EC and CKK_EC_EDWARDS */
    IN_CURVE_PRIVATE = 8,
    IN_SECRET = 16,
    IN_RSA_PUBLIC = 32,
    IN_RSA_PRIVATE = 64,
    IN_PUBLIC = IN_CURVE_PUBLIC | IN_RSA_PUBLIC,
    IN_PRIVATE = IN_CURVE_PRIVATE | IN_RSA_PRIVATE,
    IN_KEYS = IN_PUBLIC | IN_PRIVATE | IN_SECRET,
    IN_ALL = IN_DATA | IN_CERTIFICATE | IN_KEYS
};

enum {
    RULE_NEVER = 1,         /* only the token sets it */
    RULE_NEEDED = 2,        /* required by C_CreateObject, and in a stored object */
    RULE_ONLY_CREATE = 4,   /* not allowed in templates of keys that are generated, unwrapped or derived */
    RULE_ONLY_GENERATE = 8, /* not allowed in templates of C_CreateObject */
    RULE_SENSITIVE = 16,    /* hidden in keys that are sensitive or not extractable */
    RULE_CHANGE = 32,       /* C_SetAttributeValue and C_CopyObject may change it */
    RULE_COPY = 64,         /* C_CopyObject may change it */
    RULE_STAYS_TRUE = 128,
    RULE_STAYS_FALSE = 256,
    RULE_SO_TRUE = 512 /* only the SO sets it to true */
};

struct attribute_rule {
    CK_ATTRIBUTE_TYPE type;
    enum attribute_kind kind;
    unsigned objects; /* a combination of IN_… */
    unsigned rules;
};

/** All IN_… of the class; 0 if the token does not have it. */
unsigned class_bits(CK_OBJECT_CLASS object_class);

/** The one IN_… of such objects; 0 if the token does not have them. The key type matters for keys only. */
unsigned object_bit(CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type);

/** The rule of an attribute that objects of at least one of these IN_… have; else NULL, and `*out_known` says whether
 *  others have it. */
const struct attribute_rule *attribute_rule(CK_ATTRIBUTE_TYPE type, unsigned bits, bool *out_known);

/** The n-th rule; NULL at the end. */
const struct attribute_rule *attribute_rule_at(size_t index);

/** CKR_ATTRIBUTE_VALUE_INVALID if the value is not of this kind. */
CK_RV attribute_value_check(const struct attribute_rule *rule, const void *value, CK_ULONG nbytes);

/* ---- templates
 * ------------------------------------------------------------------------------------------------------- */

struct template
{
    const CK_ATTRIBUTE *list;
    CK_ULONG count;
};

enum purpose { TO_CREATE, TO_GENERATE, TO_UNWRAP, TO_DERIVE };

/** CKR_ARGUMENTS_BAD; CKR_ATTRIBUTE_VALUE_INVALID for NULL with a length; CKR_TEMPLATE_INCONSISTENT for duplicates. */
CK_RV template_check(struct template template);
const CK_ATTRIBUTE *template_find(struct template template, CK_ATTRIBUTE_TYPE type);

/** An unsigned integer of the template; `*out` is not changed if the template has none. */
CK_RV template_ulong(struct template template, CK_ATTRIBUTE_TYPE type, CK_ULONG *out);

/** Make a new object with the template's attributes and defaults for the others. Its class and key type are those of
 *  the template, else those of the arguments, of which CK_UNAVAILABLE_INFORMATION means that the template must have
 *  one. The object is not complete yet. */
CK_RV object_from_template(struct session *session, enum purpose purpose, struct template template,
                           CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type, struct object **out);

/** Make a copy with the template's changes. */
CK_RV object_copy(struct session *session, const struct object *original, struct template template,
                  struct object **out);

/** Apply the template's changes, all or none. */
CK_RV object_change(struct session *session, struct object *object, struct template template);

/* ---- objects
 * --------------------------------------------------------------------------------------------------------- */

struct object *object_new(struct slot *slot, CK_OBJECT_CLASS object_class);
void object_free(struct object *object);

/** Set what follows from the value: lengths, check values, libcrypto's key. CKR_ATTRIBUTE_VALUE_INVALID, … */
CK_RV object_complete(struct object *object);

/** Whether the session may make or change such an object. CKR_SESSION_READ_ONLY, CKR_USER_NOT_LOGGED_IN. */
CK_RV object_writable(const struct session *session, const struct object *object);

/** Add the object to the table and to the store. Takes ownership only on CKR_OK. */
CK_RV object_add(struct session *session, struct object *object, CK_OBJECT_HANDLE *out_handle);
CK_RV object_link(struct object *object); /* add to the table only */

/** Remove the object from the table and free it; the store is not changed. */
void object_unlink(struct object *object);

/** Remove the object from the table and from the store, and free it. */
void object_remove(struct object *object);

/** The object of a handle; NULL if the session must not see it. */
struct object *object_find(const struct session *session, CK_OBJECT_HANDLE handle);

void objects_destroy_owned(struct session *session);
void objects_forget(struct slot *slot);
void objects_renew_private(struct slot *slot);

/* ---- keys
 * ------------------------------------------------------------------------------------------------------------ */

/** The key for an operation: CKR_KEY_HANDLE_INVALID, CKR_KEY_TYPE_INCONSISTENT, CKR_KEY_FUNCTION_NOT_PERMITTED,
 *  CKR_MECHANISM_INVALID (CKA_ALLOWED_MECHANISMS). */
CK_RV key_find(const struct session *session, CK_OBJECT_HANDLE handle, CK_OBJECT_CLASS object_class,
               CK_ATTRIBUTE_TYPE usage, const struct mechanism *mechanism, struct object **out);

/** Set CKA_SENSITIVE and related attributes of a key that was generated (`base` NULL, `is_local`), derived from `base`,
 *  or imported. */
CK_RV key_history(struct object *object, bool is_local, CK_MECHANISM_TYPE mechanism, const struct object *base);

/** Whether a secret key of this type may have a value of this length. */
bool key_length_fits(CK_KEY_TYPE key_type, CK_ULONG nbytes);

#endif
