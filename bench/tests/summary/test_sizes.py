# SPDX-License-Identifier: Apache-2.0
"""The section of the summary about sizes, and its sentences."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from cside_bench.results.rounds import Process, Sample
from cside_bench.statistics.sizes import Sweep, model
from cside_bench.summary.sizes import plain, section, size, sweep_of
from known_sweep import PROCESSES, SIZES, library, modelled, noisy


def test_what_a_run_cannot_tell_is_said_to_be_so() -> None:
    """Three processes that are far apart: whether the two are ever within 5 % is neither claimed nor denied."""
    draw = np.random.default_rng(15)
    times = {"one": noisy(draw, library() + 20, 3), "two": noisy(draw, library() + 60, 3) * [1.0, 1.06, 1.12]}
    found = model(Sweep("codec.crc32", SIZES, times), "one")
    (near,) = found.near
    assert near.nbytes == near.high == float("inf")
    assert near.low < SIZES[-1]
    assert (
        "two against one: this run cannot tell whether they stay within 5 % from some size on." in plain(found)["text"]
    )


def sampled(seed: int) -> Sample:
    """A run's sample of the sweep, and of workloads that are none."""
    draw = np.random.default_rng(seed)
    sample = Sample("cpython-3.13", void={("codec.crc32[64]", "swig"): "for a reason"})
    extra = {"floor.direct": 0.0, "cext": 15.0, "cffi": 160.0, "swig": 40.0, "cffi.abi": 300.0}
    for _ in range(PROCESSES):
        process = Process()
        for nbytes, base in zip(SIZES, library(), strict=True):
            machine = draw.choice([1.0, 1.8], 30)
            for name, more in extra.items():
                net = (base + more) * machine * draw.lognormal(0, 0.02, 30)
                process.net[f"codec.crc32[{nbytes:.0f}]", name] = net
                process.net[f"codec.compress[{nbytes:.0f}-1]", name] = 9_000 + 50 * net
                process.net["codec.crc32_combine", name] = net
        sample.processes.append(process)
    return sample


def test_a_sweep_is_read_from_a_run() -> None:
    """By name and suffix; a subject that is void at one size is left out, and a slow machine is no slow approach."""
    sweep = sweep_of(sampled(11), "codec.crc32", "cext", ("cext", "cffi", "swig"))
    assert sweep is not None
    assert sweep.sizes.tolist() == SIZES.tolist()
    assert sorted(sweep.times) == ["cext", "cffi", "cffi.abi", "floor.direct"]
    assert sweep.choices == ["cext", "cffi"]
    ratio = sweep.times["cffi"] / sweep.times["cext"]
    assert ratio[0] == pytest.approx(163 / 18, rel=0.03)
    packed = sweep_of(sampled(11), "codec.compress", "cext", suffix="-1")
    assert packed is not None
    assert packed.family == "codec.compress-1"
    assert sweep_of(sampled(11), "codec.adler32", "cext") is None


def test_the_section_conforms_to_its_schema_and_is_put_in_words() -> None:
    """One object per interpreter and family, and a sentence that says from where on the choice is worth nothing."""
    found = section({"cpython-3.13": sampled(12), "empty": Sample("empty")}, "cext", ["cext", "cffi", "swig"])
    schema = json.loads(files("cside_bench.summary").joinpath("sizes.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(found, allow_nan=False)), schema)
    assert [entry["label"] for entry in found] == ["cpython-3.13"]
    first = found[0]["families"][0]
    assert first["all_near"]["nbytes"] == pytest.approx(17_000, rel=0.25)
    assert first["text"][0].startswith("From ")
    assert first["text"][0].endswith("all approaches are within 5 % of the fastest.")


def test_a_cliff_is_put_in_words() -> None:
    """Place, height and interval, with its sign."""
    text = plain(modelled(13, {"one": 40 + 62.0 * (SIZES >= 5120)}))["text"]
    (sentence,) = [line for line in text if "one +" in line]
    assert sentence.startswith("A jump between 5,119 and 5,120 bytes")


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [
        (0, "0 bytes"),
        (5120, "5 KiB"),
        (5119, "5,119 bytes"),
        (27_648, "27 KiB"),
        (1 << 20, "1 MiB"),
        (184_527, "180 KiB"),
    ],
)
def test_sizes_are_put_in_words(nbytes: float, text: str) -> None:
    """Sizes are given in bytes, KiB or MiB."""
    assert size(nbytes) == text
