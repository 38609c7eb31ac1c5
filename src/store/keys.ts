/**
 * The server's private keys: one file a purpose, mode 0600, outside the
 * database (completions.md section 8), made on first start.
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
  })).min(1),
});

/** A private key and when it signed; the last of a ring is the active one. */
export interface StoredKey {
  readonly seed: Uint8Array<ArrayBuffer>;
  /** Milliseconds since the Unix epoch. */
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
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
 * everything that was signed before.
 */
export async function openKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  fresh: { readonly now: number; readonly random: (n: number) => Uint8Array },
): Promise<readonly StoredKey[]> {
  const path = `${directory}/${purpose}.json`;
  const held = files.readWhole(path);
  if (held !== undefined) return readKeyRing(held, path, SEED_BYTES[purpose]);
  return await writeKeyRing(files, directory, purpose, [
    newKey(purpose, fresh),
  ]);
}

/**
 * Reads a key ring, oldest first. One that is not there is a
 * {@link StoreFault}, like one that cannot be read.
 */
export function readKeys(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
): readonly StoredKey[] {
  const path = `${directory}/${purpose}.json`;
  const held = files.readWhole(path);
  if (held === undefined) {
    throw new StoreFault(
      `${path} is not there: put back the key file that belongs here`,
    );
  }
  return readKeyRing(held, path, SEED_BYTES[purpose]);
}

/**
 * Retires the active key of a ring and puts a fresh one in its place, durably;
 * returns the new ring. Retired keys stay, since what they signed stays. The
 * time of the retired one ends now, or when `retiredAt` says.
 */
export async function rotateKeyRing(
  files: Files,
  directory: string,
  purpose: KeyPurpose,
  fresh: {
    readonly now: number;
    readonly random: (n: number) => Uint8Array;
    readonly retiredAt?: number;
  },
): Promise<readonly StoredKey[]> {
  const held = await openKeyRing(files, directory, purpose, fresh);
  const retiredAt = fresh.retiredAt ?? fresh.now;
  return await writeKeyRing(files, directory, purpose, [
    ...held.map((key) => ({ ...key, activeTo: key.activeTo ?? retiredAt })),
    newKey(purpose, fresh),
  ]);
}

function newKey(
  purpose: KeyPurpose,
  fresh: { readonly now: number; readonly random: (n: number) => Uint8Array },
): StoredKey {
  return {
    seed: new Uint8Array(fresh.random(SEED_BYTES[purpose])),
    activeFrom: fresh.now,
    activeTo: undefined,
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
      keys: ring.map(({ seed, activeFrom, activeTo }) => ({
        seed: toBase64(seed),
        active_from: activeFrom,
        ...(activeTo === undefined ? {} : { active_to: activeTo }),
      })),
    },
    null,
    2,
  );
  const bytes = new TextEncoder().encode(text + "\n");
  await writeDurably(files, `${directory}/${purpose}.json`, bytes);
  return ring;
}

function readKeyRing(
  bytes: Uint8Array,
  path: string,
  seedBytes: number,
): StoredKey[] {
  try {
    const { keys } = KeyFile.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return keys.map(({ seed, active_from, active_to }) => {
      const decoded = fromBase64(seed);
      if (decoded?.length !== seedBytes) throw new Error("seed length");
      return { seed: decoded, activeFrom: active_from, activeTo: active_to };
    });
  } catch {
    // What was read is secret: it is not carried along as the cause.
    throw new StoreFault(
      `${path} is not a key file: put back the one that belongs here`,
    );
  }
}
