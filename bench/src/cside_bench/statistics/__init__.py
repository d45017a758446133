# SPDX-License-Identifier: Apache-2.0
"""Statistics over arrays. The modules here do not depend on runs, files or bindings."""
