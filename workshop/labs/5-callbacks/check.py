# SPDX-License-Identifier: Apache-2.0
"""Lab 5: callbacks live as long as C may call them and no longer, and their exceptions arrive."""

from workshop.checking import Findings

KEEP = {
    "ctypes": "C has the address of the object that _FN(tick) returned, and nothing else holds it: it is freed "
    "when subscribe() returns. Keep it until unsubscribe().",
    "cffi": "C has the address of the handle that ffi.new_handle() returned, and nothing else holds that handle: it is "
    "freed when subscribe() returns. Keep it until unsubscribe().",
}
RAISED = (
    "Between your callable and run() is C, through which no exception passes: the technique prints it and goes on. "
    "Catch it in the callback, keep it, return 1 so that C stops, and raise it in run()."
)
FREED = "What subscribe() kept has to be dropped in unsubscribe(), or every subscription leaks."


def check(found: Findings) -> None:
    """Ask the same questions of both techniques."""
    found.build()
    for name in ("ctypes", "cffi"):
        ask = f"import with_{name} as it\n"
        if not found.ask(
            f"{name}: twenty subscribers are all called, each itself",
            ask + "seen = []\n"
            "for n in range(20): it.subscribe(lambda tick, n=n: seen.append((tick, n)))\n"
            "gc.collect()\nlitter = [bytes(range(64)) for _ in range(2000)]\n"
            "same(it.run(2), 40)\nsame(seen, [(tick, n) for tick in range(2) for n in range(20)])",
            why=KEEP[name],
        ):
            continue
        found.ask(
            f"{name}: an exception of a subscriber is raised from run(), unchanged",
            ask + "error = KeyError('mine')\nkept = []\ndef fails(tick):\n    if tick == 3: raise error\n"
            "kept.append(it.subscribe(fails))\n"
            "assert raises(KeyError, it.run, 10) is error, 'it is another exception'",
            why=RAISED,
        )
        found.ask(
            f"{name}: the run after it is as if nothing had happened",
            ask + "def fails(tick): raise ValueError\none = it.subscribe(fails)\nraises(ValueError, it.run, 1)\n"
            "it.unsubscribe(one)\ntwo = it.subscribe(lambda tick: None)\nsame(it.run(5), 5)",
            why="An exception that was kept has to be taken out when it is raised.",
        )
        found.ask(
            f"{name}: an ended subscription keeps nothing alive",
            ask + "import weakref\nclass Call:\n    def __call__(self, tick): pass\n"
            "call = Call()\nwatched = weakref.ref(call)\none = it.subscribe(call)\nit.run(1)\ndel call\ngc.collect()\n"
            "assert watched() is not None, 'the callable was freed while it was subscribed'\n"
            "it.unsubscribe(one)\ngc.collect()\nassert watched() is None, 'the callable is still alive'",
            why=FREED,
        )
