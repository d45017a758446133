/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a child of fork() that waits for a lock of the shim that another thread held in the parent.
 */
#define _POSIX_C_SOURCE 200809L

#include "pkcs11_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stop;

/* Take the shim's lock again and again, without calling the loader: the C library does not guarantee that a child can
 * call it if another thread was in the loader. So modules are opened before the first fork. */
static void *name_on(void *argument)
{
    (void)argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        CHECK_EQ(cs_pkcs11_set_default(FAKE_3_2_PATH), CS_OK);
    return NULL;
}

static void *call_on(void *argument)
{
    const CK_FUNCTION_LIST_3_2 *list = argument;

    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        CHECK_EQ(list->C_CancelFunction(1), CKR_OK);
    return NULL;
}

static int in_child(void)
{
    cs_pkcs11_module *module = NULL;
    CK_FUNCTION_LIST_PTR list = NULL;

    alarm(20);
    if (cs_pkcs11_open(FAKE_3_0_PATH, &module) != CS_OK)
        return 1;
    if (cs_pkcs11_functions(module)->C_Logout(1) != CKR_OK || trace_record("C_Logout").calls != 1)
        return 2;
    if (C_GetFunctionList(&list) != CKR_OK || list->C_Logout(1) != CKR_OK || C_Logout(1) != CKR_OK)
        return 3;
    return 0;
}

int main(void)
{
    const CK_FUNCTION_LIST_3_2 *list = NULL;
    pthread_t threads[2];
    int status = 0;

#ifdef __SANITIZE_THREAD__
    /* the sanitizer's runtime holds a lock while it loads a library; a child of fork() would wait for it */
    return CHECK_SKIPPED;
#endif
    CHECK(dlopen(FAKE_3_0_PATH, RTLD_NOW) != NULL && dlopen(FAKE_3_2_PATH, RTLD_NOW) != NULL);
    cs_trace_enable(true);
    CHECK_EQ(cs_pkcs11_set_default(FAKE_3_2_PATH), CS_OK);
    CHECK_EQ(pthread_create(&threads[0], NULL, name_on, NULL), 0);
    list = cs_pkcs11_functions(check_open(FAKE_2_40_PATH));
    CHECK_EQ(pthread_create(&threads[1], NULL, call_on, (void *)list), 0);
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(in_child());
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
