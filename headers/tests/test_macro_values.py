# SPDX-License-Identifier: Apache-2.0
"""Expressions have the same values as in C; random ones are compared with a compiler."""

import random
import subprocess
from pathlib import Path

import pytest
from cside_headers import compiler_check
from cside_headers.errors import Place, Source
from cside_headers.macro_values import Number, Values
from hypothesis import given
from hypothesis import strategies as st

NOWHERE = Place(Source(Path("values.h"), ""), 1, 1)
WORD = (1 << 64) - 1


def compute(text: str) -> Number:
    """The value of an expression without macros."""
    value = Values({}, {"CK_ULONG": (64, False), "CK_BYTE": (8, False)}).compute(text, NOWHERE)
    assert isinstance(value, Number)
    return value


@given(st.recursive(
    st.integers(0, WORD).map(lambda n: f"{n:#x}UL"),
    lambda inner: st.tuples(inner, st.sampled_from("|&^+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
    | inner.map(lambda text: f"~{text}"),
    max_leaves=12,
))  # fmt: skip
def test_unsigned_long_arithmetic(text: str) -> None:
    """Arithmetic of unsigned long is modulo two to the 64th."""
    assert compute(text).value == eval(text.replace("UL", "")) & WORD


@given(st.integers(0, WORD), st.sampled_from(["", "u", "L", "UL", "ul", "LU"]))
def test_literals_have_c_types(number: int, suffix: str) -> None:
    """Hexadecimal and decimal spellings have the same value."""
    assert compute(f"{number:#x}{suffix}").value == compute(f"{number}{suffix}").value == number


def expression(random_: random.Random, depth: int) -> str:
    """A random expression, `depth` operators deep."""
    if depth == 0:
        number = random_.choice([0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, random_.getrandbits(31)])
        return random_.choice(["{}", "{:#x}", "{}UL", "{:#x}U", "{}L", "{:#o}"]).format(number).replace("0o", "0")
    left, right = expression(random_, depth - 1), expression(random_, depth - 1)
    return random_.choice(
        [
            f"({left} | {right})",
            f"({left}) & {right}",
            f"({left} ^ {right})",
            f"{left} + ({right})" if depth == 1 else f"((CK_ULONG){left} + {right})",
            f"(unsigned long)({left}) - ({right})",
            f"((CK_BYTE)({left}))",
            f"((unsigned long)({left}) << {random_.randrange(32)})",
            f"((unsigned long)({left}) >> {random_.randrange(32)})",
            f"~({left})",
            f"!({left})",
            f"({left} < {right})",
            f"({left}) == ({right})",
            f"({left} && {right})",
            f"({left}) || ({right})",
            f"((unsigned long)({left}) % 1000)",
            f"-(long)(unsigned)({left})",
        ]
    )


@pytest.mark.usefixtures("compiled")
def test_random_expressions_against_the_compiler(tmp_path: Path) -> None:
    """400 random expressions have the widths, signs, precedence and casts of C."""
    random_ = random.Random(11)
    texts = [expression(random_, random_.randrange(1, 5)) for _ in range(400)]
    rows = "\n".join(f'    printf("%llu\\n", (unsigned long long)({text}));' for text in texts)
    source = "#include <stdio.h>\ntypedef unsigned long CK_ULONG; typedef unsigned char CK_BYTE;\nint main(void) {\n"
    (tmp_path / "values.c").write_text(source + rows + "\n    return 0;\n}\n")
    command = [*compiler_check.compiler(), "-std=gnu11", "-w", "-fwrapv", "values.c", "-o", "values"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "values"], capture_output=True, text=True, check=True).stdout.split()
    for text, number in zip(texts, printed, strict=True):
        assert compute(text).value & WORD == int(number), text
