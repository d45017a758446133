# SPDX-License-Identifier: Apache-2.0
"""The header-change drill: what each binding does when the library changes under it.

``nox -s drill`` builds changed libraries and bindings; this package asks every binding, in fresh processes, what the
changed library would have answered in C, and keeps how it failed: at build, at import, at the call, silently, or by a
crash.
"""
