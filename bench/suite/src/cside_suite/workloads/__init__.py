"""What is measured, as pytest-benchmark tests over one fixture.

Anyone can run them plainly: ``python -m pytest --pyargs cside_suite.workloads --benchmark-only``. Under the driver
the same tests hand their callables over, to be run interleaved (:mod:`cside_suite.process.block`).

A workload's name is its noun, its test's name and its parameters: ``codec.crc32[16]``.
Each test asserts on the result, so that a wrong answer is never timed.
"""
