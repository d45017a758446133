# SPDX-License-Identifier: Apache-2.0
"""A small C library for tests of ``cside_wrap`` and of its commands: each function has one trap of C interfaces."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

HEADER = """\
#ifndef BOX_H
#define BOX_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#define BOX_MAX 7
#define BOX_BIG 0xffffffffffffffffull
#define BOX_SHIFTED (1u << 31)
#define BOX_HALF 0.5
#define BOX_NAME "bo" "x"
#define BOX_KEYBYTES 16u
#define BOX_ALIAS box_count
#define BOX_API extern
#define BOX_TWICE(x) ((x) * 2)
enum box_color { BOX_RED = 1, BOX_BLUE = -2 };
typedef struct box box;
typedef struct box_point { char tag; double y; unsigned low : 3; } box_point;
typedef struct { const void *data; size_t used; } box_view;
typedef struct { unsigned char words[24]; } box_state;
typedef void (*box_visit)(int number, void *user_data);
/** A new box. Free it with box_free(). */
box *box_new(const char *name);
box *box_first(box *b);
void box_free(box *b);
const char *box_name(const box *b);
char *box_copy_name(const box *b);
int box_open(const char *path, box **made);
size_t box_sum(const void *data, size_t size);
size_t box_apart(const char *src, unsigned char *dst, int srcSize, int dstCapacity);
int box_fill(void *dst, size_t dstCapacity);
int box_key(const unsigned char *k);
int box_digest(unsigned char out[BOX_KEYBYTES]);
int box_query(unsigned char *out, size_t *outlen);
void box_split(int whole, int *high, int *low);
double box_area(box_point p);
void box_move(box_point *p, double by);
size_t box_view_size(const box_view *v);
void box_each(int count, box_visit visit, void *user_data);
void box_on_change(box *b, void (*changed)(int));
void box_state_init(box_state *state);
void box_state_update(box_state *state, const void *data, size_t len);
int box_state_final(box_state *state);
void box_keep(box *b, const void *data, size_t size);
int box_kept(box *b);
int box_overrun(const void *data, size_t size);
int box_constant(const void *data, size_t size);
int box_check(int number);
int box_unnamed(const char *, int);
enum box_color box_next(enum box_color color);
int box_print(const char *format, ...);
int box_vprint(const char *format, va_list values);
int box_dump(box *b, FILE *stream);
_Noreturn void box_stop(int code);
int box_missing(int number);
static inline int box_inline(int number) { return number + 1; }
int box_count(void);
#endif
"""

SOURCE = r"""
#include "box.h"
#include <stdlib.h>
#include <string.h>
struct box { char name[8192]; const unsigned char *kept; size_t size; };
box *box_new(const char *name) {
  box *b = calloc(1, sizeof *b); strncpy(b->name, name, sizeof b->name - 1); return b;
}
box *box_first(box *b) { return b; }
void box_free(box *b) { free(b); }
const char *box_name(const box *b) { return b->name; }
char *box_copy_name(const box *b) { return strdup(b->name); }
int box_open(const char *path, box **made) { *made = box_new(path); return 0; }
size_t box_sum(const void *data, size_t size) {
  size_t sum = 0;
  for (size_t i = 0; i < size; i++) sum += ((const unsigned char *)data)[i];
  return sum;
}
size_t box_apart(const char *src, unsigned char *dst, int srcSize, int dstCapacity) {
  size_t n = (size_t)(srcSize < dstCapacity ? srcSize : dstCapacity);
  memcpy(dst, src, n);
  return n;
}
int box_fill(void *dst, size_t dstCapacity) { memset(dst, 0x42, dstCapacity); return (int)dstCapacity; }
int box_key(const unsigned char *k) { return k[0] + k[15]; }
int box_digest(unsigned char out[BOX_KEYBYTES]) { memset(out, 9, BOX_KEYBYTES); return 0; }
int box_query(unsigned char *out, size_t *outlen) {
  if (*outlen < 3) return 1; memcpy(out, "abc", 3); *outlen = 3; return 0;
}
void box_split(int whole, int *high, int *low) { *high = whole / 10; *low = whole % 10; }
double box_area(box_point p) { return p.y; }
void box_move(box_point *p, double by) { p->y += by; }
size_t box_view_size(const box_view *v) {
  return v->used ? v->used + ((const unsigned char *)v->data)[v->used - 1] : 0;
}
void box_each(int count, box_visit visit, void *user_data) {
  for (int i = 0; i < count && visit; i++) visit(i, user_data);
}
void box_on_change(box *b, void (*changed)(int)) { (void)b; changed(1); }
void box_state_init(box_state *state) { memset(state, 1, sizeof *state); }
void box_state_update(box_state *state, const void *data, size_t len) {
  state->words[0] += (unsigned char)box_sum(data, len);
}
int box_state_final(box_state *state) { if (state->words[23] != 1) abort(); return state->words[0]; }
void box_keep(box *b, const void *data, size_t size) {
  if (b->size) box_sum(b->kept, b->size); b->kept = data; b->size = size;
}
int box_kept(box *b) { return (int)box_sum(b->kept, b->size); }
int box_overrun(const void *data, size_t size) { return ((const volatile unsigned char *)data)[size]; }
int box_constant(const void *data, size_t size) {
  if (size) *(volatile unsigned char *)(void *)data = 1; return 0;
}
int box_check(int number) { return number == 1 ? -3 : 0; }
int box_unnamed(const char *text, int size) { return text[size - 1]; }
enum box_color box_next(enum box_color color) { return color == BOX_RED ? BOX_BLUE : BOX_RED; }
int box_print(const char *format, ...) { return format[0]; }
int box_vprint(const char *format, va_list values) { (void)values; return format[0]; }
int box_dump(box *b, FILE *stream) { return fputs(b->name, stream); }
_Noreturn void box_stop(int code) { exit(code); }
int box_count(void) { return 3; }
"""

UNMADE = Path(__file__).with_name("unmade.py")
"""The program that uses an object of a package that no constructor has made."""


def compiler() -> list[str]:
    """The C compiler. Without one the test is skipped, or fails in CI."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(shlex.split(name)[0]):
            return shlex.split(name)
    if os.environ.get("CI"):
        pytest.fail("there is no C compiler")
    pytest.skip("there is no C compiler")


def build(folder: Path, header: str = HEADER, source: str = SOURCE, name: str = "box") -> Path:
    """Write the header and build the library in `folder`; return the header. Its library is ``lib<name>.so`` there."""
    path = folder / f"{name}.h"
    path.write_text(header, encoding="utf-8")
    (folder / f"{name}.c").write_text(source, encoding="utf-8")
    library = folder / f"lib{name}.so"
    flags = ["-shared", "-fPIC", "-O1", "-w", f"-Wl,-soname,lib{name}.so.1"]
    subprocess.run([*compiler(), *flags, "-o", str(library), str(folder / f"{name}.c")], check=True)
    return path
