# SPDX-License-Identifier: Apache-2.0
"""A fuzzer of the reader of headers: ``python fuzz_grammar.py --seconds 60 FILE…``; it prints one JSON object.

Pieces of real headers are changed token by token. Whatever comes out is read into a model, or is refused by a
`HeaderError`, in time.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path

from cside_headers.errors import HeaderError
from cside_headers.parse import parse

TOKEN = re.compile(r"\w+|\s+|/\*.*?\*/|.", re.DOTALL)
INTERESTING = (
    "#if", "#ifdef X", "#else", "#endif", "#define X", "#define F(x) x##x", "#undef X", "#include \"x.h\"", "(", ")",
    "{", "}", ";", ",", "*", "/*", "*/", "//", "\\\n", "\"", "'", "0x", "0xFFFFFFFFFFFFFFFFUL", "1UL << 63", "-1", "08",
    "typedef", "struct", "union", "enum", "unsigned long int", "const", "[", "]", "[2]", "...", "CK_PTR",
    "CK_PKCS11_FUNCTION_INFO", "CK_DECLARE_FUNCTION(CK_RV, C_X)", "\n", "\0", "\ufeff", "é", "\x0c",
    "__attribute__((x))",
)  # fmt: skip
SLOWEST_S = 20.0
LINES = 60
CHANGES = 8


def piece(texts: list[str], chance: random.Random) -> str:
    """Some lines of one of the texts, or of two."""
    lines: list[str] = []
    for _ in range(chance.choice([1, 1, 2])):
        chosen = chance.choice(texts).splitlines(keepends=True)
        start = chance.randrange(len(chosen))
        lines += chosen[start : start + chance.randrange(1, LINES)]
    return "".join(lines)


def changed(text: str, chance: random.Random) -> str:
    """The text with a few tokens removed, repeated, exchanged, replaced or added."""
    tokens = TOKEN.findall(text)
    for _ in range(chance.randrange(CHANGES)):
        if not tokens:
            break
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        what = chance.randrange(5)
        if what == 0:
            del tokens[at]
        elif what == 1:
            tokens[at:at] = tokens[at : at + chance.randrange(1, 20)] * chance.choice([1, 1, 30])
        elif what == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif what == 3:
            tokens[at] = chance.choice(INTERESTING)
        else:
            tokens.insert(at, f" {chance.choice(INTERESTING)} ")
    return "".join(tokens)


def problem(file: Path, text: str) -> str:
    """Read the text; what is wrong with how that went, or nothing."""
    file.write_text(text, encoding="utf-8", newline="")
    began = time.monotonic()
    try:
        parse([file])
    except HeaderError:
        pass
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    took = time.monotonic() - began
    return f"{took:.0f} s" if took > SLOWEST_S else ""


def main() -> int:
    """Read changed pieces for a time, until the first finding."""
    reader = argparse.ArgumentParser()
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--seed", type=int, default=random.randrange(2**32))
    reader.add_argument("files", type=Path, nargs="+")
    asked = reader.parse_args()
    chance = random.Random(asked.seed)
    texts = [file.read_text(encoding="utf-8") for file in asked.files]
    executions, findings = 0, list[str]()
    until = time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "changed.h"
        while time.monotonic() < until and not findings:
            text = changed(piece(texts, chance), chance)
            executions += 1
            if found := problem(file, text):
                findings.append(f"{found} (seed {asked.seed}) by\n{text}")
    print(json.dumps({"executions": executions, "findings": findings}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
