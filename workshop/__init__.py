# SPDX-License-Identifier: Apache-2.0
"""The labs of the workshop: what a participant gets, how it is checked, and the way to a solution.

``labs/<number>-<name>/`` holds a lab: ``lab.toml`` (title, minutes, what it needs), ``start/`` (what a participant
gets), ``solution.patch`` (what makes it right) and ``check.py`` (what is right and what is missing). Its sheet is
``docs/workshop/<number>-<name>.md``. ``nox -s workshop`` runs this package in an environment that has the bindings,
their build tools and the ``cside`` command.
"""
