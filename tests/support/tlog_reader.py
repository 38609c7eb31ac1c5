"""Reads a transparency log as C2SP's specifications have it, and nothing of ours.

    tlog_reader.py PREFIX VKEY

Verifies the checkpoint with the verifier key (signed-note, Ed25519 of RFC 8032),
reads every tile of the tree (tlog-tiles) and, where there are bundles, every
entry, and computes the root by the definition of RFC 6962. Prints origin, size
and root, or says what is wrong and ends with 1. Python's standard library is all
that it needs.
"""

import base64
import hashlib
import json
import sys
import urllib.error
import urllib.request

# RFC 8032 section 5.1: the curve.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(k, p):
    q = (0, 1, 1, 0)
    while k > 0:
        if k & 1:
            q = add(q, p)
        p, k = add(p, p), k >> 1
    return q


def x_of(y, sign):
    if y >= P:
        return None
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - xx) % P != 0 or (x == 0 and sign):
        return None
    return P - x if (x & 1) != sign else x


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = x_of(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def verifies(public, message, signature):
    a, r = point(public), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    left = times(s, BASE)
    right = add(r, times(int.from_bytes(digest, "little") % L, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % P == 0


def wrong(what):
    print(what, file=sys.stderr)
    sys.exit(1)


def fetch(prefix, path):
    with urllib.request.urlopen(f"{prefix}/{path}") as response:
        return response.read()


def open_note(note, vkey):
    """The text of a note that the key has signed (signed-note)."""
    text, signatures = note.rsplit("\n\n", 1)
    text += "\n"
    name, key_id, encoded = vkey.split("+", 2)
    key = base64.b64decode(encoded, validate=True)
    expected = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
    if key[0] != 1 or expected.hex() != key_id:
        wrong("the verifier key is not one")
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        data = base64.b64decode(signature, validate=True)
        if dash != "\u2014" or signer != name or data[:4] != expected:
            continue
        if not verifies(key[1:], text.encode(), data[4:]):
            wrong("the signature does not verify")
        return text
    wrong("the key has not signed the checkpoint")


def leaf(entry):
    return hashlib.sha256(b"\x00" + entry).digest()


def tree(hashes):
    """MTH of RFC 6962 section 2.1, of hashes of leaves."""
    if len(hashes) == 0:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while k * 2 < len(hashes):
        k *= 2
    return hashlib.sha256(b"\x01" + tree(hashes[:k]) + tree(hashes[k:])).digest()


def path_of(level, index, width):
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join(["x" + part for part in parts[:-1]] + parts[-1:])
    return f"tile/{level}/{name}" + (f".p/{width}" if width < 256 else "")


def level_of(prefix, level, count):
    """All hashes of a level of tiles."""
    hashes = []
    for index in range(-(-count // 256)):
        width = min(256, count - index * 256)
        data = fetch(prefix, path_of(level, index, width))
        if len(data) != width * 32:
            wrong(f"tile {level}/{index} has {len(data)} bytes")
        hashes += [data[at : at + 32] for at in range(0, len(data), 32)]
    return hashes


def entries_of(prefix, count):
    """All entries; none where the log serves none."""
    entries = []
    for index in range(-(-count // 256)):
        width = min(256, count - index * 256)
        try:
            data = fetch(prefix, path_of("entries", index, width))
        except urllib.error.HTTPError as error:
            if error.code == 404 and index == 0:
                return None
            raise
        at = 0
        while at < len(data):
            length = int.from_bytes(data[at : at + 2], "big")
            entries.append(data[at + 2 : at + 2 + length])
            at += 2 + length
    return entries


def main(prefix, vkey):
    note = fetch(prefix, "checkpoint").decode()
    origin, size, root = open_note(note, vkey).splitlines()
    if origin != vkey.split("+")[0]:
        wrong("the checkpoint is of another log")
    count = int(size)
    leaves = level_of(prefix, 0, count)
    below, level = leaves, 1
    while count >> (8 * level) > 0:
        hashes = level_of(prefix, level, count >> (8 * level))
        made = [tree(below[at * 256 : at * 256 + 256]) for at in range(len(hashes))]
        if made != hashes:
            wrong(f"level {level} is not made of the tiles below")
        below, level = hashes, level + 1
    if base64.b64encode(tree(leaves)).decode() != root:
        wrong("the tiles do not make the root")
    entries = entries_of(prefix, count)
    if entries is not None and [leaf(entry) for entry in entries] != leaves:
        wrong("the entries do not make the leaves")
    print(
        json.dumps(
            {
                "origin": origin,
                "size": count,
                "root": root,
                "entries": None if entries is None else len(entries),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
