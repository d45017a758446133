# SPDX-License-Identifier: Apache-2.0
"""The review: the questions that drafts leave open, alike ones asked once, and the rules that answers become."""
