/**
 * Files of another machine, over SFTP: many small requests at once, and
 * promises in place of callbacks.
 *
 * @module
 */
import { Buffer } from "node:buffer";
// @ts-types="./ssh2.d.ts"
import type { SFTPWrapper } from "ssh2";
import { chunksOf } from "./sealing.ts";

/** Every server takes as much in one request (draft-ietf-secsh-filexfer-02). */
const PIECE_BYTES = 32 * 1024;
/** Requests on their way at once, for one file. */
const AT_ONCE = 16;
/** How much of a file is read at a time (bytes). */
export const STEP_BYTES = PIECE_BYTES * AT_ONCE;

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** Turns a callback into a promise. */
export function call<T>(start: (done: Done<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null || error === undefined) resolve(value);
      else reject(error);
    });
  });
}

export async function write(
  sftp: SFTPWrapper,
  file: Buffer,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let at = 0;
  let waiting: Promise<void>[] = [];
  for await (const chunk of chunksOf(pieces, PIECE_BYTES)) {
    const offset = at;
    at += chunk.length;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    waiting.push(
      call<void>((done) =>
        sftp.write(file, bytes, 0, bytes.length, offset, done)
      ),
    );
    if (waiting.length < AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

/** Reads so many bytes, in requests of a size that every server answers. */
export async function readAt(
  sftp: SFTPWrapper,
  file: Buffer,
  at: number,
  length: number,
): Promise<Uint8Array> {
  const whole = Buffer.alloc(length);
  const starts = Array.from(
    { length: Math.ceil(length / PIECE_BYTES) },
    (_, number) => number * PIECE_BYTES,
  );
  await Promise.all(starts.map(async (start) => {
    const end = Math.min(length, start + PIECE_BYTES);
    for (let next = start; next < end;) {
      const position = next;
      const read = await new Promise<number>((resolve, reject) => {
        sftp.read(file, whole, position, end - position, at + position, (
          error,
          bytes,
        ) => error ? reject(error) : resolve(bytes));
      });
      if (read === 0) throw new Error("the connection gave a shorter file");
      next += read;
    }
  }));
  return whole;
}

/** Renames a file over another, in one step if the server can. */
export async function rename(
  sftp: SFTPWrapper,
  from: string,
  to: string,
): Promise<void> {
  try {
    await call<void>((done) => sftp.ext_openssh_rename(from, to, done));
  } catch (error) {
    // The library's words for a server without that request.
    if (!/not support/.test(String(error))) throw error;
    await call<void>((done) => sftp.unlink(to, done)).catch(() => {});
    await call<void>((done) => sftp.rename(from, to, done));
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
