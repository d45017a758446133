# SPDX-License-Identifier: Apache-2.0
"""Build libcside and the bindings with gcc's sanitizers, and run the conformance suite on each binding."""

import shutil
from concurrent.futures import ThreadPoolExecutor

from provision import builders, commands, environments, packages, paths, toolchain, wheels, workshop
from provision.commands import Problem
from provision.reliability import suite
from provision.reliability.rows import Row

NAME = "bindings"
LABEL = "sanitized"
"""The name of the environment."""
COMPILER = "gcc"
"""Its runtime is a shared library, which can be loaded before an interpreter that was built without it."""
SANITIZE = "address,undefined"
FLAGS = f"-fsanitize={SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
BUILD = {"CC": "gcc", "CXX": "g++", "CFLAGS": FLAGS, "CXXFLAGS": FLAGS, "LDFLAGS": f"-fsanitize={SANITIZE}"}
"""Variables of the environment in which a binding is built."""
NATIVE_BUILD = {"CC": "gcc", "SKBUILD_CMAKE_DEFINE": f"CSIDE_SANITIZE={SANITIZE}"}
"""Those in which libcside is built, whose CMake files know sanitizers."""
PRELOADED = ("libasan.so", "libubsan.so", "libstdc++.so")
"""Libraries that are loaded before all others. The runtimes replace functions of libc. That of addresses looks for the
function that throws C++ exceptions when it starts, and the interpreter does not load the library that has it.
"""
LEFT_OUT = ("test_leaks",)
"""Modules of the suite whose tests count memory: a sanitizer keeps what was freed, in order to find late uses."""


def variables() -> dict[str, str]:
    """Variables of the environment in which an interpreter loads modules that were built with the sanitizers.

    Leaks are not looked for, since interpreters keep much until their end. Objects come from the sanitizer's allocator,
    which puts a zone around each, and not from the interpreter's pools.
    """
    preloaded = [commands.output([COMPILER, f"-print-file-name={name}"]).strip() for name in PRELOADED]
    return {
        "LD_PRELOAD": " ".join(preloaded),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:exitcode=9:handle_segv=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=9",
    }


def run() -> list[Row]:
    """Build everything, and run the suite on each binding; a row for each."""
    toolchain.check()
    if shutil.which(COMPILER) is None:
        raise Problem(f"bindings are built by {COMPILER} here, which is not there: apt-get install {COMPILER}")
    python = workshop.driver_interpreter()
    native = workshop.native_wheel()
    chosen = workshop.buildable()
    with paths.one_at_a_time():
        package = packages.native()
        instrumented = wheels.build(
            package, builders.for_native(package), variables=NATIVE_BUILD, variation="with sanitizers"
        )
        builder = builders.for_interpreter(python, packages.every(), native)
        with ThreadPoolExecutor(suite.WORKERS) as pool:
            jobs = [
                pool.submit(wheels.build, each, builder, native, variables=BUILD, variation="with sanitizers")
                for each in chosen
            ]
            built = [job.result() for job in jobs]
        tests = wheels.build(packages.suite(), builder, native)
        loaded = variables()
        env = environments.ensure(LABEL, python, [instrumented, *built, tests], variables=loaded)
    return suite.run(NAME, COMPILER, env.python, [each.name for each in chosen], loaded, LEFT_OUT)
