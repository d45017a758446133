/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions.h - sessions, and the operations in them.
 */
#ifndef TOKEN_SESSIONS_H
#define TOKEN_SESSIONS_H

#include <stdatomic.h>

#include "mechanisms.h"
#include "slots.h"

/* ---- operations ------------------------------------------------------------------------------------------------------ */

/* A session has at most one operation that digests, one that encrypts, and one search. */

enum hash_kind { HASH_NONE, HASH_DIGEST, HASH_SIGN, HASH_VERIFY, HASH_VERIFY_SIGNATURE };

#define SIGNATURE_MAX_NBYTES 64 /* of P-256, and of the longest HMAC */

struct hash_operation {
    enum hash_kind kind;
    const struct mechanism *mechanism;
    bool updated;        /* in parts, so that the one-shot functions are too late */
    bool must_login;     /* CKA_ALWAYS_AUTHENTICATE, and not yet done */
    CK_ULONG out_nbytes; /* of the digest or signature */
    EVP_MD_CTX *md;      /* these two stay for the next operation, without keys */
    EVP_MAC_CTX *mac;
    EVP_PKEY *key;
    uint8_t expected[SIGNATURE_MAX_NBYTES]; /* C_VerifySignatureInit's */
    CK_ULONG expected_nbytes;
};

enum cipher_kind { CIPHER_NONE, CIPHER_ENCRYPT, CIPHER_DECRYPT, CIPHER_MESSAGE_ENCRYPT, CIPHER_MESSAGE_DECRYPT };

struct cipher_operation {
    enum cipher_kind kind;
    const struct mechanism *mechanism;
    bool updated;
    bool in_message;     /* between C_...MessageBegin and the last C_...MessageNext */
    EVP_CIPHER_CTX *ctx; /* stays, without keys */
    uint8_t iv[16];      /* of CBC, to start again */
    CK_ULONG buffered;   /* bytes that `ctx` holds back */
    CK_ULONG tag_nbytes; /* of GCM */
    uint64_t bytes_left; /* before CTR's counter would begin again */
    uint8_t *held;       /* GCM's ciphertext, until its tag is known to be right */
    CK_ULONG held_nbytes;
    CK_ULONG held_capacity;
    bool has_tail; /* the last part of the plaintext, which did not fit */
    uint8_t tail[16];
    CK_ULONG tail_nbytes;
};

struct find_operation {
    bool is_active;
    CK_OBJECT_HANDLE *handles; /* stays for the next search */
    CK_ULONG capacity;
    CK_ULONG count;
    CK_ULONG next;
};

/* ---- sessions -------------------------------------------------------------------------------------------------------- */

struct session {
    CK_SESSION_HANDLE handle;
    struct slot *slot;
    CK_FLAGS flags;
    CK_NOTIFY notify;
    void *application;
    atomic_uint refs;    /* the table's, and one for each call under way */
    atomic_bool is_open; /* in the table */
    CK_ULONG object_count;

    struct lock lock; /* guards what follows */
    bool is_busy;     /* a call is in a callback, with the lock given back */
    struct hash_operation hash;
    struct cipher_operation cipher;
    struct find_operation find;
};

/** A call on the session's operations, with its lock held. CKR_SESSION_HANDLE_INVALID; CKR_OPERATION_ACTIVE while another
 *  call is in a callback. */
CK_RV session_enter(CK_SESSION_HANDLE handle, struct session **out);
void session_leave(struct session *session);

/** A call with the module's lock held, and not the session's: on objects, PINs and logins. */
CK_RV session_enter_module(CK_SESSION_HANDLE handle, struct session **out);

/** A call that holds no lock, only the session. */
CK_RV session_hold(CK_SESSION_HANDLE handle, struct session **out);
void session_drop(struct session *session);

/** Let the application's callback have a turn, without any lock. CKR_FUNCTION_CANCELED; CKR_SESSION_CLOSED. */
CK_RV session_surrender(struct session *session);          /* with the session's lock, given back meanwhile */
CK_RV session_surrender_unlocked(struct session *session); /* with none */

bool session_is_rw(const struct session *session);
bool session_is_user(const struct session *session);

/** Close them all. Under the module's lock. */
void sessions_close(struct slot *slot);
void sessions_free(void);
void states_free(void); /* of C_GetOperationState */

/* ---- what the operations share --------------------------------------------------------------------------------------- */

/** Between two turns for the application. */
#define SURRENDER_NBYTES ((CK_ULONG)1 << 20)

/** Room for a result of known length: CKR_OK, or what to return while the operation goes on. `*out_asked`: only the length
 *  was asked for. */
CK_RV output_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, bool *out_asked);

void hash_end(struct hash_operation *hash);
CK_RV hash_update(struct session *session, const uint8_t *data, CK_ULONG nbytes);
CK_RV digest_finish(struct hash_operation *hash, uint8_t *out);

void cipher_end(struct cipher_operation *cipher);

#endif
