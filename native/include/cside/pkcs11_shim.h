/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/pkcs11_shim.h - libcside as a PKCS #11 module that forwards to another module.
 *
 * libcside exports C_GetFunctionList, C_GetInterfaceList, C_GetInterface and every other C_ function, so that any
 * program can load it as its module. It does no cryptography: it forwards every call, unchanged, to a *backing* module.
 * It counts the calls, their bytes and their time by trace.h, under the functions' own names, as "C_Sign". The bytes
 * are those of the byte-string arguments; a return value other than CKR_OK counts as an error.
 *
 * The backing module of the exported functions is the first of these that is given: the file that was passed to
 * cs_pkcs11_set_default(), the file that the environment variable CSIDE_PKCS11_MODULE names, libcside_token in the
 * folder of this library. It is loaded by the first call of C_GetFunctionList, C_GetInterfaceList, C_GetInterface,
 * C_Initialize or cs_pkcs11_open(NULL). If it cannot be loaded, these four C_ functions return CKR_GENERAL_ERROR and
 * write the reason to stderr; all others return CKR_CRYPTOKI_NOT_INITIALIZED until one of the four has succeeded. A
 * program that uses several modules, or chooses one itself, opens each by cs_pkcs11_open() and calls the functions of
 * its list.
 *
 * Modules and libcside stay loaded until the process ends, since many modules do not work after they were unloaded. All
 * functions may be called from any thread, also by a constructor while the loader loads a library. Threads that open a
 * new module at the same time may each call its C_GetFunctionList, C_GetInterfaceList and C_GetInterface.
 *
 * A module that hangs hangs the thread that called it, and no other: the shim has no limit of time, and holds no lock
 * while a function of a module runs, so that other threads call this module and others, open modules, read the trace,
 * and end the process by exit(). cs_pkcs11_initialize() of a module that another thread is initialising fails at once. A
 * constructor that hangs while its module is loaded is worse: the system's loader waits for it in all threads. A module
 * that dies takes the process with it, by the same signal or status. A call that has not returned is not counted.
 *
 * Byte strings, whose bytes are counted, are arguments of bytes or text that have a length argument, the label of a
 * token (32 bytes), and the buffer of C_GenerateRandom. A NULL pointer counts as no bytes. Outputs are counted if the
 * function returned CKR_OK.
 *
 * The report of a process. If the environment variable CSIDE_TRACE_FILE is set when libcside is loaded, tracing is
 * switched on. The file "<value of the variable>.<process id>" is then written when the process ends by exit() or by
 * returning from main(), and after each C_Finalize. It is written completely or not at all, can be read by its owner
 * only, and replaces a file or link of that name. A relative path is relative to the working folder at the time of
 * loading. A child of fork() counts from zero, and writes a file of its own if it
 * made a call. A process that ends by _exit() or a signal without C_Finalize writes no file. The file has one JSON
 * object:
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

/** Number of different modules that one process can open. */
#define CS_PKCS11_MODULES 8

/** An open module, which is never freed. */
typedef struct cs_pkcs11_module cs_pkcs11_module;

/** Open the module at `path` (as dlopen(3) takes it), or the default module for NULL. Opening the same file again, by
 *  any path, returns the same module. Opening libcside itself is an error.
 *  CS_E_ARGUMENT: an empty path, or `out_module` is NULL. CS_E_NOT_FOUND: no such file, or not one that can be loaded,
 *  or it has no C_GetFunctionList, or that function failed. CS_E_STATE: CS_PKCS11_MODULES modules are open, or the
 *  caller is a module that is being opened. CS_E_MEMORY. cs_pkcs11_load_error() returns the reason as text. */
CS_API cs_status cs_pkcs11_open(const char *path, cs_pkcs11_module **out_module);

/** The error of the calling thread's last cs_pkcs11_open(), as a text that contains the path; "" if there was none. The
 *  text is valid until the thread's next cs_pkcs11_open(). */
CS_API const char *cs_pkcs11_load_error(void);

/** Set the backing module of the exported functions; with NULL, the environment variable is used again. CS_E_CLOSED:
 *  the backing module is loaded already. */
CS_API cs_status cs_pkcs11_set_default(const char *path);

/** The path that the module was loaded from. The text is valid until the process ends. */
CS_API const char *cs_pkcs11_path(const cs_pkcs11_module *module);

/** A list of functions that forward to the module. It is always the longest list; functions that the module does not
 *  have return CKR_FUNCTION_NOT_SUPPORTED. `version` is that of the module's own newest list (2.x, 3.0, 3.2). Its
 *  C_GetFunctionList, C_GetInterfaceList and C_GetInterface return lists that forward, too, and only of versions that
 *  the module has. An interface that is not "PKCS 11" is returned unchanged. Lists of 2.x forward to the module's own
 *  2.x list, all others to its newest. For a module without interfaces there is one, of its 2.x list. The list is valid
 *  until the process ends. */
CS_API const CK_FUNCTION_LIST_3_2 *cs_pkcs11_functions(const cs_pkcs11_module *module);

/** Lock functions of the application that take a user pointer, which CK_C_INITIALIZE_ARGS has no room for. All four
 *  must be set. */
typedef struct cs_pkcs11_locks {
    CK_RV (*create)(void *user, void **out_mutex);
    CK_RV (*destroy)(void *user, void *mutex);
    CK_RV (*lock)(void *user, void *mutex);
    CK_RV (*unlock)(void *user, void *mutex);
    void *user; /**< passed to each; valid until C_Finalize of this module has returned CKR_OK */
} cs_pkcs11_locks;

/** Call C_Initialize of the module with these lock functions, flags and reserved pointer; `locks` is NULL for none. It
 *  is traced as C_Initialize. If the module is initialised already, its lock functions are not changed. Two return
 *  values come from this function itself: CKR_ARGUMENTS_BAD if one of the four functions is NULL, and
 *  CKR_CRYPTOKI_ALREADY_INITIALIZED while another thread is in this function with the same module. */
CS_API CK_RV cs_pkcs11_initialize(const cs_pkcs11_module *module, const cs_pkcs11_locks *locks, CK_FLAGS flags,
                                  void *reserved);

/** Name of a return value in the standard ("CKR_PIN_INCORRECT"); NULL for a value that the standard does not define. */
CS_API const char *cs_pkcs11_rv_name(CK_RV rv);

/** How often a function returned one value other than CKR_OK while tracing was on. */
typedef struct cs_pkcs11_error_count {
    size_t index; /**< of the function, as cs_trace_name() takes it */
    CK_RV rv;
    uint64_t count;
} cs_pkcs11_error_count;

/** Number of different pairs of function and return value that are counted separately in a process. */
#define CS_PKCS11_ERRORS 1024

/** Write the first `capacity` counts, in no particular order, and return their total number, at most CS_PKCS11_ERRORS.
 *  cs_trace_reset() sets all counts to 0; counts that are 0 are left out. *out_unlisted (which may be NULL) becomes the
 *  number of errors of further pairs, which are not counted separately. Other threads may count at the same time; the
 *  errors of a function are read together with its record, so that in the report they are `errors` in sum. */
CS_API size_t cs_pkcs11_errors(cs_pkcs11_error_count *out_counts, size_t capacity, uint64_t *out_unlisted);

#ifdef __cplusplus
}
#endif
#endif
