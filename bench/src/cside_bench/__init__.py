"""cside-bench: the contract, the conformance suite and the measuring side of cside.

Each job has one module: :mod:`.contract` says what bindings promise, :mod:`.conformance` checks it,
:mod:`.workloads` says what is measured, :mod:`.block` measures in one fresh process, :mod:`.driver` plans and runs
blocks, :mod:`.statistics` turns raw rounds into ratios with intervals, :mod:`.report` shows them. ``python -m
cside_bench --help`` is the command.
"""

__version__ = "0.1.0"
