/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_loader.c - what the shim asks of the loader. No lock of the shim may be held.
 */
#define _GNU_SOURCE /* dladdr, RTLD_DEEPBIND */

#include "pkcs11_module.h"

#include <dlfcn.h>
#include <string.h>

static const char place; /* an address in libcside */

static const void *image_of(const void *address)
{
    Dl_info info;

    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

pkcs11_function cs_pkcs11_symbol(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    pkcs11_function function = NULL;

    if (symbol == NULL || image_of(symbol) == image_of(&place))
        return NULL;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

const char *cs_pkcs11_loader_file(pkcs11_function function)
{
    Dl_info info;
    const void *address = &place;

    if (function != NULL)
        memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

/* Where the program is linked with libcside, the C_ functions of libcside would replace the module's own wherever the
 * module refers to them by name. RTLD_DEEPBIND makes the module find its own symbols first. */
int cs_pkcs11_loader_flags(void)
{
    int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    void *program = dlopen(NULL, RTLD_NOW);

    if (program != NULL) {
        void *symbol = dlsym(program, "C_GetFunctionList");
        if (symbol != NULL && image_of(symbol) == image_of(&place))
            flags |= RTLD_DEEPBIND;
        dlclose(program);
    }
#endif
    return flags;
}

void cs_pkcs11_loader_stay(void)
{
#ifdef RTLD_NODELETE
    const char *file = cs_pkcs11_loader_file(NULL);
    void *own = file != NULL ? dlopen(file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) : NULL;

    if (own != NULL)
        dlclose(own);
#endif
}
