/**
 * What transparency logs sign: C2SP signed-note v1, tlog-checkpoint v1 and
 * tlog-cosignature v1 with Ed25519, and a signature of our own with the hybrid
 * key (protocol/logs.md#checkpoints).
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  fromBase64,
  fromHex,
  fromUtf8,
  toBase64,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import { verifyEd25519 } from "../ed25519.ts";
import {
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  HYBRID_PUBLIC_KEY_BYTES,
  hybridBackend,
  type HybridSigner,
  verifyHybrid,
} from "../hybrid.ts";
import { TREE_HASH_BYTES, type TreeHead } from "./merkle.ts";
import { sha256 } from "../sha256.ts";

/** The kinds of keys that verify a note here; all others are ignored. */
type NoteKeyType = "ed25519" | "cosignature" | "hybrid";

/** The domain in which the hybrid key signs the text of a note. */
const HYBRID_NOTE_DOMAIN = "service-log-checkpoint/v1";

/** The byte that stands before a public key, and for one of our own its name. */
const TYPES: Readonly<
  Record<NoteKeyType, { readonly mark: Uint8Array; readonly bytes: number }>
> = {
  ed25519: { mark: Uint8Array.of(0x01), bytes: ED25519_PUBLIC_KEY_BYTES },
  cosignature: { mark: Uint8Array.of(0x04), bytes: ED25519_PUBLIC_KEY_BYTES },
  hybrid: {
    mark: concatBytes(Uint8Array.of(0xff), utf8("strongroom/hybrid-v1")),
    bytes: HYBRID_PUBLIC_KEY_BYTES,
  },
};

/** A public key with the name and the id by which a signature names it. */
export interface NoteKey {
  readonly name: string;
  /** Eight digits of lowercase hex. */
  readonly id: string;
  readonly type: NoteKeyType;
  readonly publicKey: Uint8Array;
}

/** A line of signature; what it means depends on the key. */
interface NoteSignature {
  readonly name: string;
  /** Eight digits of lowercase hex. */
  readonly id: string;
  readonly signature: Uint8Array;
}

/** A text that ends with a line feed, and its signatures. */
export interface SignedNote {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A signature that verified. */
interface NoteSigned {
  readonly key: NoteKey;
  /** When a cosignature was made, in seconds of the epoch; else undefined. */
  readonly timestamp: number | undefined;
}

/** More signatures than any server makes: such a note is refused. */
const MAX_SIGNATURES = 100;
/** The size of a key's id, of which a signature begins. */
const ID_BYTES = 4;
const TIMESTAMP_BYTES = 8;

const NO_NAME = /[\p{White_Space}+]/u;
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x09\x0b-\x1f]/;
const SIGNATURE = /^\u2014 ([^ ]+) ([^ ]+)$/u;
const DECIMAL = /^(?:0|[1-9][0-9]*)$/;

/** Whether a text can be the name of a key. */
export function isKeyName(name: string): boolean {
  return name !== "" && !NO_NAME.test(name) && !CONTROL.test(name);
}

/** A public key under a name; throws a RangeError for what can be neither. */
export function noteKey(
  name: string,
  type: NoteKeyType,
  publicKey: Uint8Array,
): NoteKey {
  const { mark, bytes } = TYPES[type];
  if (!isKeyName(name)) throw new RangeError("no name of a key");
  if (publicKey.length !== bytes) {
    throw new RangeError(`a ${type} key has ${bytes} bytes`);
  }
  const hash = sha256(concatBytes(utf8(`${name}\n`), mark, publicKey));
  return { name, id: toHex(hash.subarray(0, ID_BYTES)), type, publicKey };
}

/** A key as a verifier key: `<name>+<id>+<base64>`. */
export function verifierKey({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${toBase64(concatBytes(TYPES[type].mark, publicKey))}`;
}

/**
 * Reads a verifier key; undefined if it is malformed, of a kind that is not
 * used here, or has an id that is not the one of its key.
 */
export function readVerifierKey(text: string): NoteKey | undefined {
  const [name = "", id, base64, ...rest] = splitKey(text);
  const bytes = base64 === undefined ? undefined : fromBase64(base64);
  if (bytes === undefined || rest.length > 0 || !isKeyName(name)) {
    return undefined;
  }
  for (const type of NOTE_KEY_TYPES) {
    const { mark, bytes: length } = TYPES[type];
    if (bytes.length !== mark.length + length) continue;
    if (!mark.every((byte, at) => bytes[at] === byte)) continue;
    const key = noteKey(name, type, bytes.subarray(mark.length));
    return key.id === id ? key : undefined;
  }
  return undefined;
}

const NOTE_KEY_TYPES = ["ed25519", "cosignature", "hybrid"] as const;

/** Base64 may have a plus of its own: two of them stand before it. */
function splitKey(text: string): string[] {
  const first = text.indexOf("+");
  const second = text.indexOf("+", first + 1);
  return first < 0 || second < 0 ? [] : [
    text.slice(0, first),
    text.slice(first + 1, second),
    text.slice(second + 1),
  ];
}

/** A note as bytes that are served or sent. */
export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${formatSignatures(signatures)}`;
}

/** Lines of signatures alone, as a witness answers. */
export function formatSignatures(
  signatures: readonly NoteSignature[],
): string {
  return signatures.map(({ name, id, signature }) => {
    const bytes = concatBytes(fromHex(id) ?? new Uint8Array(), signature);
    return `\u2014 ${name} ${toBase64(bytes)}\n`;
  }).join("");
}

/** Reads a note; undefined for anything malformed. Nothing is verified. */
export function parseNote(note: Uint8Array | string): SignedNote | undefined {
  const whole = typeof note === "string" ? note : fromUtf8(note);
  if (whole === undefined || CONTROL.test(whole)) return undefined;
  const end = whole.lastIndexOf("\n\n");
  if (end < 0) return undefined;
  const signatures = parseSignatures(whole.slice(end + 2));
  if (signatures === undefined) return undefined;
  return { text: whole.slice(0, end + 1), signatures };
}

/** Reads lines of signatures, one or more; undefined for anything else. */
export function parseSignatures(text: string): NoteSignature[] | undefined {
  const lines = text.split("\n");
  // Each line ends with a line feed, the last one too.
  if (lines.pop() !== "") return undefined;
  if (lines.length === 0 || lines.length > MAX_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = "", base64 = ""] = SIGNATURE.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (!isKeyName(name) || bytes === undefined || bytes.length <= ID_BYTES) {
      return undefined;
    }
    const id = toHex(bytes.subarray(0, ID_BYTES));
    signatures.push({ name, id, signature: bytes.subarray(ID_BYTES) });
  }
  return signatures;
}

/**
 * The signatures of a note that are of these keys, each key once. Those of
 * other keys are ignored. Undefined where a signature of one of these keys does
 * not verify: such a note is to be refused whole.
 */
export async function verifyNote(
  { text, signatures }: SignedNote,
  keys: readonly NoteKey[],
): Promise<NoteSigned[] | undefined> {
  const verified = new Map<NoteKey, NoteSigned>();
  for (const { name, id, signature } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    const signed = await verifySignature(key, text, signature);
    if (signed === undefined) return undefined;
    if (!verified.has(key)) verified.set(key, signed);
  }
  return [...verified.values()];
}

async function verifySignature(
  key: NoteKey,
  text: string,
  signature: Uint8Array,
): Promise<NoteSigned | undefined> {
  const { type, publicKey } = key;
  if (type === "cosignature") {
    const timestamp = timestampOf(signature);
    if (timestamp === undefined) return undefined;
    const message = cosignedMessage(text, timestamp);
    const own = signature.subarray(TIMESTAMP_BYTES);
    return await verifyEd25519(publicKey, message, own)
      ? { key, timestamp }
      : undefined;
  }
  const isSigned = type === "ed25519"
    ? await verifyEd25519(publicKey, utf8(text), signature)
    : await verifyHybrid(publicKey, HYBRID_NOTE_DOMAIN, utf8(text), signature);
  return isSigned ? { key, timestamp: undefined } : undefined;
}

/** Seconds of the epoch; undefined for what no clock says. */
function timestampOf(signature: Uint8Array): number | undefined {
  if (signature.length !== TIMESTAMP_BYTES + ED25519_SIGNATURE_BYTES) {
    return undefined;
  }
  const { buffer, byteOffset } = signature;
  const seconds = Number(new DataView(buffer, byteOffset).getBigUint64(0));
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined;
}

function cosignedMessage(text: string, timestamp: number): Bytes {
  return utf8(`cosignature/v1\ntime ${timestamp}\n${text}`);
}

/** A private Ed25519 key that signs notes under any name. */
export interface NoteSigner {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/** Opens a key of a seed of 32 bytes. */
export async function noteSigner(seed: Uint8Array): Promise<NoteSigner> {
  return await (await hybridBackend()).openEd25519(seed);
}

/** Signs the text of a note under a name. */
export async function signNote(
  signer: NoteSigner,
  name: string,
  text: string,
): Promise<NoteSignature> {
  const { id } = noteKey(name, "ed25519", signer.publicKey);
  return { name, id, signature: await signer.sign(utf8(text)) };
}

/** Signs it with the hybrid key under a name. */
export async function signNoteHybrid(
  signer: HybridSigner,
  name: string,
  text: string,
): Promise<NoteSignature> {
  const { id } = noteKey(name, "hybrid", signer.publicKey);
  const signature = await signer.sign(HYBRID_NOTE_DOMAIN, utf8(text));
  return { name, id, signature };
}

/** Says that as of a time, in seconds of the epoch, a checkpoint was seen. */
export async function cosign(
  signer: NoteSigner,
  name: string,
  text: string,
  timestamp: number,
): Promise<NoteSignature> {
  const { id } = noteKey(name, "cosignature", signer.publicKey);
  const time = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(timestamp));
  const signature = await signer.sign(cosignedMessage(text, timestamp));
  return { name, id, signature: concatBytes(time, signature) };
}

/** What a checkpoint says of a log. */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** A checkpoint's text, without lines of extension. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Reads a checkpoint of the text of a note; lines of extension are passed over.
 * Undefined for anything malformed.
 */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.includes("")) return undefined;
  const [origin, sizeText, base64] = lines;
  if (origin === undefined || sizeText === undefined || base64 === undefined) {
    return undefined;
  }
  const size = readSize(sizeText);
  const root = fromBase64(base64);
  if (size === undefined || root?.length !== TREE_HASH_BYTES) return undefined;
  return { origin, size, root };
}

/** Reads a size of a tree in its one decimal form; undefined for another. */
export function readSize(text: string): number | undefined {
  const size = DECIMAL.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(size) ? size : undefined;
}
