# SPDX-License-Identifier: Apache-2.0
"""Methods of the compiled classes on PyPy, whose own object for such a method does not tell ``inspect`` its signature.

The compiled module imports this one on PyPy only.
"""

from types import MethodType
from typing import Any


class Method:
    """A compiled function as a method: it is bound as a function of Python is, and shows its signature."""

    def __init__(self, function: Any) -> None:
        self.__func__ = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__text_signature__ = function.__text_signature__

    def __get__(self, instance: object, owner: type | None = None) -> object:
        return self if instance is None else MethodType(self.__func__, instance)

    def __call__(self, *arguments: object, **more: object) -> object:
        return self.__func__(*arguments, **more)


def show_signatures(*classes: type) -> None:
    """Replace the methods of these classes that have a signature. A class shows its own."""
    for each in classes:
        for name, member in list(vars(each).items()):
            function = getattr(member, "__func__", None)
            if name != "__init__" and getattr(function, "__text_signature__", None):
                setattr(each, name, Method(function))
