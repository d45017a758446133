# SPDX-License-Identifier: Apache-2.0
"""The profile: counts, times and sizes of the calls that a real program makes, by an audit library of the linker.

``source`` writes a C function around each function of the library and compiles them with ``audit.c``, ``run`` runs the
program under them, ``counters`` reads what they counted, ``document`` has profile.toml.
"""
