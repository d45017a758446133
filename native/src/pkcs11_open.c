/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_open.c - opens modules, and chooses the module behind the exported functions.
 *
 * One file is one module, whatever path it is opened by: the loader compares device and inode, and returns the same
 * handle. The loader is called without our lock, since it runs code of the module, which may call libcside. In a child
 * of fork() the lock is initialised again: the thread that may have held it in the parent does not exist there, and a
 * module is counted only when it is complete.
 */
#define _GNU_SOURCE /* dladdr, RTLD_DEEPBIND */

#include "environment.h"
#include "pkcs11_module.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#define TOKEN_FILE "libcside_token.dylib"
#else
#define TOKEN_FILE "libcside_token.so"
#endif

cs_pkcs11_module cs_pkcs11_modules[CS_PKCS11_MODULES];

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned modules_count; /* guarded by open_lock, like the next two */
static char *default_path;
static _Atomic(cs_pkcs11_module *) default_module;
static _Atomic(cs_pkcs11_module *) first_module;

static _Thread_local bool holding_lock; /* this thread holds open_lock while it asks a module for its lists */
static _Thread_local char load_error[1024];

static cs_status fail(cs_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(load_error, sizeof load_error, format, arguments);
    va_end(arguments);
    return status;
}

/* The loader's message often begins with the path, which must not be given twice. */
static cs_status fail_to_load(const char *path, const char *reason)
{
    size_t path_nbytes = strlen(path);

    if (reason == NULL)
        reason = "the loader does not say why";
    else if (strncmp(reason, path, path_nbytes) == 0 && strncmp(reason + path_nbytes, ": ", 2) == 0)
        reason += path_nbytes + 2;
    return fail(CS_E_NOT_FOUND, "cannot load %s: %s", path, reason);
}

const char *cs_pkcs11_load_error(void)
{
    return load_error;
}

/* ---- the lock, and fork ---- */

static void in_child(void)
{
    if (!holding_lock)
        pthread_mutex_init(&open_lock, NULL);
    cs_pkcs11_locks_in_child();
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

static void lock(void)
{
    pthread_once(&fork_once, watch_forks);
    pthread_mutex_lock(&open_lock);
    holding_lock = true;
}

static void unlock(void)
{
    holding_lock = false;
    pthread_mutex_unlock(&open_lock);
}

/* ---- symbols ---- */

static const void *image_of(const void *address)
{
    Dl_info info;

    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

static pkcs11_function as_function(void *symbol)
{
    pkcs11_function function = NULL;

    memcpy(&function, &symbol, sizeof function);
    return function;
}

pkcs11_function cs_pkcs11_symbol(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);

    return symbol == NULL || image_of(symbol) == image_of(&modules_count) ? NULL : as_function(symbol);
}

/* Flags for the loader. Where the program is linked with libcside, the C_ functions of libcside would replace the
 * module's own wherever the module refers to them by name. RTLD_DEEPBIND makes the module find its own symbols
 * first. */
static int load_flags(void)
{
    int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    void *program = dlopen(NULL, RTLD_NOW);

    if (program != NULL) {
        void *symbol = dlsym(program, "C_GetFunctionList");
        if (symbol != NULL && image_of(symbol) == image_of(&modules_count))
            flags |= RTLD_DEEPBIND;
        dlclose(program);
    }
#endif
    return flags;
}

/* Keep libcside loaded as long as the modules, because a module may call the lock functions in it. */
static void stay_loaded(void)
{
#ifdef RTLD_NODELETE
    Dl_info info;

    if (dladdr(&modules_count, &info) != 0 && info.dli_fname != NULL) {
        void *own = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        if (own != NULL)
            dlclose(own);
    }
#endif
}

/* ---- opening ---- */

/* Ask a module that is loaded for its lists. The caller holds the lock. A module that returns an error stays loaded and
 * is not used. */
static cs_status module_fill(cs_pkcs11_module *module, CK_C_GetFunctionList get_list, const char *path)
{
    CK_FUNCTION_LIST_PTR list = NULL;
    CK_RV rv = get_list(&list);

    if (rv == CKR_OK && list == NULL)
        return fail(CS_E_NOT_FOUND, "%s: C_GetFunctionList succeeded without a list", path);
    if (rv != CKR_OK) {
        const char *name = cs_pkcs11_rv_name(rv);
        return fail(CS_E_NOT_FOUND, "%s: C_GetFunctionList failed with %s (0x%08lx)", path,
                    name != NULL ? name : "a value that the standard does not know", rv);
    }
    module->interface_list = (CK_C_GetInterfaceList)cs_pkcs11_symbol(module->handle, "C_GetInterfaceList");
    module->interface = (CK_C_GetInterface)cs_pkcs11_symbol(module->handle, "C_GetInterface");
    cs_pkcs11_lists_fill(module, list);
    return CS_OK;
}

/* The path of the file that a function was loaded from. */
static const char *file_of(pkcs11_function function)
{
    Dl_info info;
    void *address = NULL;

    memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

/* The module of a handle of the loader. The handle is closed if the module is known already, or if the file is not a
 * module. The caller holds the lock. */
static cs_status module_of(void *handle, const char *path, cs_pkcs11_module **out_module)
{
    cs_pkcs11_module *module = &cs_pkcs11_modules[modules_count];
    pkcs11_function get_list = NULL;
    const char *file = NULL;
    cs_status status = CS_OK;

    for (unsigned i = 0; i < modules_count; i++) {
        if (cs_pkcs11_modules[i].handle == handle) {
            *out_module = &cs_pkcs11_modules[i];
            goto close;
        }
    }
    get_list = cs_pkcs11_symbol(handle, "C_GetFunctionList");
    if (get_list == NULL) {
        status = fail(CS_E_NOT_FOUND,
                      dlsym(handle, "C_GetFunctionList") != NULL
                          ? "%s is libcside itself, or leads back to it; it forwards to another module only"
                          : "%s is not a PKCS #11 module: it has no C_GetFunctionList",
                      path);
        goto close;
    }
    if (modules_count == CS_PKCS11_MODULES) {
        status = fail(CS_E_STATE, "%d modules are open, and %s would be one more", CS_PKCS11_MODULES, path);
        goto close;
    }
    *module = (cs_pkcs11_module){.handle = handle, .number = modules_count};
    status = module_fill(module, (CK_C_GetFunctionList)get_list, path);
    if (status != CS_OK)
        return status;
    /* the loader searches its folders for a name without '/' */
    file = strchr(path, '/') == NULL ? file_of(get_list) : path;
    module->path = strdup(file != NULL ? file : path);
    if (module->path == NULL)
        return fail(CS_E_MEMORY, "%s: no memory", path);
    modules_count++;
    stay_loaded();
    *out_module = module;
    return CS_OK;

close:
    dlclose(handle);
    return status;
}

/* The path of the module behind the exported functions, which the caller frees. NULL if there is no memory. */
static char *default_find(void)
{
    const char *path = NULL, *slash = NULL;
    char *found = NULL;
    size_t folder_nbytes = 0;
    Dl_info info;

    lock();
    path = default_path != NULL ? default_path : cs_environment("CSIDE_PKCS11_MODULE");
    found = path != NULL ? strdup(path) : NULL;
    unlock();
    if (path != NULL)
        return found;
    if (dladdr(&modules_count, &info) != 0 && info.dli_fname != NULL) {
        slash = strrchr(info.dli_fname, '/');
        folder_nbytes = slash != NULL ? (size_t)(slash - info.dli_fname) + 1 : 0;
    }
    found = malloc(folder_nbytes + sizeof TOKEN_FILE);
    if (found != NULL) {
        memcpy(found, info.dli_fname, folder_nbytes);
        memcpy(found + folder_nbytes, TOKEN_FILE, sizeof TOKEN_FILE);
    }
    return found;
}

/* Make a module the one behind the exported functions, unless there is one. The caller holds the lock. */
static void default_settle(cs_pkcs11_module **module)
{
    cs_pkcs11_module *settled = atomic_load_explicit(&default_module, memory_order_relaxed);

    if (settled != NULL) {
        *module = settled;
        return;
    }
    atomic_store_explicit(&default_module, *module, memory_order_release);
    atomic_store_explicit(&cs_pkcs11_exported, &cs_pkcs11_backing[(*module)->number * SETS_PER_MODULE + SET_NEWEST],
                          memory_order_release);
}

cs_status cs_pkcs11_open(const char *path, cs_pkcs11_module **out_module)
{
    int saved_errno = errno;
    char *found = NULL;
    void *handle = NULL;
    cs_pkcs11_module *module = atomic_load_explicit(&default_module, memory_order_acquire);
    cs_status status = CS_OK;

    load_error[0] = '\0';
    if (out_module == NULL || (path != NULL && path[0] == '\0'))
        return fail(CS_E_ARGUMENT, "opening a module takes its path, and a place for the result");
    if (path == NULL && module != NULL)
        goto done;
    if (holding_lock)
        return fail(CS_E_STATE, "%s is wanted by a module that is just being opened", path != NULL ? path : "a module");
    found = path != NULL ? strdup(path) : default_find();
    if (found == NULL) {
        status = fail(CS_E_MEMORY, "no memory");
        goto done;
    }
    handle = dlopen(found, load_flags());
    if (handle == NULL) {
        status = fail_to_load(found, dlerror());
        goto done;
    }
    lock();
    status = module_of(handle, found, &module);
    if (status == CS_OK && path == NULL)
        default_settle(&module);
    if (status == CS_OK && atomic_load_explicit(&first_module, memory_order_relaxed) == NULL)
        atomic_store_explicit(&first_module, module, memory_order_release);
    unlock();

done:
    if (status == CS_OK) {
        *out_module = module;
        load_error[0] = '\0'; /* the module may have called this function meanwhile, and failed */
    }
    free(found);
    errno = saved_errno;
    return status;
}

cs_status cs_pkcs11_set_default(const char *path)
{
    cs_status status = CS_E_CLOSED;
    char *copy = path != NULL ? strdup(path) : NULL;

    if (path != NULL && copy == NULL)
        return CS_E_MEMORY;
    if (!holding_lock) {
        lock();
        if (atomic_load_explicit(&default_module, memory_order_relaxed) == NULL) {
            char *old = default_path;
            default_path = copy;
            copy = old;
            status = CS_OK;
        }
        unlock();
    }
    free(copy);
    return status;
}

CK_RV cs_pkcs11_default_open(void)
{
    cs_pkcs11_module *module = NULL;

    if (cs_pkcs11_open(NULL, &module) == CS_OK)
        return CKR_OK;
    fprintf(stderr, "libcside: %s; CSIDE_PKCS11_MODULE names the module to use\n", load_error);
    return CKR_GENERAL_ERROR;
}

const cs_pkcs11_module *cs_pkcs11_first(void)
{
    const cs_pkcs11_module *module = atomic_load_explicit(&default_module, memory_order_acquire);

    return module != NULL ? module : atomic_load_explicit(&first_module, memory_order_acquire);
}

const char *cs_pkcs11_path(const cs_pkcs11_module *module)
{
    return module->path;
}

const CK_FUNCTION_LIST_3_2 *cs_pkcs11_functions(const cs_pkcs11_module *module)
{
    return &module->newest.by_name;
}
