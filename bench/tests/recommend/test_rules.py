# SPDX-License-Identifier: Apache-2.0
"""The rules behind recommendations, and the reason of each."""

import tomllib
from pathlib import Path

import pytest
from cside_bench.recommend import rules
from cside_bench.results import hazards
from cside_suite.contract._pkcs11_functions import FUNCTIONS
from cside_suite.contract.codec import Codec, Compress, Decompress
from cside_suite.contract.idioms import Idioms
from profiles_of_tests import RULES


def test_every_rule_has_a_reason() -> None:
    """Constraints, criteria, skills and constants say why; techniques where it can be read."""
    table = tomllib.loads((Path(rules.__file__).parent / "rules.toml").read_text(encoding="utf-8"))
    for section in ("constraint", "criterion", "skill"):
        assert all(it["reason"] for it in table[section].values())
    assert all(it["source"].startswith("https://") for it in table["technique"].values())
    assert all(it in table["skill"] for one in table["technique"].values() for it in one["skills"])
    reasons = {name.removesuffix("_reason") for name in table["decide"] if name.endswith("_reason")}
    assert {
        "draws",
        "sure",
        "simpler",
        "concentration",
        "least_weight",
        "missing_share",
        "close",
        "minor",
        "unchecked",
    } <= reasons
    assert sum(it.weight for it in RULES.criteria.values()) == pytest.approx(1)


def test_mistakes_and_kinds_of_call_that_the_rules_name_exist() -> None:
    """A mistake is one of the catalogue's, and needs kinds of call and threads that a profile may have."""
    tried = {it["id"] for it in hazards.reference()["hazards"]}
    assert set(RULES.mistakes_of) <= tried
    for needs in RULES.mistakes_of.values():
        assert set(needs.get("idioms", ())) <= set(RULES.idioms)
        assert set(needs.get("threads", ())) <= set(RULES.choices["threads"].values)
    few, more = (RULES.mistakes(names, "none", sorted(tried)) for names in (["scalars"], ["scalars", "callbacks"]))
    assert set(more) - set(few) >= {"callback_collected", "callback_cycle"}


def test_functions_are_counted_as_the_contract_has_them() -> None:
    """The numbers that lines are divided by are those of the protocols."""

    def public(*protocols: type) -> int:
        return sum(
            1
            for protocol in protocols
            for name, it in vars(protocol).items()
            if not name.startswith("_") and (callable(it) or isinstance(it, property))
        )

    functions = RULES.scale.functions
    assert functions["idioms"] == public(Idioms)
    assert functions["codec"] == public(Codec, Compress, Decompress)
    assert functions["pkcs11"] == len(FUNCTIONS)
