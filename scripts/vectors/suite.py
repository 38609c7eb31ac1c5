"""What the second reader is built of: canonical CBOR, keys, seals, signatures.

Written from src/docs/protocol alone. Its primitives are those of Python and of
OpenSSL, through PyPI's cryptography from version 48 on.
"""

import base64
import hashlib
import re
import unicodedata
import uuid

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import (
    MLDSA65PrivateKey,
    MLDSA65PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.mlkem import (
    MLKEM768PrivateKey,
    MLKEM768PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.x25519 import (
    X25519PrivateKey,
    X25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SAFE = 2**53 - 1
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493


class Refused(Exception):
    """What a page says that a reader refuses."""


def demand(condition, why):
    if not condition:
        raise Refused(why)


def b64(text):
    return base64.b64decode(text, validate=True)


def b64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_b64(data):
    return base64.b64encode(data).decode()


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# signed-things.md#canonical-cbor


def encode(value):
    def head(major, number):
        if number < 24:
            return bytes([major << 5 | number])
        for extra, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if number < 1 << 8 * size:
                return bytes([major << 5 | extra]) + number.to_bytes(size, "big")
        raise Refused("a number beyond 64 bits")

    if value is None or isinstance(value, bool):
        return {False: b"\xf4", True: b"\xf5", None: b"\xf6"}[value]
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    pairs = sorted((encode(key), encode(item)) for key, item in value.items())
    return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)


def decode(data, most=16):
    """Reads the one encoding of a value; whatever encodes otherwise is refused."""

    def take(at, size):
        demand(at + size <= len(data), "it is cut off")
        return data[at : at + size], at + size

    def item(at, depth):
        first, at = take(at, 1)
        major, small = first[0] >> 5, first[0] & 31
        if major == 7:
            demand(small in (20, 21, 22), "a float, or another simple value")
            return {20: False, 21: True, 22: None}[small], at
        demand(small < 28 and major != 6, "a tag, or no definite length")
        number = small
        if small >= 24:
            extra, at = take(at, 1 << small - 24)
            number = int.from_bytes(extra, "big")
        if major < 2:
            demand(number <= SAFE - major, "an integer beyond 2^53 - 1")
            return number if major == 0 else -1 - number, at
        if major == 2:
            return take(at, number)
        if major == 3:
            text, at = take(at, number)
            try:
                return text.decode(), at
            except UnicodeDecodeError:
                raise Refused("text that is not UTF-8") from None
        demand(depth < most, "it nests too deep")
        if major == 4:
            items = []
            for _ in range(number):
                one, at = item(at, depth + 1)
                items.append(one)
            return items, at
        entries = {}
        for _ in range(number):
            key, at = item(at, depth + 1)
            demand(isinstance(key, str) and key not in entries, "such a key")
            entries[key], at = item(at, depth + 1)
        return entries, at

    value, end = item(0, 0)
    demand(end == len(data), "something follows")
    demand(encode(value) == data, "another encoding of it is shorter, or sorted")
    return value


# client-cryptography.md: key derivation, seals, passphrases


def hkdf(key, info, salt=None, length=32):
    return HKDF(hashes.SHA256(), length, salt, info.encode()).derive(key)


def unseal(key, nonce, box, ad=None):
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, box, ad)
    except InvalidTag:
        raise Refused("it does not open") from None


def unseal_under(key, sealed, ad):
    return unseal(key, sealed[:12], sealed[12:], ad)


WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def plain(typed):
    text = re.sub(f"[{WHITE_SPACE}]+", " ", unicodedata.normalize("NFC", typed))
    return text.removeprefix(" ").removesuffix(" ")


def sentence(typed):
    return unicodedata.normalize("NFC", plain(typed).lower()).rstrip(" .")


def open_box(box, passphrase, ad, is_link=False):
    kdf = box["kdf"]
    memory, passes, lanes = kdf["memory_kib"], kdf["passes"], kdf["lanes"]
    demand(memory <= 256 * 1024 and passes <= 16 and lanes <= 4, "costs")
    demand(len(kdf["salt"]) >= 8, "a short salt")
    demand(not is_link or (memory >= 19_456 and passes >= 2), "too cheap a box")
    key = Argon2id(
        salt=kdf["salt"], length=32, iterations=passes, lanes=lanes, memory_cost=memory
    ).derive(passphrase.encode())
    return unseal(key, box["nonce"], box["box"], ad.encode())


# client-cryptography.md#blob


def is_chunk_size(size):
    return 4096 <= size <= 16_777_216 and size & (size - 1) == 0


def seal_blob(file_key, salt, plaintext, chunk_size):
    key = ChaCha20Poly1305(hkdf(file_key, "service-stream/v1", salt=salt))
    blob = [salt, hkdf(file_key, "service-stream-commit/v1", salt=salt)]
    count = max(1, -(-len(plaintext) // chunk_size))
    for number in range(count):
        chunk = plaintext[number * chunk_size :][:chunk_size]
        last = b"\x01" if number == count - 1 else b"\x00"
        blob.append(key.encrypt(number.to_bytes(11, "big") + last, chunk, None))
    return b"".join(blob)


def open_blob(file_key, blob, chunk_size=65536):
    demand(is_chunk_size(chunk_size), "such a chunk size")
    salt, rest, plaintext, number = blob[:16], blob[48:], b"", 0
    commitment = hkdf(file_key, "service-stream-commit/v1", salt=salt)
    demand(commitment == blob[16:48], "the blob commits to another key")
    key = hkdf(file_key, "service-stream/v1", salt=salt)
    while True:
        chunk, rest = rest[: chunk_size + 16], rest[chunk_size + 16 :]
        nonce = number.to_bytes(11, "big") + (b"\x00" if rest else b"\x01")
        opened = unseal(key, nonce, chunk)
        demand(opened or number == 0, "an empty last chunk")
        plaintext += opened
        number += 1
        if not rest:
            return plaintext


# client-cryptography.md#sealing-to-a-person


def combined(secret, agreed, ephemeral, public):
    parts = (secret, agreed, ephemeral, public, rb"\.//^", b"\\")
    return hashlib.sha3_256(b"".join(parts)).digest()


def seal_to(public, plaintext, label, ad):
    secret, ciphertext = MLKEM768PublicKey.from_public_bytes(public[:1184]).encapsulate()
    curve = X25519PrivateKey.generate()
    ephemeral = curve.public_key().public_bytes_raw()
    agreed = curve.exchange(X25519PublicKey.from_public_bytes(public[1184:]))
    key = hkdf(combined(secret, agreed, ephemeral, public[1184:]), label)
    box = ChaCha20Poly1305(key).encrypt(bytes(12), plaintext, ad)
    return ciphertext + ephemeral + box


class XWing:
    """A key pair by its seed."""

    def __init__(self, seed):
        expanded = hashlib.shake_256(seed).digest(96)
        self.lattice = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
        self.curve = X25519PrivateKey.from_private_bytes(expanded[64:])
        self.curve_public = self.curve.public_key().public_bytes_raw()
        self.public = self.lattice.public_key().public_bytes_raw() + self.curve_public

    def shared_secret(self, ciphertext):
        demand(len(ciphertext) == 1120, "another length")
        lattice, curve = ciphertext[:1088], ciphertext[1088:]
        try:
            agreed = self.curve.exchange(X25519PublicKey.from_public_bytes(curve))
        except ValueError:
            raise Refused("a point of low order") from None
        secret = self.lattice.decapsulate(lattice)
        return combined(secret, agreed, curve, self.curve_public)

    def open(self, sealed, label, ad):
        key = hkdf(self.shared_secret(sealed[:1120]), label)
        return unseal(key, bytes(12), sealed[1120:], ad)


def check_sealing_key(public):
    """Refuses a key that nothing can be sealed to."""
    demand(len(public) == 1216, "another length")
    try:
        MLKEM768PublicKey.from_public_bytes(public[:1184])
        probe = X25519PrivateKey.from_private_bytes(bytes(31) + b"\x40")
        probe.exchange(X25519PublicKey.from_public_bytes(public[1184:]))
    except ValueError:
        raise Refused("a coefficient beyond the modulus, or a low order") from None


# signed-things.md#hybrid-signature


def is_small_order(point):
    """Whether eight times a point of the curve is the identity."""
    y = int.from_bytes(point, "little") & (1 << 255) - 1
    d = -121665 * pow(121666, -1, P)
    # Adding a point to itself needs its x squared alone: y of 2A is
    # (y² + x²) / (2 - y² + x²)… of which x² = (y² - 1) / (d y² + 1).
    for _ in range(3):
        xx = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
        below = (1 - d * xx * y * y) % P
        if below == 0:
            return False
        y = (y * y + xx) * pow(below, -1, P) % P
    return y == 1


def verify_ed25519(public, message, signature):
    y = int.from_bytes(public, "little") & (1 << 255) - 1
    demand(y < P, "the key is not canonical")
    demand(not is_small_order(public), "the key has a small order")
    demand(int.from_bytes(signature[32:], "little") < L, "S is too large")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refused("the Ed25519 signature does not hold") from None


def verify_hybrid(public, domain, payload, signature):
    demand(len(public) == 1984 and len(signature) == 3373, "another length")
    message = domain.encode() + b"\0" + payload
    verify_ed25519(public[:32], message, signature[:64])
    try:
        lattice = MLDSA65PublicKey.from_public_bytes(public[32:])
        lattice.verify(signature[64:], message)
    except InvalidSignature:
        raise Refused("the ML-DSA signature does not hold") from None


# What a document of each type has; a manifest has the fields of its envelope.
FIELDS = {
    "service-device-directory/v1": """type user_id server_id directory_version
        sealing_key devices state_counter signed_at more""",
    "service-album-roster/v1": """type album_id owner roster_version amk_epoch
        amk_commitment members sealed_history sealed_info signed_at more""",
    "service-manifest/v1": """type crypto_suite_id protocol_version album_id
        file_id amk_version ciphertext_hash plaintext_size chunk_size key_mode
        metadata_blob_hash original_blob_hash created_by_user created_by_device
        client_version timestamp action prior_provenance_hash retention_until
        sealed_key revision more""",
    "service-contact-card/v1": """type card_id server_id user_id identity_key
        sealing_key box name made_at expires_at""",
    "service-album-grant/v1": """type seq state member card_id server_id album_id
        owner owner_key owner_name roster_version amk_epoch roster grant reply
        keys log successor signed_at""",
    "service-custody-receipt/v1": """type receipt_seq server_id server_key_id
        prior_receipt_hash upload_id asset_id blob_role ciphertext_hash size
        envelope_hash received_at""",
}


def signed(envelope, public, type_):
    """The payload of an envelope that a key signed as this type."""
    opened = decode(envelope)
    demand(sorted(opened) == ["payload", "signature"], "no envelope")
    payload = decode(opened["payload"])
    demand(payload["type"] == type_, f"no {type_}")
    verify_hybrid(public, type_, opened["payload"], opened["signature"])
    known = FIELDS.get(type_, " ".join(payload)).split()
    demand(set(payload) <= set(known), "a key that is not known")
    demand(payload.get("crypto_suite_id", 1) == 1, "made by a newer program")
    more = payload.get("more", {})
    demand(not any(key.startswith("!") for key in more), "made by a newer program")
    return payload


# client-cryptography.md#master-key


def uuid8(data):
    data = bytearray(data[:16])
    data[6] = data[6] & 0x0F | 0x80
    data[8] = data[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(data)))


def uuid_bytes(text):
    return uuid.UUID(text).bytes


class Account:
    """What a master key gives."""

    def __init__(self, master):
        self.master = master
        self.sealing = XWing(self.of("identity-x-wing"))
        self.keys = (
            Ed25519PrivateKey.from_private_bytes(self.of("identity-ed25519")),
            MLDSA65PrivateKey.from_seed_bytes(self.of("identity-ml-dsa-65")),
        )
        self.public = b"".join(
            key.public_key().public_bytes_raw() for key in self.keys
        )
        self.library_key = self.of("library-key")

    def of(self, name, detail=""):
        return hkdf(self.master, f"service-{name}/v1{detail}")

    def sign(self, payload):
        """A signed envelope of a document."""
        encoded = encode(payload)
        message = payload["type"].encode() + b"\0" + encoded
        signature = b"".join(key.sign(message) for key in self.keys)
        return encode({"payload": encoded, "signature": signature})

    def album_id(self, number):
        return uuid8(self.of("album-id", f"/{number}"))

    def state_key(self, slot):
        return self.of("state-key", f"/{slot}")

    def upload_link(self, opaque_id):
        return XWing(self.of("upload-link", f"/{opaque_id}"))
