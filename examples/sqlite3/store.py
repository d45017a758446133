# SPDX-License-Identifier: Apache-2.0
"""A store of keys and values over SQLite, which it calls by ctypes. docs/your-library.md profiles it."""

import ctypes
import ctypes.util
import random
from types import TracebackType

SQLITE_ROW, SQLITE_DONE = 100, 101
TRANSIENT = ctypes.c_void_p(-1)

Address = ctypes.c_void_p
Text = ctypes.c_char_p
library = ctypes.CDLL(ctypes.util.find_library("sqlite3"))
library.sqlite3_open.argtypes = [Text, ctypes.POINTER(Address)]
library.sqlite3_close_v2.argtypes = [Address]
library.sqlite3_exec.argtypes = [Address, Text, Address, Address, Address]
library.sqlite3_prepare_v2.argtypes = [Address, Text, ctypes.c_int, ctypes.POINTER(Address), Address]
library.sqlite3_bind_blob.argtypes = [Address, ctypes.c_int, Text, ctypes.c_int, Address]
library.sqlite3_step.argtypes = library.sqlite3_reset.argtypes = library.sqlite3_finalize.argtypes = [Address]
library.sqlite3_column_blob.argtypes = library.sqlite3_column_bytes.argtypes = [Address, ctypes.c_int]
library.sqlite3_column_blob.restype = Address


class Store:
    """A table of keys and values, both bytes."""

    def __init__(self) -> None:
        self.database = Address()
        self.check(library.sqlite3_open(b":memory:", ctypes.byref(self.database)))
        self.run(b"create table pair (key blob primary key, value blob) without rowid")
        self.putting = self.prepare(b"insert or replace into pair values (?, ?)")
        self.getting = self.prepare(b"select value from pair where key = ?")
        self.listing = self.prepare(b"select key from pair where key >= ? order by key limit 20")

    def __enter__(self) -> "Store":
        self.run(b"begin")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.run(b"commit" if kind is None else b"rollback")

    def close(self) -> None:
        """Free the statements and the connection."""
        for statement in (self.putting, self.getting, self.listing):
            library.sqlite3_finalize(statement)
        self.check(library.sqlite3_close_v2(self.database))

    def put(self, key: bytes, value: bytes) -> None:
        """Set the value of a key."""
        self.bind(self.putting, key, value)
        if library.sqlite3_step(self.putting) != SQLITE_DONE:
            raise OSError("the pair was not stored")
        library.sqlite3_reset(self.putting)

    def get(self, key: bytes) -> bytes | None:
        """The value of a key, None where it has none."""
        self.bind(self.getting, key)
        found = self.column(self.getting) if library.sqlite3_step(self.getting) == SQLITE_ROW else None
        library.sqlite3_reset(self.getting)
        return found

    def keys_from(self, key: bytes) -> list[bytes]:
        """The next keys, 20 at most."""
        self.bind(self.listing, key)
        found = []
        while library.sqlite3_step(self.listing) == SQLITE_ROW:
            found.append(self.column(self.listing))
        library.sqlite3_reset(self.listing)
        return found

    def prepare(self, text: bytes) -> Address:
        """A statement."""
        statement = Address()
        self.check(library.sqlite3_prepare_v2(self.database, text, len(text), ctypes.byref(statement), None))
        return statement

    def bind(self, statement: Address, *values: bytes) -> None:
        """Set the parameters of a statement."""
        for place, value in enumerate(values, 1):
            self.check(library.sqlite3_bind_blob(statement, place, value, len(value), TRANSIENT))

    def column(self, statement: Address) -> bytes:
        """The first column of the current row."""
        address = library.sqlite3_column_blob(statement, 0)
        return ctypes.string_at(address, library.sqlite3_column_bytes(statement, 0)) if address else b""

    def run(self, text: bytes) -> None:
        """Run a statement without parameters or results."""
        self.check(library.sqlite3_exec(self.database, text, None, None, None))

    @staticmethod
    def check(status: int) -> None:
        """Raise `OSError` for an error code."""
        if status:
            raise OSError(f"SQLite's error {status}")


random.seed(1)
store = Store()
with store:
    for number in range(10_000):
        store.put(b"key %06d" % number, random.randbytes(random.choice((16, 64, 256, 1024))))
hits = sum(store.get(b"key %06d" % random.randrange(12_000)) is not None for _ in range(20_000))
listed = sum(len(store.keys_from(b"key %06d" % random.randrange(10_000))) for _ in range(500))
store.close()
print(f"{hits} of 20000 keys found, {listed} listed")
