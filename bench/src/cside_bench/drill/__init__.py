# SPDX-License-Identifier: Apache-2.0
"""The header-change drill: what each binding does when the library changes under it.

``nox -s drill`` builds changed libraries and bindings; this package asks every binding, in fresh processes, what the
changed library would have answered in C, and keeps how it failed: at build, at import, at the call, silently, or by a
crash.
"""

LIBRARY = "library"
"""Pass: the changed library takes the place of the old one, and the binding stays as it is."""
REBUILT = "rebuilt"
"""Pass: the binding is built again, from its unchanged sources, against the changed header and library."""
