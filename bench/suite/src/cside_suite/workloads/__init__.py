"""The workloads: what is measured, as pytest-benchmark tests that get their subject from one fixture.

They can be run by pytest alone: ``python -m pytest --pyargs cside_suite.workloads --benchmark-only``. In a measuring
process, the same tests pass their callables to a collector, and the process then times them interleaved
(:mod:`cside_suite.process.block`).

The name of a workload consists of its noun, its test's name and its parameters: ``codec.crc32[16]``. Each test asserts
that the result is right, so that a wrong result is never timed. The first paragraph of its docstring is what
``cside list`` shows as the description of the workload.
"""
