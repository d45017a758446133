/* SPDX-License-Identifier: Apache-2.0
 * An audit library (rtld-audit(7)): the dynamic linker asks it whenever a program binds a symbol, be it by a procedure
 * linkage table or by dlsym, and gets the address of a wrapper that counts. Calls within the library are left alone. */
#define _GNU_SOURCE
#include "audit.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BATCHES = 64, BATCH = 256 };

_Thread_local uint64_t cs_inner;
static cs_header *cs_file;

unsigned la_version(unsigned version)
{
    const char *path = getenv("CSIDE_PROFILE_COUNTERS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    unsigned understood = 0; /* 0: the linker leaves this library out, and the program runs without it */
    size_t size = sizeof(cs_header) + cs_count * sizeof(cs_function);
    if (file >= 0 && lseek(file, 0, SEEK_END) == (off_t)size) {
        void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) {
            cs_file = mapped;
            cs_function *records = (cs_function *)(cs_file + 1);
            for (size_t i = 0; i < cs_count; i++) {
                cs_records[i] = &records[i];
            }
            cs_add(&cs_file->programs, 1);
            understood = version < LAV_CURRENT ? version : LAV_CURRENT;
        }
    }
    if (file >= 0) {
        close(file);
    }
    return understood;
}

/* The number, from 1, of an object in the file; 0 where there are too many. */
static uint64_t noted(const struct link_map *map)
{
    char own[CS_PATH];
    const char *path = map->l_name;
    if (path == NULL || *path == '\0') { /* the program itself */
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length > 0 ? length : 0] = '\0';
        path = own;
    }
    for (size_t i = 0; i < CS_OBJECTS; i++) {
        cs_object *one = &cs_file->objects[i];
        uint64_t unused = 0;
        if (atomic_compare_exchange_strong(&one->used, &unused, 1)) {
            strncpy(one->path, path, sizeof one->path - 1);
            atomic_store(&one->used, 2);
            return i + 1;
        }
        while (atomic_load(&one->used) != 2) {
        }
        if (strncmp(one->path, path, sizeof one->path - 1) == 0) {
            return i + 1;
        }
    }
    return 0;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    (void)space;
    *cookie = (uintptr_t)map;
    noted(map);
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

static uintptr_t bound(uintptr_t address, uintptr_t from, uintptr_t to, const char *name)
{
    size_t low = 0, high = cs_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, cs_names[middle]);
        if (order == 0) {
            void *first = NULL;
            if (from == to || cs_wrappers[middle] == NULL || address == (uintptr_t)cs_wrappers[middle]) {
                return address;
            }
            /* A wrapper calls one function. A second copy of the library in the process keeps its own. */
            if (!__atomic_compare_exchange_n(&cs_real[middle], &first, (void *)address, 0, __ATOMIC_SEQ_CST,
                                             __ATOMIC_SEQ_CST) &&
                first != (void *)address) {
                cs_add(&cs_records[middle]->others, 1);
                return address;
            }
            atomic_store(&cs_records[middle]->object, noted((const struct link_map *)to));
            return (uintptr_t)cs_wrappers[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return address;
}

#if __ELF_NATIVE_CLASS == 64
uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
#else
uintptr_t la_symbind32(Elf32_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
#endif
    (void)index;
    (void)flags;
    return bound(symbol->st_value, *from, *to, name);
}

/* For the reader, which loads this library too: the clock of the counters now, and the ticks of an empty call. */
uint64_t cside_profile_ticks(void)
{
    return cs_now();
}

double cside_profile_empty(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < BATCHES; i++) {
        cs_function one = {0};
        for (int j = 0; j < BATCH; j++) {
            cs_leave(&one, cs_enter());
        }
        least = one.ticks < least ? one.ticks : least;
    }
    return (double)least / BATCH;
}
