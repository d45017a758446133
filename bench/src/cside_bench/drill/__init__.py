# SPDX-License-Identifier: Apache-2.0
"""The header-change drill: what each binding does when the library changes under it.

``nox -s drill`` builds changed libraries and bindings. This package asks every binding, in fresh processes, for what
the changed library answers in C. It records how the binding failed: at build, at import, at the call, silently, or by
a crash.
"""
