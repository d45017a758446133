/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11.c - timed C loops over a PKCS #11 module: the work of a binding done in C, directly and through the shim. Each
 * operation is a function; a table at the end names them.
 */
#define _POSIX_C_SOURCE 200809L

#include "floor.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cside/pkcs11_shim.h>

#define CONSUME(value) __asm__ volatile("" : : "g"(value) : "memory")

#define SLOTS 64
#define FOUND 4096
#define ATTRIBUTES 12
#define VALUE_NBYTES 256   /* room for a value of unknown length, the same that bindings give */
#define KNOWN_NBYTES 8     /* the longest value that is read */
#define OVERHEAD_NBYTES 64 /* more than the plaintext, with the tag */
#define SIGNATURE_NBYTES 512

struct run {
    const CK_FUNCTION_LIST *list;
    const csf_pkcs11 *job;
    CK_BYTE *data;
    CK_BYTE *out;
    CK_ULONG out_capacity;
    CK_BYTE signature[SIGNATURE_NBYTES];
    CK_ULONG signature_nbytes;
    CK_BYTE values[ATTRIBUTES][VALUE_NBYTES];
    CK_OBJECT_HANDLE found[FOUND];
};

typedef CK_RV (*operation_fn)(struct run *run);

/* The attributes of a key that are read, which are those of the workloads. */
static const CK_ATTRIBUTE_TYPE wanted[ATTRIBUTES] = {
    CKA_LABEL,   CKA_CLASS,   CKA_KEY_TYPE, CKA_TOKEN,  CKA_PRIVATE,     CKA_SENSITIVE,
    CKA_ENCRYPT, CKA_DECRYPT, CKA_WRAP,     CKA_UNWRAP, CKA_EXTRACTABLE, CKA_LOCAL,
};

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- the operations ------------------------------------------------------------------------------ */

static CK_RV nothing(struct run *run)
{
    CONSUME(run);
    return CKR_OK;
}

static CK_RV get_info(struct run *run)
{
    CK_INFO info;
    CK_RV rv = run->list->C_GetInfo(&info);

    CONSUME(&info);
    return rv;
}

static CK_RV slot_list(struct run *run)
{
    CK_SLOT_ID slots[SLOTS];
    CK_ULONG count = SLOTS;
    CK_RV rv = run->list->C_GetSlotList(CK_TRUE, slots, &count);

    CONSUME(slots);
    return rv;
}

static CK_RV token_info(struct run *run)
{
    CK_TOKEN_INFO info;
    CK_RV rv = run->list->C_GetTokenInfo(run->job->slot, &info);

    CONSUME(&info);
    return rv;
}

static CK_RV open_close(struct run *run)
{
    CK_SESSION_HANDLE session = CK_INVALID_HANDLE;
    CK_FLAGS flags = CKF_SERIAL_SESSION | CKF_RW_SESSION;
    CK_RV rv = run->list->C_OpenSession(run->job->slot, flags, NULL, NULL, &session);

    return rv == CKR_OK ? run->list->C_CloseSession(session) : rv;
}

static CK_RV random_bytes(struct run *run)
{
    return run->list->C_GenerateRandom(run->job->session, run->out, run->job->data_nbytes);
}

static CK_RV digest(struct run *run)
{
    CK_MECHANISM mechanism = {CKM_SHA256, NULL, 0};
    CK_ULONG out_nbytes = run->out_capacity;
    CK_RV rv = run->list->C_DigestInit(run->job->session, &mechanism);

    if (rv != CKR_OK)
        return rv;
    return run->list->C_Digest(run->job->session, run->data, run->job->data_nbytes, run->out, &out_nbytes);
}

static CK_RV digest_parts(struct run *run)
{
    CK_MECHANISM mechanism = {CKM_SHA256, NULL, 0};
    CK_ULONG out_nbytes = run->out_capacity, left = run->job->data_nbytes, part = 0;
    CK_BYTE *next = run->data;
    CK_RV rv = run->list->C_DigestInit(run->job->session, &mechanism);

    for (; rv == CKR_OK && left > 0; next += part, left -= part) {
        part = left < run->job->part_nbytes ? left : run->job->part_nbytes;
        rv = run->list->C_DigestUpdate(run->job->session, next, part);
    }
    return rv == CKR_OK ? run->list->C_DigestFinal(run->job->session, run->out, &out_nbytes) : rv;
}

static CK_RV sign_by(struct run *run, CK_MECHANISM_TYPE type)
{
    CK_MECHANISM mechanism = {type, NULL, 0};
    CK_RV rv = run->list->C_SignInit(run->job->session, &mechanism, run->job->key);

    if (rv != CKR_OK)
        return rv;
    run->signature_nbytes = sizeof run->signature;
    return run->list->C_Sign(run->job->session, run->data, run->job->data_nbytes, run->signature,
                             &run->signature_nbytes);
}

static CK_RV sign(struct run *run)
{
    return sign_by(run, CKM_SHA256_HMAC);
}

static CK_RV sign_ec(struct run *run)
{
    return sign_by(run, CKM_ECDSA);
}

static CK_RV verify(struct run *run)
{
    CK_MECHANISM mechanism = {CKM_SHA256_HMAC, NULL, 0};
    CK_RV rv = run->list->C_VerifyInit(run->job->session, &mechanism, run->job->key);

    if (rv != CKR_OK)
        return rv;
    return run->list->C_Verify(run->job->session, run->data, run->job->data_nbytes, run->signature,
                               run->signature_nbytes);
}

static CK_RV seal(struct run *run)
{
    static CK_BYTE nonce[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, associated[] = "associated data";
    CK_GCM_PARAMS parameters = {nonce, sizeof nonce, 8 * sizeof nonce, associated, sizeof associated - 1, 128};
    CK_MECHANISM mechanism = {CKM_AES_GCM, &parameters, sizeof parameters};
    CK_ULONG out_nbytes = run->out_capacity;
    CK_RV rv = run->list->C_EncryptInit(run->job->session, &mechanism, run->job->key);

    if (rv != CKR_OK)
        return rv;
    return run->list->C_Encrypt(run->job->session, run->data, run->job->data_nbytes, run->out, &out_nbytes);
}

static CK_RV find(struct run *run)
{
    CK_ATTRIBUTE template = {CKA_LABEL, run->data, run->job->data_nbytes};
    CK_ULONG count = 0;
    CK_RV rv = run->list->C_FindObjectsInit(run->job->session, &template, 1), last = CKR_OK;

    if (rv != CKR_OK)
        return rv;
    rv = run->list->C_FindObjects(run->job->session, run->found, FOUND, &count);
    last = run->list->C_FindObjectsFinal(run->job->session);
    return rv == CKR_OK ? last : rv;
}

static CK_RV attributes_get(struct run *run, CK_ULONG room)
{
    CK_ATTRIBUTE template[ATTRIBUTES];

    for (size_t i = 0; i < run->job->count; i++)
        template[i] = (CK_ATTRIBUTE){wanted[i], run->values[i], room};
    return run->list->C_GetAttributeValue(run->job->session, run->job->key, template, run->job->count);
}

static CK_RV attributes_known(struct run *run)
{
    return attributes_get(run, KNOWN_NBYTES);
}

static CK_RV attributes_unknown(struct run *run)
{
    return attributes_get(run, VALUE_NBYTES);
}

static CK_RV generate_key(struct run *run)
{
    CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG value_nbytes = 32;
    CK_BBOOL on_token = CK_FALSE;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &value_nbytes, sizeof value_nbytes},
                               {CKA_TOKEN, &on_token, sizeof on_token}};
    CK_OBJECT_HANDLE key = CK_INVALID_HANDLE;
    CK_RV rv = run->list->C_GenerateKey(run->job->session, &mechanism, template, 2, &key);

    return rv == CKR_OK ? run->list->C_DestroyObject(run->job->session, key) : rv;
}

static const struct operation {
    const char *name;
    operation_fn operation;
} operations[] = {
    {"get_info", get_info},
    {"slot_list", slot_list},
    {"token_info", token_info},
    {"open_close", open_close},
    {"random", random_bytes},
    {"digest", digest},
    {"digest_parts", digest_parts},
    {"sign", sign},
    {"verify", verify},
    {"seal", seal},
    {"sign_ec", sign_ec},
    {"find", find},
    {"attributes_known", attributes_known},
    {"attributes_unknown", attributes_unknown},
    {"generate_key", generate_key},
};

size_t csf_pkcs11_count(void)
{
    return sizeof operations / sizeof operations[0];
}

const char *csf_pkcs11_name(size_t index)
{
    return index < csf_pkcs11_count() ? operations[index].name : NULL;
}

/* ---- running them -------------------------------------------------------------------------------- */

/* The functions of a module: its own, or those of the shim for it. The module stays loaded. */
static const CK_FUNCTION_LIST *list_of(const char *path, bool through_shim)
{
    cs_pkcs11_module *module = NULL;
    CK_C_GetFunctionList get_list = NULL;
    CK_FUNCTION_LIST_PTR list = NULL;
    void *handle = NULL, *symbol = NULL;

    if (through_shim) {
        if (cs_pkcs11_open(path, &module) != CS_OK || cs_pkcs11_functions(module)->C_GetFunctionList(&list) != CKR_OK)
            return NULL;
        return list;
    }
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    symbol = handle != NULL ? dlsym(handle, "C_GetFunctionList") : NULL;
    if (symbol == NULL)
        return NULL;
    memcpy(&get_list, &symbol, sizeof get_list);
    return get_list(&list) == CKR_OK ? list : NULL;
}

static CK_RV timed(struct run *run, operation_fn operation, uint64_t iterations, double *out_ns)
{
    operation_fn volatile hidden = operation;
    operation_fn call = hidden;
    CK_RV rv = CKR_OK;
    double begin = now_ns();

    for (uint64_t i = 0; rv == CKR_OK && i < iterations; i++)
        rv = call(run);
    *out_ns = now_ns() - begin;
    return rv;
}

int64_t csf_pkcs11_run(size_t index, int32_t through_shim, uint64_t iterations, const csf_pkcs11 *job, double *out_ns,
                       double *out_empty_ns)
{
    struct run *run = NULL;
    double ns = 0, empty_ns = 0;
    int64_t result = CS_OK;
    CK_RV rv = CKR_OK;

    if (index >= csf_pkcs11_count())
        return CS_E_NOT_FOUND;
    if (job->count > ATTRIBUTES || (operations[index].operation == digest_parts && job->part_nbytes == 0))
        return CS_E_ARGUMENT;
    run = calloc(1, sizeof *run);
    if (run == NULL)
        return CS_E_MEMORY;
    run->job = job;
    run->out_capacity = job->data_nbytes + OVERHEAD_NBYTES;
    run->data = calloc(1, job->data_nbytes + 1); /* the standard's pointers are not const */
    run->out = calloc(1, run->out_capacity);
    if (run->data == NULL || run->out == NULL) {
        result = CS_E_MEMORY;
        goto done;
    }
    if (job->data != NULL)
        memcpy(run->data, job->data, job->data_nbytes);
    run->list = list_of(job->path, through_shim != 0);
    if (run->list == NULL) {
        result = CS_E_NOT_FOUND;
        goto done;
    }
    if (operations[index].operation == verify)
        rv = sign(run); /* make the signature that is then verified */
    if (rv == CKR_OK)
        rv = timed(run, nothing, iterations, &empty_ns);
    if (rv == CKR_OK)
        rv = timed(run, operations[index].operation, iterations, &ns);
    if (rv == CKR_OK) {
        *out_ns = ns;
        *out_empty_ns = empty_ns;
    }
    result = (int64_t)rv;

done:
    free(run->out);
    free(run->data);
    free(run);
    return result;
}
