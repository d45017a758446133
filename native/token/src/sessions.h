/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions.h - sessions and their operations.
 */
#ifndef TOKEN_SESSIONS_H
#define TOKEN_SESSIONS_H

#include <stdatomic.h>

#include "mechanisms.h"
#include "slots.h"

/* ---- operations
 * ------------------------------------------------------------------------------------------------------ */

/* A session has at most one operation of each kind: digest or signature, encryption or decryption, search. */

enum hash_kind { HASH_NONE, HASH_DIGEST, HASH_SIGN, HASH_VERIFY, HASH_VERIFY_SIGNATURE };

#define SIGNATURE_MAX_NBYTES 512 /* RSA with 4096 bits */

struct signer;

struct hash_operation {
    enum hash_kind kind;
    const struct mechanism *mechanism;
    bool updated;        /* parts were processed, after which the one-shot functions are not allowed */
    bool must_login;     /* CKA_ALWAYS_AUTHENTICATE is set and the user has not logged in for this operation yet */
    CK_ULONG out_nbytes; /* length of the digest or signature */
    EVP_MD_CTX *md;      /* these two are kept for the next operation, without keys */
    EVP_MAC_CTX *mac;
    EVP_PKEY *key;
    EVP_PKEY_CTX *pkey; /* of RSA */
    const struct signer *signer;
    uint8_t expected[SIGNATURE_MAX_NBYTES]; /* the signature given to C_VerifySignatureInit */
    CK_ULONG expected_nbytes;
};

enum cipher_kind { CIPHER_NONE, CIPHER_ENCRYPT, CIPHER_DECRYPT, CIPHER_MESSAGE_ENCRYPT, CIPHER_MESSAGE_DECRYPT };

struct cipher_operation {
    enum cipher_kind kind;
    const struct mechanism *mechanism;
    bool updated;
    bool in_message;     /* between C_...MessageBegin and the last C_...MessageNext */
    bool must_login;     /* like that of the other operation */
    EVP_CIPHER_CTX *ctx; /* kept for the next operation, without keys */
    EVP_PKEY_CTX *pkey;  /* of RSA */
    uint8_t iv[16];      /* of CBC, with which the operation can start again */
    CK_ULONG buffered;   /* bytes that `ctx` holds back */
    CK_ULONG tag_nbytes; /* length of GCM's tag */
    uint64_t iv_count;   /* IVs that the token has generated for messages */
    uint64_t bytes_left; /* bytes before CTR's counter would wrap */
    uint8_t *held;       /* GCM's ciphertext, until its tag is verified */
    CK_ULONG held_nbytes;
    CK_ULONG held_capacity;
    bool has_tail; /* `tail` has the last part of the plaintext, which did not fit into the output */
    uint8_t tail[16];
    CK_ULONG tail_nbytes;
};

struct find_operation {
    bool is_active;
    CK_OBJECT_HANDLE *handles; /* kept for the next search */
    CK_ULONG capacity;
    CK_ULONG count;
    CK_ULONG next;
};

/* ---- sessions
 * -------------------------------------------------------------------------------------------------------- */

struct session {
    CK_SESSION_HANDLE handle;
    unsigned life; /* the module_life() in which it was opened */
    struct slot *slot;
    CK_FLAGS flags;
    CK_NOTIFY notify;
    void *application;
    atomic_uint refs;    /* one of the table, and one for each active call */
    atomic_bool is_open; /* the session is in the table */
    CK_ULONG object_count;

    struct lock lock; /* guards the members that follow */
    bool is_busy;     /* a call is in a callback and has released the lock */
    struct hash_operation hash;
    struct cipher_operation cipher;
    struct find_operation find;
};

/** For a call on the session's operations, which holds the session's lock. CKR_SESSION_HANDLE_INVALID;
 *  CKR_OPERATION_ACTIVE while another call is in a callback. */
CK_RV session_enter(CK_SESSION_HANDLE handle, struct session **out);
void session_leave(struct session *session);

/** For a call on objects, PINs or logins, which holds the module's lock and not the session's. */
CK_RV session_enter_module(CK_SESSION_HANDLE handle, struct session **out);

/** For a call that holds no lock, only a reference to the session. */
CK_RV session_hold(CK_SESSION_HANDLE handle, struct session **out);
void session_drop(struct session *session);

/** Give up one reference; the last one frees the session. */
void session_unref(struct session *session);

/** Call the application's callback without any lock. CKR_FUNCTION_CANCELED; CKR_SESSION_CLOSED;
 *  CKR_CRYPTOKI_NOT_INITIALIZED in a child of fork() that was made in the callback. */
CK_RV session_surrender(struct session *session);          /* holds the session's lock, releases it meanwhile */
CK_RV session_surrender_unlocked(struct session *session); /* holds no lock */

bool session_is_rw(const struct session *session);
bool session_is_user(const struct session *session);

/** Close all sessions. The caller holds the module's lock. */
void sessions_close(struct slot *slot);
void sessions_free(void);
void states_free(void); /* frees the states that C_GetOperationState saved */

/* ---- what the operations share
 * --------------------------------------------------------------------------------------- */

/** Bytes that are processed between two calls of the application's callback. */
#define SURRENDER_NBYTES ((CK_ULONG)1 << 20)

/** Check the room for a result of known length. Returns CKR_OK, or the value to return while the operation stays
 *  active. `*out_asked` says whether only the length was asked for. */
CK_RV output_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, bool *out_asked);

/** The same for a part of `in_nbytes`, which gives `nbytes`, perhaps 0. A caller that asks is not told 0, since one
 *  that then allocates no memory may pass NULL, which would ask again, and the part would be lost. */
CK_RV part_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, CK_ULONG in_nbytes, bool *out_asked);

/** End the operation: what a C_...Init function does without a mechanism (PKCS #11 3.0, 5.8.1 and others).
 *  CKR_ARGUMENTS_BAD: there is none of this kind. The standard gives no value for that; SoftHSM2 returns this one. */
CK_RV hash_cancel(struct hash_operation *hash, enum hash_kind kind);
CK_RV cipher_cancel(struct cipher_operation *cipher, enum cipher_kind kind);

void hash_end(struct hash_operation *hash);
void cipher_end(struct cipher_operation *cipher);
void cipher_held_clear(struct cipher_operation *cipher);

#endif
