/**
 * The keys that a running server signs with. A rotation, by this process or by
 * an operator's command, raises the generation in the database. The keys are
 * read again after that.
 *
 * @module
 */
import { ServerKeys } from "../../crypto/server_keys.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import type { AttestationKey, LogKey } from "../app.ts";
import { requireOwnKeys } from "./belonging.ts";
import { settleRotation } from "./keys.ts";
import {
  accessKeysAt,
  attestationKeysAt,
  type KeyPlace,
  logKeysAt,
} from "./rings.ts";

export class SigningKeys {
  #generation = -1;
  #attestationKeys: readonly AttestationKey[] = [];
  #logKeys: readonly LogKey[] = [];
  /** What signs and verifies tokens; the same object through all rotations. */
  readonly serverKeys = new ServerKeys([]);

  private constructor(
    private readonly db: Db,
    private readonly place: KeyPlace,
  ) {}

  /**
   * Reads the keys; a file that is no key file is a `StoreFault`, another
   * server's an `OperatorFault`.
   */
  static async open(db: Db, place: KeyPlace): Promise<SigningKeys> {
    // Before a receipt is signed: whoever reads the files without the database
    // would take a key for retired that goes on signing.
    await settleRotation(db, place);
    const keys = new SigningKeys(db, place);
    await keys.refresh();
    await requireOwnKeys(db, keys.attestationKeys, place.directory);
    return keys;
  }

  /** Oldest first; the last signs. */
  get attestationKeys(): readonly AttestationKey[] {
    return this.#attestationKeys;
  }

  /** Those of the public logs, likewise. */
  get logKeys(): readonly LogKey[] {
    return this.#logKeys;
  }

  /** The generation that the keys are of. */
  get generation(): number {
    return this.#generation;
  }

  /** The key that signs receipts, and as of which generation. */
  get active() {
    const key = this.#attestationKeys.at(-1);
    if (key === undefined) throw new Error("no attestation key");
    const { signer, activeFrom } = key;
    return { signer, activeFrom, generation: this.#generation };
  }

  /** Reads the keys again if another generation is in force. */
  async refresh(): Promise<void> {
    const generation = await keyGeneration(this.db);
    if (generation <= this.#generation) return;
    // Whatever is done to the files meanwhile, this is what they were then.
    const [access, attestation, log] = await Promise.all([
      accessKeysAt(this.place, generation),
      attestationKeysAt(this.place, generation),
      logKeysAt(this.place, generation),
    ]);
    if (generation <= this.#generation) return;
    this.#generation = generation;
    this.serverKeys.use(access);
    this.#attestationKeys = attestation;
    this.#logKeys = log;
  }
}
