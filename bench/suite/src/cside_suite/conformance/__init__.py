# SPDX-License-Identifier: Apache-2.0
"""The conformance suite: what every binding's behaviour is held to, one test per promise.

Run it against everything installed with ``python -m pytest --pyargs cside_suite.conformance``, or against some of it
with ``--binding NAME``. A test never mentions a binding: it asks the fixtures ``idioms`` and ``codec``, and is marked
``needs("<feature>")`` where the contract lets a binding do without; the skip then prints the binding's own reason.
Tests marked ``crash_prone`` run in a forked child, so that a dead interpreter is one failure with the binding's name.
"""
