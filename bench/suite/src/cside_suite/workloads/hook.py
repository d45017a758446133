# SPDX-License-Identifier: Apache-2.0
"""The name under which the measuring process finds the collector of a pytest session."""

from typing import Final

import pytest

COLLECTOR: Final = pytest.StashKey["Collector"]()
