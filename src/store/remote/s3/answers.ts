/**
 * Reading the answers of an object store.
 *
 * @module
 */
import { MINUTE_MS } from "../../../core/time.ts";
import type { BlobsUnavailable } from "../../blobs/unavailable.ts";
import type { S3Answer, S3Client, S3Refusal } from "./client.ts";

/** The outcome of putting an object. */
export type Put = "put" | "exists" | "corrupted";

/** Codes for bytes that arrived with another hash than stated. */
export const CORRUPTED: ReadonlySet<string> = new Set([
  "BadDigest",
  "InvalidPart",
  "XAmzContentSHA256Mismatch",
]);

/** Largest document that is read (bytes): a list of a thousand names. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The body of an answer, which must be a document with this element. */
export async function bodyOf(
  client: S3Client,
  answer: S3Answer,
  element: string,
): Promise<string> {
  if (!answer.ok) throw unexpected(client, answer.refusal);
  let text: string;
  try {
    text = await client.readText(answer.response, BODY_MAX_BYTES);
  } catch (cause) {
    throw client.circuit.unavailable(String(cause), 0, cause);
  }
  if (text.includes(`<${element}`)) return text;
  throw strange(client, `no ${element}`);
}

/** The error for a refusal that no request of ours should get. */
export function unexpected(
  { circuit }: S3Client,
  { status, code }: S3Refusal,
): BlobsUnavailable {
  return circuit.unavailable(`${status} ${code}`, MINUTE_MS);
}

/** The error for an answer that the store would not give, perhaps a proxy's. */
export function strange({ circuit }: S3Client, what: string): BlobsUnavailable {
  return circuit.unavailable(`a strange answer: ${what}`);
}

/** Cancels the unneeded body of an answer. */
export async function drop(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/**
 * The size of the whole object, from an answer with the bytes from `first` on.
 * Every read asks for a range, so an answer without one is not the store's.
 */
export function totalOf({ status, headers }: Response, first: number) {
  if (status !== 206) return undefined;
  const range = headers.get("content-range") ?? "";
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(range);
  return Number(match?.[1]) === first ? Number(match?.[2]) : undefined;
}
