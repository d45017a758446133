/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.h - slots, and the tokens in them. All of it is guarded by the module's lock.
 */
#ifndef TOKEN_SLOTS_H
#define TOKEN_SLOTS_H

#include "module.h"

#define PIN_TRIES 5
#define PIN_SALT_NBYTES 16
#define PIN_HASH_NBYTES 32
#define LABEL_NBYTES 32
#define SERIAL_NBYTES 16

struct pin {
    bool is_set;
    uint8_t failures; /* attempts since the last right one */
    uint8_t salt[PIN_SALT_NBYTES];
    uint8_t hash[PIN_HASH_NBYTES];
};

struct token {
    CK_UTF8CHAR label[LABEL_NBYTES];
    CK_CHAR serial[SERIAL_NBYTES];
    struct pin so_pin;
    struct pin user_pin;
};

enum token_state {
    TOKEN_ABSENT,    /* the token is not initialised */
    TOKEN_GOOD,      /* it is */
    TOKEN_UNREADABLE /* nobody knows: its store cannot be read */
};

struct slot {
    CK_SLOT_ID id;
    bool is_removable;
    bool is_present;
    bool has_event; /* there is an event that was not reported yet */
    char description[65];

    enum token_state state;
    bool is_erasing; /* objects of the former token are still to be erased from the store */
    struct token token;

    CK_USER_TYPE logged_in; /* or CKU_USER_NOBODY */
    CK_ULONG session_count;
    CK_ULONG rw_session_count;
    struct object *objects; /* in no order */
};

CK_RV slots_create(void);
void slots_free(void); /* the slots have no objects any more */

/** The slot's part of an environment variable, whose parts are separated by semicolons; NULL if there is none. The part
 *  has no end of its own. */
const char *slot_setting(const char *variable, CK_SLOT_ID slot_id, size_t *out_nbytes);

/** CKR_SLOT_ID_INVALID. */
CK_RV slot_find(CK_SLOT_ID slot_id, struct slot **out);

/** CKR_SLOT_ID_INVALID, CKR_TOKEN_NOT_PRESENT; CKR_TOKEN_NOT_RECOGNIZED if the token is unreadable. */
CK_RV slot_with_token(CK_SLOT_ID slot_id, struct slot **out);

/** Initialise the tokens that CSIDE_TOKEN_PRESET describes, where there is none. */
CK_RV presets_apply(void);

/** Begin a new token, with a new serial number and no objects. Its label and its PINs are those of `wanted`. */
CK_RV token_initialize(struct slot *slot, const struct token *wanted);

/** Log out. Private session objects are destroyed, and handles of private token objects become invalid. */
void token_logout(struct slot *slot);

/* ---- PINs
 * ------------------------------------------------------------------------------------------------------------ */

CK_RV pin_set(struct pin *pin, const CK_UTF8CHAR *text, CK_ULONG nbytes);

/** Check the PIN of the user or of the SO. An attempt is counted, in the store too, before it is checked, so that it
 *  counts whatever happens to the process. CKR_PIN_INCORRECT, CKR_PIN_LOCKED; CKR_DEVICE_ERROR: it cannot be counted,
 *  and is not checked. */
CK_RV pin_check(struct slot *slot, CK_USER_TYPE user_type, const CK_UTF8CHAR *text, CK_ULONG nbytes);

/* ---- events
 * ---------------------------------------------------------------------------------------------------------- */

void events_wake(void);
void events_after_fork(void);

#endif
