/**
 * Files of another machine, over SFTP: many small requests at once, and
 * promises in place of callbacks.
 *
 * @module
 */
import { Buffer } from "node:buffer";
// @ts-types="./ssh2.d.ts"
import type { FileSystemFacts, SFTPWrapper } from "ssh2";
import { OperatorFault } from "../../../core/operator.ts";
import { letGo } from "../../../core/bytes.ts";
import { chunksOf } from "./sealing.ts";

/** Every server takes as much in one request (draft-ietf-secsh-filexfer-02). */
const PIECE_BYTES = 32 * 1024;
/** Requests on their way at once, for one file. */
const AT_ONCE = 16;
/** How much of a file is read at a time (bytes). */
export const STEP_BYTES = PIECE_BYTES * AT_ONCE;

/** SSH_FX_NO_SUCH_FILE */
export const NO_SUCH_FILE = 2;

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** Turns a callback into a promise. */
export function promised<T>(start: (done: Done<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null || error === undefined) resolve(value);
      else reject(error);
    });
  });
}

/** What waits for the answers of a connection, until it is over. */
interface Waiting {
  readonly fail: Set<(error: Error) => void>;
  over: Error | undefined;
}
const connections = new WeakMap<SFTPWrapper, Waiting>();

function waitingOn(sftp: SFTPWrapper): Waiting {
  const held = connections.get(sftp) ?? { fail: new Set(), over: undefined };
  connections.set(sftp, held);
  return held;
}

/**
 * Asks over a connection. The library leaves a request that was made while the
 * connection closed without an answer: {@link breakOff} gives it one.
 */
export async function call<T>(
  sftp: SFTPWrapper,
  start: (done: Done<T>) => unknown,
): Promise<T> {
  const waiting = waitingOn(sftp);
  if (waiting.over !== undefined) throw waiting.over;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  waiting.fail.add(reject);
  try {
    promised(start).then(resolve, reject);
    return await promise;
  } finally {
    waiting.fail.delete(reject);
  }
}

/** Fails everything that waits, or will, for answers over a connection. */
export function breakOff(sftp: SFTPWrapper, error: Error): void {
  const waiting = waitingOn(sftp);
  waiting.over ??= error;
  for (const fail of waiting.fail) fail(waiting.over);
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
    // Each has memory of its own, as several are under way at once; it is freed
    // when the other side has it, and left to the collector after a fault.
    const written = call<void>(
      sftp,
      (done) => sftp.write(file, bytes, 0, bytes.length, offset, done),
    ).then(() => letGo(chunk));
    // It may fail while the next piece is being read.
    written.catch(() => {});
    waiting.push(written);
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
      const read = await call<number>(
        sftp,
        (done) =>
          sftp.read(file, whole, position, end - position, at + position, done),
      );
      if (read === 0) {
        throw new Error("the connection delivered a shorter file");
      }
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
    await call<void>(sftp, (done) => sftp.ext_openssh_rename(from, to, done));
  } catch (error) {
    // The library's words for a server without that request.
    if (!/not support/.test(String(error))) throw error;
    await call<void>(sftp, (done) => sftp.unlink(to, done)).catch(() => {});
    await call<void>(sftp, (done) => sftp.rename(from, to, done));
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Why a place's own directory cannot be made, and how to fix it. */
export async function whyUnmade(
  sftp: SFTPWrapper,
  name: string,
  { host, path, user }: {
    readonly host: string;
    readonly path: string;
    readonly user: string;
  },
  error: unknown,
): Promise<unknown> {
  const above = path.slice(0, path.lastIndexOf("/")) || "/";
  try {
    await call<unknown>(sftp, (done) => sftp.stat(above, done));
  } catch (missing) {
    if (codeOf(missing) !== NO_SUCH_FILE) return error;
    return new OperatorFault(
      `${name}: ${above} does not exist on ${host}: create it, or mount ` +
        "its disk; strongroom creates only the last directory",
    );
  }
  const why = await whyUnwritten(sftp, name, { host, path }, error);
  if (why !== error) return why;
  return new OperatorFault(
    `${name}: ${user} cannot create ${path} on ${host}: create it ` +
      "there for that user, or let the user write to the directory above",
    { cause: error },
  );
}

/** ST_RDONLY (statvfs(3)). */
const READ_ONLY = 1;
/** With less room than this left, a write has failed for want of it (bytes). */
const ROOM_BYTES = STEP_BYTES;

/**
 * Why something could not be written in a place: SFTP has one code for a full
 * disk, a read-only one and all else. The error itself, if it is another thing.
 */
export async function whyUnwritten(
  sftp: SFTPWrapper,
  name: string,
  { host, path }: { readonly host: string; readonly path: string },
  error: unknown,
): Promise<unknown> {
  if (typeof codeOf(error) !== "number") return error;
  const facts = await diskOf(sftp, path) ??
    await diskOf(sftp, path.slice(0, path.lastIndexOf("/")) || "/");
  if (facts === undefined) return error;
  const told = (what: string) =>
    new OperatorFault(`${name}: the disk of ${path} on ${host} ${what}`, {
      cause: error,
    });
  if ((Number(facts.f_flag) & READ_ONLY) !== 0) {
    return told("is read-only: mount it for writing, and run this again");
  }
  if (Number(facts.f_bavail) * Number(facts.f_frsize) < ROOM_BYTES) {
    return told("is full: free some space there, and run this again");
  }
  return Number(facts.f_files) > 0 && Number(facts.f_favail) === 0
    ? told("is out of inodes: remove some files there, and run this again")
    : error;
}

/** Undefined where a server does not say. */
async function diskOf(sftp: SFTPWrapper, path: string) {
  return await call<FileSystemFacts>(
    sftp,
    (done) => sftp.ext_openssh_statvfs(path, done),
  ).catch(() => undefined);
}

/** The other side does not answer, and keeps the connection. */
export class TookTooLong extends Error {
  constructor() {
    super("no answer in time");
  }
}
