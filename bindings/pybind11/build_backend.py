# SPDX-License-Identifier: Apache-2.0
"""The build backend: scikit-build-core's, with hooks that say where to get `cside-native`, which the module links to.

pip and other frontends build in an environment of their own, into which they install what the backend asks for. In a
checkout that is the checkout's own folder `native`, which no package index needs to have. A source distribution asks
for the distribution by its name, which may come from an index or from the folder of `pip install --find-links`.
"""

from collections.abc import Mapping
from email import message_from_string
from pathlib import Path

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403  # all hooks; those below replace three of them

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent.parent / "native"

Settings = Mapping[str, str | list[str]] | None


def _native() -> str:
    """The requirement for `cside-native`."""
    described = HERE / "PKG-INFO"
    if described.exists():  # a source distribution, which was unpacked into a folder whose neighbours may be anybody's
        return f"cside-native=={message_from_string(described.read_text(encoding='utf-8'))['Version']}"
    in_checkout = (NATIVE / "python" / "cside_native").is_dir()
    return f"cside-native @ {NATIVE.as_uri()}" if in_checkout else "cside-native"


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What has to be installed beside the requirements in pyproject.toml."""
    return [*build.get_requires_for_build_wheel(config_settings), _native()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """As for a wheel, with what scikit-build-core itself needs for an editable installation."""
    return [*build.get_requires_for_build_editable(config_settings), _native()]


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """As for a wheel; a source distribution is described, but not compiled."""
    return [*build.get_requires_for_build_sdist(config_settings), _native()]
