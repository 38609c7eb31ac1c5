/**
 * What goes into a place off the premises: blobs, and the pieces of a database.
 * What is there already, under its name and of its size, does not go again.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BlobHash } from "../../../core/ids.ts";
import {
  fetchBlob,
  FileGone,
  piecesOf,
  UnreadableFile,
} from "../../../store/copies.ts";
import type { Files } from "../../../store/files.ts";
import {
  type Content,
  keyOf,
  nameIn,
  OBJECTS,
  type Repository,
} from "../../../store/remote_backup/repository.ts";
import type { NameSet } from "../../../store/remote_backup/scratch.ts";
import {
  chunksOf,
  sealedSize,
  Unsealable,
} from "../../../store/remote_backup/sealing.ts";
import { type BlobDirectories, inParallel } from "../blobs.ts";
import type {
  Elsewhere,
  LostBecause,
  LostBlob,
  OwnBlobs,
} from "../own_blobs.ts";
import type { HeldBlob } from "../store.ts";
import { PIECE_BYTES } from "./generation.ts";

/** What became of the blobs. */
export interface SendTally {
  sent: number;
  sentBytes: number;
  /** Were there already. */
  kept: number;
  /** Of those sent: instead of a damaged one. */
  replaced: number;
  lost: LostBlob[];
  /** Are in the backup, and not whole on the server. */
  faulty: LostBlob[];
}

/** What is sent from, and to where. */
export interface Sending {
  readonly files: Files;
  readonly repository: Repository;
  /** The server's own blobs. */
  readonly from: BlobDirectories;
  readonly elsewhere: Elsewhere | undefined;
  readonly own: OwnBlobs;
  /** A directory for what passes through. */
  readonly work: string;
  /** The names that are there, with the sealed sizes. */
  readonly there: NameSet;
  /** Reads existing objects, and sends damaged ones again. */
  readonly verify: boolean;
  readonly isHeld: (hash: BlobHash) => Promise<boolean>;
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

/** Sends a blob unless it is there; false where nobody holds it any more. */
export async function sendBlob(
  sending: Sending,
  wanted: NameSet,
  blob: HeldBlob,
  tally: SendTally,
): Promise<boolean> {
  const { repository, there, own, verify, isHeld } = sending;
  const { hash, size } = blob;
  const name = repository.nameOf(hash);
  const isThere = there.sizeOf(name) === sealedSize(size);
  if (isThere && (!verify || await isWhole(repository, hash, size))) {
    wanted.put({ name, size });
    tally.kept += 1;
    const fault = await own.faultOf(blob, verify);
    if (fault !== undefined && await isHeld(hash)) {
      tally.faulty.push({ ...blob, because: fault });
    }
    return true;
  }
  let because: LostBecause = "missing";
  // Once more for one that came back after it had been collected.
  for (let attempt = 0; attempt < 2; attempt++) {
    const outcome = await sendOnce(sending, blob);
    if (outcome === "put") {
      there.put({ name, size: sealedSize(size) });
      wanted.put({ name, size });
      tally.sent += 1;
      tally.sentBytes += size;
      if (isThere) tally.replaced += 1;
      return true;
    }
    if (!await isHeld(hash)) return false;
    because = outcome;
    if (outcome !== "missing") break;
  }
  tally.lost.push({ ...blob, because });
  return true;
}

async function sendOnce(
  sending: Sending,
  { hash, size }: HeldBlob,
): Promise<"put" | LostBecause> {
  const { files, repository, from, elsewhere, work } = sending;
  const path = from.pathOf(hash);
  const facts = await files.stat(path).catch(() => undefined);
  if (facts !== undefined || elsewhere === undefined) {
    return await sendFile(files, repository, path, { hash, size });
  }
  const to = `${work}/${hash}`;
  try {
    const fetched = await fetchBlob(
      files,
      (hash, visit) => elsewhere.digest(hash, visit),
      { to, hash, size },
    );
    if (fetched !== "copied") return fetched;
    return await sendFile(files, repository, to, { hash, size });
  } finally {
    await files.remove(to);
  }
}

async function sendFile(
  files: Files,
  repository: Repository,
  path: string,
  { hash, size }: HeldBlob,
): Promise<"put" | LostBecause> {
  try {
    const pieces = () => piecesOf(files, path);
    return await repository.putObject(hash, { size, pieces });
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
