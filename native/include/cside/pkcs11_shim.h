/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/pkcs11_shim.h - libcside as a PKCS #11 module in front of another.
 *
 * libcside exports C_GetFunctionList, C_GetInterfaceList, C_GetInterface and every other C_ function, so that any
 * program can load it as its module. It does no cryptography: it forwards every call, unchanged, to a *backing* module,
 * and counts and times what it forwards by trace.h (under the functions' own names, as "C_Sign"; bytes are those that
 * pass by the byte-string arguments; a return value other than CKR_OK is an error).
 *
 * The backing module of the exported functions is, in this order: what cs_pkcs11_set_default() named, the file that the
 * environment variable CSIDE_PKCS11_MODULE names, libcside_token beside this library. It is loaded when it is first
 * needed: by C_GetFunctionList, C_GetInterfaceList, C_GetInterface, C_Initialize or cs_pkcs11_open(NULL). Where that
 * fails, these four C_ functions return CKR_GENERAL_ERROR and the reason goes to stderr; the others return
 * CKR_CRYPTOKI_NOT_INITIALIZED until one of them has succeeded. A program that wants several modules, or wants to name one
 * itself, opens each and calls through its list.
 *
 * Modules, and libcside with them, stay loaded until the process ends, since many do not survive being unloaded. All
 * functions may be called from any thread.
 *
 * Byte strings are arguments of bytes or text with a length beside them, a token's label (32 bytes), and the buffer of
 * C_GenerateRandom; what goes by a NULL pointer is no bytes, and outputs count where the function returned CKR_OK.
 *
 * A report at the end of a process. Where the environment variable CSIDE_TRACE_FILE is set when libcside is loaded,
 * tracing is on from then, and when the process ends by exit() or by returning from main(), and after each C_Finalize,
 * the file "<its value>.<process id>" is written, whole or not at all. A relative path is one from the folder of that
 * moment. A child of fork() counts from zero and writes a file of its own if it made a call. A process that ends by
 * _exit() or a signal without C_Finalize leaves no file. It is one JSON object:
 *
 *     {"format": 1, "pid": 4711, "wall_ns": 1405469, "module": "/usr/lib/softhsm/libsofthsm2.so", "errors_unlisted": 0,
 *      "functions": [{"name": "C_Login", "calls": 2, "errors": 1, "total_ns": 230726, "in_nbytes": 8, "out_nbytes": 0,
 *                     "histogram": [0, 0, 2], "errors_by_rv": [{"rv": 160, "name": "CKR_PIN_INCORRECT", "count": 1}]}]}
 *
 * with the functions that were called, in the order of the list. wall_ns is the time since libcside was loaded (in a
 * child: since fork); module the path of the exported functions' module, else of the first that was opened, else null;
 * histogram as in cs_trace_record, of all CS_TRACE_BUCKETS buckets; name null for a value that the standard does not
 * define; errors_unlisted as in cs_pkcs11_errors(). A path's bytes are written as they are, whatever their encoding.
 * Both variables are ignored in programs that run with more rights than their caller's.
 */
#ifndef CSIDE_PKCS11_SHIM_H
#define CSIDE_PKCS11_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "cside/pkcs11.h"
#include "cside/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Different modules that one process can open. */
#define CS_PKCS11_MODULES 8

/** An open module. Never freed. */
typedef struct cs_pkcs11_module cs_pkcs11_module;

/** Open the module at `path` (as dlopen(3) takes it), or the default one for NULL. The same file again, by whatever
 *  path, is the same module; libcside itself is an error.
 *  CS_E_ARGUMENT: an empty path, or `out_module` is NULL. CS_E_NOT_FOUND: no such file, or not one that can be loaded,
 *  or it has no C_GetFunctionList, or that failed. CS_E_STATE: CS_PKCS11_MODULES are open, or a module that is just
 *  being opened calls this. CS_E_MEMORY. cs_pkcs11_load_error() says more. */
CS_API cs_status cs_pkcs11_open(const char *path, cs_pkcs11_module **out_module);

/** What went wrong in the calling thread's last cs_pkcs11_open(), as a sentence with the path in it; "" if nothing did.
 *  Valid until the thread's next cs_pkcs11_open(). */
CS_API const char *cs_pkcs11_load_error(void);

/** Name the backing module of the exported functions; NULL returns to the environment's. CS_E_CLOSED: it is already
 *  loaded. */
CS_API cs_status cs_pkcs11_set_default(const char *path);

/** The path that the module was loaded from. Valid until the process ends. */
CS_API const char *cs_pkcs11_path(const cs_pkcs11_module *module);

/** The module's functions, each of which forwards to it: always the longest list, where the functions that the module
 *  does not have return CKR_FUNCTION_NOT_SUPPORTED. `version` is that of the module's own newest list (2.x, 3.0, 3.2).
 *  C_GetFunctionList, C_GetInterfaceList and C_GetInterface of it hand out lists that forward too, and only of versions
 *  that the module has; an interface that is not "PKCS 11" is handed through. Lists of 2.x forward to the module's own
 *  2.x list, all others to its newest. A module without interfaces is given one, of its 2.x list. Valid until the
 *  process ends. */
CS_API const CK_FUNCTION_LIST_3_2 *cs_pkcs11_functions(const cs_pkcs11_module *module);

/** Locks of the application with a pointer of its own, which CK_C_INITIALIZE_ARGS has no room for. All four are set. */
typedef struct cs_pkcs11_locks {
    CK_RV (*create)(void *user, void **out_mutex);
    CK_RV (*destroy)(void *user, void *mutex);
    CK_RV (*lock)(void *user, void *mutex);
    CK_RV (*unlock)(void *user, void *mutex);
    void *user; /**< given to each; valid until C_Finalize of this module returned CKR_OK */
} cs_pkcs11_locks;

/** C_Initialize of the module with these locks, flags and reserved pointer; NULL for no locks. Traced as C_Initialize.
 *  The callbacks of a module that is already initialised are left as they are. Of its own accord it returns
 *  CKR_ARGUMENTS_BAD (one of the four is missing), and CKR_CRYPTOKI_ALREADY_INITIALIZED while another thread is giving
 *  this module locks. */
CS_API CK_RV cs_pkcs11_initialize(const cs_pkcs11_module *module, const cs_pkcs11_locks *locks, CK_FLAGS flags,
                                  void *reserved);

/** Standard name of a return value ("CKR_PIN_INCORRECT"); NULL for one that the standard does not define. */
CS_API const char *cs_pkcs11_rv_name(CK_RV rv);

/** How often a function returned one value other than CKR_OK, while tracing was on. */
typedef struct cs_pkcs11_error_count {
    size_t index; /**< of the function, as cs_trace_name() takes it */
    CK_RV rv;
    uint64_t count;
} cs_pkcs11_error_count;

/** Pairs of a function and a return value that are told apart, from the start of the process on. */
#define CS_PKCS11_ERRORS 1024

/** Give the first `capacity` of the counts, in no order, and return how many there are: at most CS_PKCS11_ERRORS.
 *  cs_trace_reset() sets them to 0, and those that are 0 are left out. *out_unlisted (NULL: not wanted) is the number
 *  of errors of further pairs. Other threads may be counting meanwhile. */
CS_API size_t cs_pkcs11_errors(cs_pkcs11_error_count *out_counts, size_t capacity, uint64_t *out_unlisted);

#ifdef __cplusplus
}
#endif
#endif
