/**
 * Backing up into a place off the premises (backup-off-site.md).
 *
 * A generation is there once its record is, and that is put last: after every
 * object that it needs was seen in a list of what the place holds. Whatever
 * ends this before leaves the generations as they were, and objects that the
 * next one finds there.
 *
 * @module
 */
import { toBase64 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import type { Amount } from "../../../core/sizes.ts";
import { removeTree } from "../../../store/files/copies.ts";
import type { Files } from "../../../store/files/files.ts";
import { RemoteUnavailable } from "../../../store/remote/backup/remote.ts";
import type { Repository } from "../../../store/remote/backup/repository.ts";
import { type NameSet, Scratch } from "../../../store/remote/backup/scratch.ts";
import { sealedSize } from "../../../store/remote/backup/sealing.ts";
import {
  type BackupReport,
  type BackupWriter,
  writeBackup,
} from "../backup.ts";
import { DATABASE, type SnapshotRecord } from "../manifest.ts";
import type { ServerBlobs, Source } from "../server_blobs.ts";
import { readState, writeState } from "../state.ts";
import type { HeldBlob } from "../store.ts";
import {
  type GenerationRecord,
  listGenerations,
  PIECE_BYTES,
  putGeneration,
} from "./generation.ts";
import { indexObjects } from "./index_objects.ts";
import type { RemoteLock } from "./lock.ts";
import {
  firstMissing,
  isWhole,
  noteThere,
  sendBlob,
  sendBytes,
  sendDatabase,
  type Sending,
} from "./send.ts";

/** How often a record is put that does not lie there as it was put. */
const PUTS = 3;

interface RemoteBackupOptions {
  /** Reads existing objects, and sends damaged ones again. */
  readonly verify?: boolean;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

export interface RemoteBackupReport extends BackupReport {
  readonly number: number;
}

/** What a backup works with. */
interface RemoteBackupSource extends Source {
  readonly platform: Pick<Platform, "now" | "random">;
  /** A directory of its own, for what one backup leaves to the next. */
  readonly own: string;
}

/**
 * Makes a generation, under a lock for writing. Whatever it throws, those
 * before are whole.
 */
export async function backUpRemotely(
  source: RemoteBackupSource,
  repository: Repository,
  lock: RemoteLock,
  { verify = false, onProgress }: RemoteBackupOptions,
): Promise<RemoteBackupReport> {
  const { files, own } = source;
  const work = `${own}/work`;
  await removeTree(files, work);
  await files.makeDirectory(work);
  const scratch = new Scratch(work);
  try {
    const generations = await listGenerations(repository);
    const number = (generations.at(-1)?.number ?? 0) + 1;
    const there = scratch.newSet();
    await noteThere(repository, there);
    const sending = { files, repository, work, there, verify };
    const writer = new GenerationWriter(source, sending, lock, scratch, number);
    const known = readState({ files, dir: own });
    const { report, receipts } = await writeBackup(source, writer, {
      ...{ verify, known, scratch, onProgress },
    });
    const state = { clean: true, blobs_after: "", ...receipts };
    await writeState({ files, dir: own }, state);
    return { ...report, number };
  } finally {
    scratch.close();
    await removeTree(files, work);
  }
}

/** Writes the next generation of a place. */
class GenerationWriter implements BackupWriter {
  readonly name: string;
  /** The names that the generation needs, with the content's sizes. */
  #wanted: NameSet;

  constructor(
    private readonly source: RemoteBackupSource,
    private readonly sending: Sending,
    private readonly lock: RemoteLock,
    private readonly scratch: Scratch,
    private readonly number: number,
  ) {
    this.name = String(number);
    this.#wanted = scratch.newSet();
  }

  async begin(): Promise<string> {
    const { files, work } = this.sending;
    const path = `${work}/${this.name}`;
    await removeTree(files, path);
    await files.makeDirectory(path);
    await files.makeDirectory(`${path}/keys`);
    return path;
  }

  /** The generations before stay: nothing is lost by this one. */
  open(): Promise<void> {
    this.#wanted = this.scratch.newSet();
    return Promise.resolve();
  }

  isDue(): boolean {
    return this.sending.verify;
  }

  async find(
    { hash, size }: HeldBlob,
    _server: ServerBlobs,
    isDue: boolean,
  ): Promise<"whole" | "damaged" | "missing"> {
    const { repository, there } = this.sending;
    const name = repository.nameOf(hash);
    if (there.sizeOf(name) !== sealedSize(size)) return "missing";
    if (isDue && !await isWhole(repository, hash, size)) return "damaged";
    this.#wanted.put({ name, size });
    return "whole";
  }

  async put(blob: HeldBlob, server: ServerBlobs) {
    const put = await sendBlob(this.sending, blob, server);
    if (put !== "copied") return put;
    const { repository, there } = this.sending;
    const { hash, size } = blob;
    const name = repository.nameOf(hash);
    there.put({ name, size: sealedSize(size) });
    this.#wanted.put({ name, size });
    return put;
  }

  async commit(snapshot: SnapshotRecord, path: string): Promise<void> {
    const { source, sending } = this;
    const { repository } = sending;
    const wanted = this.#wanted;
    const index: GenerationRecord["index"] = [];
    const shares = indexObjects(wanted.all(), snapshot.blobs.count);
    for (const { bytes, sha256 } of shares) {
      const name = await sendBytes(sending, bytes, sha256);
      index.push({ name, bytes: bytes.length });
    }
    for (const { name, bytes } of index) wanted.put({ name, size: bytes });
    const database = await sendDatabase(sending, `${path}/${DATABASE}`, wanted);
    const listed = this.scratch.newSet();
    const missing = await firstMissing(repository, wanted, listed);
    if (missing !== undefined) throw lostThere(repository, missing);
    await this.#record({
      format: 1,
      program: source.version,
      attestation_key: repository.attestationKey,
      snapshot,
      keys: keysIn(source.files, path),
      database,
      piece_bytes: PIECE_BYTES,
      index,
    });
  }

  /** Puts the record, and looks whether it lies there as it was put. */
  async #record(record: GenerationRecord): Promise<void> {
    const { sending: { repository }, lock, number } = this;
    const { random } = this.source.platform;
    for (let attempt = 1;; attempt++) {
      await requireThis(repository, lock);
      const put = await putGeneration(repository, number, record, random);
      const all = await listGenerations(repository);
      const isThere = all.some(({ key, bytes }) =>
        key === put.key && bytes === put.bytes
      );
      if (isThere) return;
      // Cut off it is no generation, and would be taken for the newest.
      await repository.remote.remove(put.key);
      if (attempt === PUTS) throw lostThere(repository, put.key);
    }
  }
}

function keysIn(files: Files, path: string): GenerationRecord["keys"] {
  const read = (name: string) => {
    const bytes = files.readWhole(`${path}/${name}`);
    if (bytes === undefined) throw new Error(`${name} is gone`);
    return toBase64(bytes);
  };
  return {
    "keys/access.json": read("keys/access.json"),
    "keys/attestation.json": read("keys/attestation.json"),
    "keys/sealing.json": read("keys/sealing.json"),
    "keys/log.json": read("keys/log.json"),
  };
}

/** No other backup has begun there, and the lock was not taken away. */
async function requireThis(
  repository: Repository,
  lock: RemoteLock,
): Promise<void> {
  await lock.requireHeld();
  if (await repository.isStillThis()) return;
  throw new OperatorFault(
    `${repository.name} was begun again or got another passphrase ` +
      "meanwhile: run this again",
  );
}

function lostThere(
  { name }: Repository,
  key: string,
): RemoteUnavailable {
  return new RemoteUnavailable(
    name,
    `${key} has disappeared, or is not as it was put there`,
  );
}
