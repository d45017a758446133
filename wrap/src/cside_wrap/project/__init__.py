# SPDX-License-Identifier: Apache-2.0
"""The project folder: cside.toml says what is bound, overrides.toml what the user decided, cside.lock what was read."""
