# SPDX-License-Identifier: Apache-2.0
"""The user's library: what predictions, measurements and recommendations take from a project of ``cside init``.

``shapes`` has the shape of a function's calls, ``prices`` what the functions of a project cost with each approach,
``situation`` what a project and its profile say to a recommendation.
"""
