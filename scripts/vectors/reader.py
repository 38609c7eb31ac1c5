"""Reads the vectors of suite 1 as another implementation does, and writes too.

    python3 scripts/vectors/reader.py < english.txt

Written from the pages of src/docs/protocol alone, with nothing of this project;
suite.py has what it is built of. Prints as JSON what it made of every file of
tests/vectors, which tests/vectors/reader_test.ts holds against the files.
english.txt is the list of BIP-39.
"""

import hmac
import json
import os
import pathlib
import sys
import unicodedata
from datetime import datetime

from suite import *

VECTORS = pathlib.Path(__file__).parent.parent.parent / "tests" / "vectors"
WORDS = sys.stdin.read().split()


def read(name):
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def refused(attempt, *args):
    """What is wrong, of what has to be refused."""
    try:
        attempt(*args)
    except Refused as error:
        return str(error)
    raise AssertionError(f"{attempt.__name__} refused nothing")


def pattern(size):
    return bytes((i * i + 7 * i) % 251 for i in range(size))


def cbor():
    def value_of(given):
        if isinstance(given, dict):
            if list(given) == ["$bytes"]:
                return bytes.fromhex(given["$bytes"])
            return {key: value_of(item) for key, item in given.items()}
        return [*map(value_of, given)] if isinstance(given, list) else given

    given = read("cbor")
    for one in given["valid"]:
        data = bytes.fromhex(one["cbor"])
        assert encode(value_of(one["value"])) == data, one["name"]
        assert decode(data) == value_of(one["value"]), one["name"]
    for one in given["refused"]:
        refused(decode, bytes.fromhex(one["cbor"]))
    return len(given["valid"])


def hybrid():
    given = read("hybrid")
    public, payload = b64(given["public_key"]), bytes.fromhex(given["payload"])
    verify_hybrid(public, given["domain"], payload, b64(given["signature"]))
    assert sha256(public).hex() == given["key_id"]
    return signed(b64(given["envelope"]["cbor"]), public, given["domain"])


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def refusals():
    given, other = read("refusals"), read("hybrid")
    message = bytes.fromhex(given["message"])
    for one in given["ed25519"]:
        args = [bytes.fromhex(one["public_key"]), message]
        args.append(bytes.fromhex(one["signature"]))
        if one["holds"]:
            verify_ed25519(*args)
        else:
            refused(verify_ed25519, *args)
    public, payload = b64(other["public_key"]), bytes.fromhex(other["payload"])
    for at in given["hybrid"]["bytes"]:
        signature = flipped(b64(other["signature"]), at)
        refused(verify_hybrid, public, other["domain"], payload, signature)
    draft = given["x_wing"]["draft"]
    pairs = [XWing(bytes.fromhex(one["seed"])) for one in draft]
    ciphertext, public = b64(draft[0]["ciphertext"]), pairs[0].public
    check_sealing_key(public)
    for point in map(bytes.fromhex, given["x_wing"]["low_order"]):
        refused(pairs[0].shared_secret, ciphertext[:-32] + point)
        refused(check_sealing_key, public[:-32] + point)
    for one in given["x_wing"]["modulus"]["bytes"]:
        key = bytes.fromhex(one["bytes"]) + public[3:]
        if one["holds"]:
            check_sealing_key(key)
        else:
            refused(check_sealing_key, key)
    return {
        "draft": [
            [sha256(pair.public).hex(), pair.shared_secret(b64(one["ciphertext"])).hex()]
            for pair, one in zip(pairs, draft)
        ],
        "implicit_rejection": pairs[0].shared_secret(flipped(ciphertext, 5)).hex(),
    }


def identity():
    given = read("identity")
    account = Account(bytes.fromhex(given["master_key"]))
    link, slots = given["upload_link"], given["state_keys"]
    pair = account.upload_link(link["opaque_id"])
    return {
        "ed25519_seed": account.of("identity-ed25519").hex(),
        "ml_dsa_65_seed": account.of("identity-ml-dsa-65").hex(),
        "x_wing_seed": account.of("identity-x-wing").hex(),
        "key_id": sha256(account.public).hex(),
        "sealing_key": to_b64(account.sealing.public),
        "album_ids": [account.album_id(one["index"]) for one in given["album_ids"]],
        "library_key": account.library_key.hex(),
        "state_keys": [account.state_key(one["slot"]).hex() for one in slots],
        "upload_link": {
            "seed": account.of("upload-link", f"/{link['opaque_id']}").hex(),
            "gate": account.of("upload-gate", f"/{link['opaque_id']}").hex(),
            "recipient_key": to_b64(pair.public),
            "fingerprint": sha256(pair.public).hex(),
            "both_ways": b64url(link["both_ways"].split("#")[1]).hex(),
        },
    }


def stream():
    given = read("stream")
    file_key, salt = bytes.fromhex(given["file_key"]), bytes.fromhex(given["salt"])
    hashes = []
    for one in given["cases"]:
        plaintext = pattern(one["plaintext_size"])
        blob = seal_blob(file_key, salt, plaintext, one["chunk_size"])
        assert open_blob(file_key, blob, one["chunk_size"]) == plaintext
        hashes.append(sha256(blob).hex())
    return hashes


def album_seal(amk):
    return hkdf(amk, "service-album-seal/v1")


def file_key_of(amk, manifest):
    file_id = uuid_bytes(manifest["file_id"])
    if manifest["key_mode"] == "derived":
        demand("sealed_key" not in manifest, "a sealed key")
        return hkdf(amk, "service-file-key/v1", salt=file_id)
    ad = b"service-file-key/v1\0" + file_id
    return unseal_under(album_seal(amk), manifest["sealed_key"], ad)


def metadata_key(amk, file_id):
    return hkdf(amk, "service-metadata-key/v1", salt=uuid_bytes(file_id))


def file_keys():
    given = read("file_keys")
    amk, file_id = bytes.fromhex(given["amk"]), given["file_id"]
    derived = {"file_id": file_id, "key_mode": "derived"}
    sealed_key = bytes.fromhex(given["wrapped"]["sealed_key"])
    wrapped = {**derived, "key_mode": "wrapped", "sealed_key": sealed_key}
    return {
        "derived": file_key_of(amk, derived).hex(),
        "wrapped": file_key_of(amk, wrapped).hex(),
        "metadata": metadata_key(amk, file_id).hex(),
        "seal": album_seal(amk).hex(),
    }


def words_of(entropy):
    bits = int.from_bytes(entropy + sha256(entropy)[:1], "big")
    return " ".join(WORDS[bits >> 11 * i & 2047] for i in reversed(range(24)))


def recovery():
    given = read("recovery")
    second = given["version_2"]
    blob = decode(b64(second["blob"]))
    demand(blob["v"] == 2 and len(blob["boxes"]) <= 8, "such an escrow")
    typed = {"words": plain(second["words"]), "phrase": sentence(second["phrase"])}
    return {
        "words": [words_of(bytes.fromhex(one["entropy"])) for one in given["words"]],
        "passphrases": [plain(one["typed"]) for one in given["passphrases"]],
        "sentences": [sentence(one["typed"]) for one in given["sentences"]],
        "version_2": {
            box["label"]: open_box(
                box, typed[box["label"]], f"service-escrow/v2/{box['label']}"
            ).hex()
            for box in blob["boxes"]
        },
    }


def link_box(text, passphrase, label, opaque_id):
    ad = f"{label}\0{opaque_id}"
    return open_box(decode(b64(text)), plain(passphrase), ad, is_link=True)


def shares():
    given = read("shares")
    secret, guarded = bytes.fromhex(given["secret"]), given["guarded"]
    half = link_box(
        guarded["wrapped_secret"],
        guarded["passphrase"],
        "service-share/v2",
        guarded["opaque_id"],
    )
    fragment = b64url(guarded["link"].split("#")[1])
    return {
        "guarded": hkdf(fragment + half, "service-share/v2").hex(),
        "fragment": b64url(given["link"].split("#")[1]).hex(),
        "index": json.loads(open_blob(secret, b64(given["index_blob"]))),
    }


DIRECTORY = "service-device-directory/v1"
MANIFEST = "service-manifest/v1"
ROSTER = "service-album-roster/v1"
REMARK = "service-album-remark/v1"


def open_guest(pair, sealed, opaque_id, gate=None):
    ad = opaque_id.encode() + (b"" if gate is None else sha256(gate))
    return json.loads(pair.open(b64(sealed), "service-guest-upload/v1", ad))


def member_key(roster, member, sealing):
    """The key of a roster's epoch, as it gives it to a member."""
    (own,) = (one for one in roster["members"] if one["member"] == member)
    album_id, epoch = roster["album_id"], roster["amk_epoch"]
    demand(own["sealed_to"] == sha256(sealing.public), "another sealing key")
    ad = encode([album_id, epoch, member])
    amk = sealing.open(own["wrapped_amk"], "service-album-key/v1", ad)
    label = f"service-amk-commitment/v1/{epoch}"
    commitment = hkdf(amk, label, salt=uuid_bytes(album_id))
    demand(commitment == roster["amk_commitment"], "another key than the others'")
    return amk


def keys_of(roster, member, sealing):
    """The keys of all epochs, by their numbers."""
    epoch = roster["amk_epoch"]
    keys = {epoch: member_key(roster, member, sealing)}
    if epoch > 0:
        ad = encode(["service-amk-history/v1", roster["album_id"], epoch])
        history = unseal_under(album_seal(keys[epoch]), roster["sealed_history"], ad)
        for before, key in decode(history):
            demand(0 <= before < epoch and before not in keys, "such an epoch")
            keys[before] = key
    return keys



def comment(metadata):
    """A comment's text, as a reader takes it."""
    text = metadata["remark"]["text"]
    if not (1 <= len(text) <= 1000 and unicodedata.normalize("NFC", text) == text):
        raise ValueError("no comment")
    return text


def documents():
    given = read("documents")
    public, sealing = b64(given["identity_key"]), XWing(bytes.fromhex(given["sealing_secret"]))
    guest, gated = given["guest"], given["guest"]["gated"]
    said = given["guest"]["said"]
    opaque_id, member = guest["opaque_id"], given["wrapped_amk"]["member"]
    directory = signed(b64(given["directory"]["cbor"]), public, DIRECTORY)
    check_sealing_key(directory["sealing_key"])
    gate = link_box(
        gated["wrapped_secret"], gated["passphrase"], "service-upload-link/v2", opaque_id
    )
    refused(open_guest, sealing, guest["sealed"], opaque_id, gate)
    refused(open_guest, sealing, gated["sealed"], opaque_id)
    refused(open_guest, sealing, said["sealed"], opaque_id)
    remark = open_guest(sealing, said["sealed"], opaque_id, gate)
    taken_back = open_guest(sealing, guest["taken_back"]["sealed"], opaque_id, gate)
    demand(taken_back["takes_back"] == said["token"], "another token")
    of_guest = json.loads(b64(given["guest_comment"]["json"]))
    demand(of_guest["remark"]["guest"]["id"] == remark["remark"]["id"], "another guest")
    token = bytes.fromhex(said["token"])
    demand(remark["remark"]["id"] == sha256(token)[:16].hex(), "another token")
    return {
        "manifests": [
            [payload["ciphertext_hash"].hex(), payload["revision"]]
            for payload in (
                signed(b64(one["cbor"]), public, MANIFEST) for one in given["manifests"]
            )
        ],
        "amk": member_key(
            signed(b64(given["roster"]), public, ROSTER), member, sealing
        ).hex(),
        "directory": {
            name: directory[name] for name in ("user_id", "server_id", "devices")
        },
        "guest": open_guest(sealing, guest["sealed"], opaque_id),
        "gate": gate.hex(),
        "gated_guest": open_guest(sealing, gated["sealed"], opaque_id, gate),
        "said": remark,
        "taken_back": taken_back,
        "metadata": json.loads(b64(given["metadata"]["json"])),
        "comment": comment(json.loads(b64(given["comment"]["json"]))),
        "guest_comment": comment(of_guest),
        "album_remark": signed(b64(given["album_remark"]["cbor"]), public, REMARK),
    }


def albums():
    given = read("albums")
    roster = signed(b64(given["roster"]), b64(given["identity_key"]), ROSTER)
    sealing = XWing(bytes.fromhex(given["sealing_secret"]))
    keys = keys_of(roster, given["member"], sealing)
    epoch = roster["amk_epoch"]
    ad = encode(["service-album-info/v1", roster["album_id"], epoch])
    info = unseal_under(album_seal(keys[epoch]), roster["sealed_info"], ad)
    return {
        "keys": [{"epoch": one, "key": keys[one].hex()} for one in sorted(keys)],
        "info": json.loads(info),
    }


def story():
    """An account's photos, out of its master key and what the server has."""
    given = read("story")
    (ada_id, ada_given), (ben_id, ben_given) = given["users"].items()
    ada, ben = (
        Account(bytes.fromhex(one["master_key"])) for one in (ada_given, ben_given)
    )
    anchors = {ada_id: ada.public, ben_id: b64(ben_given["identity_key"])}
    assert anchors[ben_id] == ben.public
    first, newest, successor = (
        signed(b64(one), ada.public, ROSTER) for one in given["rosters"]
    )
    assert [newest["album_id"], successor["album_id"]] == [
        ada.album_id(2),
        ada.album_id(3),
    ]
    keys = {
        roster["album_id"]: keys_of(roster, ada_id, ada.sealing)
        for roster in (newest, successor)
    }
    bens = {first["album_id"]: keys_of(first, ben_id, ben.sealing)}
    assert ben_id not in [one["member"] for one in newest["members"]]
    blobs = {hash_: b64(blob) for hash_, blob in given["blobs"].items()}
    heads, photos = {}, []
    for one in given["assets"]:
        envelope = b64(one["manifest"])
        author = decode(decode(envelope)["payload"])["created_by_user"]
        manifest = signed(envelope, anchors[author], MANIFEST)
        file_id, epoch = manifest["file_id"], manifest["amk_version"]
        before = heads.get(file_id)
        if before is None:
            demand(manifest["action"] == "create" and manifest["revision"] == 0, "?")
        else:
            demand(manifest["action"] == "replace", "created twice")
            demand(manifest["revision"] > before[0], "an older revision")
            demand(manifest["prior_provenance_hash"] == before[1], "another chain")
        heads[file_id] = (manifest["revision"], sha256(envelope))
        album = manifest.get("album_id")
        demand(album is not None or epoch == 0, "made by a newer program")
        amk = ada.library_key if album is None else keys[album][epoch]
        original, metadata = (
            blobs[manifest[name].hex()]
            for name in ("original_blob_hash", "metadata_blob_hash")
        )
        for blob, name in ((original, "original"), (metadata, "metadata")):
            demand(sha256(blob) == manifest[f"{name}_blob_hash"], "another blob")
        file_key = file_key_of(amk, manifest)
        plaintext = open_blob(file_key, original, manifest["chunk_size"])
        read_ = json.loads(open_blob(metadata_key(amk, file_id), metadata))
        demand(sha256(plaintext).hex() == read_["sha256"], "another photo")
        # Whoever has the file key, which is handed out, reads no metadata.
        refused(open_blob, file_key, metadata)
        photos.append(
            {
                "file_id": file_id,
                "revision": manifest["revision"],
                "file_key": file_key.hex(),
                "metadata": read_,
                "ben_has_its_key": epoch in bens.get(album, {}),
            }
        )
        if "sealed_metadata" in one:
            pair = ada.upload_link(given["opaque_id"])
            sent = open_guest(pair, one["sealed_metadata"], given["opaque_id"])
            demand(b64url(sent["key"]) == file_key, "another key than the guest's")
    return photos


def written():
    """A photo for the library, and documents of a newer program, made here."""
    given = read("story")
    user_id, user = next(iter(given["users"].items()))
    ada = Account(bytes.fromhex(user["master_key"]))
    file_id = "5f8fad5b-d9cb-469f-a165-70867728950e"
    plaintext = pattern(5000)
    file_key = hkdf(ada.library_key, "service-file-key/v1", salt=uuid_bytes(file_id))
    original = seal_blob(file_key, os.urandom(16), plaintext, 4096)
    metadata = {
        "v": 1,
        "name": "Größe.jpg",
        "mime": "image/jpeg",
        "size": len(plaintext),
        "sha256": sha256(plaintext).hex(),
        "derivatives": [],
    }
    metadata_blob = seal_blob(
        metadata_key(ada.library_key, file_id),
        os.urandom(16),
        json.dumps(metadata).encode(),
        65536,
    )
    manifest = {
        "type": MANIFEST,
        "crypto_suite_id": 1,
        "protocol_version": "2026-11-01",
        "file_id": file_id,
        "amk_version": 0,
        "ciphertext_hash": sha256(original),
        "plaintext_size": len(plaintext),
        "chunk_size": 4096,
        "key_mode": "derived",
        "metadata_blob_hash": sha256(metadata_blob),
        "original_blob_hash": sha256(original),
        "created_by_user": user_id,
        "created_by_device": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "client_version": "reader.py",
        "timestamp": "2026-11-01T12:00:00Z",
        "action": "create",
        "revision": 0,
    }
    grown = ada.sign(manifest | {"more": {"likes": [{"by": b"x"}], "a": None}})
    refused_ = [
        ada.sign(manifest | later)
        for later in ({"more": {"!co-author": 1}}, {"crypto_suite_id": 2}, {"likes": 1})
    ]
    signed(grown, ada.public, MANIFEST)
    for envelope in refused_:
        refused(signed, envelope, ada.public, MANIFEST)
    context = [given["album_id"], 0, user_id]
    amk = bytes(range(32))
    wrapped = seal_to(
        ada.sealing.public, amk, "service-album-key/v1", encode(context)
    )
    assert ada.sealing.open(wrapped, "service-album-key/v1", encode(context)) == amk
    return {
        "manifest": to_b64(ada.sign(manifest)),
        "grown": to_b64(grown),
        "refused": [*map(to_b64, refused_)],
        "original_blob": to_b64(original),
        "metadata_blob": to_b64(metadata_blob),
        "metadata": metadata,
        "wrapped_amk": to_b64(wrapped),
        "amk": amk.hex(),
    }


# client-cryptography.md: state slots, trust record, deletions, published


def text_of(value):
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode("utf-16-be")


def state():
    def later(one, other):
        if one is None or other is None:
            return one or other
        return last_of("at")(one, other)

    given = read("state")
    merged = merge_maps(given["laptop"], given["phone"], lambda one, other: (
        merge_maps(one, other, later) if isinstance(one, dict) else one
    ))
    account = Account(bytes.fromhex(read("identity")["master_key"]))
    blob = open_blob(account.state_key(given["slot"]), b64(given["blob"]))
    return {"laptop": json.loads(blob), "merged": merged}


def merge_maps(one, other, merge):
    return {
        key: merge(one[key], other[key])
        if key in one and key in other
        else one.get(key, other.get(key))
        for key in {**one, **other}
    }


def merge_unknown(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return merge_maps(one, other, merge_unknown)
    return max(one, other, key=text_of)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def by_time(text):
    return instant(text), text


def earliest(one, other):
    return min(one, other, key=by_time)


def latest(one, other):
    return max(one, other, key=by_time)


def order(names):
    """Compares entries by fields, the first of them a time, then by text."""

    def key(each):
        at, *rest = (each.get(name, "") for name in names)
        return instant(at), rest, text_of(each)

    return key


def first_of(*names):
    return lambda one, other: min(one, other, key=order(names))


def last_of(*names):
    return lambda one, other: max(one, other, key=order(names))


def largest(*names):
    return lambda one, other: max(
        one, other, key=lambda each: ([each[name] for name in names], text_of(each))
    )


def merge_fields(rules):
    """Merges two entries field by field; unknown fields as they are merged."""

    def merge(one, other):
        return {
            key: rules.get(key, merge_unknown)(one[key], other[key])
            if key in one and key in other
            else one.get(key, other.get(key))
            for key in {**one, **other}
        }

    return merge


def sections(merge):
    return lambda one, other: merge_maps(one, other, merge)


def with_pair(names, one, other, pick):
    """Fields that only stand together, from the entry that is picked."""
    having = [each for each in (one, other) if names[0] in each]
    if not having:
        return {}
    chosen = pick(*having) if len(having) == 2 else having[0]
    return {name: chosen[name] for name in names if name in chosen}


def merge_person(one, other):
    merged = merge_fields({
        "compared": last_of("at"),
        "decided": last_of("at"),
        "blocked_at": latest,
        "unblocked_at": latest,
    })(one, other)
    first = first_of("first_seen", "key_id")(one, other)
    second = other if first is one else one
    others = merge_maps(one.get("others", {}), other.get("others", {}), earliest)
    others = merge_maps(others, {second["key_id"]: second["first_seen"]}, earliest)
    others.pop(first["key_id"], None)
    merged.pop("others", None)
    merged |= {name: first[name] for name in ("key_id", "first_seen")}
    return merged | ({"others": others} if others else {})


def merge_claim(one, other):
    merged = merge_fields({
        "first_seen": earliest,
        "decided_at": latest,
        "amk_epoch": max,
        "roster_version": max,
    })(one, other)
    rosters = {
        roster
        for each in (one, other)
        if each["roster_version"] == merged["roster_version"]
        for roster in [*each.get("forks", []), each.get("roster")]
        if roster is not None
    }
    roster, *forks = sorted(rosters) or [None]
    for name, value in (("roster", roster), ("forks", forks)):
        merged.pop(name, None)
        if value:
            merged[name] = value
    return merged


def merge_doubted(names, confirmed):
    """A device or a copy: how it came first, and who confirmed it first."""

    def merge(one, other):
        merged = merge_unknown(one, other)
        first = first_of("at", *names)(one, other)
        return (
            {key: merged[key] for key in merged if key not in confirmed}
            | {name: first[name] for name in ("at", *names)}
            | with_pair(confirmed, one, other, first_of(*confirmed))
        )

    return merge


def merge_finding(one, other):
    answered = [each["answered_at"] for each in (one, other) if "answered_at" in each]
    first = first_of("at", "kind")(one, other)
    return first | ({"answered_at": max(answered, key=by_time)} if answered else {})


def merge_logs(one, other):
    merged = merge_fields({
        "policy": last_of("at"),
        "begun_at": earliest,
        "seen": sections(largest("size", "root")),
        "evidence": sections(merge_finding),
    })(one, other)
    seen, evidence = (
        sorted(merged[name].items(), key=lambda one: (instant(one[1]["at"]), one[0]))
        for name in ("seen", "evidence")
    )
    return merged | {"seen": dict(seen[-16:]), "evidence": dict(evidence[:32])}


def merge_origin(one, other):
    return min(one, other, key=lambda each: (
        each["how"] != "opened", instant(each["at"]), text_of(each)
    ))


merge_trust = merge_fields({
    "writes": max,
    "slots": sections(max),
    "people": sections(merge_person),
    "albums": sections(merge_fields({
        "claims": sections(merge_claim),
        "accepted_at": latest,
        "left_at": latest,
    })),
    "directory": merge_fields({"version": max, "state_counter": max}),
    "devices": sections(
        merge_doubted(["came"], ["confirmed_at", "confirmed_by"])
    ),
    "copies": sections(merge_doubted(["device"], ["vouched_at", "vouched_by"])),
    "server": merge_fields({
        "origins": sections(merge_origin),
        "server_ids": lambda one, other: sorted({*one, *other}),
        "keys": sections(min),
        "receipt": largest("seq", "sha256"),
    }),
    "logs": merge_logs,
})


def said_by(record):
    """Who counts, whose an album is, and how far each device can vouch."""

    def in_force(person):
        decisions = [person[name] for name in ("compared", "decided") if name in person]
        chosen = max(decisions, key=order(["at"]), default=person)
        return chosen["key_id"]

    def claim(album):
        def key(one):
            name, each = one
            decided = each.get("decided_at")
            return (
                "own" not in each,
                -instant(decided).timestamp() if decided else 0,
                instant(each["first_seen"]),
                name,
            )

        return min(album["claims"].items(), key=key, default=[None])[0]

    def status(device):
        known = record["writes"] + record["slots"].get("deletions", 0)
        if known < record.get("directory", {}).get("state_counter", 0):
            return "behind"
        entry = record["devices"].get(device, {"came": "first"})
        sure = entry["came"] in ("first", "enrolled") or "confirmed_at" in entry
        return "whole" if sure else "unconfirmed"

    return {
        "people": {user: in_force(one) for user, one in record["people"].items()},
        "albums": {album: claim(one) for album, one in record["albums"].items()},
        "devices": {one: status(one) for one in [*record["devices"], "another"]},
    }


def handed(record, copy, most):
    """What a device hands over of its record, in so many bytes of JSON."""
    record = dict(record)
    copies = record.pop("copies", {})
    if copy in copies:
        record["copies"] = {copy: copies[copy]}
    cut = record | {
        "writes": 0,
        "slots": {
            name: count
            for name, count in record["slots"].items()
            if name.startswith("library/")
        },
    }
    del cut["devices"]
    if "logs" in cut:
        cut["logs"] = cut["logs"] | {"seen": {}, "evidence": {}}
    chosen = {
        user: person
        for user, person in cut["people"].items()
        if "compared" in person or "decided" in person
    }
    without_albums = {key: cut[key] for key in cut if key != "albums"}
    bare = {key: cut[key] for key in without_albums if key != "people"}
    for candidate in (
        record,
        cut,
        without_albums,
        without_albums | {"people": chosen},
        bare,
        bare | {"slots": {}},
    ):
        text = json.dumps(candidate, separators=(",", ":"), ensure_ascii=False)
        if len(text.encode()) <= most:
            return candidate
    return {"v": 1}


def merge_deletion(one, other):
    if one[:2] != other[:2]:
        return max(one, other, key=lambda entry: (entry[0], entry[1] == 0, entry[1]))
    gone = [entry[3] for entry in (one, other) if entry[3] != 0]
    return [*one[:2], max(one[2], other[2]), min(gone, default=0)]


def both_ways(merge, given):
    """A merge, in whose result order and repetition do not matter."""
    one, other = given["laptop"], given["phone"]
    merged = merge(one, other)
    for again in (merge(other, one), merge(merged, other), merge(one, merged)):
        assert again == merged
    return merged


def remembered():
    given = read("remembered")
    documents = {
        "documents": sections(lambda one, other: (
            merge_unknown(one, other) | first_of("at", "by")(one, other)
        ))
    }
    deletions = {"writes": max, "assets": sections(merge_deletion)}
    laptop = given["trust"]["laptop"]
    return {
        "trust": both_ways(merge_trust, given["trust"]),
        "says": [
            said_by(given["trust"][one]) for one in ("laptop", "phone", "merged")
        ],
        "handed": [
            handed(laptop, one["copy"], one["most_bytes"]) for one in given["handed"]
        ],
        "deletions": both_ways(merge_fields(deletions), given["deletions"]),
        "published": both_ways(merge_fields(documents), given["published"]),
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


# client-cryptography.md: a second device


def compared_words(*parts):
    number = int.from_bytes(sha256(*parts), "big") >> (256 - 44)
    return [WORDS[number >> shift & 2047] for shift in (33, 22, 11, 0)]


def meeting(given, name, seed):
    """The payloads of one side and the other, the sealed one opened."""
    said = [b64(payload) for payload in given["payloads"]]
    commit, nonce, reveal, last = map(json.loads, said)
    pk, n = b64url(reveal["pk"]), b64url(reveal["nonce"])
    pair = XWing(seed)
    assert pk == pair.public
    committed = sha256(f"service-{name}-commit/v1\0".encode(), pk, n)
    demand(committed == b64url(commit["commit"]), "another commitment")
    return b64url(nonce["nonce"]), reveal, last, pk, n, pair, sha256(*said[:3])


def enrolled(given, way):
    seed, secret = bytes.fromhex(given["enrollee_seed"]), bytes.fromhex(given["secret"])
    channel = given["channel_id"].encode()
    nonce, reveal, key, pk, n, pair, transcript = meeting(given[way], "enroll", seed)
    sealed = b64url(key["sealed"])
    account = json.loads(pair.open(sealed, "service-enroll-key/v1", transcript))
    opening, anchor = b64url(account.pop("opening")), bytes.fromhex(account["anchor"])

    def mac(label, *parts):
        return hmac.digest(hkdf(secret, label), b"".join(parts), "sha256")

    demand(sha256(b"service-enroll-anchor/v1\0", anchor, opening) == nonce, "anchor")
    assert mac("service-enroll-key-mac/v1", transcript, sealed) == b64url(key["mac"])
    if "mac" in reveal:
        assert mac("service-enroll-mac/v1", channel, pk) == b64url(reveal["mac"])
    master = b64url(account["master_key"])
    demand(sha256(Account(master).public) == anchor, "another identity")
    account["master_key"] = master.hex()
    return {
        "proves_scanning": "mac" in reveal,
        "account": account,
        "words": compared_words(b"service-enroll-words/v1\0", channel, pk, n, nonce),
    }


def enrollment():
    given = read("enrollment")
    return {
        "scanned": enrolled(given, "scanned"),
        "typed": enrolled(given, "typed"),
    }


# receipts.md, discovery.md, logs.md


def ids_of(record):
    return {record["server_id"], *(one["server_id"] for one in record["server_ids"])}


def follows(record, before, key, verify, domain):
    """Whether a key vouches for the next, under an id that the server had."""
    for server_id in ids_of(record):
        statement = encode([domain, server_id, key["key_id"], key["active_from"]])
        try:
            verify(b64(before["public"]), domain, statement, b64(key["succession"]))
            return True
        except Refused:
            continue
    return False


def succession():
    record = read("succession")["attestation_keys"]
    keys = record["keys"]
    for key in keys:
        assert sha256(b64(key["public"])).hex() == key["key_id"]
    return [
        follows(record, *pair, verify_hybrid, "service-key-succession/v1")
        for pair in zip(keys, keys[1:])
    ]


def verify_receipt(envelope, record):
    named = decode(decode(envelope)["payload"])["server_key_id"]
    (key,) = (one for one in record["keys"] if one["key_id"] == named)
    public = b64(key["public"])
    demand(sha256(public).hex() == named, "the key's id is another")
    receipt = signed(envelope, public, "service-custody-receipt/v1")
    demand(receipt["server_id"] in ids_of(record), "another server")
    at, to = receipt["received_at"], key.get("active_to") or "9"
    demand(key["active_from"] <= at <= to, "outside the key's time")
    return receipt


def receipts():
    given = read("receipts")
    record = {"server_ids": [], **given["attestation_keys"]}
    prior = None
    for one in given["receipts"]:
        envelope = b64(one["cbor"])
        assert verify_receipt(envelope, record)["prior_receipt_hash"] == prior
        prior = sha256(envelope)
        assert prior.hex() == one["sha256"]
    return len(given["receipts"])


def leaf(entry):
    return sha256(b"\0", entry)


def root_of(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256()
    middle = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1", root_of(leaves[:middle]), root_of(leaves[middle:]))


def check_inclusion(proof, index, size, hash_, root):
    demand(0 <= index < size, "no such leaf")
    last = size - 1
    for other in proof:
        demand(last > 0, "the proof is too long")
        if index & 1 or index == last:
            hash_ = sha256(b"\1", other, hash_)
            while index & 1 == 0 and index != 0:
                index, last = index >> 1, last >> 1
        else:
            hash_ = sha256(b"\1", hash_, other)
        index, last = index >> 1, last >> 1
    demand(last == 0 and hash_ == root, "the proof leads elsewhere")


def check_consistency(proof, old, old_root, size, root):
    demand(0 < old < size and proof, "no such proof")
    if old & (old - 1) == 0:
        proof = [old_root, *proof]
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = proof[0]
    for other in proof[1:]:
        demand(last > 0, "the proof is too long")
        if at & 1 or at == last:
            before, after = (sha256(b"\1", other, one) for one in (before, after))
            while at & 1 == 0 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            after = sha256(b"\1", after, other)
        at, last = at >> 1, last >> 1
    demand(last == 0 and [before, after] == [old_root, root], "it leads elsewhere")


HYBRID = b"\xffstrongroom/hybrid-v1"


def key_id(name, type_, public):
    return sha256(name.encode(), b"\n", type_, public)[:4]


def open_note(note, record):
    """Origin, size and root of a checkpoint that a trusted key signed."""
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    origin, size, root = text.split("\n")[:3]
    by = {}
    for line in lines.splitlines():
        dash, name, data = line.split(" ")
        demand(dash == "\u2014", "no line of a signature")
        by[name, b64(data)[:4]] = b64(data)[4:]
    trusted = 0
    for key in record["keys"]:
        signature = by.get((origin, key_id(origin, HYBRID, b64(key["public"]))))
        if signature is not None:
            domain = "service-log-checkpoint/v1"
            verify_hybrid(b64(key["public"]), domain, text.encode(), signature)
            trusted += 1
    demand(trusted > 0, "no trusted key signed it")
    logged = 0
    for key in record["log_keys"]:
        signature = by.get((origin, key_id(origin, b"\1", b64(key["public"]))))
        if signature is not None:
            verify_ed25519(b64(key["public"]), text.encode(), signature)
            logged += 1
    return {
        "origin": origin,
        "size": int(size),
        "root": b64(root),
        "text": text,
        "by": by,
        "log_keys": logged,
    }


def is_log_of(origin, log, record):
    hosts = [server_id.split("//")[1] for server_id in ids_of(record)]
    place, _, gen = origin.rpartition("/")
    return gen != "" and place in [f"{host}/{log}" for host in hosts]


def cosigned_at(head, verifier_key):
    """When a witness cosigned, or None."""
    name, id_, key = verifier_key.split("+", 2)
    type_, public = b64(key)[:1], b64(key)[1:]
    demand(type_ == b"\4" and key_id(name, type_, public).hex() == id_, "such a key")
    signature = head["by"].get((name, bytes.fromhex(id_)))
    if signature is None:
        return None
    time = int.from_bytes(signature[:8], "big")
    message = f"cosignature/v1\ntime {time}\n{head['text']}".encode()
    verify_ed25519(public, message, signature[8:])
    return time


def quorum_met(policy, head):
    """Whether enough witnesses of a policy cosigned."""
    met = {"none": True}
    for line in policy.splitlines():
        word, *rest = line.split() or ["#"]
        if word == "witness":
            met[rest[0]] = cosigned_at(head, rest[1]) is not None
        elif word == "group":
            names = rest[2:]
            least = {"all": len(names), "any": 1}.get(rest[1]) or int(rest[1])
            met[rest[0]] = sum(met[name] for name in names) >= least
        elif word == "quorum":
            return met[rest[0]]
    raise Refused("no quorum")


def bundle(data):
    entries = []
    while data:
        size = int.from_bytes(data[:2], "big")
        demand(len(data) >= 2 + size, "the bundle is cut off")
        entries.append(data[2 : 2 + size])
        data = data[2 + size :]
    return entries


def keys_log(given):
    record, keys, account = (
        given[name] for name in ("attestation_keys", "keys", "account")
    )
    seen, now = (open_note(keys[name], record) for name in ("seen", "checkpoint"))
    for head in (seen, now):
        demand(is_log_of(head["origin"], "keys", record), "another log")
    entries = bundle(b64(keys["tiles"]["tile/entries/000.p/7"]))
    leaves = [leaf(entry) for entry in entries]
    demand(b"".join(leaves) == b64(keys["tiles"]["tile/0/000.p/7"]), "wrong tiles")
    demand(len(leaves) == now["size"] and root_of(leaves) == now["root"], "wrong root")
    # Another origin: an entry of type 4 names the log that was seen last.
    decoded = [decode(entry) for entry in entries]
    (fork,) = (one for one in decoded if one[0] == 4 and one[1] == seen["origin"])
    former = open_note(fork[2], record)
    demand(former["origin"] == seen["origin"], "another log than it says")
    demand((former["size"], former["root"]) == (seen["size"], seen["root"]), "a fork")
    proof = [b64(one) for one in keys["consistency"]]
    check_consistency(proof, former["size"], former["root"], now["size"], now["root"])
    refused(check_consistency, proof[1:], former["size"], former["root"], now["size"], now["root"])
    user = sha256(account["user_id"].encode())
    album = sha256(b"service-log-album/v1\0", account["album_id"].encode())
    own = [one for one in decoded if one[1] in (user, album)]
    anchors = {one[4].hex() for one in own if one[0] == 1}
    demand(anchors == {account["key_id"]}, "two anchors")
    lost = [
        one
        for one in map(decode, map(b64, keys["then"]))
        if one not in decoded and one[1] in (user, album)
    ]
    return {
        "own": [[one[0], one[2], one[3].hex()] for one in own],
        "lost": [[one[0], one[2], one[3].hex()] for one in lost],
        "witnessed_at": cosigned_at(seen, given["witness"]["verifier_key"]),
    }


def proof_of(given):
    """A receipt's proof, and of which photo it is."""
    text, record = given["proof"], given["attestation_keys"]
    head, _, note = text.partition("\n\n")
    header, extra, index, *proof = head.split("\n")
    demand(header == "c2sp.org/tlog-proof@v1", "no proof")
    extra = json.loads(b64(extra.removeprefix("extra ")))
    index = int(index.removeprefix("index "))
    envelope = b64(extra["receipt_cbor"])
    receipt = verify_receipt(envelope, record)
    checkpoint = open_note(note, record)
    demand(is_log_of(checkpoint["origin"], "custody", record), "another log")
    hash_, size = leaf(sha256(envelope)), checkpoint["size"]
    check_inclusion([*map(b64, proof)], index, size, hash_, checkpoint["root"])
    opening, photo = extra["opening"], pattern(given["photo_bytes"])
    demand(is_chunk_size(opening["chunk_size"]), "unreadable")
    key, salt = b64(opening["key"]), b64(opening["salt"])
    demand(receipt["blob_role"] == "original", "no photo's receipt")
    blob = seal_blob(key, salt, photo, opening["chunk_size"])
    demand(len(blob) == receipt["size"], "another photo")
    demand(sha256(blob) == receipt["ciphertext_hash"], "another photo")
    entries = [
        sha256(f"strongroom test vectors: receipt {at}".encode()) for at in range(size)
    ]
    entries[index] = sha256(envelope)
    leaves = [*map(leaf, entries)]
    demand(root_of(leaves) == checkpoint["root"], "wrong root")
    tiles = {
        "tile/0/000": b"".join(leaves[:256]),
        "tile/0/001.p/44": b"".join(leaves[256:]),
        "tile/1/000.p/1": root_of(leaves[:256]),
    }
    return {
        "index": index,
        "size": size,
        "tiles": {path: sha256(tile).hex() for path, tile in tiles.items()},
        "witnessed": quorum_met(extra["policy"], checkpoint),
    }


def check_evidence(notes, record, other=None, proof=()):
    one, two = (open_note(note, record) for note in notes)
    demand(one["origin"] == two["origin"], "two logs")
    smaller, larger = sorted((one, two), key=lambda head: head["size"])
    if smaller["size"] == larger["size"]:
        demand(smaller["root"] != larger["root"], "the same tree")
    else:
        demand(other not in (None, smaller["root"]), "one may follow the other")
        check_consistency(proof, smaller["size"], other, larger["size"], larger["root"])
    return [smaller["size"], larger["size"]]


def logs():
    given = read("logs")
    record, witness = given["attestation_keys"], given["witness"]
    first, second = record["log_keys"]

    def verify(public, domain, payload, signature):
        verify_ed25519(public, domain.encode() + b"\0" + payload, signature)

    for key in (first, second):
        assert sha256(b64(key["public"])).hex() == key["key_id"]
    seed = hkdf(
        bytes.fromhex(witness["first_log_key"]),
        f"strongroom-witness-key/v1\0{witness['name']}",
    )
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    assert b64(witness["verifier_key"].split("+", 2)[2]) == b"\4" + public
    evidence = json.loads(given["evidence"])
    demand(evidence["type"] == "strongroom-log-evidence/v1", "no evidence")
    other, proof = b64(evidence["other_root"]), [*map(b64, evidence["proof"])]
    fork, later = evidence["notes"]
    seen = given["keys"]["seen"]
    refused(check_evidence, [seen, later], record, other, proof)
    refused(check_evidence, [seen, seen], record)
    refused(check_evidence, [fork, later], record)
    return {
        "succession": follows(
            record, first, second, verify, "service-log-key-succession/v1"
        ),
        "log_keys": open_note(seen, record)["log_keys"],
        "keys": keys_log(given),
        "proof": proof_of(given),
        "evidence": [
            check_evidence([fork, later], record, other, proof),
            check_evidence([seen, fork], record),
        ],
    }


def abroad():
    given = read("abroad")
    card = decode(decode(b64(given["card"]))["payload"])
    card = signed(b64(given["card"]), card["identity_key"], "service-contact-card/v1")
    check_sealing_key(card["sealing_key"])
    sealing = XWing(bytes.fromhex(given["sealing_secret"]))
    demand(card["sealing_key"] == sealing.public, "another sealing key")
    member = f"{card['user_id']}@{card['server_id']}"
    type_, ad = "service-album-grant/v1", encode([member, given["opaque_id"]])
    grants = [b64(one) for one in given["grants"]]
    demand(sealing.open(b64(given["sealed"]), type_, ad) == grants[0], "another grant")
    other = encode([member, "0" * 32])
    refused(sealing.open, b64(given["sealed"]), type_, other)
    told = []
    for one in grants:
        owner_key = decode(decode(one)["payload"])["owner_key"]
        grant = signed(one, owner_key, type_)
        demand((grant["state"] == "live") == ("grant" in grant), "not whole")
        demand((grant["state"] == "moved") == ("successor" in grant), "not whole")
        told.append([grant["seq"], grant["state"], grant["member"]])
    indexes = {
        kind: json.loads(b64(index)) for kind, index in given["indexes"].items()
    }
    demand(b64(indexes["contact"]["contact"]) == b64(given["card"]), "another card")
    demand(indexes["pickup"]["grant"] == given["sealed"], "another grant")
    knock = decode(decode(b64(given["knock"]))["payload"])
    knock = signed(b64(given["knock"]), knock["from_key"], "service-knock/v1")
    demand(knock["from_key"] == owner_key, "another owner")
    demand(knock["card_id"] == card["card_id"] and knock["to"] == member, "another card")
    secret = given["links"]["pickup"].rpartition(".")[2]
    demand(b64url(secret) == knock["secret"], "another pickup")
    reply = signed(b64(given["reply"]), card["identity_key"], "service-reply/v1")
    demand(reply["from"] == member and reply["to"] == knock["from"], "another person")
    refused(signed, b64(given["reply"]), owner_key, "service-reply/v1")
    return {
        "member": member,
        "card_id": card["card_id"].hex(),
        "grants": told,
        "knock": knock["from"],
        "reply": [reply["seq"], reply["kind"], reply["text"]],
    }


PARTS = [
    cbor,
    hybrid,
    refusals,
    identity,
    stream,
    file_keys,
    recovery,
    shares,
    documents,
    albums,
    story,
    written,
    state,
    remembered,
    safety_numbers,
    enrollment,
    succession,
    receipts,
    logs,
    abroad,
]
json.dump(
    {part.__name__: part() for part in PARTS}, sys.stdout, indent=1, ensure_ascii=False
)
print()
