# SPDX-License-Identifier: Apache-2.0
"""The arguments after ``nox -s wheels --``, and its help."""

import argparse
from collections.abc import Sequence

from provision import interpreters, packages

DESCRIPTION = """\
Make the wheels that a team publishes of such a library, audit them, and try every way to install them.

1. Build: the wheel of libcside, and each binding's wheel for each interpreter, in the build environments that the other
   sessions use too. A wheel that serves several interpreters (abi3, pure Python) is the one of the oldest of them.
2. Repair: auditwheel (on macOS delocate) finds the oldest systems that a wheel runs on, writes them into its tag, and
   copies into it the libraries that they do not have. libcside stays outside of the bindings' wheels: each would have
   its own copy, and so its own state. On Linux, run paths of the
   machine that built it are removed.
3. Audit: abi3audit compares modules for the stable ABI with the version that they claim; twine checks the metadata.
4. Source distributions: each is made, and built into a wheel in an isolated environment, with cside-native from the
   wheels of step 2; that wheel has to have the same files as the one of step 1.
5. Try: into an empty environment per interpreter the wheels, and no others, are installed; each binding is imported and
   called, and has to use the one libcside. At the end pip installs from the checkout, with build isolation, and then
   again with -e.

What is left in .cside/release is as portable as this machine's libraries. The wheels for an index are built by
cibuildwheel in the images of manylinux:

    cibuildwheel --config-file provision/release/cibuildwheel.toml bindings/cext
"""


def read(words: Sequence[str]) -> argparse.Namespace:
    """Read the words: ``python`` (names of interpreters), ``binding`` (names of bindings). Help ends the program."""
    reader = argparse.ArgumentParser(
        "nox -s wheels --", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument(
        "--python",
        action="append",
        type=interpreters.name_of,
        metavar="NAME",
        help=f"build for this interpreter only; may be given several times. Default: {', '.join(interpreters.MATRIX)}",
    )
    reader.add_argument(
        "--binding",
        action="append",
        choices=packages.binding_names(),
        help="build this binding only; may be given several times. Default: all",
    )
    return reader.parse_args(list(words))
