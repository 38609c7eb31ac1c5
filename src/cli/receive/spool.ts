/**
 * What `strongroom receive` keeps on its disk: sealed files until the server
 * has them, and per telephone a register of what it sent, in which names,
 * sizes and hashes are sealed or blinded under the telephone's password.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { join } from "node:path";
import * as z from "zod";
import { OperatorFault } from "../../core/operator.ts";
import { denoFiles } from "../../store/files/deno_files.ts";
import { type HeldLock, lockFile } from "../../store/files/lock.ts";
import {
  atRow,
  type Device,
  deviceRow,
  type EntryRow,
  entryRow,
  factRow,
  type LastReceived,
  lastRow,
  type Outgoing,
  outgoingRow,
  type SafeRow,
  safeRow,
  SCHEMA,
  shownRow,
  totalRow,
  VERSION,
  versionRow,
  type WaitingFiles,
  waitingRow,
} from "./spool_schema.ts";

const WAIT_MS = 10_000;
/** The server may throw away what waits for its owner after 30 days. */
const KNOWN_MS = 25 * 24 * 3_600_000;

/** A name in a telephone's folder, to be written. */
export interface NewEntry {
  readonly place: Uint8Array;
  readonly parent: Uint8Array;
  readonly about: Uint8Array;
}

/** A sealed file, to be kept until the server has it. */
interface NewOutgoing {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly sealed: Uint8Array;
  /** The file's own hash, blinded. */
  readonly content: Uint8Array;
}

/** The spool: its register and its folder of sealed files. */
export class Spool implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(readonly root: string) {
    this.#database = new DatabaseSync(join(root, "register.sqlite"), {
      timeout: WAIT_MS,
    });
    // What was acknowledged to a telephone is to survive a power cut.
    this.#database.exec(
      "pragma journal_mode = wal; pragma synchronous = full; " +
        "pragma foreign_keys = on; pragma secure_delete = on;",
    );
    try {
      this.#bringUp();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Brings a register to this program's tables. Throws OperatorFault. */
  #bringUp(): void {
    const found = this.#version();
    if (found === VERSION) return;
    if (found > VERSION) {
      throw new OperatorFault(
        `${this.root} was written by a newer strongroom: install that one again`,
      );
    }
    // Another command may open it at the same time.
    this.#together(() => {
      this.#database.exec(SCHEMA);
      this.#database.exec(`pragma user_version = ${VERSION}`);
    });
  }

  #version(): number {
    const row = this.#database.prepare("pragma user_version").get();
    return versionRow.parse(row).user_version;
  }

  /** Opens the spool of a folder, which is made if it is not there. */
  static async open(root: string): Promise<Spool> {
    await Deno.mkdir(root, { recursive: true, mode: 0o700 });
    for (const folder of [incomingIn(root), sealedIn(root)]) {
      await denoFiles.makeDirectory(folder);
    }
    await denoFiles.syncDirectory(root);
    return new Spool(root);
  }

  /** Takes the spool for one program that serves. */
  async lock(): Promise<HeldLock> {
    const lock = await lockFile(join(this.root, "lock"));
    if (lock !== undefined) return lock;
    throw new OperatorFault(
      `another \`strongroom receive\` serves ${this.root}: stop it first, or ` +
        "name another folder with --spool",
    );
  }

  /**
   * Removes what a killed program left: parts of files, which nothing opens any
   * more, and sealed files that were never acknowledged.
   */
  async clear(): Promise<void> {
    for await (const name of denoFiles.list(incomingIn(this.root))) {
      await denoFiles.remove(join(incomingIn(this.root), name));
    }
    const held = new Set(
      this.#all("select id from outgoing").map((row) =>
        z.object({ id: z.string() }).parse(row).id
      ),
    );
    for await (const name of denoFiles.list(sealedIn(this.root))) {
      if (!held.has(name)) await denoFiles.remove(this.sealedPath(name));
    }
  }

  incomingPath(id: string): string {
    return join(incomingIn(this.root), id);
  }

  sealedPath(id: string): string {
    return join(sealedIn(this.root), id);
  }

  /** Makes an entry of the folder of sealed files durable. */
  async settle(): Promise<void> {
    await denoFiles.syncDirectory(sealedIn(this.root));
  }

  freeBytes(): Promise<number> {
    return denoFiles.freeBytes(this.root);
  }

  /** Bytes of sealed files. */
  get sealedBytes(): number {
    const row = this.#get(
      "select coalesce(sum(size), 0) as bytes from outgoing",
    );
    return totalRow.parse(row).bytes;
  }

  /** Adds a telephone; false if its name is taken. */
  addDevice(
    device: Pick<
      Device,
      | "name"
      | "title"
      | "origin"
      | "opaque_id"
      | "recipient_key"
      | "binding"
      | "expires_at"
      | "salt"
      | "verifier"
      | "safe_key"
      | "created_at"
    >,
  ): boolean {
    const { changes } = this.#run(
      "insert or ignore into device (name, title, origin, opaque_id, " +
        "recipient_key, binding, expires_at, salt, verifier, " +
        "safe_key, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      device.name,
      device.title,
      device.origin,
      device.opaque_id,
      device.recipient_key,
      device.binding,
      device.expires_at,
      device.salt,
      device.verifier,
      device.safe_key,
      device.created_at,
    );
    return Number(changes) === 1;
  }

  /** Seals to another link from now on. */
  relink(
    name: string,
    link: Pick<
      Device,
      "origin" | "opaque_id" | "recipient_key" | "binding" | "expires_at"
    >,
  ): void {
    this.#run(
      "update device set origin = ?, opaque_id = ?, recipient_key = ?, " +
        "binding = ?, expires_at = ? where name = ?",
      link.origin,
      link.opaque_id,
      link.recipient_key,
      link.binding,
      link.expires_at,
      name,
    );
  }

  device(name: string): Device | undefined {
    const row = this.#get("select * from device where name = ?", name);
    return row === undefined ? undefined : deviceRow.parse(row);
  }

  devices(): readonly Device[] {
    return this.#all("select * from device order by created_at, name")
      .map((row) => deviceRow.parse(row));
  }

  /** Removes a telephone and its register; what it sent is still delivered. */
  removeDevice(name: string): boolean {
    const { changes } = this.#run("delete from device where name = ?", name);
    return Number(changes) === 1;
  }

  sawDevice(name: string, now: number): void {
    this.#run("update device set seen_at = ? where name = ?", now, name);
  }

  /** Keeps a telephone's list of what is proven, instead of the last one. */
  keepSafe(device: string, sealed: Uint8Array, at: number): void {
    this.#run(
      "insert or replace into safe_list values (?, ?, ?, null, null)",
      device,
      sealed,
      at,
    );
  }

  safe(device: string): SafeRow | undefined {
    const row = this.#get(
      "select sealed, at, shown_bytes from safe_list where device = ?",
      device,
    );
    return row === undefined ? undefined : safeRow.parse(row);
  }

  /** When the list of what is proven was made (ms). */
  safeAt(device: string): number | undefined {
    const row = this.#get("select at from safe_list where device = ?", device);
    return row === undefined ? undefined : atRow.parse(row).at;
  }

  /** Keeps the text that a telephone finds of a list of `at`, sealed. */
  noteShown(
    device: string,
    at: number,
    shown: Uint8Array,
    plaintextBytes: number,
  ): void {
    this.#run(
      "update safe_list set shown = ?, shown_bytes = ? " +
        "where device = ? and at = ?",
      shown,
      plaintextBytes,
      device,
      at,
    );
  }

  shown(device: string): Uint8Array | undefined {
    const row = this.#get(
      "select shown from safe_list where device = ? and shown is not null",
      device,
    );
    return row === undefined ? undefined : shownRow.parse(row).shown;
  }

  entry(device: string, place: Uint8Array): EntryRow | undefined {
    const row = this.#get(
      "select place, about from entry where device = ? and place = ?",
      device,
      place,
    );
    return row === undefined ? undefined : entryRow.parse(row);
  }

  /** A page of the names in a folder: those behind the last one before. */
  entriesIn(
    device: string,
    parent: Uint8Array,
    after: Uint8Array,
    limit: number,
  ): readonly EntryRow[] {
    return this.#all(
      "select place, about from entry " +
        "where device = ? and parent = ? and place > ? order by place limit ?",
      device,
      parent,
      after,
      limit,
    ).map((row) => entryRow.parse(row));
  }

  entryCount(device: string): number {
    const row = this.#get(
      "select count(*) as bytes from entry where device = ?",
      device,
    );
    return totalRow.parse(row).bytes;
  }

  /** Changes names of a telephone's folder; durable when it returns. */
  changeEntries(
    device: string,
    put: readonly NewEntry[],
    removed: readonly Uint8Array[] = [],
    besides: () => void = () => {},
  ): void {
    this.#together(() => {
      for (const place of removed) this.#removeEntry(device, place);
      for (const entry of put) this.#putEntry(device, entry);
      besides();
    });
  }

  /**
   * Keeps a sealed file and its name; durable when it returns. False if the
   * telephone has sent the same bytes before: then only the name is kept.
   */
  keep(
    { name, origin, opaque_id: opaqueId, expires_at: expiresAt }: Device,
    file: NewOutgoing,
    entry: NewEntry,
    now: number,
  ): boolean {
    return this.#together(() => {
      this.#run(
        "update device set received_at = ?, received = received + 1, " +
          "seen_at = ? where name = ?",
        now,
        now,
        name,
      );
      this.#putEntry(name, entry);
      const { changes } = this.#run(
        "insert into known values (?, ?, ?, ?) on conflict do update set " +
          "at = excluded.at, sealed_id = excluded.sealed_id " +
          "where known.at < ?",
        name,
        file.content,
        now,
        file.id,
        now - KNOWN_MS,
      );
      if (Number(changes) === 0) return false;
      this.#run(
        "insert into outgoing values (?, ?, ?, ?, ?, ?, ?, ?, null, ?, null)",
        file.id,
        name,
        origin,
        opaqueId,
        expiresAt,
        file.hash,
        file.size,
        file.sealed,
        now,
      );
      return true;
    });
  }

  /** Replaces what is said of a file, unless it is on its way already. */
  retell(id: string, sealed: Uint8Array): boolean {
    const { changes } = this.#run(
      "update outgoing set sealed = ? where id = ? and upload is null",
      sealed,
      id,
    );
    return Number(changes) === 1;
  }

  /** Sealed files that may be delivered, the oldest first. */
  outgoing(limit: number): readonly Outgoing[] {
    return this.#all(
      "select * from outgoing where fault is null " +
        "order by received_at, id limit ?",
      limit,
    ).map((row) => outgoingRow.parse(row));
  }

  noteUpload(id: string, upload: string): void {
    this.#run("update outgoing set upload = ? where id = ?", upload, id);
  }

  /** The server has it: its bytes are not needed any more. */
  async delivered(
    { id, device }: Pick<Outgoing, "id" | "device">,
    now: number,
  ): Promise<void> {
    this.#together(() => {
      this.#run("delete from outgoing where id = ?", id);
      this.#run("update known set at = ? where sealed_id = ?", now, id);
      this.#run(
        "update device set delivered_at = ?, delivered = delivered + 1 " +
          "where name = ?",
        now,
        device,
      );
    });
    await denoFiles.remove(this.sealedPath(id));
  }

  /**
   * No one takes it any more, because the link has ended. The telephone may
   * send it again: it is not known any more.
   */
  strand(id: string, fault: string): void {
    this.#together(() => {
      this.#run("update outgoing set fault = ? where id = ?", fault, id);
      this.#run("delete from known where sealed_id = ?", id);
    });
  }

  /** What waits, by telephones. */
  waiting(): readonly WaitingFiles[] {
    return this.#all(
      "select device, count(*) as files, sum(size) as bytes, " +
        "min(received_at) as oldest, count(fault) as stuck, " +
        "max(fault) as fault from outgoing group by device",
    ).map((row) => waitingRow.parse(row));
  }

  /** Notes whether a link is there: to one that is not, nothing is sealed. */
  noteEnded(
    link: Pick<Device, "origin" | "opaque_id">,
    isEnded: boolean,
  ): void {
    if (this.isEnded(link) !== isEnded) {
      this.noteFact(endedFact(link), isEnded ? "yes" : "");
    }
  }

  isEnded(link: Pick<Device, "origin" | "opaque_id">): boolean {
    return this.fact(endedFact(link)) === "yes";
  }

  fact(name: string): string | undefined {
    const row = this.#get("select value from fact where name = ?", name);
    return row === undefined ? undefined : factRow.parse(row).value;
  }

  noteFact(name: string, value: string): void {
    this.#run("insert or replace into fact values (?, ?)", name, value);
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#database.close();
  }

  #putEntry(device: string, { place, parent, about }: NewEntry): void {
    this.#run(
      "insert or replace into entry values (?, ?, ?, ?)",
      device,
      place,
      parent,
      about,
    );
  }

  #removeEntry(device: string, place: Uint8Array): void {
    this.#run(
      "delete from entry where device = ? and place = ?",
      device,
      place,
    );
  }

  #together<T>(work: () => T): T {
    this.#database.exec("begin immediate");
    try {
      const done = work();
      this.#database.exec("commit");
      return done;
    } catch (error) {
      // A disk that is full has rolled it back already.
      if (this.#database.isTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  #prepared(sql: string): StatementSync {
    const held = this.#statements.get(sql);
    if (held !== undefined) return held;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #get(sql: string, ...values: Value[]): unknown {
    return this.#prepared(sql).get(...values);
  }

  #all(sql: string, ...values: Value[]): readonly unknown[] {
    return this.#prepared(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): { readonly changes: number | bigint } {
    return this.#prepared(sql).run(...values);
  }
}

/**
 * When each telephone of a spool sent something last (ms), read next to a
 * program that serves; undefined where no spool is.
 */
export async function lastReceived(
  root: string,
): Promise<readonly LastReceived[] | undefined> {
  const path = join(root, "register.sqlite");
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  using database = new DatabaseSync(path, {
    readOnly: true,
    timeout: WAIT_MS,
  });
  return database.prepare("select name, received_at from device order by name")
    .all().map((row) => lastRow.parse(row));
}

type Value = string | number | Uint8Array;

function endedFact(
  { origin, opaque_id: opaqueId }: Pick<Device, "origin" | "opaque_id">,
): string {
  return `ended ${origin}/${opaqueId}`;
}

function incomingIn(root: string): string {
  return join(root, "incoming");
}

function sealedIn(root: string): string {
  return join(root, "sealed");
}
