# SPDX-License-Identifier: Apache-2.0
"""The relinked control: another order of the same objects."""

from provision.shuffled_link import shuffled


def test_objects_change_places_and_nothing_else_does() -> None:
    """Options, libraries and the output stay where they were."""
    words = ["cc", "-shared", "a.o", "b.o", "build/c.o", "d.o", "-L", "lib", "-lcside", "-o", "x.so"]
    for seed in range(20):
        found = shuffled(words, seed)
        assert sorted(found) == sorted(words)
        assert found != words
        assert found[:2] == words[:2]
        assert found[6:] == words[6:]
        assert found == shuffled(words, seed)


def test_one_object_has_no_order() -> None:
    """It is linked as it is."""
    assert shuffled(["cc", "a.o", "-o", "x.so"], 1) == ["cc", "a.o", "-o", "x.so"]
