/**
 * Reading the keys log: every entry that is new, whose hashes have to make the
 * tree of the checkpoint.
 *
 * @module
 */
import { equalBytes, fromHex, toHex } from "../../core/bytes.ts";
import { LogRange } from "../../crypto/logs/log_range.ts";
import { albumSubject, readEntry, userSubject } from "./log_entries.ts";
import { entriesFrom, type SignedHead, WrongTiles } from "./log_reading.ts";
import type { NewestEntry, ReadKeysLog } from "./log_state.ts";
import { entryOf } from "../base/merging.ts";
import { claimInForce, isAccepted } from "../trust/trust_rules.ts";
import type { LogCheck } from "./log_check.ts";

/** Follows the keys log to a checkpoint, and keeps what it says. */
export async function readKeysLog(
  check: LogCheck,
  head: SignedHead,
): Promise<void> {
  const subjects = subjectsOf(check);
  const held = check.state.keys;
  const start = startOf(held, head, subjects.all);
  const { keys, there } = await readEntries(check, head, start, subjects);
  check.state = { ...check.state, keys };
  if (held !== undefined && held.origin !== head.origin) {
    tellLost(check, held, head, there);
  }
}

/** Whose entries are kept: this account's, and those of people it deals with. */
interface Subjects {
  readonly all: ReadonlySet<string>;
  readonly self: string;
  readonly ownAlbums: ReadonlySet<string>;
}

function subjectsOf({ context: { trust, vault } }: LogCheck): Subjects {
  const self = userSubject(vault.session.userId);
  const albums = Object.entries(trust.record.albums);
  const subjectsWhere = (isWanted: (album: typeof albums[0][1]) => boolean) =>
    albums.filter(([, album]) => isWanted(album))
      .map(([id]) => albumSubject(id));
  const ownAlbums = new Set([
    ...subjectsWhere((album) => claimInForce(album)?.own === true),
    albumSubject(vault.libraryAlbumId),
  ]);
  const people = Object.keys(trust.record.people).map(userSubject);
  const all = new Set([
    self,
    ...ownAlbums,
    ...people,
    ...subjectsWhere(isAccepted),
  ]);
  return { all, self, ownAlbums };
}

/** Where reading goes on; from the first entry if there is anyone new. */
function startOf(
  held: ReadKeysLog | undefined,
  { origin, size }: SignedHead,
  subjects: ReadonlySet<string>,
): ReadKeysLog {
  const known = new Set(held?.subjects);
  const isFurther = held?.origin === origin && held.size <= size &&
    [...subjects].every((one) => known.has(one));
  return isFurther && held !== undefined ? held : {
    origin,
    size: 0,
    edge: [],
    subjects: [],
    newest: {},
    own: [],
    follows: [],
  };
}

/**
 * Reads the entries that are new, whose hashes have to make the root. `there`
 * has the documents among them.
 */
async function readEntries(
  check: LogCheck,
  head: SignedHead,
  start: ReadKeysLog,
  { all, self, ownAlbums }: Subjects,
): Promise<{ keys: ReadKeysLog; there: ReadonlySet<string> }> {
  const { session } = check.context.vault;
  const range = new LogRange(
    start.size,
    start.edge.map((hex) => fromHex(hex) ?? new Uint8Array()),
  );
  const there = new Set<string>();
  const newest: Record<string, NewestEntry> = { ...start.newest };
  const own = [...start.own];
  const follows = [...start.follows];
  let app = start.app;
  for await (
    const { index, entry, hash } of entriesFrom(session, head, start.size)
  ) {
    range.append(hash);
    const said = readEntry(entry);
    if (said?.kind === "app") app = said.sha256;
    if (said?.kind === "follows") follows.push(said);
    if (said?.kind !== "directory" && said?.kind !== "roster") continue;
    const { kind: what, subject, version, sha256, keyId } = said;
    if (!all.has(subject)) continue;
    there.add(sha256);
    newest[subject] = newestEntry(entryOf(newest, subject), {
      version,
      sha256,
      index,
      keyId,
    });
    const isOwn = what === "directory"
      ? subject === self
      : ownAlbums.has(subject);
    if (isOwn) own.push({ what, version, sha256, index });
  }
  if (!equalBytes(range.root(), head.root)) {
    // What was read before may be of another tree: it is read again.
    check.state = { ...check.state, keys: undefined };
    throw new WrongTiles("its entries do not make its root");
  }
  const keys = {
    origin: head.origin,
    size: head.size,
    edge: range.hashes.map(toHex),
    subjects: [...all],
    newest,
    own,
    follows,
    ...app === undefined ? {} : { app },
  };
  return { keys, there };
}

/** A subject's newest entry; one that had two keys stays split. */
function newestEntry(
  before: NewestEntry | undefined,
  { keyId, ...entry }: Omit<NewestEntry, "key_id" | "is_split"> & {
    readonly keyId: string | undefined;
  },
): NewestEntry {
  const key_id = keyId ?? before?.key_id;
  const isSplit = before?.is_split === true ||
    (before?.key_id !== undefined && key_id !== before.key_id);
  return {
    ...entry,
    ...(key_id === undefined ? {} : { key_id }),
    ...(isSplit ? { is_split: true } : {}),
  };
}

/** After a restore: what the log before had, and this one does not. */
function tellLost(
  check: LogCheck,
  held: ReadKeysLog,
  head: SignedHead,
  there: ReadonlySet<string>,
): void {
  const documents = [...held.own, ...Object.values(held.newest)];
  for (const { sha256, index, version } of documents) {
    if (there.has(sha256)) continue;
    check.tell(
      "entry_lost",
      sha256,
      `entry ${index} of ${held.origin} (version ${version}) is not in ` +
        `${head.origin}, which follows it: a restore lost it`,
    );
  }
}
