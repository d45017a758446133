"""``python -m cside_bench``: the ``cside`` command."""

from cside_bench.cli import main

main(prog_name="cside")
