# SPDX-License-Identifier: Apache-2.0
"""cside-suite: the part of the bench that is installed in each interpreter to be measured.

In reading order: :mod:`.contract` defines what every binding promises; :mod:`.subjects` finds and names what is
measured; :mod:`.workloads` declares the calls to be measured, as pytest-benchmark tests; :mod:`.process` has the
programs that run in a measuring process; :mod:`.conformance` checks that every binding keeps the contract. Nothing here
imports ``cside_bench``.
"""

__version__ = "0.1.0"
