/**
 * The server's private keys: one file a purpose, mode 0600, outside the
 * database (protocol/signed-things.md#tokens), made on first start.
 *
 * A rotation writes the file first and then commits the generation of its new
 * key to the database (`generation.ts`). The commit decides: read as of a
 * generation, a file does not show what a later one did to it. So a rotation
 * that was killed in between has not happened, neither for the server that
 * runs nor for the next one, and the next rotation writes over it.
 *
 * @module
 */
import { z } from "zod";
import { fromBase64, toBase64 } from "../core/bytes.ts";
import { StoreFault } from "./database.ts";
import { type Files, writeDurably } from "./files.ts";

const KeyFile = z.strictObject({
  version: z.literal(1),
  keys: z.array(z.strictObject({
    /** Secret, base64: a seed of Ed25519 or of the hybrid key, or a key. */
    seed: z.base64(),
    active_from: z.int(),
    active_to: z.int().optional(),
    /** Absent on a key that no rotation of a running directory made. */
    generation: z.int().min(1).optional(),
    /** Base64: the signature of the key before; absent on a ring's first. */
    succession: z.base64().optional(),
  })).min(1),
});

/** A private key and when it signed; the last of a ring is the active one. */
export interface StoredKey {
  readonly seed: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
  /** The generation that put it in force; 0 if it is in force as it stands. */
  readonly generation: number;
  /** The key before signed that this one follows it; not every ring has it. */
  readonly succession: Uint8Array<ArrayBuffer> | undefined;
}

/** What a new key is made of: the instant (ms) and a source of its seed. */
export interface FreshKey {
  readonly now: number;
  readonly random: (length: number) => Uint8Array;
}

/** Has the key before sign that a fresh one follows it; both by their seeds. */
export type Endorse = (
  before: Uint8Array<ArrayBuffer>,
  next: Pick<StoredKey, "seed" | "activeFrom">,
) => Promise<Uint8Array<ArrayBuffer>>;

/** What is known of a ring that is rotated, beside its file. */
export interface Rotation extends FreshKey {
  /**
   * Until when (ms) each key of the ring has signed, in its order: none of
   * them is retired earlier, and the fresh one follows the last.
   */
  readonly signedUntil?: readonly (number | undefined)[];
  readonly endorse?: Endorse;
}

/** What keys are for, each with a file of its own. */
export const KEY_PURPOSES = ["access", "attestation", "sealing"] as const;

export type KeyPurpose = typeof KEY_PURPOSES[number];

const SEED_BYTES: Readonly<Record<KeyPurpose, number>> = {
  access: 32,
  attestation: 64,
  sealing: 32,
};

/**
 * Reads a key ring, oldest first, or makes it with one fresh key. A file that
 * cannot be read is a {@link StoreFault}: a new key in its place would disown
 * everything that was signed before. `generation` is the database's; without
 * one the file is taken at its word, as it may be where no server runs.
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

/** The same without making one: undefined where there is no file. */
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

/** The same where there has to be one: else a {@link StoreFault}. */
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

/** A ring without the keys of later generations, which retired its last. */
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
 * Retires the active key of a ring and puts a fresh one in its place, durably;
 * returns the new ring. Retired keys stay, since what they signed stays; the
 * time of the retired one ends now, and no key's before its last signature. A
 * ring that is not there is a {@link StoreFault}. With a generation the new
 * ring counts from that one on, for everybody who reads it as of one; without,
 * at once.
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
      // At once means for every generation, with all that it follows.
      generation: generation === undefined ? 0 : key.generation,
    })),
    { ...next, succession: await endorse?.(last.seed, next) },
  ]);
}

/**
 * Takes out of a ring's file what a rotation that never was committed left in
 * it: otherwise the next generation, whoever raises it, would put it in force.
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
    // What was read is secret: it is not carried along as the cause.
    throw new StoreFault(
      `${path} is not a key file: put back the one that belongs here`,
    );
  }
}
