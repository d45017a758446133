/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_open.c - opens modules, and chooses the module behind the exported functions.
 *
 * One file is one module, whatever path it is opened by: the loader compares device and inode, and returns the same
 * handle. Neither the loader nor a module is called while our lock is held: the loader has a lock of its own, which it
 * holds while it runs constructors, and these may call libcside. So several threads may ask one new module for its
 * lists at the same time; the first of them to finish adds the module to the table, and the others find it there.
 */
#define _POSIX_C_SOURCE 200809L

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

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned modules_count; /* guarded by open_lock, like the next one */
static char *default_path;
static _Atomic(cs_pkcs11_module *) default_module;
static _Atomic(cs_pkcs11_module *) first_module;

static _Thread_local bool asking; /* this thread is asking a module for its lists */
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

static cs_status fail_too_many(const char *path)
{
    return fail(CS_E_STATE, "%d modules are open, and %s would be one more", CS_PKCS11_MODULES, path);
}

const char *cs_pkcs11_load_error(void)
{
    return load_error;
}

/* ---- the lock, and fork ---- */

static void lock(void)
{
    pthread_mutex_lock(&open_lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&open_lock);
}

/* The thread that forks holds the lock meanwhile, so that the table is whole in the child. */
static void in_child(void)
{
    unlock();
    cs_pkcs11_locks_in_child();
}

static void watch_forks(void)
{
    pthread_atfork(lock, unlock, in_child);
}

/* ---- opening ---- */

/* A module that is not in the table yet. */
struct candidate {
    cs_pkcs11_module module;
    function_list targets[SETS_PER_MODULE];
};

/* Ask a module that is loaded for its lists. A module that returns an error stays loaded and is not used. */
static cs_status candidate_ask(struct candidate *candidate, CK_C_GetFunctionList get_list, const char *path)
{
    cs_pkcs11_module *module = &candidate->module;
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
    cs_pkcs11_lists_ask(module, list, candidate->targets);
    return CS_OK;
}

/* The module of a handle, or NULL. The caller holds the lock. */
static cs_pkcs11_module *find(const void *handle)
{
    for (unsigned i = 0; i < modules_count; i++) {
        if (cs_pkcs11_modules[i].handle == handle)
            return &cs_pkcs11_modules[i];
    }
    return NULL;
}

/* Add a module to the table, unless another thread has done so or the table is full. Returns the module of the table,
 * or NULL. The path belongs to the table if the module was added. */
static cs_pkcs11_module *candidate_add(struct candidate *candidate)
{
    cs_pkcs11_module *module = NULL;

    lock();
    module = find(candidate->module.handle);
    if (module == NULL && modules_count < CS_PKCS11_MODULES) {
        module = &cs_pkcs11_modules[modules_count];
        *module = candidate->module;
        module->number = modules_count;
        cs_pkcs11_lists_fill(module, candidate->targets);
        modules_count++;
    }
    unlock();
    return module;
}

/* Ask the module of a handle for its lists, and add it. *out_keep says whether the table has the handle now, or the
 * module was called. */
static cs_status module_add(void *handle, const char *path, cs_pkcs11_module **out_module, bool *out_keep)
{
    struct candidate candidate = {.module = {.handle = handle}};
    pkcs11_function get_list = cs_pkcs11_symbol(handle, "C_GetFunctionList");
    const char *file = NULL;
    cs_status status = CS_OK;

    if (get_list == NULL)
        return fail(CS_E_NOT_FOUND,
                    dlsym(handle, "C_GetFunctionList") != NULL
                        ? "%s is libcside itself, or leads back to it; it forwards to another module only"
                        : "%s is not a PKCS #11 module: it has no C_GetFunctionList",
                    path);
    *out_keep = true;
    asking = true;
    status = candidate_ask(&candidate, (CK_C_GetFunctionList)get_list, path);
    asking = false;
    if (status != CS_OK)
        return status;
    /* the loader searches its folders for a name without '/' */
    file = strchr(path, '/') == NULL ? cs_pkcs11_loader_file(get_list) : path;
    candidate.module.path = strdup(file != NULL ? file : path);
    if (candidate.module.path == NULL)
        return fail(CS_E_MEMORY, "%s: no memory", path);
    cs_pkcs11_loader_stay();
    *out_module = candidate_add(&candidate);
    if (*out_module == NULL)
        status = fail_too_many(path);
    if (*out_module == NULL || (*out_module)->path != candidate.module.path) {
        free(candidate.module.path);
        *out_keep = *out_module == NULL; /* the table has the handle that another thread got */
    }
    return status;
}

/* The module of a handle of the loader. The handle is closed if the module is known already, or if the file is not a
 * module. */
static cs_status module_of(void *handle, const char *path, cs_pkcs11_module **out_module)
{
    bool is_full = false, keep = false;
    cs_status status = CS_OK;

    lock();
    *out_module = find(handle);
    is_full = modules_count == CS_PKCS11_MODULES;
    unlock();
    if (*out_module == NULL)
        status = is_full ? fail_too_many(path) : module_add(handle, path, out_module, &keep);
    if (!keep)
        dlclose(handle);
    return status;
}

/* The path of the module behind the exported functions, which the caller frees. NULL if there is no memory. */
static char *default_find(void)
{
    const char *path = NULL, *own = NULL, *slash = NULL;
    char *found = NULL;
    size_t folder_nbytes = 0;
    bool is_named = false;

    lock();
    path = default_path != NULL ? default_path : cs_environment("CSIDE_PKCS11_MODULE");
    is_named = path != NULL;
    if (is_named)
        found = strdup(path);
    unlock();
    if (is_named)
        return found;
    own = cs_pkcs11_loader_file(NULL);
    slash = own != NULL ? strrchr(own, '/') : NULL;
    folder_nbytes = slash != NULL ? (size_t)(slash - own) + 1 : 0;
    found = malloc(folder_nbytes + sizeof TOKEN_FILE);
    if (found != NULL) {
        if (folder_nbytes > 0)
            memcpy(found, own, folder_nbytes);
        memcpy(found + folder_nbytes, TOKEN_FILE, sizeof TOKEN_FILE);
    }
    return found;
}

/* The caller holds the lock. */
static void default_set(cs_pkcs11_module *module)
{
    atomic_store_explicit(&default_module, module, memory_order_release);
    atomic_store_explicit(&cs_pkcs11_exported, &cs_pkcs11_backing[module->number * SETS_PER_MODULE + SET_NEWEST],
                          memory_order_release);
}

/* Note a module that was opened as the first one, unless there is one, and if it was opened as the default, as the one
 * behind the exported functions, unless there is one. */
static void settle(cs_pkcs11_module **module, bool as_default)
{
    cs_pkcs11_module *settled = NULL;

    lock();
    if (as_default) {
        settled = atomic_load_explicit(&default_module, memory_order_relaxed);
        if (settled != NULL)
            *module = settled;
        else if (*module != NULL)
            default_set(*module);
    }
    if (atomic_load_explicit(&first_module, memory_order_relaxed) == NULL)
        atomic_store_explicit(&first_module, *module, memory_order_release);
    unlock();
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
    if (asking)
        return fail(CS_E_STATE, "%s is wanted by a module that is just being opened", path != NULL ? path : "a module");
    pthread_once(&fork_once, watch_forks);
    found = path != NULL ? strdup(path) : default_find();
    if (found == NULL) {
        status = fail(CS_E_MEMORY, "no memory");
        goto done;
    }
    handle = dlopen(found, cs_pkcs11_loader_flags());
    if (handle == NULL) {
        status = fail_to_load(found, dlerror());
        goto done;
    }
    status = module_of(handle, found, &module);
    if (status == CS_OK)
        settle(&module, path == NULL);

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
    pthread_once(&fork_once, watch_forks);
    lock();
    if (atomic_load_explicit(&default_module, memory_order_relaxed) == NULL) {
        char *old = default_path;
        default_path = copy;
        copy = old;
        status = CS_OK;
    }
    unlock();
    free(copy);
    return status;
}

/* On failure, writes a line to stderr. */
static CK_RV default_open(void)
{
    cs_pkcs11_module *module = NULL;

    if (cs_pkcs11_open(NULL, &module) == CS_OK)
        return CKR_OK;
    fprintf(stderr, "libcside: %s; CSIDE_PKCS11_MODULE names the module to use\n", load_error);
    return CKR_GENERAL_ERROR;
}

/* pkcs11_forward.c cannot refer to this file, which refers to it. */
__attribute__((constructor)) static void offer_opener(void)
{
    cs_pkcs11_opener = default_open;
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
