# SPDX-License-Identifier: Apache-2.0
"""The base class of the ``PKCS11Error`` of every binding. Each binding derives a class of its own from it."""

from .pkcs11_constants import CKR

__all__ = ["PKCS11Error"]


class PKCS11Error(Exception):
    """A function of PKCS #11 returned something other than ``CKR_OK``.

    ``except`` with this class catches the errors of all bindings.
    """

    rv: int
    """The return value."""
    function: str
    """The name of the function that returned it, as ``C_Login``, or an empty string."""
    name: str
    """The name of the return value, as ``CKR_PIN_INCORRECT``; ``CKR_0x80000001`` where the standard has no name."""
    result: "list[tuple[int, bytes | None]] | None"
    """The attributes that ``C_GetAttributeValue`` could read before it failed; None from other functions."""

    def __init__(self, rv: int, function: str = "", result: "list[tuple[int, bytes | None]] | None" = None) -> None:
        self.rv = rv
        self.function = function
        self.result = result
        try:
            self.name = CKR(rv).name
        except ValueError:
            self.name = f"CKR_0x{rv:08x}"
        super().__init__(rv, function)

    def __str__(self) -> str:
        return f"{self.function or 'PKCS #11'}: {self.name} (0x{self.rv:08x})"
