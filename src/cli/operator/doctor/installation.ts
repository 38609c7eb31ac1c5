/**
 * The checks of what lies on this machine: the data directory, its database
 * and its keys.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import type { Config } from "../../../config.ts";
import { counted } from "../../../core/sizes.ts";
import { RESTORE_BACKUP } from "../../../core/operator.ts";
import { toBase64 } from "../../../core/bytes.ts";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import { parseRfc3339 } from "../../../core/time.ts";
import { readReceipt } from "../../../crypto/receipt.ts";
import { classicalKey } from "../../../crypto/server_keys.ts";
import { hybridSignerFromSeed } from "../../../crypto/succession.ts";
import { lastRan, type Recorded } from "../../../features/clock/clock.ts";
import { foreignPurposes } from "../../../features/keys/identity.ts";
import { lastLife } from "../../../features/log/store.ts";
import { witnessStatus } from "../../../features/log/witness_operator.ts";
import { readNewest } from "../../../features/receipts/store.ts";
import { listLost } from "../../../features/lost_blobs.ts";
import { lastUse } from "../../../features/sessions/store.ts";
import { opensFactors } from "../../../features/totp/health.ts";
import { listWitnessed } from "../../../features/witness/store.ts";
import type { Db } from "../../../store/sqlite/database.ts";
import { StoreFault } from "../../../store/failure.ts";
import type { BlobStore } from "../../../store/blobs/blob_store.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { fileSystemOf, openToAll } from "../../../store/files/file_system.ts";
import {
  type DatabaseHealth,
  inspectDatabase,
  isServed,
} from "../../../store/health.ts";
import { copyFault, sharedWarning } from "../../../store/lease.ts";
import {
  KEY_PURPOSES,
  type KeyPurpose,
  openKeyRing,
  type StoredKey,
} from "../../../store/keys.ts";
import { databasePath } from "../../../store/data_paths.ts";
import { SCHEMA } from "../../../store/sqlite/migrations.ts";
import { openBesideServer } from "../../../store/store.ts";
import { BlobsUnavailable } from "../../../store/blobs/unavailable.ts";
import type { LoadedSettings } from "../../environment.ts";
import { judgeAttestation, judgeDatabase, type RingKey } from "./database.ts";
import { judgeDevices, judgeRoom, tryFileSystem } from "./disk.ts";
import { type Finding, findingsOf } from "./finding.ts";
import {
  judgePermissions,
  type PathFacts,
  type PathKind,
} from "./permissions.ts";
import { judgeWitnesses } from "./witnesses.ts";

/** Whose everything is, and who may read it. */
export async function lookAtPermissions(
  config: Config,
  { settings, envFile, envFileRead }: LoadedSettings,
): Promise<Finding[]> {
  const root = config.STRONGROOM_DATA_DIR;
  const open = await openToAll(root);
  // No mode of a single file can be put right there.
  if (open !== undefined) {
    return [findingsOf("permissions").fault(open.what, open.mend)];
  }
  const isSecret = envFileRead &&
    settings.some(({ secret, source }) => secret && source.kind === "file");
  const database = databasePath(root);
  const paths: [PathKind, string | undefined][] = [
    ["data directory", root],
    ["directory", `${root}/db`],
    ["file", database],
    ["file", `${database}-wal`],
    ["file", `${database}-shm`],
    ["directory", `${root}/blobs`],
    ["directory", `${root}/uploads`],
    ["file", `${root}/lock`],
    ["key directory", `${root}/keys`],
    ...KEY_PURPOSES.map((purpose): [PathKind, string] => [
      "secret",
      `${root}/keys/${purpose}.json`,
    ]),
    ["secret elsewhere", config.STRONGROOM_TLS_KEY],
    ["secret elsewhere", isSecret ? envFile : undefined],
  ];
  const facts = paths.flatMap(([kind, path]) => factsOf(kind, path));
  return judgePermissions(facts, Deno.uid());
}

function factsOf(kind: PathKind, path: string | undefined): PathFacts[] {
  if (path === undefined) return [];
  try {
    const { mode, uid } = Deno.statSync(path);
    return [{ path, kind, mode, owner: uid }];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Room, and what the file system can do. */
export async function lookAtDisk(
  config: Config,
  { isContained }: Pick<LoadedSettings, "isContained">,
  platform: Platform,
): Promise<Finding[]> {
  const root = config.STRONGROOM_DATA_DIR;
  const deviceOf = (path: string) => {
    try {
      return Deno.statSync(path).dev;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  };
  const room = judgeRoom(
    await denoFiles.freeBytes(root),
    config.STRONGROOM_RESERVED_DISK_BYTES,
  );
  const { shared } = await fileSystemOf(root);
  const isApart = mayBeMissed(config) && deviceOf(root) !== deviceOf("/");
  const broken = [
    isApart && !isContained
      ? findingsOf("disk").warning(
        say(
          "{1} is on a disk of its own: without it, a new server would be " +
            "made in the directory under it",
          root,
        ),
        "set STRONGROOM_SERVER_ID in the environment file, or start with " +
          "serve --existing",
      )
      : undefined,
    shared === undefined ? undefined : findingsOf("disk").warning(
      sharedWarning(root, shared),
      "move the data directory to a disk of this machine",
    ),
    judgeDevices({
      uploads: deviceOf(`${root}/uploads`),
      blobs: deviceOf(`${root}/blobs`),
    }),
    await tryFileSystem(denoFiles, root, toHexName(platform), room),
  ].filter((finding) => finding !== undefined);
  // Every volume is apart. A container does not see whether the host mounts a
  // disk there, so this is no warning.
  const notes = isApart && isContained
    ? [
      findingsOf("disk").ok(
        say(
          "if the volume at {1} is on a disk that the host mounts, set " +
            "STRONGROOM_SERVER_ID: without the disk, a new server would be " +
            "made in the directory under it",
          root,
        ),
      ),
    ]
    : [];
  return [
    ...broken.length > 0 && room.status === "ok" ? broken : [room, ...broken],
    ...notes,
  ];
}

/** Where the systemd unit notes the server (`serve --remember`). */
const REMEMBERED = "/var/lib/strongroom-server/server-id";

/** Whether nothing says that a server belongs in the data directory. */
function mayBeMissed({ STRONGROOM_SERVER_ID: id }: Config): boolean {
  return id === undefined && denoFiles.readWhole(REMEMBERED) === undefined;
}

function toHexName(platform: Platform): string {
  return platform.random(8).toHex();
}

/** Whether the directory is a copy that was put back. */
export async function lookForCopy(root: string): Promise<Finding[]> {
  const fault = isServed(root) ? undefined : await copyFault(root, denoFiles);
  if (fault === undefined) return [];
  return [
    findingsOf("database").fault(
      fault,
      "strongroom adopt-copy; then people sign in again",
    ),
  ];
}

/** A database cannot even be read where less is left (bytes). */
const FULL_BYTES = 64 * 1024;

/**
 * The database by itself; `isReadable` says whether its rows can be read. A
 * server that runs does not read all of it. Nothing is found where a full disk
 * keeps it shut: that is a finding of the disk's.
 */
export function lookAtDatabase(
  root: string,
  isServing: boolean,
  freeBytes: number,
): { readonly findings: Finding[]; readonly isReadable: boolean } {
  let health: DatabaseHealth;
  try {
    health = inspectDatabase(root, { readsAll: !isServing });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    const reason = reasonOf(error);
    // SQLite wants room even to read, and calls the lack of it by other names.
    if (freeBytes < FULL_BYTES) return { findings: [], isReadable: false };
    return {
      findings: [
        findingsOf("database").fault(
          say("{1} cannot be opened ({2})", databasePath(root), reason),
          "run this as the server's user; if the file is damaged, " +
            RESTORE_BACKUP,
        ),
      ],
      isReadable: false,
    };
  }
  return {
    findings: judgeDatabase(health, SCHEMA),
    isReadable: health.schema === SCHEMA && health.isOurs &&
      health.problems.length === 0,
  };
}

const RESTORE_KEY =
  "stop the server and restore the one that belongs to this " +
  "database: strongroom restore BACKUP --keys-only gets it from a " +
  "backup; no server starts without it";

/** The rings of keys, as far as they can be read. */
interface Rings {
  readonly findings: readonly Finding[];
  readonly rings: Readonly<Partial<Record<KeyPurpose, readonly StoredKey[]>>>;
}

/** Reads the files of keys; makes none. */
export async function readRings(
  root: string,
  platform: Platform,
): Promise<Rings> {
  const { fault } = findingsOf("keys");
  const findings: Finding[] = [];
  const rings: Partial<Record<KeyPurpose, readonly StoredKey[]>> = {};
  for (const purpose of KEY_PURPOSES) {
    const path = `${root}/keys/${purpose}.json`;
    // Opening a ring that is not there would make it.
    if (denoFiles.readWhole(path) === undefined) {
      findings.push(fault(say("{1} is missing", path), RESTORE_KEY));
      continue;
    }
    try {
      rings[purpose] = await openKeyRing(denoFiles, `${root}/keys`, purpose, {
        now: platform.now(),
        random: platform.random,
      });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      findings.push(fault(
        say("{1} is not a key file", path),
        "restore the right one from a backup",
      ));
    }
  }
  return { findings, rings };
}

/** The public access keys of a ring, base64, as server-info shows them. */
export async function accessKeysOf({ rings }: Rings): Promise<string[]> {
  const keys = await Promise.all(
    (rings.access ?? []).map(({ seed }) => classicalKey(seed)),
  );
  return keys.map(({ publicKey }) => toBase64(publicKey));
}

/** What witnesses of the public logs said. */
export async function lookAtWitnesses(
  root: string,
  now: number,
): Promise<Finding[]> {
  const db = await openBesideServer(root, {
    access: "read",
    withoutKeys: true,
  });
  try {
    const life = await lastLife(db);
    if (life === undefined) return [];
    const { reason, begun_at } = life;
    const witnessed = await listWitnessed(db);
    return judgeWitnesses({
      witnessStatus: await witnessStatus(db, life),
      begun: reason === null || begun_at === null
        ? undefined
        : { reason, at: begun_at },
      contradicted: witnessed
        .filter(({ contradiction }) => contradiction !== null)
        .map(({ origin }) => origin),
    }, now);
  } finally {
    await db.destroy();
  }
}

/** Whether keys and database belong together, and what was done last. */
export async function lookAtKeys(
  root: string,
  { findings, rings }: Rings,
  blobsOf: (db: Db) => Promise<BlobStore>,
): Promise<{
  readonly findings: Finding[];
  readonly done: Recorded[];
  readonly ran: Recorded | undefined;
}> {
  const db = await openBesideServer(root, {
    access: "read",
    withoutKeys: true,
  });
  try {
    const { ok, fault } = findingsOf("keys");
    const { receipt, done } = await readDone(db);
    const made = (rings.attestation ?? []).map(({ activeFrom }) => ({
      what: "an attestation key",
      at: activeFrom,
    }));
    const attestation = judgeAttestation(
      await Promise.all((rings.attestation ?? []).map(describe)),
      receipt,
    );
    const foreign = await foreignKeys(db, rings);
    const sealing = (rings.sealing ?? []).map(({ seed }) => seed);
    const opens = sealing.length === 0 || await opensFactors(db, sealing);
    const all = [
      ...findings,
      ...attestation === undefined ? [] : [attestation],
      ...foreign.map((purpose) =>
        fault(
          say("keys/{1}.json is another server's", purpose),
          "stop the server and restore the key file that belongs to this " +
            "database, from the same backup",
        )
      ),
      ...opens ? [] : [fault(
        "keys/sealing.json does not open the second factors of this database",
        "stop the server and restore the key file that belongs to this " +
          "database, from the same backup",
      )],
    ];
    const stored = await lookAtBlobs(db, blobsOf);
    return {
      findings: [
        ...all.length > 0 ? all : [ok("all exist and belong to this database")],
        ...stored,
      ],
      done: [...done, ...made],
      ran: await lastRan(db),
    };
  } finally {
    await db.destroy();
  }
}

/** Blobs that were missed while serving, and files in quarantine. */
async function lookAtBlobs(
  db: Db,
  blobsOf: (db: Db) => Promise<BlobStore>,
): Promise<Finding[]> {
  const { warning, fault } = findingsOf("disk");
  const blobs = await blobsOf(db);
  const lost = await listLost(db, blobs).catch((cause) => {
    // A store that does not answer is a finding of its own.
    if (cause instanceof BlobsUnavailable) return [];
    throw cause;
  });
  let quarantined = 0;
  for await (const _ of blobs.quarantine.list()) quarantined += 1;
  return [
    ...lost.length === 0 ? [] : [fault(
      say(
        "{1} {2} lost, for example {3}",
        counted(lost.length, "requested blob"),
        lost.length === 1 ? "is" : "are",
        lost[0],
      ),
      "strongroom check lists each, and says of each whether its owner can " +
        "upload it again: restore the others from a backup",
    )],
    ...quarantined === 0 ? [] : [warning(
      say("lost/ has {1} files that the database does not know", quarantined),
      "if the database is the right one, do nothing: they are removed " +
        "after a week; otherwise restore the right one, and strongroom gc " +
        "returns the files",
    )],
  ];
}

/** The rings that do not begin with the key that the database knows. */
async function foreignKeys(
  db: Db,
  { access, attestation }: Rings["rings"],
): Promise<readonly KeyPurpose[]> {
  const [first, signer] = [access?.[0], attestation?.[0]];
  return await foreignPurposes(db, {
    ...first && { access: (await classicalKey(first.seed)).keyId },
    ...signer && { attestation: (await describe(signer)).keyId },
  });
}

async function describe(
  { seed, activeFrom, activeTo }: StoredKey,
): Promise<RingKey> {
  const { keyId } = await hybridSignerFromSeed(seed);
  return { keyId, activeFrom, activeTo };
}

async function readDone(db: Db) {
  const done: Recorded[] = [];
  const used = await lastUse(db);
  if (used !== undefined) done.push({ what: "the last request", at: used });
  const body = await readNewest(db);
  if (body === undefined) return { done, receipt: undefined };
  const { receipt_seq, server_key_id, received_at } = readReceipt(body);
  const at = parseRfc3339(received_at);
  if (at !== undefined) done.push({ what: `receipt ${receipt_seq}`, at });
  return { done, receipt: { receiptSeq: receipt_seq, keyId: server_key_id } };
}
