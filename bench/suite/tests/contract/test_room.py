# SPDX-License-Identifier: Apache-2.0
"""Every module of ``cside_suite.contract`` is tested."""

from rooms import wrong_entries

ELSEWHERE: dict[str, str] = {
    "__init__": "bench/suite/src/cside_suite/conformance/test_contract.py",
    "_pkcs11_functions": "bench/suite/src/cside_suite/conformance/test_contract.py",
    "codec": "bench/suite/src/cside_suite/conformance/test_contract.py",
    "idioms": "bench/suite/src/cside_suite/conformance/test_contract.py",
    "pkcs11": "bench/suite/src/cside_suite/conformance/test_contract.py",
}
"""Where modules are tested that have no test file of their name."""


def test_every_module_is_tested() -> None:
    """A module has a test file of its name, or an entry that names the file in which it is tested."""
    assert wrong_entries(__file__, ELSEWHERE) == []
