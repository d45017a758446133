"""Run one_process.py in PROCESSES fresh processes, and ask of each alone whether the two functions differ.

They are the same function, so that every "differs" is false. The test is the rank test of Mann and Whitney, which a
few slow samples do not disturb. The samples are kept in samples.json.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from scipy.stats import mannwhitneyu

PROCESSES = 20
HERE = Path(__file__).parent


def main():
    """Run the processes; print one line for each."""
    runs = []
    false = 0
    for number in range(PROCESSES):
        printed = subprocess.run([sys.executable, HERE / "one_process.py"], capture_output=True, check=True).stdout
        run = json.loads(printed)
        runs.append(run)
        p = mannwhitneyu(run["first"], run["second"]).pvalue
        ratio = median(run["first"]) / median(run["second"])
        false += p < 0.05
        print(f"process {number:2}: ratio {ratio:.3f}, p = {p:.1g}{', differs' if p < 0.05 else ''}", flush=True)
    (HERE / "samples.json").write_text(json.dumps(runs))
    print(f"{false} of {PROCESSES} processes say that a function differs from itself; 1 in 20 is what p < 0.05 allows")


if __name__ == "__main__":
    main()
