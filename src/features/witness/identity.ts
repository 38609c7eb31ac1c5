/**
 * The name and the key under which this server cosigns
 * (protocol/logs.md#the-witness). Both belong to the life of its own logs: a
 * server that was restored has forgotten what it cosigned, so it must not go on
 * under the key with which it did.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { portablePrimitives } from "../../crypto/primitives.ts";
import {
  type NoteKey,
  noteKey,
  type NoteSigner,
  noteSigner,
} from "../../crypto/logs/signed_note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { requireKeyRing } from "../../store/keys.ts";
import { lastLife } from "../log/store.ts";

/** The domain of the witness's seed. */
const SEED_DOMAIN = "strongroom-witness-key/v1";
const SEED_BYTES = 32;

/** Who cosigns. */
export interface Cosigner {
  readonly signer: NoteSigner;
  /** With its name. */
  readonly key: NoteKey;
}

/** Where the key files are. */
interface KeyPlace {
  readonly files: Files;
  readonly directory: string;
}

/**
 * The witness of a data directory; undefined before its server was started once
 * with logs.
 */
export async function openCosigner(
  db: Db,
  place: KeyPlace,
): Promise<Cosigner | undefined> {
  const life = await lastLife(db);
  return life && await cosignerOf(life, place);
}

async function cosignerOf(
  { base, gen }: { readonly base: string; readonly gen: string },
  { files, directory }: KeyPlace,
): Promise<Cosigner> {
  // The first key of the ring stays there through every rotation.
  const [first] = requireKeyRing(files, directory, "log");
  if (first === undefined) throw new Error("no key of the logs");
  const name = `${base}/witness/${gen}`;
  const seed = portablePrimitives.hkdfSha256(
    first.seed,
    new Uint8Array(),
    utf8(`${SEED_DOMAIN}\0${name}`),
    SEED_BYTES,
  );
  const signer = await noteSigner(seed);
  return { signer, key: noteKey(name, "cosignature", signer.publicKey) };
}

/** The witness of a running server, whose logs may begin another life. */
export class Witness {
  #held: { readonly life: number; readonly cosigner: Cosigner } | undefined;

  constructor(private readonly db: Db, private readonly place: KeyPlace) {}

  /** Who cosigns now. */
  async cosigner(): Promise<Cosigner> {
    const life = await lastLife(this.db);
    if (life === undefined) throw new Error("the logs have no life");
    if (this.#held?.life !== life.life) {
      const cosigner = await cosignerOf(life, this.place);
      this.#held = { life: life.life, cosigner };
    }
    return this.#held.cosigner;
  }
}
