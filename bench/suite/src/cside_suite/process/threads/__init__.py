# SPDX-License-Identifier: Apache-2.0
"""The process that measures how calls scale over threads."""
