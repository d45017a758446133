# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_bench.cli`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "__init__": "test_cli.py",
    "asked": "commands/test_run.py",
    "commands/completion": "test_completion.py",
    "commands/export": "bench/tests/report/test_export.py",
    "commands/hazards": "bench/tests/hazards/test_command.py",
    "commands/selftest": "bench/tests/summary/test_selftest.py",
    "commands/test": "commands/test_build.py",
    "console": "commands/test_compare.py",
    "exit_codes": "test_command_page.py",
    "finish": "commands/test_report.py",
    "generated": "test_command_page.py",
    "list_rows": "commands/test_list.py",
    "outcome": "commands/test_report.py",
    "parameters": "test_completion.py",
    "predict_against": "bench/tests/library/test_against.py",
    "predict_library": "commands/test_predict.py",
    "predict_tables": "commands/test_predict.py",
    "recommend_library": "commands/test_recommend.py",
    "recommend_questions": "commands/test_recommend.py",
    "run_library": "bench/tests/library/test_staging.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
