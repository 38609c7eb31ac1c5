/**
 * Files with a secret: a passphrase, a key file, or the private key for SSH.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { reasonOf } from "../../../core/reason.ts";

const FILE_MAX_BYTES = 16 * 1024;
const OTHERS = 0o077;

/**
 * The text of a file that only its owner may read. `credentials` is the
 * directory of systemd's credentials: systemd decides who may read there.
 */
export async function readSecretFile(
  path: string,
  credentials: string | undefined,
): Promise<string> {
  try {
    const { mode, size } = await Deno.stat(path);
    const isCredential = credentials !== undefined &&
      path.startsWith(`${credentials}/`);
    if (mode !== null && (mode & OTHERS) !== 0 && !isCredential) {
      throw new OperatorFault(
        `${path} opens the backup and is open to others: chmod 600 ${path}`,
      );
    }
    if (size > FILE_MAX_BYTES) throw new OperatorFault(`${path} is too large`);
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof OperatorFault) throw error;
    throw new OperatorFault(
      `${path} cannot be read (${reasonOf(error)}): fix that, and run ` +
        "this again",
    );
  }
}
