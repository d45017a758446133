/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a backing module that hangs, and with it more than the thread that called it: other calls of this module, other
 * modules, the trace, a child of fork(), or the end of the process.
 */
#define _DEFAULT_SOURCE /* usleep */

#include "pkcs11_check.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_S = 120 };

static sem_t hanging, released;
static pthread_t hung;
static atomic_int signals; /* the handler runs on another thread than main(), which waits for it */

static void hang(void)
{
    sem_post(&hanging);
    while (sem_wait(&released) != 0) /* a signal does not end it */
        continue;
}

static void hang_in_sign_and_initialize(const char *function)
{
    if (strcmp(function, "C_Sign") == 0 || strcmp(function, "C_Initialize") == 0)
        hang();
}

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* Start a thread that hangs, and wait until it does. */
static void start(void *(*body)(void *))
{
    CHECK_EQ(pthread_create(&hung, NULL, body, NULL), 0);
    CHECK_EQ(sem_wait(&hanging), 0);
}

static void let_go(void)
{
    CHECK_EQ(sem_post(&released), 0);
    CHECK_EQ(pthread_join(hung, NULL), 0);
}

static void *sign(void *argument)
{
    CK_BYTE data[3] = {0}, signature[8];
    CK_ULONG length = sizeof signature;

    (void)argument;
    CHECK_EQ(cs_pkcs11_functions(check_open(FAKE_2_40_PATH))->C_Sign(1, data, sizeof data, signature, &length), CKR_OK);
    return NULL;
}

static void *open_3_0(void *argument)
{
    (void)argument;
    check_open(FAKE_3_0_PATH);
    return NULL;
}

static CK_RV no_create(void *user, void **out_mutex)
{
    (void)user;
    *out_mutex = NULL;
    return CKR_OK;
}

static CK_RV no_lock(void *user, void *mutex)
{
    (void)user;
    (void)mutex;
    return CKR_OK;
}

static const cs_pkcs11_locks locks = {no_create, no_lock, no_lock, no_lock, NULL};

static void *initialize(void *argument)
{
    (void)argument;
    CHECK_EQ(cs_pkcs11_initialize(check_open(FAKE_2_40_PATH), &locks, 0, NULL), CKR_OK);
    return NULL;
}

/* What other threads do meanwhile, and a child of fork(), too. */
static void work_on(const CK_FUNCTION_LIST_3_2 *list)
{
    uint64_t before = trace_record("C_Logout").calls;
    const CK_FUNCTION_LIST_3_2 *other = cs_pkcs11_functions(check_open(FAKE_3_2_PATH));

    CHECK_EQ(list->C_Logout(1), CKR_OK);
    CHECK_EQ(other->C_Logout(1), CKR_OK);
    CHECK_EQ(trace_record("C_Logout").calls, before + 2);
}

/* A thread in C_Sign: it alone hangs, a signal handler runs in it, and its call counts when it has returned. */
static void check_a_call(const CK_FUNCTION_LIST_3_2 *list)
{
    struct sigaction action = {.sa_handler = count_signal};
    pid_t child = 0;
    int status = 0;

    start(sign);
    work_on(list);
    CHECK_EQ(trace_record("C_Sign").calls, 0);
    CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
    CHECK_EQ(pthread_kill(hung, SIGUSR1), 0);
    while (signals == 0)
        usleep(1000);
    work_on(list);
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(LIMIT_S);
        work_on(list);
        _exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(trace_record("C_Sign").calls, 0);
    let_go();
    CHECK_EQ(trace_record("C_Sign").calls, 1);
}

/* A thread in cs_pkcs11_initialize(): a second one is refused at once. */
static void check_initialisation(const CK_FUNCTION_LIST_3_2 *list)
{
    cs_pkcs11_module *module = check_open(FAKE_2_40_PATH);

    start(initialize);
    work_on(list);
    CHECK_EQ(cs_pkcs11_initialize(module, &locks, 0, NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    let_go();
}

/* A thread that opens a module: others open other modules, and call what is open. */
static void check_opening(const CK_FUNCTION_LIST_3_2 *list)
{
    CHECK(dlopen(FAKE_3_0_PATH, RTLD_NOW) != NULL);
    fake_state_of(FAKE_3_0_PATH)->when_asked = hang;
    start(open_3_0);
    work_on(list);
    CHECK_EQ(cs_pkcs11_set_default(FAKE_3_2_PATH), CS_OK);
    let_go();
    fake_state_of(FAKE_3_0_PATH)->when_asked = NULL;
}

int main(void)
{
    const CK_FUNCTION_LIST_3_2 *list = cs_pkcs11_functions(check_open(FAKE_2_40_PATH));

    alarm(LIMIT_S); /* whatever else hangs ends the test, which then fails */
    CHECK_EQ(sem_init(&hanging, 0, 0), 0);
    CHECK_EQ(sem_init(&released, 0, 0), 0);
    fake_state_of(FAKE_2_40_PATH)->when_called = hang_in_sign_and_initialize;
    cs_trace_enable(true);
    check_opening(list);
    check_initialisation(list);
    check_a_call(list);
    start(sign);
    return 0; /* the process ends although a thread hangs */
}
