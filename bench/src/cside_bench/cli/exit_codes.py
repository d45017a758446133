# SPDX-License-Identifier: Apache-2.0
"""Exit codes of every command, beside 0 (done) and 2 (wrong usage, or an input that is missing or cannot be read)."""

from typing import Final

EXIT_LOOK: Final = 1
"""The command is done, and there is something to look at: a void cell, a failed check, an exceeded limit."""
EXIT_FAILED: Final = 3
"""A process that the command started failed."""
EXIT_INTERRUPTED: Final = 130
"""The user pressed Ctrl-C."""

EXIT_CODE_FILE: Final = "CSIDE_EXIT_CODE_FILE"
"""Environment variable: a file into which ``cside`` writes its exit code, for a caller that nox stands between."""
