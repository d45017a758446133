# SPDX-License-Identifier: Apache-2.0
"""Reduce a run to the files that tests keep: ``python bench/tests/kept_run/reduce.py results/RUN WORKLOADS``.

The run has to be of the default tier, of one CPython and PyPy; ``cside list workloads --json`` prints WORKLOADS.
README.md says what is left out and why.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).resolve().parent
PROCESSES: Final = 7
"""Of each interpreter: comparisons have adjusted intervals from six processes on."""
ROUNDS: Final = 7
WHOLE: Final = ("cext", "cffi", "cffi.abi", "ctypes", "cython", "swig")
HEADLINE: Final = (
    *("idioms.noop", "idioms.add[i32-small]", "idioms.bytes_sum[bytes]", "idioms.string_repeat", "idioms.point_add"),
    *("idioms.attrs_get[12]", "idioms.each_call[100]", "idioms.status_raise[-102]", "codec.crc32[16]"),
    *("codec.crc32[65536]", "codec.compress[256-6]", "pkcs11.get_info[token]", "pkcs11.digest[64-token]"),
    "pkcs11.find[1000-token]",
)
"""Workloads of the short table: with the C loop, the standard library and the first control."""
CLOSELY: Final = ("idioms.noop", "idioms.add[i32-small]", "codec.crc32[16]", "pkcs11.digest[64-token]")
"""Workloads with partial variants, every control, and times of single calls."""
OTHERS: Final = (
    *(f"codec.crc32[{size}]" for size in (0, 256, 4096, 16384, 1048576)),
    *("idioms.macro_clamp", "idioms.spin_held[1]", "idioms.spin_released[100000]"),
)
"""The rest of a sweep, a function that some techniques cannot offer, and calls that hold or release the GIL."""
BESIDE: Final = ("floor.direct", "stdlib", "twin")
MORE: Final = (
    *("cext.abi3", "ctypes.bare", "cython.limited", "relinked", "delayed"),
    *("floor.ffi", "floor.shim", "empty-builtin", "PyKCS11"),
)
LATENCY_PROCESSES: Final = 3
KEPT_FIELDS: Final = ("workload", "subject", "gil", "first", "inside", "slowed_by_percent")
THREAD_CALLS: Final = ("idioms.spin_held[1]", "idioms.spin_released[100000]", "codec.crc32[1048576]")


def short(value: float, digits: int = 4) -> float:
    """The number with so many significant digits."""
    return float(f"{value:.{digits}g}")


def keeps(workload: str, subject: str) -> bool:
    """Whether a cell is kept."""
    if subject in WHOLE or (subject == "floor.direct" and workload in OTHERS):
        return workload in HEADLINE or workload in OTHERS
    return (subject in BESIDE and workload in HEADLINE) or (subject in MORE and workload in CLOSELY)


def benchmark(entry: dict[str, Any], *, pypy: bool, latency: bool) -> dict[str, Any]:
    """One cell of one process."""
    extra = entry["extra_info"]
    kept = {name: extra[name] for name in KEPT_FIELDS if name in extra}
    if "first" in kept:
        kept["first"] = short(kept["first"])
    kept |= {name: extra[name][:ROUNDS] for name in ("rounds", "positions") if name in extra}
    kept["empty"] = [short(value, 2) for value in extra["empty"][:ROUNDS]]
    if pypy and extra["subject"] in WHOLE and extra["workload"] in HEADLINE:
        kept["warm"] = [short(value, 3) for value in extra["warm"]]
    if latency and "latency" in extra and extra["workload"] in CLOSELY and extra["subject"] in WHOLE:
        kept["latency"] = extra["latency"]
    data = [short(value) for value in entry["stats"]["data"][:ROUNDS]]
    return {"extra_info": kept, "stats": {"data": data, "iterations": entry["stats"]["iterations"]}}


def block(document: dict[str, Any], number: int) -> dict[str, Any]:
    """One process."""
    own = document["cside"]
    pypy = own["interpreter"].startswith("pypy")
    return {
        "benchmarks": [
            benchmark(entry, pypy=pypy, latency=number < LATENCY_PROCESSES)
            for entry in document["benchmarks"]
            if keeps(entry["extra_info"]["workload"], entry["extra_info"]["subject"])
        ],
        "cside": {
            "interpreter": own["interpreter"],
            "seed": own["seed"],
            "rounds": ROUNDS,
            "void": [entry for entry in own["void"] if keeps(entry["workload"], entry["subject"])],
            "skips": [entry for entry in own["skips"] if keeps(entry["workload"], entry["subject"])],
            "load_average": own["load_average"],
            "engine_version": own["engine_version"],
        },
    }


def threads(document: dict[str, Any]) -> dict[str, Any]:
    """Calls in threads: three of them."""
    for process in document["processes"]:
        process["cells"] = [cell for cell in process["cells"] if cell["call"] in THREAD_CALLS]
    return document


def without_places(value: Any) -> Any:
    """A document without paths: a text that begins with one keeps its last part."""
    if isinstance(value, dict):
        return {name: without_places(one) for name, one in value.items() if name not in ("base", "relinked")}
    if isinstance(value, list):
        return [without_places(one) for one in value]
    return value.rpartition("/")[2] if isinstance(value, str) and value.startswith("/") else value


def environment(document: dict[str, Any]) -> dict[str, Any]:
    """What the run ran on: no path, no name and no identifier of the machine."""
    found: dict[str, Any] = without_places(document)
    found["machine"] = {name: value for name, value in found["machine"].items() if name not in ("id", "name")}
    found["machine"]["system"] = "Linux"
    for interpreter in found["interpreters"]:
        packages = interpreter["packages"]
        interpreter["packages"] = {name: packages[name] for name in packages if name.startswith("cside")}
        interpreter["config_args"] = "'--enable-optimizations'" if interpreter["pgo"] else ""
    return found


def main(run: Path, workloads: Path) -> None:
    """Write the reduced files beside this program; the old ones are removed."""
    read = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(run.rglob("*.json"))}
    written: dict[str, Any] = {}
    plan = read[run / "run.json"]
    numbered = {entry["label"]: 0 for entry in plan["interpreters"]}
    plan["blocks"] = [entry for entry in plan["blocks"] if entry["number"] < PROCESSES]
    plan["interpreters"] = [{**without_places(entry), "facts": {}} for entry in plan["interpreters"]]
    written["run.json"] = plan
    written["workloads.json"] = sorted(row["name"] for row in json.loads(workloads.read_text(encoding="utf-8")))
    written["environment.json"] = environment(read[run / "environment.json"])
    written["costs.json"] = without_places(read[run / "costs.json"])
    for path, document in read.items():
        label, _, number = path.stem.rpartition("-")
        name = path.relative_to(run).as_posix()
        if path.parent.name == "blocks" and int(number) < PROCESSES:
            written[name] = block(document, int(number))
            numbered[label] += 1
        elif path.parent.name == "threads":
            written[name] = threads(document)
        elif path.parent.name == "cold" and int(number) < 3:
            written[name] = [entry for entry in document if entry["subject"] in ("", *WHOLE)]
        elif path.parent.name == "calibration":
            written[name] = {"whole": document["whole"]}
    assert set(numbered.values()) == {PROCESSES}, numbered
    for folder in ("blocks", "threads", "cold", "calibration"):
        shutil.rmtree(HERE / folder, ignore_errors=True)
    total = 0
    for name, document in written.items():
        target = HERE / name
        target.parent.mkdir(exist_ok=True)
        text = json.dumps(document, separators=(",", ":")).replace('{"extra_info"', '\n{"extra_info"') + "\n"
        target.write_text(text, encoding="utf-8")
        total += len(text)
    print(f"{len(written)} files, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
