/**
 * Many small blobs in one answer: for each its length in 4 bytes, big-endian,
 * and its bytes.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { bytesOf, type Transport, UnexpectedAnswer } from "./transport.ts";

/** A blob of an asset. */
export interface WantedBlob {
  readonly assetId: string;
  readonly hash: string;
}

/**
 * For each blob, in the order of the request: its bytes, "unreadable", or
 * "later" for one that did not fit into the answer and has to be asked for
 * again.
 */
export type ManyBlobs = readonly (Bytes | "unreadable" | "later")[];

const UNREADABLE = 0xffff_ffff;
const LATER = 0xffff_fffe;
/** An answer stops before 8 MiB, and has 4 bytes for each blob. */
const MANY_MAX_BYTES = 9 * 1024 * 1024;

/** Asks for many blobs and splits the answer. Throws UnexpectedAnswer. */
export async function manyBlobs(
  send: Transport["send"],
  path: string,
  json: unknown,
  wanted: number,
): Promise<ManyBlobs> {
  const response = await send({ method: "POST", path, json });
  const bytes = await bytesOf(response, MANY_MAX_BYTES);
  const view = new DataView(bytes.buffer);
  const blobs: (Bytes | "unreadable" | "later")[] = [];
  let at = 0;
  while (at + 4 <= bytes.length && blobs.length < wanted) {
    const length = view.getUint32(at);
    at += 4;
    if (length === UNREADABLE) blobs.push("unreadable");
    else if (length === LATER) blobs.push("later");
    else if (at + length > bytes.length) break;
    else {
      blobs.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  if (blobs.length === wanted && at === bytes.length) return blobs;
  throw new UnexpectedAnswer(response.status, "not the blobs asked for");
}
