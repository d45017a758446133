/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_module.h - types and functions that the files of the shim share.
 *
 * Each file refers to files below it only; the test link_order_of_cside holds that.
 *
 * pkcs11_report.c    the report that is written to CSIDE_TRACE_FILE
 * pkcs11_open.c      opening modules, and choosing the module behind the exported functions
 * pkcs11_lists.c     the modules: their function lists and interfaces, and those that callers are given
 * pkcs11_forward.c   the functions that forward calls, and their targets
 * pkcs11_errors.c    the names of return values, and how often each was returned
 * pkcs11_locks.c     lock functions of an application that take a user pointer
 * pkcs11_loader.c    what the shim asks of the loader
 */
#ifndef CSIDE_PKCS11_MODULE_H
#define CSIDE_PKCS11_MODULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cside/status.h"

/* The standard's functions are exported. */
#define CK_DECLARE_FUNCTION(returnType, name) CS_API returnType name
#include "cside/pkcs11_shim.h"
#include "cside/trace.h"
#include "trace_list.h"

/** Number of functions in the longest list, and in the shorter ones. */
enum {
    FUNCTIONS = CS_TRACE_FUNCTIONS - CS_TRACE_ID_C_Initialize,
    FUNCTIONS_3_0 = CS_TRACE_ID_C_EncapsulateKey - CS_TRACE_ID_C_Initialize,
    FUNCTIONS_2 = CS_TRACE_ID_C_GetInterfaceList - CS_TRACE_ID_C_Initialize
};

/** Each module has two sets of forwarding functions, one for its 2.x list and one for its newest, because a module may
 *  behave differently by its 2.x list. */
enum { SET_NEWEST, SET_2, SETS_PER_MODULE, SETS = CS_PKCS11_MODULES * SETS_PER_MODULE };

/** Interfaces of one module that are kept apart. A version of the standard may be offered with several flags. */
enum { INTERFACES = 8 };

typedef void (*pkcs11_function)(void);

/** A function list, as a struct and as an array. */
typedef union function_list {
    CK_FUNCTION_LIST_3_2 by_name;
    struct {
        CK_VERSION version;
        pkcs11_function functions[FUNCTIONS];
    } by_number;
} function_list;

_Static_assert(sizeof(CK_FUNCTION_LIST_3_2) == offsetof(function_list, by_number.functions[FUNCTIONS]),
               "the longest list holds what the trace counts");

struct cs_pkcs11_module {
    void *handle;
    char *path;
    unsigned number;
    CK_C_GetInterfaceList interface_list; /* the module's own, or NULL */
    CK_C_GetInterface interface;
    function_list newest; /* all functions */
    function_list list_2; /* what C_GetFunctionList returns */
    function_list lists[INTERFACES];
    CK_INTERFACE interfaces[INTERFACES];
    CK_ULONG interfaces_count;
};

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* ---- pkcs11_forward.c ---- */

/** The targets of a set. They are written before a caller is given the set's functions, and never changed after. */
extern function_list cs_pkcs11_backing[SETS];

/** The targets of the exported functions. */
extern _Atomic(const function_list *) cs_pkcs11_exported;

/** Open the module behind the exported functions, unless it is open: CKR_GENERAL_ERROR if that fails. Set when libcside is
 *  loaded. */
extern CK_RV (*cs_pkcs11_opener)(void);

/** Every function returns CKR_FUNCTION_NOT_SUPPORTED. */
void cs_pkcs11_fill_missing(function_list *out);

/** The exported functions, at the addresses that other libraries see. */
void cs_pkcs11_fill_exported(function_list *out);

/** The functions of a set. */
void cs_pkcs11_fill_set(unsigned set, function_list *out);

/* ---- pkcs11_lists.c ---- */

extern cs_pkcs11_module cs_pkcs11_modules[CS_PKCS11_MODULES];

/** Ask the module which lists it has, given its 2.x list. `module` gets their versions and flags, and out_targets the
 *  targets of the module's sets. Calls the module and the loader; `module` needs no number yet. */
void cs_pkcs11_lists_ask(cs_pkcs11_module *module, const CK_FUNCTION_LIST *list,
                         function_list out_targets[SETS_PER_MODULE]);

/** Make everything that callers are given, from the answers. Calls nothing outside of the shim. */
void cs_pkcs11_lists_fill(cs_pkcs11_module *module, const function_list targets[SETS_PER_MODULE]);

/* ---- pkcs11_loader.c ---- */

/** Look up a function of the module by its symbol. NULL if there is none, or if the symbol is one of libcside. */
pkcs11_function cs_pkcs11_symbol(void *handle, const char *name);

/** The path of the file that a function was loaded from; for NULL, that of libcside. NULL if it is not known. */
const char *cs_pkcs11_loader_file(pkcs11_function function);

/** Flags with which dlopen() is to load a module. */
int cs_pkcs11_loader_flags(void);

/** Keep libcside loaded as long as the modules, because a module may call the lock functions in it. */
void cs_pkcs11_loader_stay(void);

/* ---- pkcs11_open.c ---- */

/** The module behind the exported functions, or else the first that was opened; NULL if none is open. */
const cs_pkcs11_module *cs_pkcs11_first(void);

/* ---- pkcs11_locks.c ---- */

/** Called in a child of fork(), in which no thread is initialising a module. */
void cs_pkcs11_locks_in_child(void);

/* ---- pkcs11_errors.c ---- */

/** Called after C_Finalize while tracing is on; NULL for nothing. It preserves errno. Set when libcside is loaded. */
extern void (*cs_pkcs11_finalized)(void);

/** Count one call of a standard function. errno is preserved. */
void cs_pkcs11_count_call(size_t id, uint64_t start, CK_RV rv, uint64_t in_nbytes, uint64_t out_nbytes);

/** cs_pkcs11_errors(), and the record of each function, which is from the same reading as its errors. out_records is
 *  NULL for none. */
size_t cs_pkcs11_errors_read(cs_trace_record out_records[FUNCTIONS], cs_pkcs11_error_count *out_counts, size_t capacity,
                             uint64_t *out_unlisted);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
