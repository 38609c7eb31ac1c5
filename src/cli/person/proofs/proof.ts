/**
 * `strongroom proof` and `strongroom receipts prove`: the proof that a photo, or
 * its receipt alone, stands in the server's public log, as a file.
 *
 * @module
 */
import { PROOF_ENDING } from "../../../library/account/own_proof.ts";
import {
  heldReceiptOf,
  type ProvenReceipt,
  proveReceipt,
} from "../../../library/logs/receipt_proof.ts";
import type { HeldReceipt } from "../../../library/trust/custody.ts";
import type { Row } from "../../../library/mod.ts";
import { provePhoto } from "../../../library/logs/photo_proof.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { printable, witnessesInWords } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { openFile } from "../files/describing.ts";
import { STATUS } from "../faults.ts";
import { followFeed } from "../following.ts";
import { chosen } from "../files/listing.ts";
import { writeNew } from "../files/writing.ts";

/** The options of `proof` and `receipts prove`. */
export interface ProveOptions {
  readonly to?: string;
}

/** Writes the proof of a receipt, which opens nothing. */
export async function proveOne(
  cli: CliContext,
  what: string,
  options: ProveOptions,
): Promise<void> {
  const made = await writeProof(
    cli,
    what,
    options,
    (_row, held) => proveReceipt(cli.library, held),
  );
  if (made === undefined) return;
  const { path, row, proven } = made;
  cli.tell(
    { event: "proof", path, asset_id: row.id, ...factsOf(proven) },
    `${inWords(path, proven)}\n` +
      "verify it with: strongroom receipts verify FILE --pinned " +
      proven.receipt.server_key_id,
  );
}

/** Writes the proof of a photo, for whoever gets both. */
export async function provePhotoOf(
  cli: CliContext,
  what: string,
  options: ProveOptions,
): Promise<void> {
  const { library, signal, tell } = cli;
  const made = await writeProof(cli, what, options, async (row, held) => {
    if (!await isFile(what)) {
      return await provePhoto(library, row, held, { signal });
    }
    using opened = await openFile(what);
    const photo = opened.source;
    return await provePhoto(library, row, held, { signal, photo });
  });
  if (made === undefined) return;
  const { path, row, proven } = made;
  const { receipt, witnessed } = proven;
  tell(
    {
      event: "proof",
      path,
      asset_id: row.id,
      ...factsOf(proven),
      witnesses: witnessed.by.length,
    },
    `${inWords(path, proven)}, cosigned by ${
      witnessesInWords(witnessed.by.length)
    }\nanyone who has the photo and this file verifies them at ` +
      `${receipt.server_id}/prove, at /prove of any other strongroom, or ` +
      `with: strongroom receipts verify FILE --photo PHOTO --pinned ` +
      `${receipt.server_key_id}\n` +
      "the file has the key of this photo: whoever gets hold of the encrypted " +
      "original can decrypt it with the file, and nothing else",
  );
}

function inWords(
  path: string,
  { receipt, index, checkpoint: { size, origin } }: Facts,
): string {
  return `the proof is in ${
    printable(path)
  }: receipt ${receipt.receipt_seq}, ` +
    `entry ${index} of the ${size} in ${printable(origin)}`;
}

type Facts = Pick<ProvenReceipt, "receipt" | "checkpoint" | "index">;

/**
 * Proves what is meant: a file of this machine, or one in the library. Undefined
 * where there is no proof yet, which is told.
 */
async function writeProof<P extends Facts & { readonly file: string }>(
  cli: CliContext,
  what: string,
  { to }: ProveOptions,
  prove: (row: Row, held: HeldReceipt) => Promise<P | undefined>,
): Promise<
  | { readonly path: string; readonly row: Row; readonly proven: P }
  | undefined
> {
  const { library, signal, tell, warn, endWith } = cli;
  const row = await ownRow(cli, what);
  const name = row.metadata?.name ?? row.id;
  const path = to ?? `${fileName(name)}${PROOF_ENDING}`;
  if (await isThere(path)) {
    throw new OperatorFault(
      `${path} already exists: give another file with --to`,
    );
  }
  // Another device may have stored it.
  const { faults } = await library.receipts({ signal });
  for (const { seq, message } of faults) {
    warn(`receipt ${seq}: ${printable(message)}`);
  }
  const held = await heldReceiptOf(library, row);
  if (held === undefined) {
    throw new OperatorFault(
      `there is no receipt for ${name}: \`strongroom verify --receipts\` ` +
        "shows what is proven",
    );
  }
  const proven = await prove(row, held);
  if (proven === undefined) {
    const text = `receipt ${held.seq} of ${printable(name)} is not yet in ` +
      "the public log: the server signs it every minute, so try again then; " +
      "a server with STRONGROOM_LOGS=off has no log";
    tell({ event: "end", status: STATUS.tryLater, text }, "");
    warn(text);
    endWith(STATUS.tryLater);
    return undefined;
  }
  await writeNew(path, proven.file);
  return { path, row, proven };
}

function factsOf({ receipt, checkpoint, index }: Facts) {
  return {
    receipt_seq: receipt.receipt_seq,
    server_key_id: receipt.server_key_id,
    log_index: index,
    origin: checkpoint.origin,
    size: checkpoint.size,
  };
}

/** The one asset of one's own that is meant. */
async function ownRow(cli: CliContext, what: string): Promise<Row> {
  const { library, session } = cli;
  const file = await fileRow(cli, what);
  const rows = file === undefined ? await chosen(cli, [what]) : [file];
  const own = rows.filter(({ owner }) => owner === session.userId);
  const [row, ...others] = own;
  if (row === undefined) {
    throw new OperatorFault(
      `"${what}" belongs to someone else: only the owner gets receipts`,
    );
  }
  if (others.length > 0) {
    throw new OperatorFault(
      `"${what}" means ${own.length} files: give the beginning of one id, as ` +
        "`strongroom ls` shows it",
    );
  }
  return library.index.get(row.id) ?? row;
}

/** The asset that a file of this machine is; undefined where it is no file. */
async function fileRow(
  cli: CliContext,
  path: string,
): Promise<Row | undefined> {
  const { library, signal } = cli;
  if (!await isFile(path)) return undefined;
  await followFeed(cli);
  using opened = await openFile(path);
  const sha256 = await opened.hash(signal);
  const row = library.index.byPlaintext(sha256, library.vault.libraryAlbumId);
  if (row !== undefined) return row;
  throw new OperatorFault(
    `${path} is not in the library: \`strongroom push\` uploads it`,
  );
}

async function isFile(path: string): Promise<boolean> {
  const found = await Deno.stat(path).catch(() => undefined);
  return found?.isFile === true;
}

/** A name that stays in this folder, whatever a photo is called. */
function fileName(name: string): string {
  const safe = name.replace(/[\p{Cc}/\\]/gu, "_");
  return safe.startsWith(".") ? `_${safe.slice(1)}` : safe.slice(0, 100);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
