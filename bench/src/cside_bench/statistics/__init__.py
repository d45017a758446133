# SPDX-License-Identifier: Apache-2.0
"""Statistics over arrays. Nothing here knows a run, a file or a binding."""
