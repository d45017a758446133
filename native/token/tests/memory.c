/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an allocation that fails, in the token or in libcrypto, and then crashes, leaves something half made behind, or
 * blocks what comes later. Each call fails at each of its allocations once, and then at that one and all later ones.
 */
#define _GNU_SOURCE

#include "memory_calls.h"

#include <dlfcn.h>
#include <errno.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_ALLOCATOR 0
#endif
#endif
#if !defined(HAS_ALLOCATOR) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#define HAS_ALLOCATOR 1
#elif !defined(HAS_ALLOCATOR)
#define HAS_ALLOCATOR 0 /* the allocator cannot be replaced, or the sanitizer allocates before it is ready for calls */
#endif

/* ---- the allocator: a program's own functions come before those of libc, of a sanitizer or of valgrind ---- */

static long allocations;
static long fail_from = -1; /* the first allocation that fails; -1 for none */
static bool fails_on;       /* all later ones, too */

#if HAS_ALLOCATOR
/* A sanitizer that is linked into the program is not found by RTLD_NEXT; these are its functions. */
void *__interceptor_malloc(size_t nbytes) __attribute__((weak));
void *__interceptor_calloc(size_t count, size_t nbytes) __attribute__((weak));
void *__interceptor_realloc(void *memory, size_t nbytes) __attribute__((weak));

/* What a function of this name does in a program that has none of its own. */
#define NEXT(name) (__interceptor_##name != NULL ? (void *)__interceptor_##name : dlsym(RTLD_NEXT, #name))

static bool fails(void)
{
    allocations++;
    if (fail_from < 0 || allocations < fail_from || (allocations > fail_from && !fails_on)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t nbytes)
{
    static void *(*next)(size_t);

    if (next == NULL) {
        *(void **)&next = NEXT(malloc);
    }
    return fails() ? NULL : next(nbytes);
}

void *calloc(size_t count, size_t nbytes)
{
    static void *(*next)(size_t, size_t);

    if (next == NULL) {
        *(void **)&next = NEXT(calloc);
    }
    return fails() ? NULL : next(count, nbytes);
}

void *realloc(void *memory, size_t nbytes)
{
    static void *(*next)(void *, size_t);

    if (next == NULL) {
        *(void **)&next = NEXT(realloc);
    }
    return fails() ? NULL : next(memory, nbytes);
}
#endif

/* ---- the checks ---- */

static CK_ULONG count_objects(void)
{
    CK_OBJECT_HANDLE found[32];

    return find_all(session, found, 32);
}

static void destroy_others(void)
{
    CK_OBJECT_HANDLE found[32];
    CK_ULONG count = find_all(session, found, 32);

    for (CK_ULONG i = 0; i < count; i++) {
        if (found[i] != aes && found[i] != wrapping && found[i] != generic && found[i] != ec_public &&
            found[i] != ec_private && found[i] != edwards_public && found[i] != edwards_private &&
            found[i] != rsa_public && found[i] != rsa_private) {
            OK(p11->C_DestroyObject(session, found[i]));
        }
    }
}

/* A signature that was given out is right, whatever failed meanwhile. Now nothing fails. */
static void check_signature(const char *name, long at)
{
    CK_RV rv = signature.nbytes != 0 ? verify() : CKR_OK;

    signature.nbytes = 0;
    if (rv != CKR_OK) {
        fprintf(stderr, "%s, allocation %ld: the signature that was made is wrong, %#lx\n", name, at, rv);
        exit(1);
    }
}

/* Make the call with failing allocations until it meets none. Returns how many it met. */
static long each_allocation(size_t deed, bool on)
{
    CK_ULONG before = count_objects();
    long at = 0;
    long met = 0;

    do {
        CK_RV rv = CKR_OK;
        CK_ULONG now = 0;

        at++;
        allocations = 0;
        fails_on = on;
        fail_from = at;
        rv = deeds[deed].make();
        fail_from = -1;
        met = allocations;
        OK(p11->C_SessionCancel(session, CKF_ENCRYPT | CKF_DECRYPT | CKF_DIGEST | CKF_SIGN | CKF_VERIFY));
        if (rv == CKR_SIGNATURE_INVALID &&
            deeds[deed].make != sign_eddsa) { /* libcrypto 3.0 has no error for it there */
            fprintf(stderr, "%s, allocation %ld: a right signature is called wrong\n", deeds[deed].name, at);
            exit(1);
        }
        check_signature(deeds[deed].name, at);
        now = count_objects();
        if (rv == CKR_OK ? now != before + deeds[deed].objects : now > before + deeds[deed].objects) {
            fprintf(stderr, "%s, allocation %ld: rv %#lx, and %lu objects after %lu\n", deeds[deed].name, at, rv, now,
                    before);
            exit(1);
        }
        destroy_others();
        OK(deeds[deed].make()); /* nothing stands in the way of the next */
        destroy_others();
    } while (met >= at);
    return at - 1;
}

/* C_Initialize in a process without memory, and afterwards in the same process with it. */
static long initialisation(void)
{
    long at = 0;
    long met = 0;
    long failed = 0;

    do {
        CK_RV rv = CKR_OK;

        at += at < 200 ? 1 : 37; /* fetching algorithms makes thousands of allocations that are alike */
        allocations = 0;
        fails_on = true;
        fail_from = at;
        rv = p11->C_Initialize(NULL);
        fail_from = -1;
        met = allocations;
        failed += rv != CKR_OK ? 1 : 0;
        if (rv == CKR_OK) {
            OK(p11->C_Finalize(NULL));
        }
        OK(p11->C_Initialize(NULL));
        OK(p11->C_Finalize(NULL));
    } while (met >= at && at < 4000);
    CHECK(failed > 0);
    return at;
}

int main(void)
{
    CK_BYTE ed25519[] = {0x06, 3, 0x2b, 0x65, 0x70};
    CK_ATTRIBUTE curve = {CKA_EC_PARAMS, ed25519, sizeof ed25519};
    CK_MECHANISM edwards = {CKM_EC_EDWARDS_KEY_PAIR_GEN, NULL, 0};
    long once = 0;
    long on = 0;

    if (!HAS_ALLOCATOR) {
        return CHECK_SKIPPED;
    }
    token_load();
    OK(p11->C_Initialize(NULL)); /* the loader ends a process that has no memory for a thread's variables */
    OK(p11->C_Finalize(NULL));
    fprintf(stderr, "C_Initialize: %ld allocations\n", initialisation());
    token_start();
    session = user_session();
    aes = secret_key_for(session, CKK_AES, data, 32, CKA_ENCRYPT, CKA_DECRYPT);
    wrapping = wrapping_key(session, data, 32);
    generic = secret_key(session, CKK_GENERIC_SECRET, data, 32);
    ec_pair(session, &ec_public, &ec_private);
    OK(p11->C_GenerateKeyPair(session, &edwards, &curve, 1, NULL, 0, &edwards_public, &edwards_private));
    OK(rsa_pair_with(session, NULL, 0, NULL, 0, &rsa_public, &rsa_private));
    for (size_t i = 0; i < COUNT(deeds); i++) {
        OK(deeds[i].make()); /* what it keeps for later calls is not counted */
        destroy_others();
        once = each_allocation(i, false);
        on = each_allocation(i, true);
        fprintf(stderr, "%s: %ld and %ld failing allocations\n", deeds[i].name, once, on);
    }
    OK(p11->C_Finalize(NULL));
    return 0;
}
