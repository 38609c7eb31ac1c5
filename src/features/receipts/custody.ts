/**
 * The custody chain as lines of JSON, out of the database and back into what
 * can be verified (upkeep/receipts.md).
 *
 * @module
 */
import { fromBase64, toBase64 } from "../../core/bytes.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { receiptToWire } from "./receipts.ts";
import { newestSeq, pageOfChain } from "./store.ts";

/** The maximum length of a receipt's line (bytes). */
export const MAX_LINE_BYTES = 256 * 1024;

/** A line of an export that cannot be the chain's; the message says why. */
export class CustodyError extends Error {
  override readonly name = "CustodyError";
}

/**
 * The chain as it is when the first line is read, one receipt a line, in order.
 * Receipts never change, so reading page by page is as good as one long
 * transaction, and does not delay writers.
 */
export async function* exportChain(
  db: Db,
  onPage: (done: number) => void = () => {},
): AsyncGenerator<string> {
  const last = await newestSeq(db);
  let after = 0;
  let done = 0;
  for (;;) {
    const page = await pageOfChain(db, after, last);
    const newest = page.at(-1);
    if (newest === undefined) return;
    for (const { receipt_seq, body } of page) yield lineOf(receipt_seq, body);
    after = newest.receipt_seq;
    done += page.length;
    onPage(done);
  }
}

function lineOf(receiptSeq: number, body: Uint8Array): string {
  try {
    return JSON.stringify(readingOf(body));
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    // Damaged: its bytes go along, for verification to name it.
    return JSON.stringify({
      receipt_seq: receiptSeq,
      receipt_cbor: toBase64(body),
    });
  }
}

/** The fields of a receipt as the wire has them, and the asset's id. */
function readingOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  const receipt = readReceipt(body);
  const { asset_id } = receipt;
  return {
    ...asset_id === null ? {} : { asset_id },
    ...receiptToWire(body, receipt),
  };
}

/**
 * The signed bytes of a line. Whatever else the line says must be what those
 * say; throws a {@link CustodyError} where it is not, and for what is no line
 * of an export.
 */
export function readLine(text: string): Uint8Array {
  const line = parseObject(text);
  const encoded = line["receipt_cbor"];
  const body = typeof encoded === "string" ? fromBase64(encoded) : undefined;
  if (body === undefined) {
    throw new CustodyError("it has no receipt_cbor in base64");
  }
  let reading: Readonly<Record<string, unknown>>;
  try {
    reading = readingOf(body);
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    throw new CustodyError(`its receipt_cbor is no receipt: ${error.message}`);
  }
  for (const [name, value] of Object.entries(line)) {
    if (reading[name] === value) continue;
    const signed = JSON.stringify(reading[name]) ?? "nothing of the kind";
    throw new CustodyError(
      `its field ${JSON.stringify(name.slice(0, 80))} says ` +
        `${JSON.stringify(value).slice(0, 200)}, its signed bytes say ` +
        signed.slice(0, 200),
    );
  }
  return body;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new CustodyError("it is no JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new CustodyError("it is no JSON object");
  }
  return { ...parsed };
}
