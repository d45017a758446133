# SPDX-License-Identifier: Apache-2.0
"""All bindings give the same results and errors for the same random calls."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.subjects import pytest_options
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pkcs11_modules import MODULES, Station, logged_in

ULONGS = st.integers(min_value=-2, max_value=2**64 + 1) | st.sampled_from([0, 1, 2, 3, 0x10, 0x1F, 32])
TYPES = st.sampled_from([0, 1, 2, 3, 0x10, 0x11, 0x100, 0x161, 0x162, 0x103, 0x170, 0x80001234]) | ULONGS
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    ULONGS,
    st.text(max_size=5),
    st.binary(max_size=40),
    st.binary(max_size=9).map(bytearray),
    st.lists(ULONGS, max_size=3),
    st.floats(),
    st.lists(st.text(max_size=1), max_size=2),
)
DATA_OBJECT = st.just([(0, 0), (1, False)])
TEMPLATES = st.one_of(
    st.lists(st.tuples(TYPES, VALUES), max_size=4),
    st.tuples(DATA_OBJECT, st.lists(st.tuples(st.sampled_from([3, 0x10, 0x11]), VALUES), max_size=3)).map(
        lambda two: two[0] + two[1]
    ),
)
MECHANISMS = st.one_of(
    st.none(),
    st.sampled_from([0x220, 0x250, 0x270, 0x251, 0x1082, 0x1087]),
    ULONGS,
    st.tuples(st.sampled_from([0x250, 0x1082]), st.none() | st.binary(max_size=17) | ULONGS),
)
STEPS = st.one_of(
    st.tuples(st.just("C_CreateObject"), TEMPLATES),
    st.tuples(
        st.just("C_GetAttributeValue"),
        st.integers(0, 3),
        st.lists(TYPES | st.tuples(TYPES, st.integers(-1, 300)), max_size=4),
    ),
    st.tuples(st.just("C_SetAttributeValue"), st.integers(0, 3), TEMPLATES),
    st.tuples(st.just("C_CopyObject"), st.integers(0, 3), TEMPLATES),
    st.tuples(st.just("C_DestroyObject"), st.integers(0, 3)),
    st.tuples(st.just("C_FindObjectsInit"), TEMPLATES),
    st.tuples(st.just("C_FindObjects"), st.integers(-1, 50)),
    st.tuples(st.just("C_FindObjectsFinal")),
    st.tuples(st.just("C_DigestInit"), MECHANISMS),
    st.tuples(st.just("C_Digest"), st.none() | st.binary(max_size=100) | st.text(max_size=2)),
    st.tuples(st.just("C_DigestUpdate"), st.none() | st.binary(max_size=100)),
    st.tuples(st.just("C_DigestFinal")),
    st.tuples(st.just("C_GenerateKey"), MECHANISMS, TEMPLATES),
    st.tuples(st.just("C_EncryptInit"), MECHANISMS, st.integers(0, 3)),
    st.tuples(st.just("C_Encrypt"), st.binary(max_size=40)),
)
ON_OBJECTS = {"C_GetAttributeValue", "C_SetAttributeValue", "C_CopyObject", "C_DestroyObject"}
MAKES_OBJECTS = {"C_CreateObject", "C_CopyObject", "C_GenerateKey"}


def outcomes(station: Station, steps: list[tuple[Any, ...]]) -> list[str]:
    """Carry out the steps and return their outcomes as text, with handles numbered in the order of their creation."""
    module = station.module
    session = module.C_OpenSession(station.slot, 6)
    objects: list[int] = []
    told = []
    for name, *arguments in steps:
        if name in ON_OBJECTS:
            arguments[0] = objects[arguments[0]] if arguments[0] < len(objects) else 0
        elif name == "C_EncryptInit":
            arguments[1] = objects[arguments[1]] if arguments[1] < len(objects) else 0
        try:
            result = getattr(module, name)(session, *arguments)
        except Exception as error:
            told.append(f"{name}: {type(error).__name__} {getattr(error, 'name', '')} {getattr(error, 'result', '')}")
            continue
        if name in MAKES_OBJECTS:
            objects.append(result)
            result = f"object {len(objects)}"
        elif name == "C_FindObjects":
            result = sorted(objects.index(handle) if handle in objects else -1 for handle in result)
        told.append(f"{name}: {result!r}")
    module.C_CloseSession(session)
    return told


@pytest.fixture(scope="module", params=MODULES)
def stations(request: pytest.FixtureRequest) -> Iterator[list[tuple[Implementation, Station]]]:
    """One module, initialised once and opened by each implementation."""
    path = available(request.param)
    implementations = [one for one in pytest_options.selected(request.config) if "pkcs11" in one.nouns]
    if not implementations:
        pytest.skip("no binding with the noun pkcs11 is selected")
    first = logged_in(implementations[0].pkcs11.load(path))
    yield [(one, Station(one.pkcs11.load(path), first.slot, first.session)) for one in implementations]
    with suppress(Exception):
        first.module.C_Finalize()


@given(steps=st.lists(STEPS, max_size=8))
def test_all_implementations_agree(
    stations: list[tuple[Implementation, Station]], steps: list[tuple[Any, ...]]
) -> None:
    """All implementations have the same results and errors, whatever the steps."""
    (_, first), *others = stations
    expected = outcomes(first, steps)
    for implementation, station in others:
        assert outcomes(station, steps) == expected, implementation.name
