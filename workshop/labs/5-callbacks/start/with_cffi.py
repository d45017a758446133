"""cffi in ABI mode: one C callback for all subscribers, which finds the Python callable by its `user`."""

from pathlib import Path

import cffi

ffi = cffi.FFI()
ffi.cdef("""
    typedef int (*ticker_fn)(void *user, int tick);
    int ticker_subscribe(ticker_fn fn, void *user);
    void ticker_unsubscribe(int id);
    int ticker_run(int ticks);
""")
_library = ffi.dlopen(str(next(Path(__file__).parent.glob("libticker.*"))))


@ffi.callback("ticker_fn")
def _tick(user, tick):
    ffi.from_handle(user)(tick)
    return 0


def subscribe(call):
    """Have call(tick) called for each tick of a run(); return the subscription's id."""
    return _library.ticker_subscribe(_tick, ffi.new_handle(call))


def unsubscribe(identity):
    """End a subscription."""
    _library.ticker_unsubscribe(identity)


def run(ticks):
    """Run; return the number of calls. An exception of a subscriber ends the run and is raised from here."""
    return _library.ticker_run(ticks)
