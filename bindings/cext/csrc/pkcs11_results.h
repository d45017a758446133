/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_results.h - byte strings, lists and named tuples on their way to Python.
 */
#ifndef CSIDE_CEXT_PKCS11_RESULTS_H
#define CSIDE_CEXT_PKCS11_RESULTS_H

#include "pkcs11_calls.h"

/** Room of a first call beyond the sizes of the inputs. */
#define PKCS11_ROOM_NBYTES 512
/** Up to this size output is copied from the stack; above, the library writes into the object returned. */
#define PKCS11_OUTPUT_SMALL 1024
/** Numbers in a list's first call. */
#define PKCS11_ROOM_COUNT 64

/** A byte string of a length that only the module knows. */
typedef struct pkcs11_output {
    CK_BYTE *data;
    CK_ULONG room;
    CK_ULONG nbytes; /**< in: room; out: length */
    PyObject *bytes; /**< what `data` points into, or NULL for `small` */
    bool repeated;
    CK_BYTE small[PKCS11_OUTPUT_SMALL];
} pkcs11_output;

int pkcs11_output_large(pkcs11_output *output, CK_ULONG room);

static inline int pkcs11_output_start(pkcs11_output *output, CK_ULONG inputs_nbytes)
{
    CK_ULONG room = inputs_nbytes + PKCS11_ROOM_NBYTES;

    output->repeated = false;
    if (room > PKCS11_OUTPUT_SMALL) {
        return pkcs11_output_large(output, room);
    }
    output->data = output->small;
    output->room = room;
    output->nbytes = room;
    return 0;
}

int pkcs11_output_repeat(pkcs11_output *output);

/** Whether to call once more, with the room that the module asked for: 1, 0, or -1 with MemoryError. */
static inline int pkcs11_output_again(pkcs11_output *output, const pkcs11_call *call, CK_RV rv)
{
    if (rv != CKR_BUFFER_TOO_SMALL || output->repeated || output->nbytes <= output->room || pkcs11_has_raised(call)) {
        return 0;
    }
    return pkcs11_output_repeat(output);
}

PyObject *pkcs11_output_finish(pkcs11_output *output, const char *function);

/** A list of numbers, of a count that only the module knows. */
typedef struct pkcs11_numbers {
    CK_ULONG *data;
    CK_ULONG room;
    CK_ULONG count; /**< in: room; out: how many */
    bool repeated;
    CK_ULONG small[PKCS11_ROOM_COUNT];
} pkcs11_numbers;

int pkcs11_numbers_start(pkcs11_numbers *numbers, CK_ULONG room);
int pkcs11_numbers_again(pkcs11_numbers *numbers, const pkcs11_call *call, CK_RV rv);
PyObject *pkcs11_numbers_finish(const pkcs11_numbers *numbers, const char *function);

static inline void pkcs11_numbers_release(pkcs11_numbers *numbers)
{
    if (numbers->data != numbers->small) {
        PyMem_Free(numbers->data);
    }
}

/** An instance of a named tuple from `count` new references, which it takes; NULL if one of them is, or for want of
 *  memory. */
PyObject *pkcs11_tuple(const pkcs11_state *state, int number, PyObject *const *fields, Py_ssize_t count);

/** A tuple of new references, in the same way. */
PyObject *pkcs11_pack(PyObject *const *items, Py_ssize_t count);

/** Text padded with blanks. */
PyObject *pkcs11_from_text(const CK_UTF8CHAR *text, size_t width);

#endif
