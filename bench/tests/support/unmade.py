# SPDX-License-Identifier: Apache-2.0
"""Uses objects that no constructor has made: ``python unmade.py PACKAGE``. Whatever they do, the process goes on."""

import contextlib
import importlib
import sys

package = importlib.import_module(sys.argv[1])
for kind in (package.box, package.box_state):
    for name in ("close", "__enter__", "__exit__", "__reduce__", "closed"):
        with contextlib.suppress(TypeError, ValueError, AttributeError):
            made = kind.__new__(kind)
            found = getattr(made, name)
            if callable(found):
                found()
    for function in (package.box_kept, package.box_state_init):
        with contextlib.suppress(TypeError, ValueError, AttributeError):
            function(kind.__new__(kind))
