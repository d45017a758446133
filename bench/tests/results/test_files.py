# SPDX-License-Identifier: Apache-2.0
"""Documents of a run are read as they are, or packed."""

import gzip
from pathlib import Path

import pytest
from cside_bench.results.files import PACKED, read_document


def test_a_packed_document_is_read_where_there_is_no_plain_one(tmp_path: Path) -> None:
    """The plain one comes first; where neither is, the error names the plain one."""
    path = tmp_path / "summary.json"
    with pytest.raises(FileNotFoundError, match=r"summary\.json'"):
        read_document(path)
    packed = tmp_path / f"summary.json{PACKED}"
    packed.write_bytes(gzip.compress(b'{"a": 1}'))
    assert read_document(path) == {"a": 1}
    path.write_text('{"a": 2}', encoding="utf-8")
    assert read_document(path) == {"a": 2}


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(b'{"a": 1}')[:-9], gzip.compress(b"{")])
def test_a_damaged_packed_document_is_an_error_of_value(tmp_path: Path, content: bytes) -> None:
    """As a damaged plain one is; so readers tell both in the same way."""
    (tmp_path / f"a.json{PACKED}").write_bytes(content)
    with pytest.raises(ValueError, match=r"Expecting|gzip|ended"):
        read_document(tmp_path / "a.json")
