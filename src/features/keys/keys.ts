/**
 * Rotating and listing the server's keys (protocol/signed-things.md#tokens;
 * upkeep/keys.md).
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import { KEY_GRACE_MS } from "../../crypto/server_keys.ts";
import { endorsedLogKeyFor } from "../../crypto/logs/log_key.ts";
import { endorsedFor } from "../../crypto/succession.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import { keyGeneration, raiseKeyGeneration } from "../../store/generation.ts";
import { rotateKeyRing, settleKeyRing } from "../../store/keys.ts";
import { readSignings } from "../receipts/signings.ts";
import { requireKeysOf } from "./identity.ts";
import {
  accessKeysAt,
  attestationKeysAt,
  type KeyPlace,
  logKeysAt,
  ROTATED,
  type RotatedPurpose,
} from "./rings.ts";

/** A key as the operator sees it: nothing of it is secret. */
export interface ListedKey {
  readonly purpose: RotatedPurpose;
  /**
   * Lowercase hex: the `kid` of tokens, the `server_key_id` of receipts, the
   * `key_id` of `log_keys`.
   */
  readonly keyId: string;
  /** Milliseconds since the Unix epoch, here and below. */
  readonly activeFrom: number;
  /** Null while it signs. */
  readonly activeTo: number | null;
  /** When tokens of a retired key end; null for receipts, which do not. */
  readonly graceEndsAt: number | null;
}

/** Who rotates: for which server, by which clock. */
interface Rotator extends Pick<Platform, "now" | "random"> {
  /** The server's id as it is now; what a fresh key is endorsed under. */
  readonly serverId: string;
}

/**
 * Retires the key that signs and replaces it with a new one. A server that runs
 * signs with it from its next request on.
 *
 * The file is written inside the transaction, which is with collection the only
 * exception to "a transaction holds SQL alone": no one else can issue a
 * receipt or rotate meanwhile, so no receipt of the old key is dated after the
 * instant that is written, and what is committed is already on the disk.
 */
export async function rotateKey(
  db: Db,
  place: KeyPlace,
  purpose: RotatedPurpose,
  rotator: Rotator,
): Promise<void> {
  const { files, directory } = place;
  // All but the last receipts, before others are kept waiting.
  const before = purpose === "attestation" ? await readSignings(db) : undefined;
  try {
    await transaction(db, async (tx) => {
      const held = await keyGeneration(tx);
      await settleFiles(tx, place, held);
      const keys = await attestationKeysAt(place, held);
      const known = before && await readSignings(tx, before);
      await rotateKeyRing(files, directory, purpose, {
        now: rotator.now(),
        random: rotator.random,
        ...known === undefined ? {} : {
          signedUntil: keys.map(({ signer }) => known.latest.get(signer.keyId)),
          endorse: endorsedFor(rotator.serverId),
        },
        ...purpose === "log"
          ? { endorse: endorsedLogKeyFor(rotator.serverId) }
          : {},
      }, held + 1);
      await raiseKeyGeneration(tx, held + 1);
    });
  } catch (error) {
    // The file may have the key of a commit that failed. Where it cannot be
    // put right now, the next start or rotation does it.
    await settleRotation(db, place).catch(() => {});
    throw error;
  }
}

/**
 * Takes back what a rotation that was interrupted left in the key files. Its
 * keys never were in force: that is the commit's to say.
 */
export async function settleRotation(db: Db, place: KeyPlace): Promise<void> {
  await transaction(
    db,
    async (tx) => await settleFiles(tx, place, await keyGeneration(tx)),
  );
}

async function settleFiles(
  tx: Tx,
  place: KeyPlace,
  generation: number,
): Promise<void> {
  // By this database's generation another server's keys would be thrown away.
  await requireKeysOf(tx, place);
  const { files, directory } = place;
  for (const one of ROTATED) {
    await settleKeyRing(files, directory, one, generation);
  }
}

/** Every key that was ever in force, by purpose, oldest first. */
export async function listKeys(db: Db, place: KeyPlace): Promise<ListedKey[]> {
  const generation = await keyGeneration(db);
  const access = await accessKeysAt(place, generation);
  const attestation = await attestationKeysAt(place, generation);
  const log = await logKeysAt(place, generation);
  return [
    ...access.map(({ key, activeFrom, activeTo }) => ({
      purpose: "access" as const,
      keyId: key.keyId,
      activeFrom,
      activeTo: activeTo ?? null,
      graceEndsAt: activeTo === undefined ? null : activeTo + KEY_GRACE_MS,
    })),
    ...attestation.map(({ signer, activeFrom, activeTo }) => ({
      purpose: "attestation" as const,
      keyId: signer.keyId,
      activeFrom,
      activeTo: activeTo ?? null,
      graceEndsAt: null,
    })),
    ...log.map(({ keyId, activeFrom, activeTo }) => ({
      purpose: "log" as const,
      keyId,
      activeFrom,
      activeTo: activeTo ?? null,
      graceEndsAt: null,
    })),
  ];
}
