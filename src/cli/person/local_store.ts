/**
 * What this machine knows of a library: the library's own store, and which
 * file here is which asset. SQLite, in the profile's state.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type {
  GuestJournal,
  Space,
  Store,
  StoreChange,
} from "../../library/mod.ts";

const SCHEMA = `
  create table if not exists entry (
    space text not null,
    key text not null,
    value blob not null,
    primary key (space, key)
  ) strict, without rowid;
  create table if not exists file (
    path text primary key,
    size integer not null,
    modified_at real not null,
    inode integer,
    sha256 text not null,
    asset_id text not null,
    changed_at real,
    device integer
  ) strict, without rowid;
  create index if not exists file_by_asset on file (asset_id);
  create table if not exists placed (
    root text not null,
    asset_id text not null,
    primary key (root, asset_id)
  ) strict, without rowid;
  create table if not exists owner (
    one integer primary key check (one = 1),
    user_id text not null
  ) strict;
  create table if not exists guest (
    name text primary key,
    entry blob not null
  ) strict, without rowid;
`;

const WAIT_MS = 10_000;

const entryRow = z.object({
  key: z.string(),
  value: z.instanceof(Uint8Array),
});
const fileRow = z.object({
  path: z.string(),
  size: z.int(),
  modified_at: z.number(),
  inode: z.number().nullable(),
  sha256: z.string(),
  asset_id: z.string(),
  changed_at: z.number().nullable(),
  device: z.number().nullable(),
});

const countRow = z.object({ count: z.int() });
const ownerRow = z.object({ user_id: z.string() });
const guestRow = z.object({ entry: z.instanceof(Uint8Array) });
const placedRow = z.object({ asset_id: z.string() });

/** What tells that a file is the one that was read, without reading it. */
export interface FileStamp {
  readonly size: number;
  /** Of its content, as programs may set it (milliseconds since the epoch). */
  readonly modifiedAt: number;
  /**
   * Of anything about it, as the system alone sets it (milliseconds since the
   * epoch); null where no one keeps it, as in a zip.
   */
  readonly changedAt: number | null;
  readonly inode: number | null;
  /**
   * Number of the file system; null in a zip. It may be another after a
   * restart, so it does not tell that a file has changed.
   */
  readonly device: number | null;
}

/** The stamp of a file. */
export function stampOf(
  { size, mtime, ctime, ino, dev }: Deno.FileInfo,
): FileStamp {
  return {
    size,
    modifiedAt: mtime?.getTime() ?? 0,
    changedAt: ctime?.getTime() ?? null,
    inode: ino,
    device: dev,
  };
}

/** Whether nothing happened to a file between two looks at it. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.modifiedAt === b.modifiedAt &&
    a.changedAt === b.changedAt && a.inode === b.inode;
}

/** A file of this machine that is an asset. */
export interface KnownFile extends FileStamp {
  readonly path: string;
  /** Of its bytes, in hex. */
  readonly sha256: string;
  readonly assetId: string;
}

/** The library's store, and the files of this machine. */
export interface LocalStore extends Store, Disposable {
  knownFile(path: string): KnownFile | undefined;
  /** Files that are known to be an asset. */
  filesOf(assetId: string): readonly KnownFile[];
  /** How many files are known to be assets. */
  readonly fileCount: number;
  noteFile(file: KnownFile): void;
  /** Notes that a folder has had files of these assets. */
  place(root: string, assetIds: readonly string[]): void;
  /** Assets of which a folder has had a file. */
  placedIn(root: string): ReadonlySet<string>;
  /** The account whose store this is; undefined before the first sign-in. */
  readonly owner: string | undefined;
  ownedBy(userId: string): void;
  /** What was sent by other people's links. */
  readonly guest: GuestJournal;
  /**
   * Forgets everything but receipts and pins, which no one can make again: no
   * name of a file stays on the disk.
   */
  forget(): void;
}

/** Opens the store of a profile; made if it is not there. */
export function openLocalStore(path: string): LocalStore {
  // Guests do not wait for each other's end as others do.
  const database = new DatabaseSync(path, { timeout: WAIT_MS });
  // A receipt that was verified here may be the only proof there is.
  database.exec("pragma journal_mode = wal; pragma synchronous = full;");
  // What is deleted is overwritten: names of files, most of all.
  database.exec("pragma secure_delete = on;");
  database.exec(SCHEMA);
  // A note of a file that a power cut takes costs another reading of that file:
  // no write of one waits for the disk.
  const notes = new DatabaseSync(path, { timeout: WAIT_MS });
  notes.exec("pragma synchronous = normal; pragma secure_delete = on;");
  const statements = {
    get: database.prepare(
      "select key, value from entry where space = ? and key = ?",
    ),
    list: database.prepare(
      "select key, value from entry where space = ? and key > ? order by key limit ?",
    ),
    put: database.prepare(
      "insert into entry values (?, ?, ?) on conflict do update set value = excluded.value",
    ),
    remove: database.prepare("delete from entry where space = ? and key = ?"),
    file: database.prepare("select * from file where path = ?"),
    files: database.prepare("select * from file where asset_id = ?"),
    note: notes.prepare(
      "insert or replace into file values (?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    place: database.prepare("insert or ignore into placed values (?, ?)"),
    count: database.prepare("select count(*) as count from file"),
    owner: database.prepare("select user_id from owner"),
    own: database.prepare("insert or ignore into owner values (1, ?)"),
    guest: database.prepare("select entry from guest where name = ?"),
    putGuest: database.prepare("insert or replace into guest values (?, ?)"),
    placed: database.prepare("select asset_id from placed where root = ?"),
  };
  const together = (work: () => void) => {
    database.exec("begin immediate");
    try {
      work();
      database.exec("commit");
    } catch (error) {
      // A disk that is full has rolled it back already.
      if (database.isTransaction) database.exec("rollback");
      throw error;
    }
  };
  return {
    get(space, key) {
      const row = statements.get.get(space, key);
      return Promise.resolve(
        row === undefined ? undefined : entryRow.parse(row).value,
      );
    },
    list(space: Space, { after = "", limit = -1 } = {}) {
      const rows = statements.list.all(space, after, limit);
      return Promise.resolve(rows.map((row) => entryRow.parse(row)));
    },
    write: gathered((changes) =>
      together(() => {
        for (const { space, key, value } of changes) {
          if (value === null) statements.remove.run(space, key);
          else statements.put.run(space, key, value);
        }
      })
    ),
    knownFile(path) {
      const row = statements.file.get(path);
      return row === undefined ? undefined : known(row);
    },
    filesOf: (assetId) => statements.files.all(assetId).map(known),
    get fileCount() {
      return countRow.parse(statements.count.get()).count;
    },
    noteFile({ path, sha256, assetId, ...stamp }) {
      const { size, modifiedAt, changedAt, inode, device } = stamp;
      statements.note.run(
        path,
        size,
        modifiedAt,
        inode,
        sha256,
        assetId,
        changedAt,
        device,
      );
    },
    place: (root, assetIds) =>
      together(() => {
        for (const id of assetIds) statements.place.run(root, id);
      }),
    placedIn: (root) =>
      new Set(
        statements.placed.all(root).map((row) => placedRow.parse(row).asset_id),
      ),
    get owner() {
      const row = statements.owner.get();
      return row === undefined ? undefined : ownerRow.parse(row).user_id;
    },
    ownedBy: (userId) => void statements.own.run(userId),
    guest: {
      read(name) {
        const row = statements.guest.get(name);
        return Promise.resolve(
          row === undefined ? undefined : guestRow.parse(row).entry,
        );
      },
      write(name, entry) {
        statements.putGuest.run(name, entry);
        return Promise.resolve();
      },
    },
    forget() {
      database.exec(`
        delete from file;
        delete from placed;
        delete from entry where space not in ('receipts', 'pins');
        pragma wal_checkpoint(truncate);
      `);
    },
    [Symbol.dispose]() {
      notes.close();
      database.close();
    },
  };
}

/**
 * Writes of one turn of the event loop as one. Each would hold the loop up
 * until the disk has it, and while it does, others become ready to be written.
 */
function gathered(
  write: (changes: readonly StoreChange[]) => void,
): (changes: readonly StoreChange[]) => Promise<void> {
  let next: { changes: StoreChange[]; written: Promise<void> } | undefined;
  return (changes) => {
    if (next !== undefined) {
      next.changes.push(...changes);
      return next.written;
    }
    const all = [...changes];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    next = { changes: all, written: promise };
    setTimeout(() => {
      next = undefined;
      try {
        write(all);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  };
}

function known(row: unknown): KnownFile {
  const {
    path,
    size,
    modified_at,
    changed_at,
    inode,
    device,
    sha256,
    asset_id,
  } = fileRow.parse(row);
  return {
    path,
    size,
    modifiedAt: modified_at,
    changedAt: changed_at,
    inode,
    device,
    sha256,
    assetId: asset_id,
  };
}
