# SPDX-License-Identifier: Apache-2.0
"""cside-bench: what drives the measurements, judges them and reports.

The rooms in the order of the data: :mod:`.machine` knows the machine; :mod:`.run` starts the processes of
``cside_suite`` and leaves raw files; :mod:`.results` reads the files of a run; :mod:`.statistics` computes over arrays;
:mod:`.summary` writes summary.json and evidence.json; :mod:`.compare`, :mod:`.claims`, :mod:`.recommend` and
:mod:`.drill` argue from them; :mod:`.report` shows them; :mod:`.lab` runs on several machines; :mod:`.cli` is the
command ``cside``, also ``python -m cside_bench``.
"""

__version__ = "0.1.0"
