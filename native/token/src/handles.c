/* SPDX-License-Identifier: Apache-2.0
 *
 * handles.c - handles of sessions and objects.
 */
#include "module.h"

#include <stdlib.h>

#define INDEX_BITS 20 /* about a million sessions, and as many objects */
#define INDEX_MASK ((CK_ULONG)((1u << INDEX_BITS) - 1))

struct handle_entry {
    CK_ULONG handle; /* CK_INVALID_HANDLE if the entry is free */
    void *item;
    uint32_t next_free;
};

static CK_ULONG serial; /* never reset, so that handles do not survive C_Finalize */

static CK_ULONG next_handle(uint32_t index)
{
    serial++;
    if (serial << INDEX_BITS >> INDEX_BITS != serial) {
        serial = 1;
    }
    return serial << INDEX_BITS | (index + 1);
}

static bool grow(struct handle_table *table)
{
    uint32_t capacity = table->capacity > 0 ? table->capacity * 2 : 64;
    struct handle_entry *entries = NULL;

    if (table->capacity >= INDEX_MASK / 2) {
        return false;
    }
    entries = realloc(table->entries, capacity * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

CK_ULONG handle_add(struct handle_table *table, void *item)
{
    uint32_t index = 0;

    if (table->free_head != 0) {
        index = table->free_head - 1;
        table->free_head = table->entries[index].next_free;
    } else if (table->used < table->capacity || grow(table)) {
        index = table->used++;
    } else {
        return CK_INVALID_HANDLE;
    }
    table->entries[index].handle = next_handle(index);
    table->entries[index].item = item;
    return table->entries[index].handle;
}

static struct handle_entry *entry_get(const struct handle_table *table, CK_ULONG handle)
{
    CK_ULONG index = (handle & INDEX_MASK) - 1; /* out of range if the handle has no index */

    if (handle == CK_INVALID_HANDLE || index >= table->used || table->entries[index].handle != handle) {
        return NULL;
    }
    return &table->entries[index];
}

void *handle_get(const struct handle_table *table, CK_ULONG handle)
{
    const struct handle_entry *entry = entry_get(table, handle);

    return entry != NULL ? entry->item : NULL;
}

CK_ULONG handle_renew(struct handle_table *table, CK_ULONG handle)
{
    struct handle_entry *entry = entry_get(table, handle);

    if (entry == NULL) {
        return CK_INVALID_HANDLE;
    }
    entry->handle = next_handle((uint32_t)(entry - table->entries));
    return entry->handle;
}

void handle_remove(struct handle_table *table, CK_ULONG handle)
{
    struct handle_entry *entry = entry_get(table, handle);

    if (entry != NULL) {
        entry->handle = CK_INVALID_HANDLE;
        entry->item = NULL;
        entry->next_free = table->free_head;
        table->free_head = (uint32_t)(entry - table->entries) + 1;
    }
}

void *handle_at(const struct handle_table *table, uint32_t index)
{
    return table->entries[index].handle != CK_INVALID_HANDLE ? table->entries[index].item : NULL;
}

void handle_table_free(struct handle_table *table)
{
    free(table->entries);
    *table = (struct handle_table){0};
}
