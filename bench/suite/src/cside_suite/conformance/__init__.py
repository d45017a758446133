# SPDX-License-Identifier: Apache-2.0
"""The conformance suite: tests that every binding keeps the contract, one test for each promise.

``python -m pytest --pyargs cside_suite.conformance`` runs it on all installed bindings, ``--binding NAME`` on one of
them. A test never names a binding: it uses the fixtures ``idioms`` and ``codec``. A test of something that a binding
may lack is marked ``needs("<feature>")``; if it is skipped, pytest prints the reason that the binding declares. Tests
marked ``crash_prone`` run in a forked child, so that a crash of the interpreter is one failed test with the binding's
name.
"""
