# SPDX-License-Identifier: Apache-2.0
"""Two runs against each other, and the runs of several machines together."""
