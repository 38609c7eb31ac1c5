/**
 * Reading a blob as a stream, whole or in part.
 *
 * @module
 */
import { type Transport, UnexpectedAnswer } from "./transport.ts";

/**
 * Bytes `first` to `last` of a blob, both included; without `last`, up to the
 * end.
 */
export interface Range {
  readonly first: number;
  readonly last?: number;
}

/** A blob, or the part of it that the server chose to send. */
export interface BlobBody {
  /** Bytes of the whole blob. */
  readonly size: number;
  /** Offset at which the stream begins; 0 if a range was not applied. */
  readonly first: number;
  /** Bytes in the stream. */
  readonly length: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Reads a blob as a stream; a 206 says which part it is. */
export async function getBlob(
  send: Transport["send"],
  path: string,
  range: Range | undefined,
): Promise<BlobBody> {
  const ask = (wanted: Range | undefined) =>
    send({
      method: "GET",
      path,
      ...(wanted === undefined
        ? {}
        : { headers: { Range: `bytes=${wanted.first}-${wanted.last ?? ""}` } }),
    });
  let response = await ask(range);
  let part = partOf(response);
  if (part === undefined && range === undefined && response.status === 200) {
    // A proxy that compresses takes the length away. It leaves parts alone.
    await response.body?.cancel();
    response = await ask({ first: 0 });
    part = partOf(response);
  }
  if (part === undefined || response.body === null) {
    await response.body?.cancel();
    throw new UnexpectedAnswer(response.status, "not a blob's headers");
  }
  return { ...part, stream: response.body };
}

/** Which bytes an answer carries, from its headers. */
function partOf(
  { status, headers }: Response,
): Omit<BlobBody, "stream"> | undefined {
  if (status === 200) {
    // The length of a compressed answer is not that of its blob.
    if (headers.has("Content-Encoding")) return undefined;
    const length = headers.get("Content-Length") ?? "";
    const size = Number(length);
    return /^\d{1,15}$/.test(length)
      ? { size, first: 0, length: size }
      : undefined;
  }
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/
    .exec(headers.get("Content-Range") ?? "")?.map(Number) ?? [];
  if (
    status !== 206 || first === undefined || last === undefined ||
    size === undefined || last < first || last >= size
  ) return undefined;
  return { size, first, length: last - first + 1 };
}
