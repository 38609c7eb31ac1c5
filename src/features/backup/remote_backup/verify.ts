/**
 * Verifying what lies off the premises: every generation's record and index,
 * and that all of what they name is there and of its size. Deeply, every byte
 * as well, and the newest database as `check` does a server's.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import type { Amount } from "../../../core/sizes.ts";
import type { Files } from "../../../store/files/files.ts";
import { keyGeneration } from "../../../store/generation.ts";
import { HEADER } from "../../../store/remote/backup/header.ts";
import {
  keyOf,
  nameIn,
  type Repository,
} from "../../../store/remote/backup/repository.ts";
import { type NameSet, Scratch } from "../../../store/remote/backup/scratch.ts";
import { sealedSize } from "../../../store/remote/backup/sealing.ts";
import { openSnapshot } from "../../../store/sqlite/snapshot.ts";
import { type Finding, Findings } from "../../verification/findings.ts";
import { inParallel } from "../blobs.ts";
import {
  checkDatabase,
  MAX_FINDINGS,
  SERVER_MENDS,
} from "../checked_database.ts";
import { readPublishedKeys } from "../keys.ts";
import { DATABASE } from "../manifest.ts";
import { refuseNewer } from "../schema.ts";
import { everyHeld } from "../store.ts";
import {
  type Generation,
  listGenerations,
  PIECE_BYTES,
  readGeneration,
} from "./generation.ts";
import { IndexDamaged, indexOf } from "./index_objects.ts";
import { contentOf } from "./send.ts";
import { databaseOf, PieceLost, write } from "./source.ts";

const AGAIN =
  "back up again with --verify, which sends damaged objects again if " +
  "the server still has them";
/** Of a piece of a database, which no server has any more as it was. */
const ANOTHER_GENERATION =
  "it cannot be sent again: restore another generation with " +
  "--generation NUMBER, and back up again to make a good one";
const MENDS = {
  generation_unreadable:
    "restore another generation; `strongroom backup prune` removes " +
    "none as long as this one exists",
  generation_newer: "run the newer program that made it",
  object_missing: AGAIN,
  object_changed: AGAIN,
  file_foreign: "remove it from there: no backup put it there",
  ...SERVER_MENDS,
} as const;

type RemoteBackupFinding = Finding<keyof typeof MENDS>;

interface RemoteBackupVerified {
  readonly generations: readonly Generation[];
  /** At most ten thousand of them. */
  readonly findings: readonly RemoteBackupFinding[];
  /** All of them. */
  readonly found: number;
  /** What the generations need. */
  readonly objects: Amount;
  /** Of the newest database; undefined where it was not read. */
  readonly receipts: number | undefined;
  /** What no generation needs; the next removal takes it away. */
  readonly leftovers: number;
}

interface RemoteBackupVerifyOptions {
  /** Reads every byte. */
  readonly deep: boolean;
  /** An empty directory that a database is brought into. */
  readonly work: string;
  readonly onProgress?: (done: Amount, total: Amount) => void;
}

interface Run extends RemoteBackupVerifyOptions {
  readonly files: Files;
  readonly repository: Repository;
  readonly findings: Findings<RemoteBackupFinding["kind"]>;
  /** Whose databases the pieces are of. */
  databases: readonly Generation[];
}

/** Tells of an object that is not what it should be. */
function addObject(
  { findings, databases }: Run,
  kind: "object_missing" | "object_changed",
  name: string,
  detail: string,
): void {
  const numbers = databases
    .filter(({ record }) => record.database.includes(name))
    .map(({ number }) => number);
  if (numbers.length === 0) return findings.add(kind, keyOf(name), detail);
  const which = numbers.length === 1 ? "generation" : "generations";
  findings.add(
    kind,
    keyOf(name),
    `${detail}, and belongs to the database of ${which} ` +
      `${numbers.join(", ")}`,
    ANOTHER_GENERATION,
  );
}

/** Verifies every generation, under a lock for reading. */
export async function verifyRemoteBackup(
  files: Files,
  repository: Repository,
  options: RemoteBackupVerifyOptions,
): Promise<RemoteBackupVerified> {
  const findings = new Findings(MAX_FINDINGS, MENDS);
  const run: Run = {
    ...options,
    ...{ files, repository, findings, databases: [] },
  };
  const scratch = new Scratch();
  try {
    const generations = await readAll(run);
    run.databases = generations;
    const needed = scratch.newSet();
    const told = scratch.newSet();
    let isNewestNamed = false;
    for (const one of generations) {
      isNewestNamed = await noteNeeded(run, one, needed, told);
    }
    const leftovers = await compare(run, needed, scratch.newSet(), told);
    const objects = await readObjects(run, needed, told);
    const newest = generations.at(-1);
    const receipts = options.deep && newest !== undefined
      ? await verifyDatabase(run, newest, isNewestNamed ? needed : undefined)
      : undefined;
    const { kept, found } = findings;
    return { generations, findings: kept, found, objects, receipts, leftovers };
  } finally {
    scratch.close();
  }
}

async function readAll(run: Run): Promise<Generation[]> {
  const { repository, findings } = run;
  const names = await listGenerations(repository);
  if (names.length === 0) {
    throw new OperatorFault(
      `${repository.name} contains no complete backup: make one with ` +
        `\`strongroom backup ${repository.name}\``,
    );
  }
  const generations: Generation[] = [];
  for (const name of names) {
    const read = await readGeneration(repository, name);
    if (read === "newer") {
      findings.add("generation_newer", name.key, "a newer program made it");
    } else if (typeof read === "string") {
      const how = read === "missing" ? "it is gone" : "it was changed";
      findings.add("generation_unreadable", name.key, how);
    } else {
      generations.push(read);
      for (const hash of read.record.snapshot.lost) {
        const { name } = read.record.snapshot;
        findings.add("blob_lost", hash, `it is not in generation ${name}`);
      }
    }
  }
  return generations;
}

/** Notes what a generation needs; false where its index cannot be read. */
async function noteNeeded(
  { repository, findings }: Run,
  { number, record }: Generation,
  needed: NameSet,
  told: NameSet,
): Promise<boolean> {
  const bytes = record.snapshot.files.find(({ path }) => path === DATABASE)
    ?.bytes ?? 0;
  for (const [at, name] of record.database.entries()) {
    const size = Math.min(PIECE_BYTES, bytes - at * PIECE_BYTES);
    needed.put({ name, size });
  }
  for (const { name, bytes } of record.index) {
    needed.put({ name, size: bytes });
  }
  try {
    for await (const one of indexOf(repository, record)) needed.put(one);
    return true;
  } catch (error) {
    if (!(error instanceof IndexDamaged)) throw error;
    const { object: name, how } = error;
    if (!told.has(name)) {
      const what = how === "missing" ? "is not there" : "does not open";
      findings.add(
        how === "missing" ? "object_missing" : "object_changed",
        keyOf(name),
        `it ${what}, and belongs to the index of generation ${number}`,
      );
    }
    told.put({ name, size: 0 });
    return false;
  }
}

/** What is there against what is needed; returns what is not needed. */
async function compare(
  run: Run,
  needed: NameSet,
  there: NameSet,
  told: NameSet,
): Promise<number> {
  const { repository, findings } = run;
  let leftovers = 0;
  const ours = /^(?:probe\/|locks\/|generations\/\d{8}-[0-9a-f]{16}(?:\.|$))/;
  for await (const page of repository.remote.list("")) {
    for (const { key, size } of page) {
      const name = nameIn(key);
      if (name !== undefined) {
        there.put({ name, size });
        if (!needed.has(name)) leftovers += 1;
      } else if (/^objects\/.*\.new$/.test(key)) leftovers += 1;
      else if (key !== HEADER && !ours.test(key)) {
        findings.add("file_foreign", key, "no backup put it there");
      }
    }
  }
  for (const { name, size } of needed.all()) {
    const found = there.sizeOf(name);
    if (found === sealedSize(size) || told.has(name)) continue;
    told.put({ name, size });
    if (found === undefined) {
      addObject(run, "object_missing", name, "it is not there");
    } else {
      const what = `it has ${found} bytes, not ${sealedSize(size)}`;
      addObject(run, "object_changed", name, what);
    }
  }
  return leftovers;
}

/** Counts what is needed, and deeply opens and hashes each. */
async function readObjects(
  run: Run,
  needed: NameSet,
  told: NameSet,
): Promise<Amount> {
  const { repository, deep, onProgress } = run;
  const total = { count: 0, bytes: 0 };
  for (const { size } of needed.all()) {
    total.count += 1;
    total.bytes += size;
  }
  if (!deep) return total;
  const done = { count: 0, bytes: 0 };
  const waiting = needed.all();
  await inParallel(async () => {
    for (;;) {
      // By hand: a loop that is left ends the others' as well.
      const { done: ended, value } = waiting.next();
      if (ended === true) return;
      const { name, size } = value;
      if (told.has(name)) continue;
      const content = await contentOf(repository, name, size);
      if (content === "missing") {
        addObject(run, "object_missing", name, "it is not there");
      } else if (content === "damaged") {
        addObject(run, "object_changed", name, "it does not open");
      } else if (repository.nameOf(content) !== name) {
        addObject(run, "object_changed", name, "its content is different");
      }
      done.count += 1;
      done.bytes += size;
      onProgress?.({ ...done }, total);
    }
  });
  return total;
}

/** The newest database as `check` does; returns how many receipts it has. */
async function verifyDatabase(
  run: Run,
  generation: Generation,
  needed: NameSet | undefined,
): Promise<number | undefined> {
  const { files, repository, findings, work } = run;
  const { record, key } = generation;
  refuseNewer(record.snapshot, repository.name);
  if (!await bringSnapshot(run, generation)) return undefined;
  const { db, close } = await openSnapshot(`${work}/${DATABASE}`);
  try {
    const number = await keyGeneration(db);
    const keys = await readPublishedKeys(files, `${work}/keys`, number);
    const receipts = await checkDatabase(db, {
      ...{ files, dir: work, keys },
      tell: (subject, detail) => findings.add("server_fault", subject, detail),
    });
    if (needed === undefined) return receipts;
    const lost = new Set<string>(record.snapshot.lost);
    for await (const { hash, size } of everyHeld(db)) {
      const name = repository.nameOf(hash);
      if (lost.has(hash) || needed.sizeOf(name) === size) continue;
      findings.add("generation_unreadable", key, `it does not contain ${hash}`);
    }
    return receipts;
  } finally {
    await close();
  }
}

/** Brings database and keys; false where one is not what it was. */
async function bringSnapshot(
  { files, repository, findings, work }: Run,
  { key, record }: Generation,
): Promise<boolean> {
  await files.makeDirectory(`${work}/keys`);
  let isWhole = true;
  for (const { path, bytes, sha256 } of record.snapshot.files) {
    const pieces = path === DATABASE
      ? databaseOf(repository, record.database, bytes)
      : one(Uint8Array.fromBase64(record.keys[path] ?? ""));
    try {
      const written = await write(files, `${work}/${path}`, pieces);
      if (written.bytes === bytes && written.sha256 === sha256) continue;
      findings.add("generation_unreadable", key, `its ${path} is different`);
    } catch (error) {
      // Which piece, was told.
      if (!(error instanceof PieceLost)) throw error;
    }
    isWhole = false;
  }
  return isWhole;
}

async function* one(
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}
