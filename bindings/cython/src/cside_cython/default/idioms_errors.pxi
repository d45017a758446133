# SPDX-License-Identifier: Apache-2.0
# Idioms, errors: the exception for statuses for which Python has none. The conversion is in status.pxi.


class StatusError(Exception):
    """A failure of the library for which Python has no exception of its own.

    It is a subclass of `Exception`. Its text is the library's message for the status.
    """
