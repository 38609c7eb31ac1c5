"""Writes tests/vectors/second_opinion.json: suite 1 as the tools of others have it.

    python3 scripts/vectors/second_opinion.py > tests/vectors/second_opinion.json

Reads the inputs out of the other vectors and works everything else out anew,
from the page src/docs/protocol/client-cryptography.md alone and with nothing of
this project: Debian's python3-cbor2, python3-cryptography (OpenSSL),
python3-argon2 (the reference implementation) and python3-mnemonic (BIP-39's).
tests/vectors/second_opinion_test.ts holds the one against the other.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import sys
import unicodedata
import uuid

import cbor2
from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from mnemonic import Mnemonic

VECTORS = pathlib.Path(__file__).parent.parent.parent / "tests" / "vectors"
WORDS = Mnemonic("english")
WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def read(name):
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def b64(text):
    return base64.b64decode(text, validate=True)


def b64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value):
    return cbor2.dumps(value, canonical=True)


def hkdf(key, info, salt=None, length=32):
    return HKDF(hashes.SHA256(), length, salt, info.encode()).derive(key)


def unseal(key, nonce, box, ad=None):
    return ChaCha20Poly1305(key).decrypt(nonce, box, ad)


def sealed_under(key, sealed, ad):
    return unseal(key, sealed[:12], sealed[12:], ad)


def plain(passphrase):
    text = re.sub(f"[{WHITE_SPACE}]+", " ", unicodedata.normalize("NFC", passphrase))
    return text.removeprefix(" ").removesuffix(" ")


def open_box(box, passphrase, ad):
    kdf = box["kdf"]
    key = hash_secret_raw(
        plain(passphrase).encode(),
        kdf["salt"],
        kdf["passes"],
        kdf["memory_kib"],
        kdf["lanes"],
        32,
        Type.ID,
        0x13,
    )
    return unseal(key, box["nonce"], box["box"], ad.encode()).hex()


def open_blob(file_key, blob, chunk_size=65536):
    key = hkdf(file_key, "service-stream/v1", salt=blob[:16])
    rest, plaintext, number = blob[16:], b"", 0
    while True:
        chunk, rest = rest[: chunk_size + 16], rest[chunk_size + 16 :]
        nonce = number.to_bytes(11, "big") + (b"\x01" if not rest else b"\x00")
        plaintext += unseal(key, nonce, chunk)
        number += 1
        if not rest:
            return plaintext


def open_sealed(sealed, shared_secret, label, ad):
    """X-Wing itself is held against its draft elsewhere."""
    return unseal(hkdf(shared_secret, label), bytes(12), sealed[1120:], ad)


def signed(envelope, public_key, domain=None):
    """The payload, its Ed25519 half verified; OpenSSL 3.0 has no ML-DSA."""
    opened = cbor2.loads(envelope)
    assert canonical(opened) == envelope
    payload = cbor2.loads(opened["payload"])
    assert canonical(payload) == opened["payload"]
    message = payload["type"].encode() + b"\0" + opened["payload"]
    Ed25519PublicKey.from_public_bytes(public_key[:32]).verify(
        opened["signature"][:64], message
    )
    return payload


def uuid8(data):
    data = bytearray(data[:16])
    data[6] = data[6] & 0x0F | 0x80
    data[8] = data[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(data)))


def identity():
    given = read("identity")
    master = bytes.fromhex(given["master_key"])
    link = given["upload_link"]
    return {
        "ed25519_seed": hkdf(master, "service-identity-ed25519/v1").hex(),
        "ml_dsa_65_seed": hkdf(master, "service-identity-ml-dsa-65/v1").hex(),
        "x_wing_seed": hkdf(master, "service-identity-x-wing/v1").hex(),
        "album_ids": [
            uuid8(hkdf(master, f"service-album-id/v1/{one['index']}"))
            for one in given["album_ids"]
        ],
        "library_key": hkdf(master, "service-library-key/v1").hex(),
        "state_keys": [
            hkdf(master, f"service-state-key/v1/{one['slot']}").hex()
            for one in given["state_keys"]
        ],
        "upload_link_seed": hkdf(
            master, f"service-upload-link/v1/{link['opaque_id']}"
        ).hex(),
        "upload_link_fingerprint": sha256(b64(link["recipient_key"])).hex(),
    }


def file_keys():
    given = read("file_keys")
    amk = bytes.fromhex(given["amk"])
    file_id = uuid.UUID(given["file_id"]).bytes
    derived = hkdf(amk, "service-file-key/v1", salt=file_id)
    return {
        "derived": derived.hex(),
        "wrapped": sealed_under(
            amk,
            bytes.fromhex(given["wrapped"]["sealed_key"]),
            b"service-file-key/v1\0" + file_id,
        ).hex(),
        "parts": [
            hkdf(
                derived,
                "service-part-key/v1",
                salt=f"{one['role']}/{one['index']}".encode(),
            ).hex()
            for one in given["parts"]
        ],
    }


def sentence(typed):
    lower = unicodedata.normalize("NFC", plain(typed).lower())
    return lower.rstrip(" .")


def recovery():
    given = read("recovery")
    second, first = given["version_2"], given["version_1"]
    blob = cbor2.loads(b64(second["blob"]))
    assert canonical(blob) == b64(second["blob"])
    assert WORDS.check(second["words"])
    return {
        "words": [
            WORDS.to_mnemonic(bytes.fromhex(one["entropy"])) for one in given["words"]
        ],
        "passphrases": [plain(one["typed"]) for one in given["passphrases"]],
        "version_2": {
            box["label"]: open_box(
                box,
                sentence(second["phrase"])
                if box["label"] == "phrase"
                else second[box["label"]],
                f"service-escrow/v2/{box['label']}",
            )
            for box in blob["boxes"]
        },
        "version_1": [
            open_box(cbor2.loads(b64(box)), first["phrase"], "service-escrow/v1")
            for box in (first["small_cost"], first["suite_cost"])
        ],
    }


def shares():
    given = read("shares")
    secret = bytes.fromhex(given["secret"])
    return {
        "wrapped_secret": open_box(
            cbor2.loads(b64(given["wrapped_secret"])),
            given["passphrase"],
            "service-share/v1",
        ),
        "fragment": b64url(given["link"].split("#")[1]).hex(),
        "index": json.loads(open_blob(secret, b64(given["index_blob"]))),
    }


def documents():
    given = read("documents")
    public = b64(given["identity_key"])
    wrapped, guest = given["wrapped_amk"], given["guest"]
    context = [wrapped["album_id"], wrapped["amk_epoch"], wrapped["member"]]
    return {
        "manifests": [
            signed(b64(one["cbor"]), public)["ciphertext_hash"].hex()
            for one in given["manifests"]
        ],
        "roster": signed(b64(given["roster"]), public)["members"][0]["role"],
        "directory": signed(b64(given["directory"]["cbor"]), public)["devices"],
        "amk": open_sealed(
            b64(wrapped["sealed"]),
            bytes.fromhex(wrapped["shared_secret"]),
            "service-album-key/v1",
            canonical(context),
        ).hex(),
        "guest": json.loads(
            open_sealed(
                b64(guest["sealed"]),
                bytes.fromhex(guest["shared_secret"]),
                "service-guest-upload/v1",
                guest["opaque_id"].encode(),
            )
        ),
        "metadata": json.loads(b64(given["metadata"]["json"])),
    }


def albums():
    given = read("albums")
    amk = bytes.fromhex(given["amk"])
    roster = signed(b64(given["roster"]), b64(given["identity_key"]))
    of = [roster["album_id"], roster["amk_epoch"]]
    history = sealed_under(
        amk, roster["sealed_history"], canonical(["service-amk-history/v1", *of])
    )
    info = sealed_under(
        amk, roster["sealed_info"], canonical(["service-album-info/v1", *of])
    )
    assert canonical(cbor2.loads(history)) == history
    return {
        "before": [
            {"epoch": epoch, "key": key.hex()} for epoch, key in cbor2.loads(history)
        ],
        "info": json.loads(info),
    }


def later(one, other):
    if one is None or other is None:
        return one or other
    texts = [
        json.dumps(e, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for e in (one, other)
    ]
    return one if (one["at"], texts[0]) >= (other["at"], texts[1]) else other


def state():
    given = read("state")
    one, other = given["laptop"], given["phone"]
    merged = {
        section: {
            entry: later(one[section].get(entry), other[section].get(entry))
            for entry in sorted({*one[section], *other[section]})
        }
        for section in one
        if section != "v"
    }
    key = hkdf(
        bytes.fromhex(read("identity")["master_key"]),
        f"service-state-key/v1/{given['slot']}",
    )
    return {
        "laptop": json.loads(open_blob(key, b64(given["blob"]))),
        "merged": {"v": 1, **merged},
    }


def safety_numbers():
    numbers = []
    for pair in read("safety_numbers")["pairs"]:
        ids = sorted(bytes.fromhex(pair[side]) for side in ("one", "other"))
        digest = sha256(b"service-safety-number/v1\0", *ids)
        digits = hkdf(digest, "service-safety-number/v1", length=60)
        groups = (int.from_bytes(digits[i : i + 5], "big") for i in range(0, 60, 5))
        numbers.append(" ".join(f"{group % 100_000:05}" for group in groups))
    return numbers


def enrolled(given, way):
    said = [b64(payload) for payload in given[way]["payloads"]]
    commit, nonce, reveal, key = map(json.loads, said)
    pk, n = b64url(reveal["pk"]), b64url(reveal["nonce"])
    channel = given["channel_id"].encode()
    secret = bytes.fromhex(given["secret"])
    transcript = sha256(*said[:3])
    sealed = b64url(key["sealed"])
    shared = bytes.fromhex(given[way]["shared_secret"])
    account = json.loads(open_sealed(sealed, shared, "service-enroll-key/v1", transcript))
    opening = b64url(account.pop("opening"))
    bits = sha256(
        b"service-enroll-words/v1\0", channel, pk, n, b64url(nonce["nonce"])
    )
    number = int.from_bytes(bits, "big") >> (256 - 44)

    def mac(label, *parts):
        return hmac.digest(hkdf(secret, label), b"".join(parts), "sha256")

    assert sha256(b"service-enroll-commit/v1\0", pk, n) == b64url(commit["commit"])
    assert sha256(
        b"service-enroll-anchor/v1\0", bytes.fromhex(account["anchor"]), opening
    ) == b64url(nonce["nonce"])
    assert mac("service-enroll-key-mac/v1", transcript, sealed) == b64url(key["mac"])
    if "mac" in reveal:
        assert mac("service-enroll-mac/v1", channel, pk) == b64url(reveal["mac"])
    account["master_key"] = b64url(account["master_key"]).hex()
    return {
        "proves_scanning": "mac" in reveal,
        "account": account,
        "words": [
            WORDS.wordlist[number >> shift & 2047] for shift in (33, 22, 11, 0)
        ],
    }


def enrollment():
    given = read("enrollment")
    return {way: enrolled(given, way) for way in ("scanned", "typed")}


def succession():
    record = read("succession")["attestation_keys"]
    former, current = (one["server_id"] for one in record["server_ids"])
    payloads = []
    for before, key, under in zip(
        record["keys"], record["keys"][1:], (former, current)
    ):
        domain = "service-key-succession/v1"
        payload = canonical([domain, under, key["key_id"], key["active_from"]])
        Ed25519PublicKey.from_public_bytes(b64(before["public"])[:32]).verify(
            b64(key["succession"])[:64], domain.encode() + b"\0" + payload
        )
        assert sha256(b64(key["public"])).hex() == key["key_id"]
        payloads.append(payload.hex())
    return payloads


PARTS = [
    identity,
    file_keys,
    recovery,
    shares,
    documents,
    albums,
    state,
    safety_numbers,
    enrollment,
    succession,
]
json.dump(
    {part.__name__: part() for part in PARTS}, sys.stdout, indent=1, ensure_ascii=False
)
print()
