# SPDX-License-Identifier: Apache-2.0
"""Build the fuzz targets of ``native/fuzz`` with libFuzzer, run them from their corpora, and keep what they find."""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from provision import commands, packages, paths
from provision.commands import Problem
from provision.reliability import corpus
from provision.reliability.build import Build

BUILD = Build(
    "fuzz", "clang", ("-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCSIDE_SANITIZE=address,undefined", "-DCSIDE_FUZZ=ON")
)
FINDINGS = BUILD.folder / "findings"
LONGEST_NBYTES = 4096
SLOWEST_S = 20
"""An input that takes longer is a finding."""

PROBE = """#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t nbytes)
{
    return data == 0 && nbytes > 0;
}
"""


@dataclass(frozen=True)
class Asked:
    """What the arguments ask for."""

    seconds: int
    """For each target."""
    targets: tuple[str, ...]
    keep: bool
    """Whether new inputs go into the corpora of the checkout."""
    python: str
    """The interpreter of the bindings; empty for the driver's."""


@dataclass(frozen=True)
class Row:
    """What one target did."""

    target: str
    executions: int
    seconds: float
    inputs: int
    """In the corpus, after the run."""
    findings: tuple[str, ...]


def read(words: Sequence[str], others: Sequence[str] = ()) -> Asked:
    """Read ``--time S``, ``--target NAME`` (any number of times), ``--keep``, ``--python X``. `Problem` for others.

    ``others`` are names of targets that are not of ``native/fuzz``.
    """
    reader = argparse.ArgumentParser(prog="nox -s fuzz --", allow_abbrev=False, exit_on_error=False)
    reader.add_argument("--time", type=int, default=60)
    reader.add_argument("--target", action="append", default=[])
    reader.add_argument("--keep", action="store_true")
    reader.add_argument("--python", default="")
    try:
        found = reader.parse_args(list(words))
    except (argparse.ArgumentError, SystemExit) as error:
        raise Problem(f"{error}; it takes --time SECONDS, --target NAME, --keep and --python X") from None
    there = [*targets(), *others]
    if unknown := [name for name in found.target if name not in there]:
        raise Problem(f"no target has the name {unknown[0]!r}; there are {', '.join(there)}")
    if found.time < 1:
        raise Problem("--time takes a whole number of seconds for each target, 1 or more")
    return Asked(found.time, tuple(found.target) or tuple(there), found.keep, found.python)


def source() -> Path:
    """The folder of the targets and of their corpora."""
    return packages.native().folder / "fuzz"


def targets() -> list[str]:
    """The targets in C, each of which is a file that defines libFuzzer's function."""
    entry = "int LLVMFuzzerTestOneInput("
    return sorted(file.stem for file in source().glob("*.c") if entry in file.read_text("utf-8"))


def check() -> None:
    """Raise `Problem` with the command that installs what is missing, unless clang builds programs of libFuzzer."""
    if shutil.which("clang") is None:
        raise Problem("the fuzz targets are built by clang, which is not there: apt-get install clang libclang-rt-dev")
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.c"
        probe.write_text(PROBE, encoding="utf-8")
        try:
            commands.output(["clang", "-fsanitize=fuzzer,address", probe, "-o", Path(folder) / "probe"])
        except Problem as problem:
            version = re.search(r"version (\d+)", commands.output(["clang", "--version"]))
            runtime = f"libclang-rt-{version[1]}-dev" if version else "libclang-rt-dev"
            raise Problem(f"clang builds no program of libFuzzer ({problem}): apt-get install {runtime}") from problem


def build() -> None:
    """Build libcside, the token and all targets with libFuzzer's instrumentation and two sanitizers."""
    commands.say("libcside: building the fuzz targets by clang")
    BUILD.make([f"fuzz_{name}" for name in targets()])


def run(asked: Asked) -> list[Row]:
    """Run the targets in C that are asked for, two side by side."""
    wanted = [name for name in targets() if name in asked.targets]
    if not wanted:
        return []
    check()
    with paths.one_at_a_time():
        build()
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            return list(pool.map(lambda name: one(name, asked), wanted))


def one(name: str, asked: Asked) -> Row:
    """Run one target for its time, or until its first finding, which is then run again for its report."""
    program = BUILD.folder / "fuzz" / f"fuzz_{name}"
    inputs = BUILD.folder / "corpus" / name
    found = FINDINGS / name
    found.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    kept = source() / "corpus" / f"{name}.hex"
    corpus.unpack(kept, inputs)
    options = [f"-max_len={LONGEST_NBYTES}", f"-timeout={SLOWEST_S}", f"-artifact_prefix={found}/"]
    began = time.monotonic()
    done = subprocess.run(
        [
            str(program),
            str(inputs),
            f"-max_total_time={asked.seconds}",
            "-print_final_stats=1",
            *options,
        ],
        capture_output=True,
        text=True,
        errors="replace",
        env=commands.environment(),
        check=False,
    )
    seconds = time.monotonic() - began
    log = paths.LOGS / f"fuzz-{name}.log"
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    log.write_text(done.stderr, encoding="utf-8")
    findings = tuple(f"{file.name} ({_reason(done.stderr)})" for file in sorted(set(found.iterdir()) - before))
    if done.returncode != 0 and not findings:
        raise Problem(f"{program.name} ended with {done.returncode}:\n{commands.tail(log)}")
    count = _merge(program, inputs, kept) if asked.keep and not findings else len(list(inputs.iterdir()))
    return Row(name, _executions(done.stderr), seconds, count, findings)


def _executions(text: str) -> int:
    """How often the target was called, as libFuzzer says at the end, or by its last line of progress if it crashed."""
    told = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text) or re.findall(r"^#(\d+)\t", text, re.MULTILINE)
    return int(told[-1]) if told else 0


def _reason(text: str) -> str:
    told = re.search(r"does not hold: (.*)", text) or re.search(r"SUMMARY: \S+ (.*)", text)
    return told[1].strip()[:120] if told else "see the log"


def _merge(program: Path, inputs: Path, kept: Path) -> int:
    """Keep the fewest inputs that reach all that is reached."""
    with tempfile.TemporaryDirectory() as folder:
        merge = [program, "-merge=1", f"-max_len={corpus.MOST_NBYTES}", folder, inputs]
        commands.run(merge, log=f"fuzz-{program.name}-merge")
        return corpus.write(kept, [file.read_bytes() for file in Path(folder).iterdir()])


def table(rows: Sequence[Row]) -> str:
    """What was tried and what was found, in columns."""
    lines = [("target", "executions", "seconds", "corpus", "findings")]
    lines += [
        (row.target, f"{row.executions:,}", f"{row.seconds:.0f}", str(row.inputs), "; ".join(row.findings) or "none")
        for row in rows
    ]
    lines.append(
        (
            "all",
            f"{sum(row.executions for row in rows):,}",
            f"{sum(row.seconds for row in rows):.0f}",
            str(sum(row.inputs for row in rows)),
            str(sum(len(row.findings) for row in rows)),
        )
    )
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
