# SPDX-License-Identifier: Apache-2.0
"""The machine that measures: its CPUs, who else is busy on it, its interpreters, its checkout and what it lacks."""
