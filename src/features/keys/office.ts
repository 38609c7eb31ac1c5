/**
 * The keys that a running server signs with. A rotation, by this process or by
 * the operator beside it, raises the generation in the database; the keys are
 * read anew when it has moved.
 *
 * @module
 */
import { ServerKeys } from "../../crypto/server_keys.ts";
import type { Db } from "../../store/database.ts";
import { keyGeneration } from "../../store/generation.ts";
import type { AttestationKey } from "../app.ts";
import { requireOwnKeys } from "./belonging.ts";
import { settleRotation } from "./keys.ts";
import { accessKeysAt, attestationKeysAt, type KeyPlace } from "./rings.ts";

export class KeyOffice {
  #generation = -1;
  #attestationKeys: readonly AttestationKey[] = [];
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
  static async open(db: Db, place: KeyPlace): Promise<KeyOffice> {
    // Before a receipt is signed: whoever reads the files without the database
    // would take a key for retired that goes on signing.
    await settleRotation(db, place);
    const office = new KeyOffice(db, place);
    await office.refresh();
    await requireOwnKeys(db, office.attestationKeys, place.directory);
    return office;
  }

  /** Oldest first; the last signs. */
  get attestationKeys(): readonly AttestationKey[] {
    return this.#attestationKeys;
  }

  /** The key that signs receipts, and as of which generation. */
  get active() {
    const key = this.#attestationKeys.at(-1);
    if (key === undefined) throw new Error("no attestation key");
    const { signer, activeFrom } = key;
    return { signer, activeFrom, generation: this.#generation };
  }

  /** Reads the keys anew if another generation is in force. */
  async refresh(): Promise<void> {
    const generation = await keyGeneration(this.db);
    if (generation <= this.#generation) return;
    // Whatever is done to the files meanwhile, this is what they were then.
    const [access, attestation] = await Promise.all([
      accessKeysAt(this.place, generation),
      attestationKeysAt(this.place, generation),
    ]);
    if (generation <= this.#generation) return;
    this.#generation = generation;
    this.serverKeys.use(access);
    this.#attestationKeys = attestation;
  }
}
