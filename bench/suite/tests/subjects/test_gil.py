# SPDX-License-Identifier: Apache-2.0
"""Which calls release the GIL."""

from cside_suite.subjects.gil import gil_policy


def test_gil_policy_follows_contract_and_features() -> None:
    """Long calls release, short ones hold where the technique can; checksums change at 5,120 bytes."""
    able = {"gil-held", "gil-released"}
    assert gil_policy("idioms.noop", "idioms.noop", able) == "held"
    assert gil_policy("idioms.noop", "idioms.noop", {"gil-released"}) == "released"
    assert gil_policy("codec.compress", "codec.compress[16-6]", able) == "released"
    assert gil_policy("codec.compress", "codec.compress[16-6]", {"gil-held"}) == "held"
    assert gil_policy("codec.crc32", "codec.crc32[4096]", able) == "held"
    assert gil_policy("codec.crc32", "codec.crc32[65536]", able) == "released"
    assert gil_policy("idioms.noop", "idioms.noop", None) == "none"
    assert gil_policy("codec.compress", "codec.compress[16-6]", set()) == "released"
