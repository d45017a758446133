# SPDX-License-Identifier: Apache-2.0
"""Large documents of the page are compressed."""

import base64
import gzip
import json

from cside_bench.report.page.packing import packed


def test_a_large_document_is_compressed_and_a_small_one_is_plain() -> None:
    """Both say the same."""
    document = {"text": "</script>" * 50}
    small, large = packed(document), packed(document, plain_nbytes=10)
    assert (small.encoding, large.encoding) == ("json", "gzip")
    assert "</script>" not in small.text
    assert json.loads(small.text) == json.loads(gzip.decompress(base64.b64decode(large.text))) == document
