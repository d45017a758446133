# SPDX-License-Identifier: Apache-2.0
"""The trial: each bound function is called in a process of its own, with guard pages around what it is given.

The intermediate form is carried out here by ctypes, so that a mistake in a rule shows before a binding is built.
"""
