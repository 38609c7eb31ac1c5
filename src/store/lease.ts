/**
 * The lease of a data directory: a file that says who serves it, and that is
 * refreshed while they do. A lock counts within one kernel. Over a network, or
 * between a virtual machine and its host, two servers may each have it; of
 * those the lease refuses the second, or ends the first.
 *
 * The same file is the directory's fence: it knows the newest receipt and the
 * database's inode, and so tells a file copy that was put back.
 *
 * @module
 */
import { z } from "zod";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Platform } from "../core/platform.ts";
import { MINUTE_MS, parseRfc3339, SECOND_MS, toRfc3339 } from "../core/time.ts";
import { databasePath } from "./data_paths.ts";
import { StoreFault } from "./failure.ts";
import { isOutOfDescriptors } from "./files/descriptors.ts";
import {
  type FileSystemFacts,
  fileSystemOf,
  openToAll,
} from "./files/file_system.ts";
import { type Files, writeDurably } from "./files/files.ts";
import { openForReading } from "./sqlite/reading.ts";

/** Name of the file in the data directory. */
export const LEASE = "lease.json";

const REFRESH_MS = 15 * SECOND_MS;
/** A holder that refreshes does so within this time, also on a slow disk. */
const WATCH_MS = 35 * SECOND_MS;
const LOOK_MS = SECOND_MS;
/** One that was not refreshed for so long was left behind. */
const STALE_MS = MINUTE_MS;
/** Clocks and the age of a system are compared with this tolerance. */
const BOOT_MS = 2 * MINUTE_MS;
/** A lease is written over in place, whole or not at all: one sector. */
const BYTES = 512;
const NAME_MAX = 120;

const leaseSchema = z.object({
  version: z.literal(1),
  /** `adopting`: `adopt-copy` has begun and not ended. */
  state: z.enum(["held", "ended", "adopting"]),
  term: z.string(),
  refreshed_at: z.string(),
  /** The newest receipt that was issued. */
  receipt_seq: z.int().nonnegative(),
  /** Inode numbers, which a copy does not keep. */
  database: z.int().nullable(),
  lock: z.int().nullable(),
  host: z.string().nullable(),
  booted_at: z.string().nullable(),
  server_id: z.string().nullable(),
});
type LeaseRecord = z.output<typeof leaseSchema>;

/** Another server serves the directory, or did since this one began. */
export class LeaseLost extends StoreFault {}

interface LeaseParts {
  readonly root: string;
  readonly files: Files;
  readonly platform: Pick<
    Platform,
    "now" | "monotonic" | "random" | "sleep" | "log"
  >;
  /** The server's origin, for people; null for a command. */
  readonly serverId: string | null;
  /** Whether a copy that was put back is taken, as `adopt-copy` does. */
  readonly adopts: boolean;
}

export class Lease {
  readonly #lost = Promise.withResolvers<Error>();
  readonly #ending = new AbortController();
  #refreshing: Promise<void> = Promise.resolve();
  #held: LeaseRecord;
  #isEnded = false;

  private constructor(
    private readonly parts: LeaseParts,
    first: LeaseRecord,
    /** A full disk may have kept the first record from being written. */
    private readonly former: string | undefined,
  ) {
    this.#held = first;
  }

  /**
   * Takes the lease; the caller has the directory's lock. Throws a
   * {@link StoreFault} where another server has it, or where the directory is a
   * copy that was put back.
   */
  static async take(parts: LeaseParts): Promise<Lease> {
    const { root, files, platform, serverId, adopts } = parts;
    const old = readLease(root, files);
    const facts = await fileSystemOf(root);
    const inodes = await inodesOf(root, files);
    await refuseHeld(parts, old, { ...facts, ...inodes });
    if (old !== undefined && !adopts) {
      refuseCopy(root, old, inodes.database, facts);
      if (old.state === "ended" && hasMoved(old, inodes.database, facts)) {
        platform.log.warn(
          "the data directory is a copy: if the server ran elsewhere after " +
            "the copy was made, stop this one and run strongroom adopt-copy",
        );
      }
    }
    if (facts.shared !== undefined) {
      platform.log.warn(sharedWarning(root, facts.shared));
    }
    const open = await openToAll(root);
    if (open !== undefined) platform.log.warn(`${open.what}; ${open.mend}`);
    const lease = new Lease(parts, {
      version: 1,
      state: adopts ? "adopting" : "held",
      term: platform.random(16).toHex(),
      refreshed_at: toRfc3339(platform.now()),
      receipt_seq: old?.receipt_seq ?? 0,
      ...inodes,
      host: hostName(),
      booted_at: bootedAt(platform),
      server_id: serverId?.slice(0, NAME_MAX) ?? null,
    }, old?.term);
    await lease.#write();
    return lease;
  }

  /** Resolves with why once another server has the directory. */
  get lost(): Promise<Error> {
    return this.#lost.promise;
  }

  /** The newest receipt that the directory knows of. */
  get receiptSeq(): number {
    return this.#held.receipt_seq;
  }

  /**
   * Returns if the lease is still this process's. Throws a {@link LeaseLost}
   * otherwise. To be asked before what must not be done twice.
   */
  hold(): void {
    let term: string | undefined;
    try {
      term = readLease(this.parts.root, this.parts.files)?.term;
    } catch (cause) {
      // The refreshing looks again.
      if (isOutOfDescriptors(cause)) return;
      throw cause;
    }
    // A removed lease is written again.
    if ([undefined, this.#held.term, this.former].includes(term)) return;
    const lost = new LeaseLost(
      `${this.parts.root} was taken by another server: this one ends; stop ` +
        "one of the two for good",
    );
    this.#isEnded = true;
    this.#lost.resolve(lost);
    throw lost;
  }

  /** Notes a receipt that was issued. */
  note(receiptSeq: number): void {
    this.#held = { ...this.#held, receipt_seq: receiptSeq };
  }

  /** The copy that was put back has been made safe to serve. */
  settled(): void {
    this.#held = { ...this.#held, state: "held" };
  }

  /** Begins to refresh; the database is there by now. */
  async keep(): Promise<void> {
    const { root, files } = this.parts;
    this.#held = { ...this.#held, ...await inodesOf(root, files) };
    await this.#write();
    this.#refreshing = this.#refresh();
  }

  /** Ends the lease, unless it was lost: then it is another's. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#refreshing;
    // One that was adopted in part stays so.
    if (this.#isEnded || this.#held.state === "adopting") return;
    this.#isEnded = true;
    try {
      this.hold();
      this.#held = { ...this.#held, state: "ended" };
      await this.#write();
    } catch {
      // The next start takes it for one of a server that was killed.
    }
  }

  async #refresh(): Promise<void> {
    const { log, sleep } = this.parts.platform;
    const { signal } = this.#ending;
    let told = false;
    for (;;) {
      await sleep(REFRESH_MS, signal);
      if (signal.aborted) return;
      try {
        this.hold();
        await this.#write();
        told = false;
      } catch (cause) {
        if (cause instanceof LeaseLost) return;
        if (!told) log.warn("the lease was not refreshed", { cause });
        told = true;
      }
    }
  }

  async #write(): Promise<void> {
    const { root, files, platform } = this.parts;
    const path = `${root}/${LEASE}`;
    this.#held = { ...this.#held, refreshed_at: toRfc3339(platform.now()) };
    const text = JSON.stringify(this.#held);
    const bytes = utf8(`${text.padEnd(BYTES - 1)}\n`);
    const file = await files.open(path, "write");
    if (file === undefined) return await writeDurably(files, path, bytes);
    try {
      file.write(bytes);
      // A refresh need not last.
      if (this.#held.state !== "held") await file.sync();
    } finally {
      file.close();
    }
  }
}

/**
 * Why a directory that no server serves is refused as a copy that was put back;
 * undefined if nothing shows that it is a copy.
 */
export async function copyFault(
  root: string,
  files: Files,
): Promise<string | undefined> {
  const old = readLease(root, files);
  if (old === undefined) return undefined;
  const { database } = await inodesOf(root, files);
  try {
    refuseCopy(root, old, database, await fileSystemOf(root));
    return undefined;
  } catch (error) {
    if (error instanceof StoreFault) return error.message;
    throw error;
  }
}

/** Removes the lease of a directory that no server serves. */
export async function dropLease(root: string, files: Files): Promise<void> {
  await files.remove(`${root}/${LEASE}`);
}

/**
 * Throws a {@link StoreFault} where another server has the directory; the
 * caller has its lock.
 */
export async function refuseLeased(
  parts: Pick<LeaseParts, "root" | "files" | "platform">,
): Promise<void> {
  const { root, files } = parts;
  const facts = await fileSystemOf(root);
  const inodes = await inodesOf(root, files);
  await refuseHeld(parts, readLease(root, files), { ...facts, ...inodes });
}

/** What a network file system may do; for the log and for the doctor. */
export function sharedWarning(root: string, name: string): string {
  return `${root} is on ${name}, which other machines can have mounted too: ` +
    "its locks may not keep a second server out, and it may lose what was " +
    "synced; use a disk of this machine";
}

function readLease(root: string, files: Files): LeaseRecord | undefined {
  const bytes = files.readWhole(`${root}/${LEASE}`);
  if (bytes === undefined || bytes.length > BYTES) return undefined;
  try {
    return leaseSchema.parse(JSON.parse(fromUtf8(bytes) ?? ""));
  } catch {
    return undefined;
  }
}

async function inodesOf(root: string, files: Files) {
  return {
    database: (await files.stat(databasePath(root)))?.inode ?? null,
    lock: (await files.stat(`${root}/lock`))?.inode ?? null,
  };
}

/** Refuses a directory whose lease another server refreshes. */
async function refuseHeld(
  { root, files, platform }: Pick<LeaseParts, "root" | "files" | "platform">,
  old: LeaseRecord | undefined,
  now: FileSystemFacts & Pick<LeaseRecord, "lock" | "database">,
): Promise<void> {
  if (old === undefined || old.state === "ended") return;
  // The lease came with a copy, and its holder has another directory.
  if (hasMoved(old, now.database, now)) return;
  const age = platform.now() - (parseRfc3339(old.refreshed_at) ?? 0);
  const isStale = age > STALE_MS;
  if (now.shared === undefined) {
    const isOurs = old.host === hostName() && old.lock === now.lock &&
      isSameBoot(old.booted_at, bootedAt(platform));
    // The kernel gave the lock, so that its last holder has ended.
    if (isOurs || isStale) return;
  }
  const who = `${old.host ?? "another machine"} (lease.json)`;
  platform.log.info(
    `waiting to see whether ${who} still serves this directory`,
  );
  const begun = platform.monotonic();
  const never = new AbortController().signal;
  while (platform.monotonic() - begun < WATCH_MS) {
    await platform.sleep(LOOK_MS, never);
    const seen = readLease(root, files);
    if (seen === undefined || seen.state === "ended") return;
    const isAlive = seen.term !== old.term ||
      seen.refreshed_at !== old.refreshed_at;
    if (!isAlive) continue;
    throw new StoreFault(
      `${root} is in use by another server, on ${who}, whose lock does not ` +
        "reach this one: stop that one, or choose another directory with " +
        "STRONGROOM_DATA_DIR",
    );
  }
}

/** Refuses a copy that was put back, as far as that can be told. */
function refuseCopy(
  root: string,
  old: LeaseRecord,
  database: number | null,
  facts: FileSystemFacts,
): void {
  const mend = "run `strongroom adopt-copy`, which makes such a directory " +
    "safe to serve";
  if (old.state === "adopting") {
    throw new StoreFault(`${root} was adopted in part: ${mend}`);
  }
  const held = newestIn(root);
  if (held !== undefined && old.receipt_seq > held) {
    throw new StoreFault(
      `the database in ${root} is older than the directory: it knows of ` +
        `receipt ${held}, and receipt ${old.receipt_seq} was issued: put the ` +
        `newest database there, or ${mend}`,
    );
  }
  if (old.state === "held" && hasMoved(old, database, facts)) {
    throw new StoreFault(
      `${root} is a copy that was made while its server ran, and what that ` +
        `server stored afterwards is not in it: ${mend}`,
    );
  }
}

function hasMoved(
  old: LeaseRecord,
  database: number | null,
  { hasSteadyInodes }: FileSystemFacts,
): boolean {
  return hasSteadyInodes && old.database !== null && database !== null &&
    old.database !== database;
}

/**
 * The number above which the database issues receipts, whatever its schema;
 * undefined where it cannot be read.
 */
function newestIn(root: string): number | undefined {
  try {
    const sqlite = openForReading(databasePath(root));
    try {
      const row = sqlite.prepare(
        "select max(receipt_seq_floor, coalesce((select max(receipt_seq) " +
          "from receipt), 0)) as newest from server",
      ).get();
      return row === undefined ? undefined : Number(row.newest);
    } finally {
      sqlite.close();
    }
  } catch {
    // Opening it says why.
    return undefined;
  }
}

function hostName(): string | null {
  return unlessForbidden(() => Deno.hostname().slice(0, NAME_MAX));
}

/** When this system began, by its clock; what tells one run from the next. */
function bootedAt({ now }: Pick<Platform, "now">): string | null {
  return unlessForbidden(() =>
    toRfc3339(now() - Math.round(Deno.osUptime() * SECOND_MS))
  );
}

function isSameBoot(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  const apart = (parseRfc3339(one) ?? 0) - (parseRfc3339(other) ?? 0);
  return Math.abs(apart) <= BOOT_MS;
}

function unlessForbidden<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    throw error;
  }
}
