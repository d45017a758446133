/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_forward.c - the functions that forward calls to a module. Each loads its target and the trace's flag, and
 * jumps to the target. While tracing is on it calls a separate function, which all sets share.
 */
#include "pkcs11_module.h"

#include "pkcs11_forward.h"
#include "trace_scope.h"

#define UNWRAP(...) __VA_ARGS__

function_list cs_pkcs11_backing[SETS];

CK_RV (*cs_pkcs11_opener)(void);

/* ---- the traced way ---- */

/* Bytes of a byte string that goes in, of one that comes out, and of one whose size is given by a plain number. */
#define GIVEN(bytes, nbytes) (bytes != NULL ? (uint64_t)(nbytes) : 0)
#define WRITTEN(bytes, nbytes) (rv == CKR_OK && bytes != NULL && nbytes != NULL ? (uint64_t)*nbytes : 0)
#define FILLED(bytes, nbytes) (rv == CKR_OK ? GIVEN(bytes, nbytes) : 0)

/* The target is the last parameter, so that the other arguments stay in their registers. */
#define TRACED(set, name, parameters, arguments, in_nbytes, out_nbytes) \
    static CS_COLD CK_RV name##_traced(UNWRAP parameters, CK_##name target) \
    { \
        uint64_t start = cs_trace_ticks(); \
        CK_RV rv = target arguments; \
        cs_pkcs11_count_call(CS_TRACE_ID_##name, start, rv, in_nbytes, out_nbytes); \
        return rv; \
    }
CS_PKCS11_FUNCTIONS(TRACED, )

/* ---- the sets ---- */

#define FORWARD(set, name, parameters, arguments, in_nbytes, out_nbytes) \
    static CK_RV name##_##set parameters \
    { \
        CK_##name target = cs_pkcs11_backing[set].by_name.name; \
        return cs_trace_is_on() ? name##_traced(UNWRAP arguments, target) : target arguments; \
    }
#define FILL(set, name, parameters, arguments, in_nbytes, out_nbytes) out->by_name.name = name##_##set;
#define FILL_FUNCTION(set) \
    static void fill_##set(function_list *out) \
    { \
        CS_PKCS11_FUNCTIONS(FILL, set) \
    }

/* clang-format off */
#define EACH_SET(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
/* clang-format on */
#define FORWARD_SET(set) CS_PKCS11_FUNCTIONS(FORWARD, set) FILL_FUNCTION(set)
EACH_SET(FORWARD_SET)

void cs_pkcs11_fill_set(unsigned set, function_list *out)
{
#define FILLER(set) fill_##set,
    static void (*const fillers[SETS])(function_list *) = {EACH_SET(FILLER)};

    fillers[set](out);
}

/* ---- functions that a module does not have ---- */

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#define MISSING(set, name, parameters, arguments, in_nbytes, out_nbytes) \
    static CK_RV name##_missing parameters \
    { \
        return CKR_FUNCTION_NOT_SUPPORTED; \
    }
CS_PKCS11_FUNCTIONS(MISSING, missing)

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

FILL_FUNCTION(missing)

void cs_pkcs11_fill_missing(function_list *out)
{
    fill_missing(out);
}

/* ---- the exported functions ---- */

/* While no module is open, a call of one of four functions opens it, and a call of any other function fails. */
static const function_list *opened_by(size_t id, CK_RV *out_rv)
{
    switch (id) {
    case CS_TRACE_ID_C_Initialize:
    case CS_TRACE_ID_C_GetFunctionList:
    case CS_TRACE_ID_C_GetInterfaceList:
    case CS_TRACE_ID_C_GetInterface:
        *out_rv = cs_pkcs11_opener();
        return *out_rv == CKR_OK ? atomic_load_explicit(&cs_pkcs11_exported, memory_order_acquire) : NULL;
    default:
        *out_rv = CKR_CRYPTOKI_NOT_INITIALIZED;
        return NULL;
    }
}

#define UNOPENED(set, name, parameters, arguments, in_nbytes, out_nbytes) \
    static CK_RV name##_unopened parameters \
    { \
        CK_RV rv = CKR_OK; \
        const function_list *opened = opened_by(CS_TRACE_ID_##name, &rv); \
        return opened != NULL ? opened->by_name.name arguments : rv; \
    }
CS_PKCS11_FUNCTIONS(UNOPENED, unopened)

#define LISTED(set, name, parameters, arguments, in_nbytes, out_nbytes) .name = name##_##set,
static const function_list unopened = {.by_name = {CS_PKCS11_FUNCTIONS(LISTED, unopened)}};

_Atomic(const function_list *) cs_pkcs11_exported = &unopened;

#define EXPORTED(set, name, parameters, arguments, in_nbytes, out_nbytes) \
    CK_RV name parameters \
    { \
        CK_##name target = atomic_load_explicit(&cs_pkcs11_exported, memory_order_acquire)->by_name.name; \
        return cs_trace_is_on() ? name##_traced(UNWRAP arguments, target) : target arguments; \
    }
CS_PKCS11_FUNCTIONS(EXPORTED, )

#define FILL_EXPORTED(set, name, parameters, arguments, in_nbytes, out_nbytes) out->by_name.name = name;

void cs_pkcs11_fill_exported(function_list *out)
{
    CS_PKCS11_FUNCTIONS(FILL_EXPORTED, )
}
