# SPDX-License-Identifier: Apache-2.0
"""What is published: wheels made portable and audited, and all the ways in which a user installs them, tried out."""
