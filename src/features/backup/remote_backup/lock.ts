/**
 * Locks of a place off the premises: small objects that say who is at work. One
 * is put first and others are looked for then, so that of two at once at most
 * one goes on.
 *
 * A working command renews its lock every few minutes. A lock that was not
 * renewed for half an hour belongs to a command that is gone. The age of a lock
 * is the difference of two times that the place itself recorded, so no
 * machine's clock counts.
 *
 * A request from before a cut may be carried out after it: a removal could
 * delete an object that was stored again meanwhile. So a lock for removing is
 * not let go of where that may be; it ages, and what was sent cannot be carried
 * out any more by then (a store refuses what was signed 15 minutes before).
 *
 * @module
 */
import { z } from "zod";
import { fromUtf8, toHex, utf8 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import { MINUTE_MS, toRfc3339 } from "../../../core/time.ts";
import {
  type RemoteObject,
  RemoteUnavailable,
} from "../../../store/remote/backup/remote.ts";
import type { Repository } from "../../../store/remote/backup/repository.ts";

const LOCKS = "locks/";
const KEY = /^locks\/[0-9a-f]{16}$/;
const LOCK_MAX_BYTES = 4_096;
const REFRESH_MS = 5 * MINUTE_MS;
/** Without renewal for this long, a lock has expired. */
const STALE_MS = 30 * MINUTE_MS;

/** To read, to add a generation, or to remove some. */
export type LockKind = "read" | "write" | "prune";

const Record = z.strictObject({
  kind: z.enum(["read", "write", "prune"]),
  /** Only one holder of this can exist. */
  owner: z.string(),
  /** By the clock of its holder; only for people to read. */
  since: z.string(),
});
type Record = z.infer<typeof Record>;

/** Which kinds exclude each other. */
const EXCLUDES: Readonly<{ [Kind in LockKind]: readonly LockKind[] }> = {
  read: ["prune"],
  write: ["write", "prune"],
  prune: ["read", "write", "prune"],
};

const DOES: Readonly<{ [Kind in LockKind]: string }> = {
  read: "a command is reading it (`restore` or `backup verify`)",
  write: "a backup to it is running, or its passphrase is being changed",
  prune: "generations are being removed from it",
};

export interface Locking {
  readonly repository: Repository;
  readonly platform: Pick<Platform, "now" | "random" | "sleep">;
  /** A name that no other running process has. */
  readonly owner: string;
}

/** Takes a lock, or refuses because of an existing one. */
export async function takeLock(
  locking: Locking,
  kind: LockKind,
): Promise<RemoteLock> {
  const { platform, owner } = locking;
  const key = `${LOCKS}${toHex(platform.random(8))}`;
  const record = { kind, owner, since: toRfc3339(platform.now()) };
  const lock = new RemoteLock(locking, key, record);
  await lock.put();
  try {
    await lock.refuseOthers();
  } catch (error) {
    await lock.release();
    throw error;
  }
  lock.begin();
  return lock;
}

export class RemoteLock {
  readonly #over = new AbortController();
  #ages = false;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly locking: Locking,
    private readonly key: string,
    private record: Record,
  ) {}

  /** Becomes a lock of another kind, unless another lock prevents that. */
  async become(kind: LockKind): Promise<void> {
    const before = this.record;
    this.record = { ...before, kind };
    try {
      await this.put();
      await this.refuseOthers();
    } catch (error) {
      this.record = before;
      await this.put();
      throw error;
    }
  }

  async put(): Promise<void> {
    const bytes = utf8(JSON.stringify(this.record));
    await this.locking.repository.putRecord(this.key, bytes);
  }

  /** Renews it from time to time, until it is released. */
  begin(): void {
    const { sleep } = this.locking.platform;
    this.#refreshing = (async () => {
      for (;;) {
        await sleep(REFRESH_MS, this.#over.signal);
        if (this.#over.signal.aborted) return;
        // One that could not be is seen to be old, by `stillHeld`.
        await this.put().catch(() => {});
      }
    })();
  }

  /** Removes what is left of the dead, and refuses for the living. */
  async refuseOthers(): Promise<void> {
    const { repository, owner } = this.locking;
    const locks = await listLocks(repository);
    const mine = locks.find(({ key }) => key === this.key);
    if (mine === undefined) throw this.#notThere();
    for (const lock of locks) {
      if (lock.key === this.key) continue;
      if (isStale(lock, mine)) {
        await repository.remote.remove(lock.key);
        continue;
      }
      const other = await readLock(repository, lock.key);
      if (other === "gone") continue;
      // Of a process of this owner's, which cannot be there any more.
      const isMine = typeof other === "object" && other.owner === owner &&
        other.kind !== "prune";
      if (isMine) {
        await repository.remote.remove(lock.key);
        continue;
      }
      if (
        typeof other === "object" &&
        !EXCLUDES[this.record.kind].includes(other.kind)
      ) continue;
      throw refusal(repository.name, other, mine.modifiedAt - lock.modifiedAt);
    }
  }

  /** Refuses if the lock was removed or taken for an expired one. */
  async requireHeld(): Promise<void> {
    const { repository } = this.locking;
    await this.put();
    const locks = await listLocks(repository);
    if (!locks.some(({ key }) => key === this.key)) throw this.#notThere();
    const others = locks.filter(({ key }) => key !== this.key);
    for (const { key } of others) {
      const other = await readLock(repository, key);
      if (typeof other !== "object" || other.owner === this.record.owner) {
        continue;
      }
      if (!EXCLUDES[this.record.kind].includes(other.kind)) continue;
      throw new OperatorFault(
        `another command took the lock of ${repository.name} meanwhile, so ` +
          "nothing was changed there: run this again when it has ended",
      );
    }
  }

  /** Has it age once it is let go of: something may be carried out yet. */
  age(): void {
    this.#ages = true;
  }

  /** Lets go of it. */
  async release(): Promise<void> {
    this.#over.abort();
    await this.#refreshing;
    if (this.#ages) return;
    // It ages, where not even that can be done.
    await this.locking.repository.remote.remove(this.key).catch(() => {});
  }

  #notThere(): RemoteUnavailable {
    const { name } = this.locking.repository;
    return new RemoteUnavailable(name, "its lock has disappeared");
  }
}

function refusal(
  name: string,
  other: Record | "damaged",
  ageMs: number,
): OperatorFault {
  const minutes = Math.max(0, Math.floor(ageMs / MINUTE_MS));
  const left = Math.max(1, STALE_MS / MINUTE_MS - minutes);
  const what = other === "damaged"
    ? "there is a lock in it that cannot be read"
    : `${DOES[other.kind]} since ${other.since}`;
  return new OperatorFault(
    `${name} is locked: ${what}, and renewed its lock ${minutes} ` +
      "minutes ago. Run this again when it has ended; if it was killed, " +
      `in ${left} minutes; or, if you know that nothing runs, after ` +
      `\`strongroom backup unlock ${name} --force\``,
  );
}

async function listLocks({ remote }: Repository): Promise<RemoteObject[]> {
  const locks: RemoteObject[] = [];
  for await (const page of remote.list(LOCKS)) {
    locks.push(...page.filter(({ key }) => KEY.test(key)));
  }
  return locks;
}

function isStale(lock: RemoteObject, mine: RemoteObject): boolean {
  return mine.modifiedAt - lock.modifiedAt > STALE_MS;
}

async function readLock(
  repository: Repository,
  key: string,
): Promise<Record | "gone" | "damaged"> {
  const bytes = await repository.record(key, LOCK_MAX_BYTES);
  if (bytes === "missing") return "gone";
  if (bytes === "damaged") return "damaged";
  const read = Record.safeParse(JSON.parse(fromUtf8(bytes) ?? "null"));
  return read.success ? read.data : "damaged";
}

/** Removes the locks of those that are gone, or all; returns how many. */
export async function unlock(
  locking: Locking,
  { force }: { readonly force: boolean },
): Promise<{ readonly removed: number; readonly left: number }> {
  const { repository, platform } = locking;
  // A new object, whose time shows the age of the others.
  const key = `${LOCKS}${toHex(platform.random(8))}`;
  const since = toRfc3339(platform.now());
  const record: Record = { kind: "read", owner: locking.owner, since };
  const lock = new RemoteLock(locking, key, record);
  await lock.put();
  try {
    const locks = await listLocks(repository);
    const mine = locks.find((one) => one.key === key);
    const others = locks.filter((one) => one.key !== key);
    const gone = others.filter((one) =>
      force || (mine !== undefined && isStale(one, mine))
    );
    for (const one of gone) await repository.remote.remove(one.key);
    return { removed: gone.length, left: others.length - gone.length };
  } finally {
    await lock.release();
  }
}
