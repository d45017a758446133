/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_locks.c - lock functions of an application that take a user pointer. The four callbacks of C_Initialize take
 * none, so each module is given callbacks of its own, which know their pointer.
 *
 * There are two sets of locks for each module, so that those of the last successful C_Initialize do not change while
 * another C_Initialize is tried.
 */
#include "pkcs11_module.h"

/* Two for each module, numbered like the sets of functions. */
static cs_pkcs11_locks places[CS_PKCS11_MODULES * 2];
static _Atomic unsigned in_use[CS_PKCS11_MODULES];  /* 0 or 1: the set that the module uses */
static atomic_bool initialising[CS_PKCS11_MODULES]; /* a thread is in C_Initialize with the other set */

#define CALLBACKS(place) \
    static CK_RV create_##place(CK_VOID_PTR_PTR out_mutex) \
    { \
        return places[place].create(places[place].user, out_mutex); \
    } \
    static CK_RV destroy_##place(CK_VOID_PTR mutex) \
    { \
        return places[place].destroy(places[place].user, mutex); \
    } \
    static CK_RV lock_##place(CK_VOID_PTR mutex) \
    { \
        return places[place].lock(places[place].user, mutex); \
    } \
    static CK_RV unlock_##place(CK_VOID_PTR mutex) \
    { \
        return places[place].unlock(places[place].user, mutex); \
    }
/* clang-format off */
#define EACH_PLACE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
/* clang-format on */
EACH_PLACE(CALLBACKS)

CK_RV cs_pkcs11_initialize(const cs_pkcs11_module *module, const cs_pkcs11_locks *locks, CK_FLAGS flags, void *reserved)
{
#define PLACE(place) {create_##place, destroy_##place, lock_##place, unlock_##place, 0, NULL},
    static const CK_C_INITIALIZE_ARGS callbacks[] = {EACH_PLACE(PLACE)};
    struct {
        CK_C_INITIALIZE_ARGS standard;
        void *nss; /* NSS's struct has one more pointer */
    } arguments = {.standard = {.flags = flags, .pReserved = reserved}};
    CK_C_Initialize initialize = module->newest.by_name.C_Initialize;
    unsigned other = 0;
    CK_RV rv = CKR_OK;

    if (locks == NULL)
        return initialize(flags != 0 || reserved != NULL ? &arguments : NULL);
    if (locks->create == NULL || locks->destroy == NULL || locks->lock == NULL || locks->unlock == NULL)
        return CKR_ARGUMENTS_BAD;
    if (atomic_exchange_explicit(&initialising[module->number], true, memory_order_acquire))
        return CKR_CRYPTOKI_ALREADY_INITIALIZED;
    other = 1 - atomic_load_explicit(&in_use[module->number], memory_order_relaxed);
    arguments.standard = callbacks[module->number * 2 + other];
    arguments.standard.flags = flags;
    arguments.standard.pReserved = reserved;
    places[module->number * 2 + other] = *locks;
    rv = initialize(&arguments);
    if (rv == CKR_OK)
        atomic_store_explicit(&in_use[module->number], other, memory_order_relaxed);
    atomic_store_explicit(&initialising[module->number], false, memory_order_release);
    return rv;
}

void cs_pkcs11_locks_in_child(void)
{
    for (size_t i = 0; i < CS_PKCS11_MODULES; i++)
        atomic_store_explicit(&initialising[i], false, memory_order_relaxed);
}
