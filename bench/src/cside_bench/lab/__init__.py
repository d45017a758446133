# SPDX-License-Identifier: Apache-2.0
"""Run one benchmark on the machines of a lab, by dask. The user types ``cside lab``.

:mod:`.conductor` sends a :mod:`.job` to each worker and collects the runs, :mod:`.campaign` keeps a record of them, and
:mod:`.archive` packs a run's folder for the network. On a worker the job starts a :mod:`.keeper`, a process that holds
the machine's lock while it measures and that ends with the worker. A worker needs a checkout, nox, ``distributed`` and
``filelock``, and nothing else.
"""
