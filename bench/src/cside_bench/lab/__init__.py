# SPDX-License-Identifier: Apache-2.0
"""One benchmark on the machines of a lab, by dask: :mod:`.command` is what the user types.

:mod:`.conductor` sends a :mod:`.job` to each worker and collects what comes back, :mod:`.campaign` keeps a record of
it, :mod:`.archive` carries a run's folder over the network. On a worker the job starts a :mod:`.keeper`, a process of
its own that has the machine to itself while it measures, and ends with the worker. Nothing here needs more on a worker
than ``distributed`` and nox, beside a checkout.
"""
