"""Verifies evidence that a server contradicted itself, with nothing of ours.

    log_evidence.py FILE VKEY

Both notes have to be signed by the log's key (signed-note, Ed25519), of one
origin, and either of one size with two roots, or of two sizes where the proof
of consistency (RFC 9162 section 2.1.4.2) leads to the larger tree from another
root than the smaller checkpoint has.
"""

import base64
import hashlib
import json
import sys

from tlog_reader import open_note, wrong


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def follows(first, first_hash, second, second_hash, proof):
    if first & (first - 1) == 0:
        proof = [first_hash] + proof
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    if not proof:
        return False
    fr = sr = proof[0]
    for c in proof[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while fn & 1 == 0 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return fr == first_hash and sr == second_hash and sn == 0


def main(path, vkey):
    with open(path, encoding="utf-8") as file:
        evidence = json.load(file)
    heads = []
    for note in evidence["notes"]:
        origin, size, root = open_note(note, vkey).splitlines()
        if origin != vkey.split("+")[0]:
            wrong("the checkpoint is of another log")
        heads.append((int(size), base64.b64decode(root)))
    (one, one_root), (two, two_root) = sorted(heads)
    if one == two:
        if one_root == two_root:
            wrong("both checkpoints are of the same tree")
    else:
        other = base64.b64decode(evidence["other_root"])
        proof = [base64.b64decode(line) for line in evidence["proof"]]
        if other == one_root or not follows(one, other, two, two_root, proof):
            wrong("one checkpoint may follow the other")
    print(json.dumps({"sizes": [one, two]}))


main(*sys.argv[1:])
