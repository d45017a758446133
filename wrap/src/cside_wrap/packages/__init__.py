# SPDX-License-Identifier: Apache-2.0
"""The packages: a binding of a library by each technique, from its reviewed intermediate form, equal in what they do.

What others need of this room::

    from cside_wrap.packages.describe import describe          # the call descriptions of a project
    from cside_wrap.packages.techniques import buildable       # the techniques, found by folder, that can be built here
    from cside_wrap.packages.techniques import chosen          # those of these names, whatever is here
    from cside_wrap.packages.make import build, built          # packages, environments, what was built
    from cside_wrap.packages.make import environment_python    # an interpreter that has the packages

    binding, unable = describe(project)                     # nothing is compiled
    binding, unable, done = build(project, chosen([]), [Python("cpython-3.14", "/usr/bin/python3.14")])

`build` leaves in the project's folder ``build/packages/<technique>/``, each a source package that ``pip install .``
takes and that needs nothing of cside; ``build/envs/<label>/``, an environment in which all of them are installed, named
after the interpreter as in the results of a run (``cpython-3.14``); ``build/wheels/<label>/<technique>/``; and
``build/build.json``, which `built` reads: a `Built` for each technique and interpreter, with seconds, sizes and lines.
A second call builds only what has changed.

A package is named ``<library>_<technique>`` (`Built.package`), as ``zstd_cffi``. At its top level it has, in all
techniques alike:

- each function under its C name, with the parameters of the form (`Call.taken`), positional only. It returns None, one
  value, or a tuple, as `Call.returned` has them: int, float, bool, bytes, str, an object, a struct, an address as int.
- a class for each type of objects (`Binding.handles`). Functions return them; where the binding allocates
  (`Handle.allocated`), calling the class makes one, all zero. They have ``close()``, ``closed``, and ``with``.
- a class for each struct (`Binding.records`), whose attributes are the members; all have a default.
- the constants, and ``Error``, which has ``function`` and ``status``.

So a workload for a function is a list of values for `Call.taken`, made once for each package, since objects of one
package are no objects of another. `cside_wrap.check.values` makes them by the recipes and rules of ``cside try``.

`Call` is technique-neutral: it has names that no keyword or builtin hides, and expressions as text. `spelling` writes
these in Python and C. What a technique cannot do is in its technique.toml under ``lacks``, by the feature's name;
`Technique.gaps` has the functions, and `Technique.binds` says whether a package has one. The GIL is released around
every call in all techniques, but for functions that ``gil-held`` in cside.toml names, where a technique can hold it.

Templates are in ``templates/<technique>/``: files at the top and in ``package/`` become those of the package, those in
``parts/`` are included by others. ``templates/shared/`` has what packages of several techniques have alike. One more
technique is one more folder with a technique.toml; nothing outside names it. A program that it needs beside a C
compiler stands there under ``needs``: `techniques.buildable` leaves it out where that program is missing.
"""
