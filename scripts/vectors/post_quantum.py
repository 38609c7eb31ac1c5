"""Writes tests/vectors/post_quantum.json: OpenSSL's ML-KEM and ML-DSA on the vectors.

    python3 scripts/vectors/post_quantum.py > tests/vectors/post_quantum.json

Wants OpenSSL 3.5 and what speaks to it (PyPI's cryptography 48), which Debian 12
does not have; so it stands apart from second_opinion.py. X-Wing is put together
here as its draft has it (draft-connolly-cfrg-xwing-kem).
"""

import base64
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.mldsa import (
    MLDSA65PrivateKey,
    MLDSA65PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)

VECTORS = pathlib.Path(__file__).parent.parent.parent / "tests" / "vectors"
IDENTITY, DOCUMENTS, ENROLLMENT, HYBRID, SUCCESSION = (
    json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    for name in ("identity", "documents", "enrollment", "hybrid", "succession")
)


def b64(text):
    return base64.b64decode(text, validate=True)


def b64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class XWing:
    def __init__(self, seed):
        expanded = hashlib.shake_256(seed).digest(96)
        self.lattice = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
        self.curve = X25519PrivateKey.from_private_bytes(expanded[64:])
        self.curve_public = self.curve.public_key().public_bytes_raw()
        self.public = (
            self.lattice.public_key().public_bytes_raw() + self.curve_public
        )

    def shared_secret(self, sealed):
        lattice, curve = sealed[:1088], sealed[1088:1120]
        return hashlib.sha3_256(
            self.lattice.decapsulate(lattice)
            + self.curve.exchange(X25519PublicKey.from_public_bytes(curve))
            + curve
            + self.curve_public
            + rb"\.//^" + b"\\"
        ).hexdigest()


def enrolled(way):
    *_, reveal, key = (
        json.loads(b64(payload)) for payload in ENROLLMENT[way]["payloads"]
    )
    device = XWing(bytes.fromhex(ENROLLMENT["enrollee_seed"]))
    assert device.public == b64url(reveal["pk"])
    return device.shared_secret(b64url(key["sealed"]))


def verified(public, domain, payload, signature):
    """Whether the ML-DSA half of a hybrid signature holds; raises where not."""
    key = MLDSA65PublicKey.from_public_bytes(public[32:])
    key.verify(signature[64:], domain.encode() + b"\0" + payload)
    return True


def successions():
    keys = SUCCESSION["attestation_keys"]["keys"]
    return [
        verified(
            b64(before["public"]),
            "service-key-succession/v1",
            bytes.fromhex(signed["payload"]),
            b64(key["succession"]),
        )
        for before, key, signed in zip(keys, keys[1:], SUCCESSION["payloads"])
    ]


account = XWing(bytes.fromhex(IDENTITY["x_wing_seed"]))
link = XWing(bytes.fromhex(IDENTITY["upload_link"]["seed"]))
signer = MLDSA65PrivateKey.from_seed_bytes(bytes.fromhex(IDENTITY["ml_dsa_65_seed"]))
json.dump(
    {
        "sealing_key": base64.b64encode(account.public).decode(),
        "recipient_key": base64.b64encode(link.public).decode(),
        "identity_key": base64.b64encode(
            signer.public_key().public_bytes_raw()
        ).decode(),
        "amk": account.shared_secret(b64(DOCUMENTS["wrapped_amk"]["sealed"])),
        "guest": account.shared_secret(b64(DOCUMENTS["guest"]["sealed"])),
        "enrollment": {way: enrolled(way) for way in ("scanned", "typed")},
        "hybrid": verified(
            b64(HYBRID["public_key"]),
            HYBRID["domain"],
            bytes.fromhex(HYBRID["payload"]),
            b64(HYBRID["signature"]),
        ),
        "successions": successions(),
    },
    sys.stdout,
    indent=1,
)
print()
