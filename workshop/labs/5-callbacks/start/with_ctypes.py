"""ctypes: a C function pointer is made of a Python callable, and lives as long as the object that holds it."""

import ctypes
from pathlib import Path

_library = ctypes.CDLL(str(next(Path(__file__).parent.glob("libticker.*"))))

_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)

_library.ticker_subscribe.argtypes = [_FN, ctypes.c_void_p]
_library.ticker_unsubscribe.argtypes = [ctypes.c_int]
_library.ticker_unsubscribe.restype = None
_library.ticker_run.argtypes = [ctypes.c_int]


def subscribe(call):
    """Have call(tick) called for each tick of a run(); return the subscription's id."""

    def tick(_user, tick):
        call(tick)
        return 0

    return _library.ticker_subscribe(_FN(tick), None)


def unsubscribe(identity):
    """End a subscription."""
    _library.ticker_unsubscribe(identity)


def run(ticks):
    """Run; return the number of calls. An exception of a subscriber ends the run and is raised from here."""
    return _library.ticker_run(ticks)
