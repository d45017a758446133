/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_check.h - functions that the tests of the shim share.
 */
#ifndef CSIDE_TESTS_PKCS11_CHECK_H
#define CSIDE_TESTS_PKCS11_CHECK_H

#include <dlfcn.h>

#include "check.h"
#include "cside/pkcs11_shim.h"
#include "cside/trace.h"
#include "modules/fake.h"

/** Open a module; the test fails if it does not open. */
static inline cs_pkcs11_module *check_open(const char *path)
{
    cs_pkcs11_module *module = NULL;
    cs_status status = cs_pkcs11_open(path, &module);

    if (status != CS_OK)
        fprintf(stderr, "%s\n", cs_pkcs11_load_error());
    CHECK_EQ(status, CS_OK);
    CHECK_TEXT(cs_pkcs11_load_error(), "");
    return module;
}

/** The state of a fake module that is open. */
static inline fake_state *fake_state_of(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    void *symbol = NULL;
    fake_state_fn get = NULL;

    CHECK(handle != NULL);
    symbol = dlsym(handle, "fake_state_get");
    CHECK(symbol != NULL);
    memcpy(&get, &symbol, sizeof get);
    dlclose(handle);
    return get();
}

/** Index of a function in the trace. */
static inline size_t trace_index(const char *name)
{
    size_t i = 0;

    while (i < cs_trace_count() && strcmp(cs_trace_name(i), name) != 0)
        i++;
    CHECK(i < cs_trace_count());
    return i;
}

static inline cs_trace_record trace_record(const char *name)
{
    cs_trace_record record;

    CHECK_EQ(cs_trace_read(trace_index(name), &record), CS_OK);
    return record;
}

#endif
