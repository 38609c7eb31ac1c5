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
  passphraseBytes,
  SUITE_ARGON2_COST,
} from "../../../client/keys/argon2.ts";
import type { CredentialStore } from "../../../library/mod.ts";
import { nativePrimitives } from "../../../client/keys/native.ts";
import { NONCE_BYTES } from "../../../client/documents/suite.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { writeDurably } from "../../../store/files/files.ts";
import type { Places } from "./user_folders.ts";

const MAGIC = utf8("strongroom-secret/v1\n");
const SALT_BYTES = 16;
const OTHERS = 0o077;

/** Whether a profile's secret needs its phrase. */
function isSealed(secret: Uint8Array): boolean {
  return equalBytes(secret.subarray(0, MAGIC.length), MAGIC);
}

/** The secret of a profile; `phrase` is asked for where it is needed. */
export function secretFile(
  { secret: path, configDirectory }: Places,
  phrase: string | undefined,
): CredentialStore {
  /** Stretching takes half a second: once for each salt. */
  const keys = new Map<string, Promise<Uint8Array>>();
  const keyOf = (salt: Uint8Array) => {
    const name = salt.toHex();
    const key = keys.get(name) ??
      argon2(passphraseBytes(phrase ?? ""), salt, SUITE_ARGON2_COST);
    keys.set(name, key);
    return key;
  };
  const ownSalt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return {
    async read() {
      const held = denoFiles.readWhole(path);
      if (held === undefined) return undefined;
      refuseOpen(path);
      if (!isSealed(held)) return held;
      if (phrase === undefined) {
        throw new OperatorFault(
          `${path} is encrypted with a phrase: give the file that contains ` +
            "it with --secret-file or ROOM_SECRET_FILE",
        );
      }
      const rest = held.subarray(MAGIC.length);
      const salt = rest.subarray(0, SALT_BYTES);
      const nonce = rest.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
      const box = rest.subarray(SALT_BYTES + NONCE_BYTES);
      const key = await keyOf(salt);
      const opened = nativePrimitives.open(key, nonce, box, MAGIC);
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
    const key = await keyOf(ownSalt);
    const box = nativePrimitives.seal(key, nonce, plain, MAGIC);
    return concatBytes(MAGIC, ownSalt, nonce, box);
  }
}

function refuseOpen(path: string): void {
  const { mode } = Deno.statSync(path);
  if (mode === null || (mode & OTHERS) === 0) return;
  throw new OperatorFault(
    `${path} contains your keys and is open to others: chmod 600 ` +
      `${path}`,
  );
}
