/**
 * Reading many small blobs at once, such as the pictures of a timeline, fifty
 * in each request. A cache of ciphertext may be asked before the server; its
 * blobs are checked like the server's.
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import { portablePrimitives } from "../../crypto/primitives.ts";
import type { WantedBlob } from "../../client/api/many_blobs.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { persist } from "../../client/api/send.ts";
import { decryptBytes, StreamError } from "../../client/stream/stream.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { type Readable, readableOf, type ReaderContext } from "./pull.ts";
import type { Row } from "./rows.ts";

/** Blobs in one request. */
const MOST_BLOBS = 50;

/** A small blob to read: a row's original or thumbnail. */
interface WantedPart {
  readonly row: Row;
  readonly wanted: "original" | "thumbnail";
}

/**
 * The result of reading a blob: its plaintext; `none` if the row has no such
 * blob or its key is not here; `later` if there is no connection; `damaged` if
 * the server lost it or it is not what was stored.
 */
export type ReadPart = Bytes | "none" | "later" | "damaged";

/** A cache of ciphertext on this device, by content address. */
export interface PartCache {
  get(hashes: readonly string[]): Promise<ReadonlyMap<string, Bytes>>;
  put(parts: ReadonlyMap<string, Bytes>): Promise<void>;
}

/** Options of {@link readMany}. */
export interface ReadManyOptions {
  readonly cache?: PartCache;
  /** Whether only the cache is asked: a blob that is not in it is `later`. */
  readonly cachedOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Reads many blobs; the results are in the same order. Throws the errors of the
 * calls, except for a missing connection, and the signal's reason.
 */
export async function readMany(
  context: ReaderContext,
  wanted: readonly WantedPart[],
  { cache, cachedOnly = false, signal }: ReadManyOptions = {},
): Promise<ReadPart[]> {
  const readables = await Promise.all(
    wanted.map(({ row, wanted }) => readableOrNone(context, row, wanted)),
  );
  const asked = readables.flatMap((one) => one === undefined ? [] : [one.hash]);
  const kept = await cache?.get(asked) ?? new Map<string, Bytes>();
  const opened = await Promise.all(readables.map(async (readable) => {
    if (readable === undefined) return "none";
    const sealed = kept.get(readable.hash);
    return sealed === undefined ? "later" : await openPart(readable, sealed);
  }));
  // A damaged blob of the cache is fetched again, like a missing one.
  const missing = new Map<string, WantedBlob>();
  for (const [at, one] of readables.entries()) {
    const assetId = wanted[at]?.row.id;
    const isHere = typeof opened[at] !== "string";
    if (one === undefined || assetId === undefined || isHere) continue;
    missing.set(one.hash, { assetId, hash: one.hash });
  }
  if (missing.size === 0 || cachedOnly) return opened;
  const fetched = await fetchMany(context, [...missing.values()], signal);
  const whole = new Map<string, Bytes>();
  const results = await Promise.all(readables.map(async (readable, at) => {
    const held = opened[at] ?? "none";
    if (readable === undefined || typeof held !== "string") return held;
    const sealed = fetched.get(readable.hash);
    if (sealed === undefined) return "later";
    if (sealed === "damaged") return sealed;
    const part = await openPart(readable, sealed);
    if (part !== "damaged") whole.set(readable.hash, sealed);
    return part;
  }));
  if (whole.size > 0) await cache?.put(whole);
  return results;
}

async function readableOrNone(
  context: ReaderContext,
  row: Row,
  wanted: WantedPart["wanted"],
): Promise<Readable | undefined> {
  try {
    const kind = wanted === "original" ? wanted : { derivative: wanted };
    return await readableOf(context, row, kind);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/**
 * Fetches blobs; those that are absent from the result could not be asked for.
 */
async function fetchMany(
  { vault }: ReaderContext,
  wanted: readonly WantedBlob[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Bytes | "damaged">> {
  const { account } = vault.session;
  const got = new Map<string, Bytes | "damaged">();
  let left = wanted;
  while (left.length > 0) {
    signal?.throwIfAborted();
    const part = left.slice(0, MOST_BLOBS);
    try {
      const blobs = await persist(account, () => account.blobs(part), {
        mostFailures: 1,
      });
      const later: WantedBlob[] = [];
      for (const [at, one] of part.entries()) {
        const blob = blobs[at];
        if (blob === "later") later.push(one);
        else {
          got.set(
            one.hash,
            blob === undefined || blob === "unreadable" ? "damaged" : blob,
          );
        }
      }
      // An answer always has room for its first blob.
      if (later.length === part.length) return got;
      left = [...later, ...left.slice(MOST_BLOBS)];
    } catch (error) {
      if (error instanceof ConnectionError) return got;
      throw error;
    }
  }
  return got;
}

async function openPart(
  { hash, key, sha256 }: Readable,
  sealed: Bytes,
): Promise<Bytes | "damaged"> {
  const hashOf = (bytes: Bytes) => {
    const running = (key.primitives ?? portablePrimitives).sha256();
    running.update(bytes);
    return toHex(running.digest());
  };
  if (hashOf(sealed) !== hash) return "damaged";
  try {
    const opened = await decryptBytes(key, sealed);
    const isIt = sha256 === undefined || hashOf(opened) === sha256;
    return isIt ? opened : "damaged";
  } catch (error) {
    if (error instanceof StreamError) return "damaged";
    throw error;
  }
}
