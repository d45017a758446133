# SPDX-License-Identifier: Apache-2.0
"""Costs beside speed that follow from the sources: lines, build times, wheels, requirements.

:mod:`.static` measures all of them for the bindings of a run and writes ``costs.json``. It calls :mod:`.lines` (lines
of code), :mod:`.builds` (how long a build takes) and :mod:`.wheels` (sizes, requirements, how many wheels a project has
to publish). :mod:`.sources` describes a binding's source files. Which bindings there are, where their sources and
wheels lie and by which command a wheel is built stands in the manifest that nox writes.
"""
