/**
 * What goes into a place off the premises: blobs, and the pieces of a database.
 * What is there already, under its name and of its size, does not go again.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { letGo } from "../../../core/bytes.ts";
import {
  FileGone,
  piecesOf,
  UnreadableFile,
} from "../../../store/files/copies.ts";
import type { Files } from "../../../store/files/files.ts";
import {
  type Content,
  keyOf,
  nameIn,
  OBJECTS,
  type Repository,
} from "../../../store/remote/backup/repository.ts";
import type { NameSet } from "../../../store/remote/backup/scratch.ts";
import {
  chunksOf,
  sealedSize,
  Unsealable,
} from "../../../store/remote/backup/sealing.ts";
import { inParallel } from "../blobs.ts";
import type { LostBecause, ServerBlobs } from "../server_blobs.ts";
import type { HeldBlob } from "../store.ts";
import { PIECE_BYTES } from "./generation.ts";

/** What is sent from, and to where. */
export interface Sending {
  readonly files: Files;
  readonly repository: Repository;
  /** A directory for what passes through. */
  readonly work: string;
  /** The names that are there, with the sealed sizes. */
  readonly there: NameSet;
  /** Reads existing objects, and sends damaged ones again. */
  readonly verify: boolean;
}

/** Notes what is in a place. */
export async function noteThere(
  { remote }: Repository,
  there: NameSet,
): Promise<void> {
  for await (const page of remote.list(OBJECTS)) {
    for (const { key, size } of page) {
      const name = nameIn(key);
      if (name !== undefined) there.put({ name, size });
    }
  }
}

/** Sends a blob, wherever the server has it. */
export async function sendBlob(
  { files, repository, work }: Sending,
  blob: HeldBlob,
  server: ServerBlobs,
): Promise<"copied" | LostBecause> {
  const path = server.pathOf(blob.hash);
  const facts = await files.stat(path).catch(() => undefined);
  if (facts !== undefined || !server.hasElsewhere) {
    return await sendFile(files, repository, path, blob);
  }
  const to = `${work}/${blob.hash}`;
  try {
    const fetched = await server.bringElsewhere(blob, to);
    if (fetched !== "copied") return fetched;
    return await sendFile(files, repository, to, blob);
  } finally {
    await files.remove(to);
  }
}

async function sendFile(
  files: Files,
  repository: Repository,
  path: string,
  { hash, size }: HeldBlob,
): Promise<"copied" | LostBecause> {
  try {
    const pieces = () => piecesOf(files, path);
    const put = await repository.putObject(hash, {
      ...{ size, pieces },
      isFresh: true,
    });
    return put === "put" ? "copied" : put;
  } catch (error) {
    if (error instanceof FileGone) return "missing";
    if (error instanceof UnreadableFile) return "unreadable";
    throw error;
  }
}

/** Whether an object is there and opens to the content of that hash. */
export async function isWhole(
  repository: Repository,
  sha256: string,
  size: number,
): Promise<boolean> {
  return await contentOf(repository, repository.nameOf(sha256), size) ===
    sha256;
}

/** SHA-256 of an object's content, or what is wrong with it. */
export async function contentOf(
  repository: Repository,
  name: string,
  size: number,
): Promise<string | "missing" | "damaged"> {
  const found = await repository.object(name, size);
  if (typeof found === "string") return found;
  const hash = createHash("sha256");
  try {
    for await (const piece of found.content) hash.update(piece);
  } catch (error) {
    if (error instanceof Unsealable) return "damaged";
    throw error;
  }
  return hash.digest("hex");
}

/** Sends small content unless it is there; returns its name. */
export async function sendBytes(
  { repository, there, verify }: Sending,
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
): Promise<string> {
  const name = repository.nameOf(sha256);
  const size = sealedSize(bytes.length);
  const isThere = there.sizeOf(name) === size;
  if (isThere && (!verify || await isWhole(repository, sha256, bytes.length))) {
    return name;
  }
  await repository.putObject(sha256, contentIn(bytes));
  there.put({ name, size });
  return name;
}

function contentIn(bytes: Uint8Array): Content {
  return {
    size: bytes.length,
    async *pieces() {
      yield bytes;
    },
  };
}

/** Sends a file in pieces; returns their names, and the whole's digest. */
export async function sendDatabase(
  sending: Sending,
  path: string,
  wanted: NameSet,
): Promise<string[]> {
  const names: string[] = [];
  const pieces = chunksOf(piecesOf(sending.files, path), PIECE_BYTES);
  let count = 0;
  await inParallel(async () => {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return;
      const at = count++;
      const sha256 = createHash("sha256").update(value).digest("hex");
      const name = await sendBytes(sending, value, sha256);
      wanted.put({ name, size: value.length });
      names[at] = name;
      letGo(value);
    }
  });
  return names;
}

/** The first of the names wanted that is not there, or not of its size. */
export async function firstMissing(
  repository: Repository,
  wanted: NameSet,
  there: NameSet,
): Promise<string | undefined> {
  await noteThere(repository, there);
  for (const { name, size } of wanted.all()) {
    if (there.sizeOf(name) !== sealedSize(size)) return keyOf(name);
  }
  return undefined;
}
