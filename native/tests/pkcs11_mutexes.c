/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a lock function that another module calls, or one that is replaced while its module uses it.
 */
#include "pkcs11_check.h"

struct user {
    int created, destroyed, locked, unlocked;
};

static CK_RV create(void *user, void **out_mutex)
{
    ((struct user *)user)->created++;
    *out_mutex = user;
    return CKR_OK;
}

static CK_RV destroy(void *user, void *mutex)
{
    ((struct user *)user)->destroyed++;
    return mutex == user ? CKR_OK : CKR_MUTEX_BAD;
}

static CK_RV lock(void *user, void *mutex)
{
    ((struct user *)user)->locked++;
    return mutex == user ? CKR_OK : CKR_MUTEX_BAD;
}

static CK_RV unlock(void *user, void *mutex)
{
    ((struct user *)user)->unlocked++;
    return mutex == user ? CKR_OK : CKR_MUTEX_NOT_LOCKED;
}

static cs_pkcs11_locks locks_of(struct user *user)
{
    return (cs_pkcs11_locks){create, destroy, lock, unlock, user};
}

/* The module calls the functions that it was given. */
static void check_leads_to(const CK_C_INITIALIZE_ARGS *args, struct user *user)
{
    struct user before = *user;
    void *mutex = NULL;

    CHECK_EQ(args->CreateMutex(&mutex), CKR_OK);
    CHECK(mutex == user);
    CHECK_EQ(args->LockMutex(mutex), CKR_OK);
    CHECK_EQ(args->UnlockMutex(mutex), CKR_OK);
    CHECK_EQ(args->UnlockMutex(NULL), CKR_MUTEX_NOT_LOCKED);
    CHECK_EQ(args->DestroyMutex(mutex), CKR_OK);
    CHECK(user->created == before.created + 1 && user->destroyed == before.destroyed + 1 &&
          user->locked == before.locked + 1 && user->unlocked == before.unlocked + 2);
}

int main(void)
{
    cs_pkcs11_module *module = check_open(FAKE_3_2_PATH), *other = check_open(FAKE_2_40_PATH);
    fake_state *state = fake_state_of(FAKE_3_2_PATH), *other_state = fake_state_of(FAKE_2_40_PATH);
    struct user first = {0}, second = {0}, third = {0};
    cs_pkcs11_locks locks = locks_of(&first), incomplete = locks_of(&first);
    CK_C_INITIALIZE_ARGS first_args;
    int reserved = 0;

    state->look_at_args = other_state->look_at_args = 1;
    CHECK_EQ(cs_pkcs11_initialize(module, NULL, 0, NULL), CKR_OK);
    CHECK(!state->has_args);
    CHECK_EQ(cs_pkcs11_initialize(module, NULL, CKF_OS_LOCKING_OK, &reserved), CKR_OK);
    CHECK(state->has_args && state->args.flags == CKF_OS_LOCKING_OK && state->args.pReserved == &reserved);
    CHECK(state->args.CreateMutex == NULL && state->args.DestroyMutex == NULL && state->args.LockMutex == NULL &&
          state->args.UnlockMutex == NULL);

    CHECK_EQ(cs_pkcs11_initialize(module, &locks, CKF_LIBRARY_CANT_CREATE_OS_THREADS, &reserved), CKR_OK);
    CHECK(state->args.flags == CKF_LIBRARY_CANT_CREATE_OS_THREADS && state->args.pReserved == &reserved);
    first_args = state->args;
    check_leads_to(&first_args, &first);

    state->answer = CKR_CRYPTOKI_ALREADY_INITIALIZED;
    locks = locks_of(&second);
    CHECK_EQ(cs_pkcs11_initialize(module, &locks, 0, NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    check_leads_to(&first_args, &first); /* the functions in use are not replaced … */
    state->answer = CKR_OK;
    CHECK_EQ(cs_pkcs11_initialize(module, &locks, 0, NULL), CKR_OK);
    check_leads_to(&state->args, &second); /* … and after C_Finalize they are */

    locks = locks_of(&third);
    CHECK_EQ(cs_pkcs11_initialize(other, &locks, 0, NULL), CKR_OK);
    check_leads_to(&other_state->args, &third);
    check_leads_to(&state->args, &second);

    incomplete.lock = NULL;
    CHECK_EQ(cs_pkcs11_initialize(module, &incomplete, 0, NULL), CKR_ARGUMENTS_BAD);
    return 0;
}
