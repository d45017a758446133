/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_memory.c - memory, references and buffers that the arguments of one call need.
 */
#include "pkcs11_memory.h"
#include "buffers.h"

#define BLOCK_NBYTES 4096

typedef struct pkcs11_block {
    struct pkcs11_block *next;
    size_t nbytes;
    max_align_t memory[];
} pkcs11_block;

typedef struct pkcs11_held {
    struct pkcs11_held *next;
    PyObject *object;
    Py_buffer view;
} pkcs11_held;

void *pkcs11_hold_memory(pkcs11_hold *hold, size_t nbytes)
{
    size_t room = hold->blocks == NULL ? sizeof(hold->small) : hold->blocks->nbytes;
    size_t rounded = 0;
    pkcs11_block *block = NULL;
    char *memory = NULL;

    if (nbytes > (size_t)PY_SSIZE_T_MAX / 2) {
        PyErr_NoMemory();
        return NULL;
    }
    rounded = (nbytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (rounded > room - hold->used) {
        room = rounded > BLOCK_NBYTES ? rounded : BLOCK_NBYTES;
        block = PyMem_Malloc(sizeof(*block) + room);
        if (block == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        block->next = hold->blocks;
        block->nbytes = room;
        hold->blocks = block;
        hold->used = 0;
    }
    memory = hold->blocks == NULL ? (char *)hold->small : (char *)hold->blocks->memory;
    memory += hold->used;
    hold->used += rounded;
    return memory;
}

static pkcs11_held *held_new(pkcs11_hold *hold)
{
    pkcs11_held *held = pkcs11_hold_memory(hold, sizeof(*held));

    if (held != NULL) {
        held->next = hold->held;
        held->object = NULL;
        held->view.obj = NULL;
        hold->held = held;
    }
    return held;
}

int pkcs11_hold_object(pkcs11_hold *hold, PyObject *object)
{
    pkcs11_held *held = NULL;

    if (object == NULL) {
        return -1;
    }
    held = held_new(hold);
    if (held == NULL) {
        Py_DECREF(object);
        return -1;
    }
    held->object = object;
    return 0;
}

int pkcs11_hold_bytes(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes)
{
    pkcs11_held *held = NULL;

    if (object == Py_None) {
        *out = NULL;
        *out_nbytes = 0;
        return 0;
    }
    if (PyBytes_CheckExact(object)) {
        *out = PyBytes_AS_STRING(object);
        *out_nbytes = (CK_ULONG)PyBytes_GET_SIZE(object);
        return 0;
    }
    held = held_new(hold);
    if (held == NULL) {
        return -1;
    }
    if (PyObject_GetBuffer(object, &held->view, PyBUF_SIMPLE) < 0) {
        held->view.obj = NULL;
        return -1;
    }
    *out = held->view.buf == NULL ? PKCS11_POINTER("") : held->view.buf;
    *out_nbytes = (CK_ULONG)held->view.len;
    return 0;
}

int pkcs11_hold_writable(pkcs11_hold *hold, PyObject *object, void **out, CK_ULONG *out_nbytes)
{
    pkcs11_held *held = held_new(hold);

    if (held == NULL) {
        return -1;
    }
    if (core_as_writable(object, &held->view) < 0) {
        held->view.obj = NULL;
        return -1;
    }
    *out = held->view.buf == NULL ? PKCS11_POINTER("") : held->view.buf;
    *out_nbytes = (CK_ULONG)held->view.len;
    return 0;
}

void pkcs11_hold_release_slow(pkcs11_hold *hold)
{
    pkcs11_held *held = hold->held;
    pkcs11_block *block = hold->blocks;

    for (; held != NULL; held = held->next) {
        if (held->view.obj != NULL) {
            PyBuffer_Release(&held->view);
        }
        Py_XDECREF(held->object);
    }
    while (block != NULL) {
        pkcs11_block *next = block->next;

        PyMem_Free(block);
        block = next;
    }
}
