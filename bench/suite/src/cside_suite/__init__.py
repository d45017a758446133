# SPDX-License-Identifier: Apache-2.0
"""cside-suite: what enters a measured interpreter.

In reading order: :mod:`.contract` says what a binding promises; :mod:`.subjects` finds what is measured and names it;
:mod:`.workloads` declares what is measured, as pytest-benchmark tests; :mod:`.process` is the measuring process in its
several kinds; :mod:`.conformance` checks that every binding keeps the contract. Nothing here imports ``cside_bench``.
"""

__version__ = "0.1.0"
