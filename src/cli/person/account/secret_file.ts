/**
 * The secret of a profile in a file of mode 0600, sealed by a phrase where one
 * is given.
 *
 * @module
 */
import { concatBytes, equalBytes, utf8 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import {
  argon2,
  type Argon2Cost,
  passphraseBytes,
  SUITE_ARGON2_COST,
} from "../../../client/keys/argon2.ts";
import type { CredentialStore } from "../../../library/mod.ts";
import { nativePrimitives } from "../../../client/keys/native.ts";
import { SEALED_FIELDS } from "../../../client/documents/escrow.ts";
import { NONCE_BYTES } from "../../../client/documents/suite.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { writeDurably } from "../../../store/files/files.ts";
import type { Places } from "./user_folders.ts";

/** Begins every version; then come its number and a line feed. */
const MAGIC = utf8("strongroom-secret/v");
/** A file of it does not name its cost, which is {@link FIRST_COST}. */
const FIRST = utf8("strongroom-secret/v1\n");
const FIRST_COST: Argon2Cost = { memoryKib: 65_536, passes: 3, lanes: 1 };
/** It is followed by memory (KiB), passes and lanes, 4 bytes each. */
const SECOND = utf8("strongroom-secret/v2\n");
const COST_BYTES = 12;
const SALT_BYTES = 16;
const OTHERS = 0o077;

/**
 * The secret of a profile; `phrase` is asked for where it is needed. `cost` is
 * that of stretching it for what is written.
 */
export function secretFile(
  { secret: path, configDirectory }: Places,
  phrase: string | undefined,
  cost: Argon2Cost = SUITE_ARGON2_COST,
): CredentialStore {
  /** Stretching takes half a second: once for each salt and cost. */
  const keys = new Map<string, Promise<Uint8Array>>();
  const keyOf = (salt: Uint8Array, by: Argon2Cost) => {
    const name = `${salt.toHex()} ${costBytes(by).toHex()}`;
    const key = keys.get(name) ??
      argon2(passphraseBytes(phrase ?? ""), salt, by);
    keys.set(name, key);
    return key;
  };
  const ownSalt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return {
    async read() {
      const held = denoFiles.readWhole(path);
      if (held === undefined) return undefined;
      refuseOpen(path);
      if (!startsWith(held, MAGIC)) return held;
      if (phrase === undefined) {
        throw new OperatorFault(
          `${path} is encrypted with a phrase: give the file that contains ` +
            "it with --secret-file or ROOM_SECRET_FILE",
        );
      }
      const [head, by] = headOf(path, held);
      const rest = held.subarray(head.length);
      const salt = rest.subarray(0, SALT_BYTES);
      const nonce = rest.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
      const box = rest.subarray(SALT_BYTES + NONCE_BYTES);
      const key = await keyOf(salt, by);
      const opened = nativePrimitives.open(key, nonce, box, head);
      if (opened !== undefined) return opened;
      throw new OperatorFault(`${path} was encrypted with another phrase`);
    },
    async write(plain) {
      await Deno.mkdir(configDirectory, { recursive: true, mode: 0o700 });
      await writeDurably(denoFiles, path, await sealed(plain));
    },
    async remove() {
      await denoFiles.remove(path);
    },
  };

  async function sealed(plain: Uint8Array): Promise<Uint8Array> {
    if (phrase === undefined) return plain;
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const key = await keyOf(ownSalt, cost);
    const head = concatBytes(SECOND, costBytes(cost));
    const box = nativePrimitives.seal(key, nonce, plain, head);
    return concatBytes(head, ownSalt, nonce, box);
  }
}

/**
 * What a file begins with, which is authenticated, and the cost of its key. A
 * file that someone else wrote costs no more than an escrow box.
 */
function headOf(
  path: string,
  held: Uint8Array,
): readonly [Uint8Array, Argon2Cost] {
  if (startsWith(held, FIRST)) return [FIRST, FIRST_COST];
  if (!startsWith(held, SECOND)) {
    throw new OperatorFault(
      `${path} was written by a newer strongroom: update this one`,
    );
  }
  const head = held.subarray(0, SECOND.length + COST_BYTES);
  const bytes = head.slice(SECOND.length);
  const { success, data } = SEALED_FIELDS.kdf.safeParse({
    salt: held.slice(head.length, head.length + SALT_BYTES),
    ...(bytes.length < COST_BYTES ? {} : namedCost(bytes)),
  });
  if (!success) {
    throw new OperatorFault(
      `${path} is damaged: delete it, and run \`strongroom login\``,
    );
  }
  const { memory_kib: memoryKib, passes, lanes } = data;
  return [head, { memoryKib, passes, lanes }];
}

function namedCost({ buffer }: Uint8Array<ArrayBuffer>) {
  const view = new DataView(buffer);
  return {
    memory_kib: view.getUint32(0),
    passes: view.getUint32(4),
    lanes: view.getUint32(8),
  };
}

function costBytes({ memoryKib, passes, lanes }: Argon2Cost): Uint8Array {
  const view = new DataView(new ArrayBuffer(COST_BYTES));
  view.setUint32(0, memoryKib);
  view.setUint32(4, passes);
  view.setUint32(8, lanes);
  return new Uint8Array(view.buffer);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return equalBytes(bytes.subarray(0, start.length), start);
}

function refuseOpen(path: string): void {
  const { mode } = Deno.statSync(path);
  if (mode === null || (mode & OTHERS) === 0) return;
  throw new OperatorFault(
    `${path} contains your keys and is open to others: chmod 600 ` +
      `${path}`,
  );
}
