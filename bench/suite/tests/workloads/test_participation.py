# SPDX-License-Identifier: Apache-2.0
"""Which subject takes part in which workload."""

from cside_suite.subjects import names as subjects_names
from cside_suite.subjects.bindings import discover
from cside_suite.workloads import participation
from cside_suite.workloads.participation import refuses

REFERENCE = "cext"


def test_controls_take_part_where_they_should() -> None:
    """The twin in everything, the others in a sample of each noun."""
    assert participation.takes_part(subjects_names.TWIN, "codec.small_streams", few=False)
    for name in (subjects_names.RELINKED, subjects_names.DELAYED):
        assert not participation.takes_part(name, "codec.small_streams", few=False)
        for workload in ("idioms.add[i32-small]", "codec.crc32[16]", "pkcs11.digest[64-token]", "idioms.noop"):
            assert participation.takes_part(name, workload, few=False), workload


def test_the_twin_of_a_binding_takes_part_where_the_request_says() -> None:
    """Or wherever few workloads were asked for; no other subject depends on it."""
    refuse = refuses({}, few=False, twins=["idioms.noop"])
    assert not refuse("idioms.noop", "twin.cffi")
    assert refuse("idioms.mixed_sum", "twin.cffi")
    assert not refuse("idioms.mixed_sum", subjects_names.TWIN)
    assert not refuse("idioms.mixed_sum", REFERENCE)
    assert not refuses({}, few=True, twins=["idioms.noop"])("idioms.mixed_sum", "twin.cffi")


def test_partial_variants_refuse_what_they_have_no_function_for() -> None:
    """A partial variant refuses workloads that it has no function for; a whole binding refuses none."""
    found = discover(partial=True)
    partial = [one.name for one in found if one.partial]
    assert partial
    refuse = refuses({one.name: one for one in found}, few=False)
    assert not refuse("idioms.noop", partial[0])
    assert refuse("codec.compress[16-6]", partial[0])
    assert not refuse("codec.compress[16-6]", REFERENCE)
