/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_results.h - output of a module as Python objects: byte strings, lists of numbers, named tuples.
 */
#ifndef CSIDE_CEXT_PKCS11_RESULTS_H
#define CSIDE_CEXT_PKCS11_RESULTS_H

#include "pkcs11_calls.h"

/** Room for output in the first call, in addition to the size of the inputs. */
#define PKCS11_ROOM_NBYTES 512
/** Output with room of up to this size is on the stack and is copied. With more room, the module writes into the object
 *  that is returned. */
#define PKCS11_OUTPUT_SMALL 1024
/** Room for numbers in the first call for a list. */
#define PKCS11_ROOM_COUNT 64

/** Output bytes whose number only the module knows. */
typedef struct pkcs11_output {
    CK_BYTE *data;
    CK_ULONG room;   /**< size of the memory at `data` */
    CK_ULONG nbytes; /**< room before the call, length after it */
    PyObject *bytes; /**< the object that `data` points into, or NULL if that is `small` */
    bool repeated;   /**< the call has been made a second time */
    CK_BYTE small[PKCS11_OUTPUT_SMALL];
} pkcs11_output;

int pkcs11_output_large(pkcs11_output *output, CK_ULONG room);

/** Prepare for the first call, with room in proportion to the size of the inputs. Returns 0, or -1 with MemoryError. */
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

/** Decide after a call whether it must be repeated. Returns 1 if so, with the room that the module asked for; 0 if not;
 *  or -1 with MemoryError. */
static inline int pkcs11_output_again(pkcs11_output *output, const pkcs11_call *call, CK_RV rv)
{
    if (rv != CKR_BUFFER_TOO_SMALL || output->repeated || output->nbytes <= output->room || pkcs11_has_raised(call)) {
        return 0;
    }
    return pkcs11_output_repeat(output);
}

/** The output as a bytes object; NULL with an exception set. */
PyObject *pkcs11_output_finish(pkcs11_output *output, const char *function);

/** Output numbers whose count only the module knows. */
typedef struct pkcs11_numbers {
    CK_ULONG *data;
    CK_ULONG room;  /**< numbers that fit at `data` */
    CK_ULONG count; /**< room before the call, count after it */
    bool repeated;  /**< the call has been made a second time */
    CK_ULONG small[PKCS11_ROOM_COUNT];
} pkcs11_numbers;

/* As the functions for bytes above; pkcs11_numbers_finish() returns a list of int. */
int pkcs11_numbers_start(pkcs11_numbers *numbers, CK_ULONG room);
int pkcs11_numbers_again(pkcs11_numbers *numbers, const pkcs11_call *call, CK_RV rv);
PyObject *pkcs11_numbers_finish(const pkcs11_numbers *numbers, const char *function);

static inline void pkcs11_numbers_release(pkcs11_numbers *numbers)
{
    if (numbers->data != numbers->small) {
        PyMem_Free(numbers->data);
    }
}

/** An instance of the named tuple with this number. It takes over `count` new references. NULL with an exception set if
 *  one of them is NULL or memory runs out. */
PyObject *pkcs11_tuple(const pkcs11_state *state, int number, PyObject *const *fields, Py_ssize_t count);

/** A tuple of `count` new references, which it takes over; NULL as for pkcs11_tuple(). */
PyObject *pkcs11_pack(PyObject *const *items, Py_ssize_t count);

/** A str from text that is padded with blanks. */
PyObject *pkcs11_from_text(const CK_UTF8CHAR *text, size_t width);

#endif
