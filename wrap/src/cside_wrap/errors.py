# SPDX-License-Identifier: Apache-2.0
"""The error whose text is written for users."""

__all__ = ["WrapError"]


class WrapError(Exception):
    """Something that the user has to change: what happened, what it means, and what to type next."""

    def __init__(self, message: str, advice: str = "") -> None:
        self.message = message
        self.advice = advice
        super().__init__(f"{message}\n{advice}" if advice else message)
