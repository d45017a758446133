# SPDX-License-Identifier: Apache-2.0
"""Groups of functions cover the contract."""

from collections import Counter

from cside_suite import contract
from cside_suite.contract._pkcs11_functions import FUNCTIONS
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms
from cside_suite.subjects.groups import FUNCTIONS_STEM, GROUPS


def test_every_function_of_the_contract_is_in_one_group() -> None:
    """A group's stem begins with the module in which its functions are."""
    counts = Counter(name for names in GROUPS.values() for name in names)
    assert [name for name, count in counts.items() if count > 1 and not name.startswith("pkcs11")] == []
    for noun, protocol in (("idioms", Idioms), ("codec", Codec)):
        grouped = {name for stem, names in GROUPS.items() if stem.startswith(noun) for name in names}
        public = {name for name, it in vars(protocol).items() if callable(it) and not name.startswith("_")}
        assert public - grouped == set()
    assert set(GROUPS[FUNCTIONS_STEM]) == set(FUNCTIONS)


def test_the_nouns_of_the_groups_are_those_of_the_contract() -> None:
    """In the same order, which is that of tables and of imports."""
    assert tuple(dict.fromkeys(stem.partition("_")[0] for stem in GROUPS)) == contract.NOUNS
