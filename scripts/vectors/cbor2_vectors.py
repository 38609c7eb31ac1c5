"""Writes tests/vectors/cbor2.json: values as an independent encoder writes them.

    python3 scripts/vectors/cbor2_vectors.py > tests/vectors/cbor2.json

Wants Debian's python3-cbor2. Its canonical form sorts keys by length first,
which for maps of text keys is the bytewise order of RFC 8949 section 4.2.1.
A byte string is {"$bytes": hex} in the JSON.
"""

import json
import random
import sys

import cbor2

RANDOM = random.Random(8949)
UUID = "0192f0c1-2b3c-7d4e-8f50-617283940a0b"
SAFE = 2**53 - 1


def some_text():
    alphabet = "abcdefghijklmnopqrstuvwxyz_äß€𝄞\u0000\ufeff"
    return "".join(RANDOM.choice(alphabet) for _ in range(RANDOM.choice([0, 1, 5, 23, 24, 40])))


def some_integer():
    edges = [0, 23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32, SAFE]
    value = RANDOM.choice(edges + [RANDOM.randrange(SAFE)])
    return RANDOM.choice([value, -value])


def some_value(depth):
    kinds = ["integer", "text", "bytes", "simple"]
    if depth > 0:
        kinds += ["array", "map"]
    kind = RANDOM.choice(kinds)
    if kind == "integer":
        return some_integer()
    if kind == "text":
        return some_text()
    if kind == "bytes":
        return RANDOM.randbytes(RANDOM.choice([0, 1, 23, 24, 255, 256, 300]))
    if kind == "simple":
        return RANDOM.choice([True, False, None])
    count = RANDOM.choice([0, 1, 3, 24, 30])
    if kind == "array":
        return [some_value(depth - 1) for _ in range(count)]
    return {some_text() + str(i): some_value(depth - 1) for i in range(count)}


DOCUMENTS = {
    "a device cohort": ["service-device-cohort/v1", UUID, "linux", "an id"],
    "a directory": {
        "type": "service-device-directory/v1",
        "directory_version": 24,
        "devices": [],
    },
    "a roster": {
        "type": "service-album-roster/v1",
        "album_id": UUID,
        "owner": UUID,
        "roster_version": 1000,
        "amk_epoch": 0,
        "members": [
            {"member": UUID, "role": "viewer", "wrapped_amk": bytes(range(256))},
            {
                "member": UUID + "@https://peer.example.org",
                "role": "contributor",
                "wrapped_amk": b"",
            },
        ],
        "signed_at": "2026-11-21T12:00:00Z",
    },
    "an upgrade intent": {
        "type": "service-upgrade-intent/v1",
        "album_id": UUID,
        "intent_id": UUID,
        "to_protocol_version": "2026-11-01",
        "successor_album_id": UUID,
        "window_seconds": 86400,
        "signed_at": "2026-11-21T12:00:00Z",
    },
    "a report": {
        "reporting_server": "https://peer.example.org",
        "reported_user": UUID,
        "asset_hash": "ab" * 32,
        "album_id": UUID,
        "reason": "größer",
        "reported_at": "2026-11-21T12:00:00Z",
    },
    "a proof over a challenge": ["https://a.example.org", UUID, UUID, bytes(32)],
    "an envelope": {"payload": bytes(24), "signature": bytes(3373)},
}


def to_json(value):
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    return value


values = dict(DOCUMENTS)
for index in range(25):
    values[f"random {index}"] = some_value(2)
json.dump(
    {
        "valid": [
            {
                "name": name,
                "value": to_json(value),
                "cbor": cbor2.dumps(value, canonical=True).hex(),
            }
            for name, value in values.items()
        ]
    },
    sys.stdout,
    indent=1,
)
print()
