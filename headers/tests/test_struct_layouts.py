# SPDX-License-Identifier: Apache-2.0
"""Layouts of structs are compared with known sizes and with a compiler, also with packing."""

import random

import pytest
from conftest import Written
from cside_headers import compiler_check
from cside_headers.errors import HeaderError
from cside_headers.parse import Headers
from cside_headers.struct_layouts import ILP32, LLP64, LP64, DataModel, Layouts


@pytest.mark.parametrize(
    ("data", "name", "size"),
    [
        (LP64, "CK_VERSION", 2),
        (LP64, "CK_INFO", 88),
        (LP64, "CK_TOKEN_INFO", 208),
        (LP64, "CK_ATTRIBUTE", 24),
        (LP64, "CK_GCM_PARAMS", 48),
        (ILP32, "CK_INFO", 76),
        (ILP32, "CK_ATTRIBUTE", 12),
        (LLP64, "CK_INFO", 72),
        (LLP64, "CK_ATTRIBUTE", 16),
        (LLP64, "CK_TOKEN_INFO", 160),
        (LP64.packed(), "CK_INFO", 76),
    ],
)
def test_known_sizes(own: Headers, data: DataModel, name: str, size: int) -> None:
    """Sizes that follow from the widths of the fields."""
    assert Layouts(own.model, data).of(name).size == size


def test_packed_structs_have_no_gaps(own: Headers) -> None:
    """Under pack(1) each field begins where the last one ends."""
    for layout in Layouts(own.model, LLP64).all().values():
        places = list(layout.fields.values())
        assert [start for start, _ in places] == [sum(size for _, size in places[:i]) for i in range(len(places))]
        assert layout.size == sum(size for _, size in places)


@pytest.mark.usefixtures("compiled")
def test_random_structs_against_the_compiler(written: Written) -> None:
    """Sixty random structs and unions of every kind of field, nested and with different packing, agree with the
    compiler.
    """
    random_ = random.Random(7)
    types = ["char", "short", "unsigned int", "CK_BYTE", "CK_ULONG", "uint64_t", "CK_BYTE_PTR", "void *", "uint32_t"]
    text = ["#include <stdint.h>"]
    for number in range(60):
        fields = "".join(
            f" {random_.choice(types)} f{i}{random_.choice(['', '', '[3]', '[2][5]'])};"
            for i in range(random_.randrange(1, 7))
        )
        kind = random_.choice(["struct", "struct", "struct", "union"])
        pack = random_.choice(["", "", "1", "2", "4"])
        text.append(f"#pragma pack(push, {pack})" if pack else "")
        text.append(f"typedef {kind} CK_T{number} {{{fields} }} CK_T{number};")
        text.append("#pragma pack(pop)" if pack else "")
        types.append(f"CK_T{number}")
    proofs = compiler_check.prove(written("\n".join(text)))
    assert [proof.mismatches for proof in proofs] == [[], [], []]
    assert proofs[0].counts["structs"] == 60


@pytest.mark.usefixtures("compiled")
def test_a_wrong_model_is_found(written: Written) -> None:
    """A model that differs from the header gives a mismatch that names the struct."""
    from dataclasses import replace

    headers = written("typedef struct CK_BOX { CK_ULONG ulA; CK_BYTE b; } CK_BOX;\n#define CKM_X 5\n")
    struct = headers.model.structs[0]
    swapped = replace(struct, fields=struct.fields[::-1])
    constants = tuple(replace(c, value=6) if c.name == "CKM_X" else c for c in headers.model.constants)
    headers.model = replace(headers.model, structs=(swapped,), constants=constants)
    assert compiler_check.prove(headers)[0].mismatches == [
        "offset and size of CK_BOX.b: the model says (0, 1), the compiler (8, 1)",
        "offset and size of CK_BOX.ulA: the model says (8, 8), the compiler (0, 8)",
        "CKM_X: the model says 6, the compiler 5",
    ]


@pytest.mark.usefixtures("compiled")
def test_a_header_that_does_not_compile(written: Written) -> None:
    """The error shows the message of the compiler."""
    headers = written('typedef struct CK_BOX { CK_ULONG ulA; } CK_BOX;\n#pragma GCC error "not today"\n')
    with pytest.raises(HeaderError, match="not today"):
        compiler_check.prove(headers)


def test_unknown_sizes_are_told(written: Written) -> None:
    """A field of a type that no header defines is an error."""
    headers = written("typedef struct CK_BOX { CK_ELSEWHERE inner; } CK_BOX;")
    with pytest.raises(HeaderError, match=r"CK_BOX\.inner: the size of CK_ELSEWHERE is not in these headers"):
        Layouts(headers.model, LP64).all()
