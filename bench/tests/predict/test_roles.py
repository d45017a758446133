# SPDX-License-Identifier: Apache-2.0
"""What arguments are for, and that a prototype gets the shape of the workload of its function."""

import re

import pytest
from cside_bench.predict.prototype import PrototypeError, parse
from cside_bench.predict.roles import shape, uses
from cside_bench.results.shapes import Shape, load
from repository import ROOT

HEADER = ROOT / "native" / "include" / "cside" / "idioms.h"


def roles(prototype: str, **said: str) -> list[str]:
    """Return the roles of a prototype's arguments and of its result."""
    return [it.role for it in uses(parse(prototype), said)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(const char *text, size_t n, double *out)", ["bytes", "length", "out", "status"]),
        ("int f(const char *text)", ["text", "number"]),
        ("int f(const char *text, int flags)", ["text", "integer", "number"]),
        ("int f(const void *data, int len)", ["bytes", "length", "number"]),
        ("size_t f(const uint8_t *data, size_t n, uint8_t *out, size_t *out_n)",
         ["bytes", "length", "out-bytes", "out-length", "number"]),
        ("int f(uint8_t *out, size_t room, size_t *used)", ["out-bytes", "length", "out-length", "status"]),
        ("double f(const double *values, size_t n)", ["buffer", "length", "number"]),
        ("void f(double values[3])", ["buffer", "none"]),
        ("void f(int *a, int *b)", ["out", "out", "none"]),
        ("typedef struct db db; int f(const char *path, db **out)", ["text", "out-handle", "status"]),
        ("typedef struct db db; int f(db *it, int key)", ["handle", "integer", "number"]),
        ("struct p { int a; }; struct p f(struct p *a, struct p b)", ["struct", "struct-value", "struct-value"]),
        ("struct p { int a; }; int f(const struct p *all, size_t count)", ["elements", "length", "number"]),
        ("typedef int (*fn)(int); int f(fn call, void *user)", ["callback", "user-data", "number"]),
        ("const char *f(int code)", ["integer", "text"]),
        ("char *f(void)", ["owned-text"]),
        ("int f(char **message)", ["out-text", "status"]),
        ("int f(const char **message)", ["out-borrowed", "status"]),
        ("void *f(void *handle)", ["handle", "handle"]),
        ("double f(int a, int n)", ["integer", "integer", "number"]),
    ],
)  # fmt: skip
def test_a_type_and_its_place_say_what_an_argument_is_for(text: str, expected: list[str]) -> None:
    """A length follows what it measures, and a pointer that C may write to is a result."""
    assert roles(text) == expected


def test_what_the_user_says_replaces_an_assumption() -> None:
    """Arguments after it are judged by what was said."""
    text = "int f(const char *text, size_t n, double *out)"
    assert roles(text, text="text") == ["text", "integer", "out", "status"]
    assert roles(text, out="buffer", returns="number") == ["bytes", "length", "buffer", "number"]
    assert [it.assumed for it in uses(parse(text), {"out": "buffer"})] == [True, True, False, True]


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"b": "out"}, "has no argument b; it has: a, returns"),
        ({"a": "returned"}, "returned is no role of a"),
        ({"returns": "out"}, "out is no role of returns"),
        ({"a": "fields"}, "how many: --fields"),
    ],
)
def test_what_cannot_be_is_refused(said: dict[str, str], says: str) -> None:
    """The message lists what there is."""
    with pytest.raises(PrototypeError, match=says):
        uses(parse("typedef struct s s; int f(s *a)"), said)


def test_a_call_that_converts_numbers_alone_is_not_wrapped() -> None:
    """Approaches call such a function directly; anything else takes code around it."""
    assert shape(uses(parse("int f(int a, double b)"), {}), released=False) == {
        "call": 1, "int": 1, "real": 1, "number": 1,
    }  # fmt: skip
    assert shape(uses(parse("int f(int a)"), {"returns": "status"}), released=False) == {
        "call": 1, "int": 1, "wrapped": 1,
    }  # fmt: skip


def test_the_gil_is_released_by_each_native_call() -> None:
    """A text that has to be freed takes a second one."""
    assert shape(uses(parse("char *f(void)"), {}), released=True)["released"] == 2


def test_counts_are_those_that_the_user_gives() -> None:
    """Of calls of a callback, of elements and of fields."""
    text = "typedef int (*fn)(int); typedef struct s s; struct e { int a; }; int f(fn c, s *b, struct e *all, size_t n)"
    found = shape(uses(parse(text), {"b": "fields"}, calls=20, elements=7, fields=3), released=False)
    assert (found["callback_call"], found["element"], found["array"], found["field"]) == (20, 7, 1, 3)


def header() -> str:
    """Return the declarations of ``idioms.h`` without what the preprocessor takes away."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = text.replace('extern "C" {', "").replace("CS_API ", "").replace("CS_LABEL_NBYTES", "32")
    return "typedef int32_t cs_status;\n" + text.rstrip().removesuffix("}")


FUNCTIONS: dict[str, tuple[str, dict[str, str], Shape]] = {
    "cs_noop": ("idioms.noop", {}, {}),
    "cs_i32_add": ("idioms.add[i32-small]", {}, {}),
    "cs_f64_add": ("idioms.add_real[f64]", {}, {}),
    "cs_bool_not": ("idioms.bool_not", {}, {}),
    "cs_mixed_sum": ("idioms.mixed_sum", {}, {}),
    "cs_bytes_sum": ("idioms.bytes_sum[bytes]", {}, {}),
    "cs_buffer_fill": ("idioms.buffer_fill", {"out": "buffer"}, {}),
    "cs_blob_get": ("idioms.blob_get[16]", {}, {"native": 1}),
    "cs_runs_expand": ("idioms.runs_expand[200]", {}, {}),
    "cs_string_length": ("idioms.string_length[ascii]", {}, {}),
    "cs_string_borrow": ("idioms.string_borrow", {}, {}),
    "cs_string_repeat": ("idioms.string_repeat", {}, {}),
    "cs_label_get": ("idioms.label_get", {"out": "out-string"}, {}),
    "cs_label_hash": ("idioms.label_hash", {}, {"hashed": 32}),
    "cs_point_add": ("idioms.point_add", {}, {}),
    "cs_box_fill": ("idioms.box_fill", {}, {}),
    "cs_box_area": ("idioms.box_area", {}, {}),
    "cs_config_read": ("idioms.config_read", {"config": "fields", "out_view": "out-fields"}, {}),
    "cs_attrs_digest": ("idioms.attrs_digest[12]", {}, {"hashed": 144}),
    "cs_attrs_get": ("idioms.attrs_get[12]", {"attrs": "out-elements", "returns": "status"}, {"native": 1}),
    "cs_each_call": ("idioms.each_call[100]", {}, {}),
    "cs_counter_add": ("idioms.counter_add", {}, {}),
    "cs_status_return": ("idioms.status_raise[0]", {"returns": "status"}, {"python": 1}),
    "cs_errno_fail": ("idioms.errno_raise[0]", {"returns": "status"}, {"python": 1}),
    "cs_color_next": ("idioms.color_next", {}, {}),
    "cs_flags_toggle": ("idioms.flags_toggle", {}, {}),
    "cs_bits_pack": ("idioms.bits_pack", {"bits": "fields"}, {}),
    "cs_bits_unpack": ("idioms.bits_unpack", {"out_bits": "out-fields"}, {}),
    "cs_inline_rotl": ("idioms.inline_rotl", {}, {}),
    "cs_spin": ("idioms.spin_held[1]", {}, {}),
    "cs_tls_get": ("idioms.tls_get", {}, {}),
}
"""C functions with their workload, with what a prototype does not tell, and with terms that it cannot have."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_prototype_of_the_catalogue_has_the_shape_of_its_workload(name: str) -> None:
    """So `cside predict` would price the function that was measured as what it was fitted as."""
    workload, said, beyond = FUNCTIONS[name]
    text = header()
    end = re.search(rf"\b{name}\([^;{{]*\)[^;{{]*[;{{]", text)
    assert end is not None
    declared = parse(text[: end.end()].rstrip("{;") + ";")
    assert declared.name == name
    found = shape(uses(declared, said, calls=100, elements=12), released=False)
    known = load()
    assert {**found, **beyond} == known.fitted[known.key(workload) or ""]
