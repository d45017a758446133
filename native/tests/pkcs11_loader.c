/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a deadlock with the loader. A thread that loads a plug-in holds the loader's lock while the plug-in's
 * constructor opens a module. Another thread that opens a module at this moment must not hold a lock of the shim while
 * it calls the loader, or calls the module, which may call the loader.
 */
#define _DEFAULT_SOURCE /* usleep */

#include "pkcs11_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_bool is_asked;        /* a module is being asked for its lists */
static atomic_bool is_constructing; /* the plug-in's constructor runs */
static const char *to_open;         /* the module that the constructor opens */
static cs_pkcs11_module *opened[2];

/* Called by the module that is being opened: wait until the other thread holds the loader's lock. */
static void asked(void)
{
    if (atomic_exchange(&is_asked, true))
        return; /* the other thread opens the same module */
    while (!atomic_load(&is_constructing))
        usleep(1000);
}

__attribute__((visibility("default"))) void plugin_constructed(void);
void plugin_constructed(void)
{
    atomic_store(&is_constructing, true);
    usleep(100000); /* until the other thread waits for the loader */
    opened[1] = check_open(to_open);
}

static void *open_module(void *path)
{
    opened[0] = check_open(path);
    return NULL;
}

static void open_both(const char *path, const char *path_in_constructor)
{
    pthread_t thread;
    void *plugin = NULL;

    is_asked = is_constructing = false;
    to_open = path_in_constructor;
    CHECK(dlopen(path, RTLD_NOW) != NULL);
    fake_state_of(path)->when_asked = asked;
    CHECK_EQ(pthread_create(&thread, NULL, open_module, (void *)path), 0);
    while (!atomic_load(&is_asked))
        usleep(1000);
    plugin = dlopen(PLUGIN_PATH, RTLD_NOW);
    if (plugin == NULL)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(plugin != NULL);
    pthread_join(thread, NULL);
    CHECK_EQ(dlclose(plugin), 0);
    fake_state_of(path)->when_asked = NULL;
}

int main(void)
{
    alarm(20);
    open_both(FAKE_3_2_PATH, FAKE_2_40_PATH);
    CHECK(opened[0] != opened[1]);
    open_both(FAKE_3_0_PATH, FAKE_3_0_PATH); /* both threads ask the module for its lists; there is one module */
    CHECK(opened[0] == opened[1]);
    for (int i = 0; i < 2; i++)
        CHECK(check_open(i == 0 ? FAKE_3_2_PATH : FAKE_2_40_PATH) != opened[0]);
    CHECK_EQ(cs_pkcs11_functions(opened[0])->C_Logout(1), CKR_OK);
    CHECK_TEXT(fake_state_of(FAKE_3_0_PATH)->function, "C_Logout");
    return 0;
}
