/**
 * What an object store's answers come to.
 *
 * @module
 */
import { MINUTE_MS } from "../../core/time.ts";
import type { BlobsUnavailable } from "../unavailable.ts";
import type { S3Answer, S3Client, S3Refusal } from "./client.ts";

/** How an object was put. */
export type Put = "put" | "exists" | "corrupted";

/** The bytes that came have not the hash that was said. */
export const CORRUPTED: ReadonlySet<string> = new Set([
  "BadDigest",
  "InvalidPart",
  "XAmzContentSHA256Mismatch",
]);

/** Of a list of a thousand names. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The body of an answer that is a document of that kind. */
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

/** Refused for what nobody here can have asked for. */
export function unexpected(
  { circuit }: S3Client,
  { status, code }: S3Refusal,
): BlobsUnavailable {
  return circuit.unavailable(`${status} ${code}`, MINUTE_MS);
}

/** An answer that the store would not give: somebody else's, perhaps. */
export function strange({ circuit }: S3Client, what: string): BlobsUnavailable {
  return circuit.unavailable(`a strange answer: ${what}`);
}

/** Lets go of an answer's body, which nobody needs, whether or not it came. */
export async function drop(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/**
 * Bytes of the whole object, of an answer with the bytes from `first` on. Every
 * read asks for a range: an answer without one is not the store's.
 */
export function totalOf({ status, headers }: Response, first: number) {
  if (status !== 206) return undefined;
  const range = headers.get("content-range") ?? "";
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(range);
  return Number(match?.[1]) === first ? Number(match?.[2]) : undefined;
}
