# SPDX-License-Identifier: Apache-2.0
"""RSA with keys of 2,048 bits and more, the sizes that the token has."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from answered_mechanisms import HASHES
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import decrypt, encrypt, is_signature, rsa_private, rsa_public, sign
from vector_files import Answer, examples, records

MIN_BITS = 2048
MASKS = {"SHA1": 1, "SHA256": 2, "SHA384": 3, "SHA512": 4, "SHA224": 5}
"""``CKG_MGF1_…`` of each digest."""


class Keys:
    """The keys of vectors, each made once in the token."""

    def __init__(self, p11: Any, token: Station) -> None:
        self.p11, self.token = p11, token
        self.made: dict[tuple[int, ...], int] = {}

    def public(self, modulus: str, exponent: str) -> int:
        """The public key of these hexadecimal numbers."""
        numbers = (int(modulus, 16), int(exponent, 16))
        if numbers not in self.made:
            self.made[numbers] = rsa_public(self.p11, self.token, *numbers)
        return self.made[numbers]

    def private(self, exponent: str, prime_1: str, prime_2: str) -> int:
        """The private key of these."""
        numbers = (int(exponent, 16), int(prime_1, 16), int(prime_2, 16))
        if numbers not in self.made:
            self.made[numbers] = rsa_private(self.p11, self.token, *numbers)
        return self.made[numbers]


@pytest.fixture
def keys(p11: Any, token: Station) -> Keys:
    """The keys of a test."""
    return Keys(p11, token)


def number_of_bits(modulus: str) -> int:
    """Return the size of a key."""
    return int(modulus, 16).bit_length()


def large(path: Path, last: str) -> list[Answer]:
    """Return NIST's vectors with keys that the token has."""
    return [one for one in records(path, last) if int(one["section"].removeprefix("mod = ")) >= MIN_BITS]


def pss(p11: Any, name: str, salt_nbytes: int) -> Any:
    """Return the parameter of PSS with one digest for both purposes."""
    hash_of = {signing: digest for digest, signing in HASHES.items()}
    return p11.CK_RSA_PKCS_PSS_PARAMS(getattr(p11, f"CKM_{hash_of[name]}"), MASKS[name], salt_nbytes)


# ---- signatures


def test_pkcs1_signatures(token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """NIST's RSA2VS, "SigGen": all sizes and digests verify."""
    answers = large(vectors / "asymmetric" / "RSA" / "FIPS_186-2" / "SigGen15_186-3.rsp", "S")
    assert {one["section"] for one in answers} == {"mod = 2048", "mod = 3072", "mod = 4096"}
    for one in answers:
        key, mechanism = keys.public(one["n"], one["e"]), getattr(p11, f"CKM_{one['SHAAlg']}_RSA_PKCS")
        assert is_signature(p11, token, mechanism, key, bytes.fromhex(one["Msg"]), bytes.fromhex(one["S"]))


def test_pkcs1_judgements(token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """NIST's RSA2VS, "SigVer": what was changed does not verify; and the token makes each signature that is right."""
    made = 0
    for one in large(vectors / "asymmetric" / "RSA" / "FIPS_186-2" / "SigVer15_186-3.rsp", "Result"):
        key, mechanism = keys.public(one["n"], one["e"]), getattr(p11, f"CKM_{one['SHAAlg']}_RSA_PKCS")
        message, signature = bytes.fromhex(one["Msg"]), bytes.fromhex(one["S"])
        is_right = one["Result"].startswith("P")
        assert is_signature(p11, token, mechanism, key, message, signature) == is_right
        if is_right:
            made += 1
            private = keys.private(one["e"], one["p"], one["q"])
            assert sign(token, mechanism, private, message) == signature
    assert made >= 30


@pytest.mark.parametrize("size", [2048, 3072, 4096])
def test_raw_signatures(size: int, token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """Without padding, and with padding around data that is signed as it is: the arithmetic of RFC 8017 in Python."""
    path = vectors / "asymmetric" / "RSA" / "FIPS_186-2" / "SigVer15_186-3.rsp"
    of_size = [each for each in large(path, "Result") if each["section"] == f"mod = {size}"]
    one = next(each for each in of_size if each["Result"].startswith("P"))
    modulus, nbytes = int(one["n"], 16), size // 8
    private, public = keys.private(one["e"], one["p"], one["q"]), keys.public(one["n"], one["e"])
    power = pow(int(one["e"], 16), -1, (int(one["p"], 16) - 1) * (int(one["q"], 16) - 1))
    data = hashlib.sha512(b"data").digest()
    expected = pow(int.from_bytes(data, "big"), power, modulus).to_bytes(nbytes, "big")
    assert sign(token, p11.CKM_RSA_X_509, private, data) == expected
    assert is_signature(p11, token, p11.CKM_RSA_X_509, public, data, expected)
    assert decrypt(token, p11.CKM_RSA_X_509, private, data.rjust(nbytes, b"\0")) == expected
    assert encrypt(token, p11.CKM_RSA_X_509, public, expected) == data.rjust(nbytes, b"\0")
    padded = b"\0\1" + b"\xff" * (nbytes - len(data) - 3) + b"\0" + data
    expected = pow(int.from_bytes(padded, "big"), power, modulus).to_bytes(nbytes, "big")
    assert sign(token, p11.CKM_RSA_PKCS, private, data) == expected
    assert is_signature(p11, token, p11.CKM_RSA_PKCS, public, data, expected)


def test_pss_signatures(token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """NIST's RSA2VS, "SigGen" without salt, which the token makes itself, and "SigVer" with one of ten bytes."""
    folder = vectors / "asymmetric" / "RSA" / "FIPS_186-2"
    for one in large(folder / "SigGenPSS_186-3.rsp", "S"):
        mechanism = getattr(p11, f"CKM_{one['SHAAlg']}_RSA_PKCS_PSS")
        message, signature, key = bytes.fromhex(one["Msg"]), bytes.fromhex(one["S"]), keys.public(one["n"], one["e"])
        assert is_signature(p11, token, (mechanism, pss(p11, one["SHAAlg"], 0)), key, message, signature)
        raw = (p11.CKM_RSA_PKCS_PSS, pss(p11, one["SHAAlg"], 0))
        assert is_signature(p11, token, raw, key, hashlib.new(one["SHAAlg"], message).digest(), signature)
    outcomes = []
    for one in large(folder / "SigVerPSS_186-3.rsp", "Result"):
        mechanism = (getattr(p11, f"CKM_{one['SHAAlg']}_RSA_PKCS_PSS"), pss(p11, one["SHAAlg"], 10))
        message, signature, key = bytes.fromhex(one["Msg"]), bytes.fromhex(one["S"]), keys.public(one["n"], one["e"])
        outcomes.append((is_signature(p11, token, mechanism, key, message, signature), one["Result"].startswith("P")))
    assert len(outcomes) == 270
    assert [got for got, _ in outcomes] == [expected for _, expected in outcomes]


@pytest.mark.parametrize("name", [name for name in HASHES.values() if name != "MD5"])
def test_signatures_of_the_token(name: str, token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """Digests for which there are no vectors, SHA-3: the padding of PKCS #1 by RFC 8017, 9.2, and PSS both ways."""
    path = vectors / "asymmetric" / "RSA" / "FIPS_186-2" / "SigVer15_186-3.rsp"
    one = large(path, "Result")[0]
    private, public = keys.private(one["e"], one["p"], one["q"]), keys.public(one["n"], one["e"])
    oid = {"SHA1": "2b0e03021a"} | {
        each: f"6086480165030402{at:02x}"
        for each, at in zip(["SHA256", "SHA384", "SHA512", "SHA224"], range(1, 5), strict=True)
    }
    oid |= {f"SHA3_{bits}": f"6086480165030402{7 + at:02x}" for at, bits in enumerate((224, 256, 384, 512))}
    digest, algorithm = hashlib.new(name.lower(), b"a message").digest(), bytes.fromhex(oid[name])
    head = bytes([6, len(algorithm)]) + algorithm + b"\5\0"
    inner = bytes([0x30, len(head)]) + head + bytes([4, len(digest)]) + digest
    signature = sign(token, getattr(p11, f"CKM_{name}_RSA_PKCS"), private, b"a message")
    assert is_signature(p11, token, p11.CKM_RSA_PKCS, public, bytes([0x30, len(inner)]) + inner, signature)
    mask = MASKS.get(name) or {224: 6, 256: 7, 384: 8, 512: 9}[int(name[-3:])]
    hash_of = {signing: each for each, signing in HASHES.items()}
    params = p11.CK_RSA_PKCS_PSS_PARAMS(getattr(p11, f"CKM_{hash_of[name]}"), mask, 20)
    signature = sign(token, (getattr(p11, f"CKM_{name}_RSA_PKCS_PSS"), params), private, b"a message")
    assert is_signature(p11, token, (p11.CKM_RSA_PKCS_PSS, params), public, digest, signature)
    assert not is_signature(p11, token, (p11.CKM_RSA_PKCS_PSS, params), public, digest[::-1], signature)


# ---- ciphertexts


def open_examples(vectors: Path, name: str) -> list[Answer]:
    """Return the examples of a file whose key the token has."""
    found = [one for one in examples(vectors / "asymmetric" / "RSA" / name) if "Encryption" in one]
    return [one for one in found if number_of_bits(one["Modulus"]) >= MIN_BITS]


def private_of(keys: Keys, one: Answer) -> int:
    """Return the private key of an example."""
    return keys.private(one["Public exponent"], one["Prime 1"], one["Prime 2"])


def test_pkcs1_ciphertexts(token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """RSA Laboratories' vectors; and what the token encrypts it decrypts."""
    answers = open_examples(vectors, "pkcs1v15crypt-vectors.txt")
    assert len(answers) == 20
    for one in answers:
        private, public = private_of(keys, one), keys.public(one["Modulus"], one["Public exponent"])
        message = bytes.fromhex(one["Message"])
        assert decrypt(token, p11.CKM_RSA_PKCS, private, bytes.fromhex(one["Encryption"])) == message
        assert decrypt(token, p11.CKM_RSA_PKCS, private, encrypt(token, p11.CKM_RSA_PKCS, public, message)) == message


OAEP = [("SHA1", "SHA1", "pkcs-1v2-1d2-vec/oaep-vect.txt")] + [
    (digest, mask, f"oaep-custom/oaep-{mask.lower()}-{digest.lower()}.txt")
    for digest in MASKS
    for mask in MASKS
    if (digest, mask) != ("SHA1", "SHA1")
]


@pytest.mark.parametrize(("digest", "mask", "name"), OAEP)
def test_oaep(digest: str, mask: str, name: str, token: Station, p11: Any, vectors: Path, keys: Keys) -> None:
    """RSA Laboratories' vectors, and those of other digests for the label and the mask that were made of them."""
    hash_of = {signing: each for each, signing in HASHES.items()}
    kind = getattr(p11, f"CKM_{hash_of[digest]}")
    mechanism = (p11.CKM_RSA_PKCS_OAEP, p11.CK_RSA_PKCS_OAEP_PARAMS(kind, MASKS[mask], 1, b""))
    other = (p11.CKM_RSA_PKCS_OAEP, p11.CK_RSA_PKCS_OAEP_PARAMS(kind, MASKS[mask], 1, b"label"))
    answers = open_examples(vectors, name)
    assert answers
    for one in answers:
        private, public = private_of(keys, one), keys.public(one["Modulus"], one["Public exponent"])
        message, sealed = bytes.fromhex(one["Message"]), bytes.fromhex(one["Encryption"])
        assert decrypt(token, mechanism, private, sealed) == message
        assert decrypt(token, other, private, encrypt(token, other, public, message)) == message
        with pytest.raises(p11.PKCS11Error, match="CKR_ENCRYPTED_DATA_INVALID"):
            decrypt(token, other, private, sealed)


def test_oaep_with_a_label(token: Station, p11: Any, vectors: Path) -> None:
    """BoringSSL's vector. Its key is PKCS #8, and comes into the token wrapped."""
    one = next(records(vectors / "asymmetric" / "RSA" / "oaep-label.txt", "Output"))
    template = [(p11.CKA_CLASS, p11.CKO_SECRET_KEY), (p11.CKA_KEY_TYPE, p11.CKK_AES), (p11.CKA_VALUE, bytes(16))]
    flags = [(p11.CKA_SENSITIVE, False), (p11.CKA_EXTRACTABLE, True)]
    outer = token.module.C_CreateObject(token.session, [*template, *flags, (p11.CKA_ENCRYPT, True)])
    unwrapping = token.module.C_CreateObject(token.session, [*template, *flags, (p11.CKA_UNWRAP, True)])
    wrapped = encrypt(token, (p11.CKM_AES_CBC_PAD, bytes(16)), outer, bytes.fromhex(one["KEY"]))
    wanted = [(p11.CKA_CLASS, p11.CKO_PRIVATE_KEY), (p11.CKA_KEY_TYPE, p11.CKK_RSA), (p11.CKA_DECRYPT, True)]
    key = token.module.C_UnwrapKey(token.session, (p11.CKM_AES_CBC_PAD, bytes(16)), unwrapping, wrapped, wanted)
    params = p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA512, MASKS["SHA512"], 1, bytes.fromhex(one["OAEPLabel"]))
    mechanism = (p11.CKM_RSA_PKCS_OAEP, params)
    assert decrypt(token, mechanism, key, bytes.fromhex(one["Input"])) == one["Output"].strip('"').encode()
