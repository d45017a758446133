"""How a test of the workloads becomes the name of a workload: ``codec.crc32[16]`` on a subject."""

import pytest


def base_name(module: str, test: str) -> str:
    """``codec.crc32`` from ``….workloads.test_codec`` and ``test_crc32[cext-16]``."""
    return f"{module.rpartition('.test_')[2]}.{test.partition('[')[0].removeprefix('test_')}"


def identify(item: pytest.Item) -> tuple[str, str]:
    """(workload, subject) of a collected test; the parameters other than ``subject`` stand in brackets."""
    if not isinstance(item, pytest.Function):
        raise TypeError(f"{item.nodeid} is no test function")
    parameters = {name: str(value) for name, value in item.callspec.params.items()}
    subject = parameters.pop("subject")
    base = base_name(item.module.__name__, item.name)
    return (f"{base}[{'-'.join(parameters.values())}]" if parameters else base), subject
