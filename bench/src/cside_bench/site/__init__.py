# SPDX-License-Identifier: Apache-2.0
"""Makes the sources of the documentation site: the pages of the checkout, and pages made from its code and results."""
