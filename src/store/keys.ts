/**
 * The server's private keys: one file a purpose, mode 0600, outside the
 * database (protocol/signed-things.md#tokens), made on first start.
 *
 * A rotation writes the file first and then commits the generation of its new
 * key to the database (`generation.ts`). The commit decides: a file is read as
 * of the database's generation, without keys of later ones. So a rotation that
 * was killed before its commit has not happened, neither for the running server
 * nor for the next one, and the next rotation writes over it.
 *
 * @module
 */
import { z } from "zod";
import { fromBase64, toBase64 } from "../core/bytes.ts";
import { StoreFault } from "./failure.ts";
import { type Files, writeDurably } from "./files/files.ts";

const KeyFile = z.strictObject({
  version: z.literal(1),
  keys: z.array(z.strictObject({
    /**
     * Secret, base64: a seed of Ed25519 or of the hybrid key, or a sealing key.
     */
    seed: z.base64(),
    active_from: z.int(),
    active_to: z.int().optional(),
    /** Absent if the key counts in every generation. */
    generation: z.int().min(1).optional(),
    /** Base64: the signature of the previous key; absent on a ring's first. */
    succession: z.base64().optional(),
  })).min(1),
});

/**
 * A private key and the time in which it signed; the last of a ring is active.
 */
export interface StoredKey {
  readonly seed: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
  /** The generation that put it in force; 0 if it counts in every one. */
  readonly generation: number;
  /**
   * The previous key's signature that this one follows it; not every ring has
   * it.
   */
  readonly succession: Uint8Array<ArrayBuffer> | undefined;
}

/** The inputs of a new key: the instant (ms) and the source of its seed. */
interface FreshKey {
  readonly now: number;
  readonly random: (length: number) => Uint8Array;
}

/**
 * Makes the previous key sign that a new one follows it; both are given by
 * their seeds.
 */
type Endorse = (
  before: Uint8Array<ArrayBuffer>,
  next: Pick<StoredKey, "seed" | "activeFrom">,
) => Promise<Uint8Array<ArrayBuffer>>;

/** The inputs of a rotation, other than the ring's file. */
interface Rotation extends FreshKey {
  /**
   * The last signature of each key of the ring (ms), in the ring's order. No
   * key is retired before its last signature, and the new key does not begin
   * before that of the last one.
   */
  readonly signedUntil?: readonly (number | undefined)[];
  readonly endorse?: Endorse;
}

/** The purposes of keys, each with a file that every server has. */
export const KEY_PURPOSES = [
  "access",
  "attestation",
  "log",
  "sealing",
] as const;

export type KeyPurpose = typeof KEY_PURPOSES[number];

const SEED_BYTES: Readonly<Record<KeyPurpose, number>> = {
  access: 32,
  attestation: 64,
  sealing: 32,
  log: 32,
};

/**
 * Reads a key ring, oldest first, or makes it with one fresh key. A file that
 * cannot be read is a {@link StoreFault}: a new key in its place would disown
 * everything that was signed before. `generation` is the database's; without
 * one all keys of the file count.
 */
export async function openKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  fresh: FreshKey,
  generation?: number,
): Promise<readonly StoredKey[]> {
  return readKeyRing(files, directory, purpose, generation) ??
    await writeKeyRing(files, directory, purpose, [newKey(purpose, fresh, 0)]);
}

/** Reads a key ring like {@link openKeyRing}; undefined if there is no file. */
export function readKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  generation?: number,
): readonly StoredKey[] | undefined {
  const path = `${directory}/${purpose}.json`;
  const held = files.readWhole(path);
  if (held === undefined) return undefined;
  const ring = parseKeyRing(held, path, SEED_BYTES[purpose]);
  return generation === undefined ? ring : asOf(ring, generation);
}

/**
 * Reads a key ring like {@link openKeyRing}; a missing file is a
 * {@link StoreFault}.
 */
export function requireKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  generation?: number,
): readonly StoredKey[] {
  const ring = readKeyRing(files, directory, purpose, generation);
  if (ring !== undefined) return ring;
  throw new StoreFault(
    `${directory}/${purpose}.json is not there: put it back from a backup`,
  );
}

/**
 * A ring without the keys of later generations; its last key is active again.
 */
function asOf(
  ring: readonly StoredKey[],
  generation: number,
): readonly StoredKey[] {
  const held = ring.filter((key) => key.generation <= generation);
  const last = held.at(-1);
  if (last === undefined || held.length === ring.length) return ring;
  return [...held.slice(0, -1), { ...last, activeTo: undefined }];
}

/**
 * Retires the active key of a ring and puts a new one in its place, durably;
 * returns the new ring. Retired keys stay in the ring, because what they signed
 * stays. The active key's time ends now, and no key's before its last
 * signature. A missing ring is a {@link StoreFault}. With a generation the new
 * key is in force from that one on; without, at once.
 */
export async function rotateKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  { signedUntil = [], endorse, ...fresh }: Rotation,
  generation?: number,
): Promise<readonly StoredKey[]> {
  const before = generation === undefined ? undefined : generation - 1;
  const held = requireKeyRing(files, directory, purpose, before);
  const last = held.at(-1);
  if (last === undefined) throw new Error("a ring without a key");
  // A clock that was set back must not retire a key before its time began.
  const now = Math.max(
    fresh.now,
    ...held.map((key) => key.activeFrom),
    signedUntil[held.length - 1] ?? 0,
  );
  const next = newKey(purpose, { ...fresh, now }, generation ?? 0);
  return await writeKeyRing(files, directory, purpose, [
    ...held.map((key, index) => ({
      ...key,
      activeTo: Math.max(key.activeTo ?? now, signedUntil[index] ?? 0),
      // Without a generation, every key counts in every one.
      generation: generation === undefined ? 0 : key.generation,
    })),
    { ...next, succession: await endorse?.(last.seed, next) },
  ]);
}

/**
 * Removes from a ring's file the key of a rotation that was never committed.
 * Otherwise the next change of generation would put that key in force.
 */
export async function settleKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  generation: number,
): Promise<void> {
  const ring = readKeyRing(files, directory, purpose);
  if (ring === undefined) return;
  const held = asOf(ring, generation);
  if (held !== ring) await writeKeyRing(files, directory, purpose, held);
}

function newKey(
  purpose: KeyPurpose,
  fresh: FreshKey,
  generation: number,
): StoredKey {
  return {
    seed: new Uint8Array(fresh.random(SEED_BYTES[purpose])),
    activeFrom: fresh.now,
    activeTo: undefined,
    generation,
    succession: undefined,
  };
}

async function writeKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  ring: readonly StoredKey[],
): Promise<readonly StoredKey[]> {
  const text = JSON.stringify(
    {
      version: 1,
      keys: ring.map((
        { seed, activeFrom, activeTo, generation, succession },
      ) => ({
        seed: toBase64(seed),
        active_from: activeFrom,
        ...(activeTo === undefined ? {} : { active_to: activeTo }),
        ...(generation === 0 ? {} : { generation }),
        ...(succession === undefined
          ? {}
          : { succession: toBase64(succession) }),
      })),
    },
    null,
    2,
  );
  const bytes = new TextEncoder().encode(text + "\n");
  await writeDurably(files, `${directory}/${purpose}.json`, bytes);
  return ring;
}

function parseKeyRing(
  bytes: Uint8Array,
  path: string,
  seedBytes: number,
): StoredKey[] {
  try {
    const { keys } = KeyFile.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return keys.map((key) => {
      const seed = fromBase64(key.seed);
      if (seed?.length !== seedBytes) throw new Error("seed length");
      return {
        seed,
        activeFrom: key.active_from,
        activeTo: key.active_to,
        generation: key.generation ?? 0,
        succession: key.succession === undefined
          ? undefined
          : fromBase64(key.succession),
      };
    });
  } catch {
    // No cause is attached: the error could contain the file's secrets.
    throw new StoreFault(
      `${path} is not a key file: restore the one that belongs here`,
    );
  }
}
