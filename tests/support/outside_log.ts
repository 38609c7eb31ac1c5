/**
 * A second implementation of a log and of a reader of cosignatures, from RFC
 * 6962, signed-note, tlog-checkpoint, tlog-cosignature and tlog-witness. It
 * uses nothing of this program.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";

type Key = Uint8Array<ArrayBuffer>;

const EM_DASH = "\u2014";

function sha(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** MTH of RFC 6962 section 2.1. */
function treeHash(entries: readonly Uint8Array[]): Uint8Array {
  const [only] = entries;
  if (only === undefined) return sha();
  if (entries.length === 1) return sha(Uint8Array.of(0), only);
  const k = split(entries.length);
  return sha(
    Uint8Array.of(1),
    treeHash(entries.slice(0, k)),
    treeHash(entries.slice(k)),
  );
}

/** PROOF(m, D[n]) of section 2.1.2. */
export function consistencyOf(
  m: number,
  entries: readonly Uint8Array[],
): Uint8Array[] {
  return m === 0 ? [] : subproof(m, entries, true);
}

function subproof(
  m: number,
  entries: readonly Uint8Array[],
  isWhole: boolean,
): Uint8Array[] {
  if (m === entries.length) return isWhole ? [] : [treeHash(entries)];
  const k = split(entries.length);
  return m <= k
    ? [
      ...subproof(m, entries.slice(0, k), isWhole),
      treeHash(entries.slice(k)),
    ]
    : [
      ...subproof(m - k, entries.slice(k), false),
      treeHash(entries.slice(0, k)),
    ];
}

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function keyId(name: string, type: number, publicKey: Uint8Array): Uint8Array {
  const before = Buffer.from(`${name}\n`);
  return sha(before, Uint8Array.of(type), publicKey).slice(0, 4);
}

/** A log with entries of its own. */
export interface OutsideLog {
  readonly origin: string;
  readonly verifierKey: string;
  readonly entries: Uint8Array[];
  /** Its checkpoint at a size, or of another tree. */
  note(
    size?: number,
    entries?: readonly Uint8Array[],
    extension?: string,
  ): Promise<string>;
  /** A body of add-checkpoint. */
  submission(old: number, size?: number): Promise<string>;
}

/** Starts a log with so many entries. */
export async function outsideLog(
  origin: string,
  count: number,
): Promise<OutsideLog> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "Ed25519" },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const id = keyId(origin, 1, raw);
  const entries = Array.from(
    { length: count },
    (_, at) => new Uint8Array(Buffer.from(`entry ${at}`)),
  );
  const note = async (
    size = entries.length,
    of: readonly Uint8Array[] = entries,
    extension = "",
  ) => {
    const root = base64(treeHash(of.slice(0, size)));
    const text = `${origin}\n${size}\n${root}\n${extension}`;
    const signature = await crypto.subtle.sign(
      "Ed25519",
      privateKey,
      Buffer.from(text),
    );
    const bytes = Buffer.concat([id, new Uint8Array(signature)]);
    return `${text}\n${EM_DASH} ${origin} ${bytes.toString("base64")}\n`;
  };
  return {
    origin,
    verifierKey: `${origin}+${Buffer.from(id).toString("hex")}+${
      base64(Buffer.concat([Uint8Array.of(1), raw]))
    }`,
    entries,
    note,
    submission: async (old, size = entries.length) => {
      const proof = consistencyOf(old, entries.slice(0, size));
      return bodyOf(old, proof, await note(size));
    },
  };
}

/** A body of add-checkpoint. */
export function bodyOf(
  old: number | string,
  proof: readonly Uint8Array[],
  note: string,
): string {
  const lines = proof.map((hash) => `${base64(hash)}\n`).join("");
  return `old ${old}\n${lines}\n${note}`;
}

/** When a checkpoint was cosigned (s), by a line of signature and a key. */
export async function verifyCosignature(
  line: string,
  note: string,
  verifierKey: string,
): Promise<number> {
  const [, name = "", hex = "", key = ""] =
    /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey) ?? [];
  const material = Buffer.from(key, "base64");
  assert.equal(material[0], 4);
  const raw = new Uint8Array(material.subarray(1));
  assert.equal(raw.length, 32);
  assert.equal(hex, Buffer.from(keyId(name, 4, raw)).toString("hex"));
  const [, signer, signature = ""] = /^\u2014 ([^ ]+) ([^ ]+)\n$/.exec(line) ??
    [];
  assert.equal(signer, name);
  const bytes = Buffer.from(signature, "base64");
  assert.equal(bytes.subarray(0, 4).toString("hex"), hex);
  const time = bytes.readBigUInt64BE(4);
  const text = note.slice(0, note.lastIndexOf("\n\n") + 1);
  const signed = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  const public_ = await crypto.subtle.importKey(
    "raw",
    raw as Key,
    {
      name: "Ed25519",
    },
    false,
    ["verify"],
  );
  const own = new Uint8Array(bytes.subarray(12));
  assert(await crypto.subtle.verify("Ed25519", public_, own, signed));
  return Number(time);
}
