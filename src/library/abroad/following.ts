/**
 * Reading an album of another server (protocol/albums-abroad.md#reading): its
 * roster, its feed and its photos, by the rules that hold for albums of the own
 * server, with a capability that is kept alive.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { DAY_MS } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { ServerInfo } from "../../wire/answers/discovery.ts";
import {
  ApiProblem,
  type CapabilityCalls,
  type Client,
  UnexpectedAnswer,
} from "../../client/api/api.ts";
import { persist } from "../../client/api/send.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import {
  type AlbumInfo,
  openAlbum,
} from "../../client/documents/album_keys.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { type Roster, verifyRoster } from "../../client/documents/roster.ts";
import { rolesOf } from "../albums/album_shown.ts";
import { isOfEverything } from "../base/faults.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Store } from "../base/store.ts";
import type { Library } from "../library.ts";
import { type AssetIndex, openIndex } from "../rows/asset_index.ts";
import {
  type Cursor,
  cursorChange,
  expectEnd,
  PAGE_ENTRIES,
  readCursor,
} from "../rows/cursor.ts";
import { putFresh, type RowOpener } from "../rows/opening.ts";
import type { Reader } from "../rows/pull.ts";
import { type LibraryReading, readingOf } from "../rows/reading.ts";
import { readSmallBlob } from "../rows/small_blob.ts";
import {
  isDue,
  isShown,
  isUnopened,
  newestFirst,
  type Row,
} from "../rows/rows.ts";
import type { Joined, Unstamped } from "../trust/abroad_state.ts";
import {
  AbroadError,
  AlbumLeft,
  AlbumMoved,
  type PauseReason,
} from "./abroad_fault.ts";
import { abroadStore } from "./abroad_store.ts";
import { clientOf, serverAbroad } from "./other_servers.ts";
import { checkHostLog } from "./host_log.ts";
import { asSmall, smallReading } from "./small_pictures.ts";
import {
  abroadOf,
  acceptAbroad,
  assertToken,
  jtiOf,
  lifeOf,
  linkOfJoined,
  noteRead,
  protocolWith,
  type ReadPickup,
  readPickup,
  replyIn,
  withAlbumAbroad,
} from "./joining.ts";

/** An album is paused, with a text for people. */
class AlbumPaused extends DocumentError {
  override readonly name = "AlbumPaused";
  constructor(readonly reason: PauseReason, message: string) {
    super(message);
  }
}

/** Why an album is paused. */
export interface Pause {
  readonly reason: PauseReason;
  /** For people, in English. */
  readonly text: string;
}

/** An album of another server as this device has it. */
export interface AbroadAlbum {
  /** `<album_id>@<server_id>`. */
  readonly id: string;
  readonly serverId: string;
  /** The owner's name in what is remembered of people. */
  readonly owner: string;
  readonly title: string | undefined;
  readonly members: number;
  /** Why nothing new comes; what was there stays. */
  readonly paused: Pause | undefined;
  /** What the person should know, although the album goes on. */
  readonly doubt: string | undefined;
  /**
   * Whether the person is let see the small pictures alone: these stand for
   * the files, in `rows` and in `reading`.
   */
  readonly isSmall: boolean;
  /** The photos, newest first. */
  readonly rows: readonly Row[];
  readonly reading: LibraryReading;
}

const ASSETS_AT_ONCE = 500;
const RESTORES = 2;
/** What a host can have this device store of an album. */
const MOST_ROWS = 100_000;
/** Rows that do not open: a host can make them up. */
const MOST_UNOPENED = 1_000;
const MOST_BLOBS = 1_000;
/** Pages of the feed that are read at once. */
const MOST_PAGES = 1_000;
const NOTE = "album";

const noteSchema = z.object({
  /** The owner's identity key, whole: the trust record has its fingerprint. */
  owner_key: z.base64(),
  protocol: z.string(),
  /** The newest roster that counted. */
  roster: z.optional(z.base64()),
  /** The token that came last, and when by this device's clock (ms). */
  token: z.optional(z.string()),
  came_at: z.optional(z.number()),
  /** What the photos were read with; `read` where it is not said. */
  scope: z.optional(z.string()),
});
type Note = z.infer<typeof noteSchema>;

function keyIdOf({ owner_key }: Note): string {
  return keyId(fromBase64(owner_key) ?? new Uint8Array());
}

async function noteOf(store: Store): Promise<Note | undefined> {
  const value = await store.get("albums", NOTE);
  return value === undefined
    ? undefined
    : decodeJson(noteSchema, value, "album abroad");
}

async function keepNote(store: Store, note: Note): Promise<void> {
  const value = encodeJson(noteSchema, note, "album abroad");
  await store.write([{ space: "albums", key: NOTE, value }]);
}

/** What an error says of an album; undefined if it is about more than that. */
function pauseOf(error: unknown): Pause | undefined {
  if (error instanceof AlbumLeft) return undefined;
  if (error instanceof DocumentError) {
    const reason = error instanceof AlbumPaused ? error.reason : "doubtful";
    return { reason, text: error.message };
  }
  const isOfServer = error instanceof ApiProblem ||
    error instanceof UnexpectedAnswer || error instanceof ReceiptError;
  if (!isOfServer) return undefined;
  const text = `its server answers with an error: ${error.message}`;
  return { reason: "error", text };
}

/**
 * Follows an album to the end of its feed. What keeps it from that is its
 * `paused`; what is about the connection is thrown.
 */
export async function followAbroad(
  library: Library,
  id: string,
): Promise<AbroadAlbum> {
  try {
    return await followOnce(library, id);
  } catch (error) {
    if (!(error instanceof AlbumMoved)) throw error;
    return await followOnce(library, error.to);
  }
}

async function followOnce(
  library: Library,
  id: string,
): Promise<AbroadAlbum> {
  const album = await openAbroad(library, id);
  const paused = await album.follow();
  return { ...album.shown(), paused };
}

/** An album of another server that a program has opened. */
export interface OpenAbroad {
  /**
   * Follows it to the end of its feed; resolves to what keeps it from that.
   * Throws what is about the connection, and AlbumLeft once the person left it.
   */
  follow(): Promise<Pause | undefined>;
  /** What this device has of it. */
  shown(): Omit<AbroadAlbum, "paused">;
}

/**
 * Opens an album as this device has it, for which no connection is needed once
 * it was followed here.
 */
export async function openAbroad(
  library: Library,
  id: string,
): Promise<OpenAbroad> {
  const { vault: { session, identity }, trust } = library;
  const { platform } = session;
  const slot = await library.abroad();
  await orAsHeld(slot.read());
  if (!trust.fresh) await orAsHeld(trust.read());
  const found = slot.joined.get(id);
  if (found === undefined) throw new AlbumLeft(id);
  let joined: Unstamped<Joined> = found;
  const [albumId = "", serverId = ""] = splitId(id);
  const leftAt = () => abroadOf(trust.record, serverId, albumId)?.left_at;
  const leftBefore = leftAt();
  // A host that answers late brings back nothing of an album that was left.
  const assertIn = (present: Joined | undefined) => {
    if (present === undefined || leftAt() !== leftBefore) {
      throw new AlbumLeft(id);
    }
  };
  const kept = abroadStore(library.store, id);
  const store: Store = {
    ...kept,
    async write(changes) {
      assertIn(slot.joined.get(id));
      await kept.write(changes);
    },
  };
  const index = await openIndex(store);
  let note = await noteOf(store);
  const seenAnchor = abroadOf(trust.record, serverId, albumId)?.anchor;
  if (note === undefined || keyIdOf(note) !== seenAnchor) {
    // This device has the entry of another one's, and not the owner's key; or
    // the person has accepted another one.
    const read = await readJoined(library, id, found);
    const { protocol, grant } = read;
    note = { owner_key: toBase64(grant.owner_key), protocol };
    await noteRead(library, read);
    await keepNote(store, note);
  }
  const held = { note };
  const ownerKey = fromBase64(note.owner_key) ?? new Uint8Array();
  let client = clientOf(platform, serverId, note.protocol);
  const remembered = () => {
    const seen = abroadOf(trust.record, serverId, albumId);
    if (seen?.anchor === keyId(ownerKey)) return seen;
    throw new DocumentError("the album's owner has another identity by now");
  };
  const token = keptToken({ library, id, client: () => client }, {
    get: () => joined,
    put: async (changes) => {
      joined = { ...joined, ...changes };
      try {
        // Another program may have changed the rest of it.
        await slot.joined.change(id, (present) => {
          assertIn(present);
          return { ...joined, ...present, ...changes };
        });
      } catch (error) {
        // Another device left it.
        if (error instanceof AlbumLeft) await slot.read({ again: true });
        // An error of the own server does not stop the reading: the next time
        // tells the other devices.
        if (!isOfOwnServer(error)) throw error;
      }
    },
    note: async (token) => {
      held.note = { ...held.note, token, came_at: platform.now() };
      await keepNote(store, held.note);
    },
    cameAt: () =>
      held.note.token === joined.token ? held.note.came_at : undefined,
  });
  const calls = callsWith(() => client, token);
  let roster: Roster | undefined;
  let keys: ReadonlyMap<number, Bytes> = new Map();
  let info: AlbumInfo | undefined;
  const openRoster = async (bytes: Bytes): Promise<Roster> => {
    const next = await verifyRoster(bytes, ownerKey, platform.hybrid);
    if (next.album_id !== albumId || next.owner !== joined.owner) {
      throw new DocumentError("the roster is another album's");
    }
    const given = await openAlbum(
      next,
      joined.member,
      identity.sealing,
      primitivesOf(platform),
    );
    if (given === undefined) {
      throw new DocumentError("the list of members no longer names you");
    }
    roster = next;
    ({ keys, info } = { info: undefined, ...given });
    return next;
  };
  const before = held.note.roster === undefined
    ? undefined
    : fromBase64(held.note.roster);
  if (before !== undefined) await openRoster(before);
  let doubt: string | undefined;
  const takeRoster = async () => {
    const bytes = await calls.roster(albumId);
    const seen = remembered();
    const sha256 = sha256Hex(bytes);
    const checked = await verifyRoster(bytes, ownerKey, platform.hybrid);
    const { roster_version: version, amk_epoch: epoch } = checked;
    const { told_version = 0, told_epoch = 0, told_roster } = seen;
    const isOlder = version < Math.max(seen.roster_version, told_version) ||
      epoch < Math.max(seen.amk_epoch, told_epoch);
    if (isOlder) {
      throw new DocumentError(
        "the server shows an older list of members than before",
      );
    }
    const isOther = (version === seen.roster_version &&
      sha256 !== seen.roster) ||
      (version === told_version && sha256 !== told_roster);
    if (isOther) {
      throw new DocumentError(
        "the server showed two lists of members of the same number",
      );
    }
    await openRoster(bytes);
    if (version > seen.roster_version) {
      const of = { server_id: serverId, album_id: albumId };
      await trust.change((record) =>
        withAlbumAbroad(record, of, {
          ...abroadOf(record, serverId, albumId) ?? seen,
          roster_version: version,
          amk_epoch: epoch,
          roster: sha256,
        })
      );
    }
    held.note = { ...held.note, roster: toBase64(bytes) };
    await keepNote(store, held.note);
    doubt = await checkHostLog({ client, platform, store }, {
      albumId,
      version,
      sha256,
      pinned: newestKey(trust.record.abroad?.[serverId]?.keys ?? {}),
    });
  };
  const vault: Reader = {
    libraryAlbumId: "",
    session: {
      platform,
      // By someone who cannot own a photo there.
      userId: joined.member,
      account: { ...calls, pause: platform.wait },
    },
  };
  const keysOf = () =>
    Promise.resolve(
      [...keys].map(([epoch, amk]) => ({ epoch, amk }))
        .toSorted((a, b) => b.epoch - a.epoch),
    );
  const albumKeys = {
    keysOf,
    newestOf: () =>
      Promise.reject(new DocumentError("you can only see this album")),
  };
  const isSmall = () => joined.scope === "read-derivative-only";
  let isRead = await readCursor(store) !== undefined;
  const opener: RowOpener = {
    vault,
    keys: albumKeys,
    blob: (assetId, blob) => readSmallBlob(calls, assetId, blob),
    anchorOf: anchorsOf({ store, calls }, {
      owner: joined.owner,
      ownerKey,
      named: () => info?.anchors ?? {},
    }),
    mayAdd: (album, author, epoch) => {
      if (album !== albumId || roster === undefined) return false;
      if (author === roster.owner) return true;
      const role = rolesOf(roster).get(author);
      if (role !== undefined) return role === "contributor";
      return !isRead && epoch < roster.amk_epoch;
    },
    isSmall,
  };
  /** With another scope the server lists other blobs of the same photos. */
  const takeScope = async () => {
    const { scope } = joined;
    if ((held.note.scope ?? "read") === scope) return;
    isRead = false;
    await index.commit([cursorChange(undefined)]);
    held.note = { ...held.note, scope };
    await keepNote(store, held.note);
  };
  const rowOf = (assetId: string): Row => {
    const row = index.get(assetId);
    if (row !== undefined) return row;
    throw new DocumentError(`${assetId} is not in the album`);
  };
  const reading = readingOf({ vault, keys: albumKeys }, rowOf);
  const smallRows = new WeakMap<Row, Row>();
  const shownAs = (row: Row): Row => {
    if (!isSmall()) return row;
    const small = smallRows.get(row) ?? asSmall(row);
    smallRows.set(row, small);
    return small;
  };
  const followOn = async () => {
    const info = await serverOf(library, id, client);
    const protocol = protocolWith(info.protocol_version);
    if (protocol !== held.note.protocol) {
      // Either of the two was updated.
      client = clientOf(platform, serverId, protocol);
      held.note = { ...held.note, protocol };
      await keepNote(store, held.note);
    }
    await token.renewInTime();
    await takeRoster();
    await takeScope();
    const following = { albumId, calls, index, opener, store, vault };
    // Those that could not be opened, when it is time to try again: before the
    // feed, which goes no further while there are too many.
    const now = platform.now();
    const due = [...index.all()].filter((row) => isDue(row, now));
    await takeAssets(
      following,
      due.slice(0, ASSETS_AT_ONCE).map((row) => row.id),
    );
    await index.commit();
    await followFeed(following);
    isRead = true;
    await orAsHeld(trust.settle());
  };
  return {
    async follow() {
      try {
        await followOn();
        return undefined;
      } catch (error) {
        const paused = pauseOf(error);
        if (paused === undefined) throw error;
        return paused;
      }
    },
    shown: (): Omit<AbroadAlbum, "paused"> => ({
      id,
      serverId,
      owner: `${joined.owner}@${serverId}`,
      title: info?.title,
      members: roster?.members.length ?? 0,
      doubt,
      isSmall: isSmall(),
      rows: newestFirst([...index.rows()].filter(isShown)).map(shownAs),
      reading: isSmall() ? smallReading(reading, rowOf) : reading,
    }),
  };
}

/**
 * Reads the pickup of an album that the person is in. If its owner signed that
 * the album is another one now, or its server has another address, the person
 * is in that one then, and this throws AlbumMoved.
 */
async function readJoined(
  library: Library,
  id: string,
  joined: Pick<Joined, "pickup">,
): Promise<ReadPickup> {
  const read = await readPickup(library, linkOfJoined(id, joined));
  if (read.id === id) return read;
  const slot = await library.abroad();
  if (slot.joined.get(id) === undefined) throw new AlbumLeft(id);
  if (read.grant.state !== "live") {
    throw new AlbumPaused("ended", "its owner ended it");
  }
  await acceptAbroad(library, read);
  throw new AlbumMoved(id, read.id);
}

/** What an album's server says of itself; if it has moved, follows it. */
async function serverOf(
  library: Library,
  id: string,
  client: Client,
): Promise<ServerInfo> {
  const [, serverId] = splitId(id);
  try {
    return await serverAbroad(client, serverId);
  } catch (error) {
    const isElsewhere = error instanceof AbroadError &&
      error.fault === "their_server";
    const joined = (await library.abroad()).joined.get(id);
    if (!isElsewhere || joined === undefined) throw error;
    try {
      await readJoined(library, id, joined);
    } catch (cause) {
      if (cause instanceof AlbumLeft || isOfEverything(cause)) throw cause;
    }
    throw error;
  }
}

/** Where the own server does not answer as it should, what is here counts. */
export async function orAsHeld(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!isOfOwnServer(error)) throw error;
  }
}

/** Whether a call to the own server failed for all but the session's end. */
function isOfOwnServer(error: unknown): boolean {
  if (error instanceof ApiProblem) return error.status !== 401;
  return error instanceof ConnectionError || error instanceof UnexpectedAnswer;
}

/** The `key_id` of the key whose time began last. */
function newestKey(keys: Readonly<Record<string, number>>): string {
  const [newest] = Object.entries(keys).toSorted(([, a], [, b]) => b - a);
  return newest?.[0] ?? "";
}

function splitId(id: string): [albumId: string, serverId: string] {
  const at = id.indexOf("@");
  return [id.slice(0, at), id.slice(at + 1)];
}

/** A token that is replaced when it is due or no longer taken. */
interface KeptToken {
  get(): string;
  /** Refreshes it once half of its life is over. */
  renewInTime(): Promise<void>;
  /** Another token in place of one that was refused. Throws AlbumPaused. */
  regain(refused: string): Promise<string>;
}

function keptToken(
  { library, id, client }: {
    readonly library: Library;
    readonly id: string;
    readonly client: () => Client;
  },
  held: {
    get(): Unstamped<Joined>;
    put(changes: Partial<Unstamped<Joined>>): Promise<void>;
    /** Notes when a token came. */
    note(token: string): Promise<void>;
    cameAt(): number | undefined;
  },
): KeptToken {
  const { platform } = library.vault.session;
  const take = async (
    next: { readonly token: string; readonly expires_at: string },
  ): Promise<string> => {
    const { token, expires_at } = next;
    const before = held.get();
    if (before.token !== token) {
      const { scope, not_after, member } = before;
      const [album_id, server_id] = splitId(id);
      // One that is no capability would never be refused as one.
      assertToken({ token, scope, not_after }, { album_id, server_id, member });
      await held.put({ token, expires_at });
    }
    await held.note(token);
    return token;
  };
  /** Undefined where the token or the secret is not taken. */
  const attempt = async (
    ask: () => Promise<{ readonly token: string; readonly expires_at: string }>,
  ): Promise<string | undefined> => {
    try {
      return await take(await ask());
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.code === "error.album.member_not_on_roster") {
        throw new AlbumPaused(
          "removed",
          "its server says that you are no longer in this album",
        );
      }
      const isOver = error.code === "error.federation.capability_invalid" ||
        error.code === "error.federation.capability_not_renewable";
      if (!isOver) throw error;
      return undefined;
    }
  };
  const refresh = () =>
    attempt(() => client().refreshCapability(held.get().token));
  const fromPickup = async (): Promise<string> => {
    const before = held.get();
    try {
      const read = await readJoined(library, id, before);
      const { grant: { state, grant } } = read;
      await noteRead(library, read);
      if (state !== "live" || grant === undefined) {
        throw new AlbumPaused("ended", "its owner ended it");
      }
      if (grant.jti !== before.jti) {
        const { min_protocol_version: _, ...token } = grant;
        await held.put({ ...token, ...replyIn(read.grant) });
        await held.note(grant.token);
        return grant.token;
      }
    } catch (error) {
      const isNone =
        (error instanceof AbroadError && error.fault === "older") ||
        (error instanceof ApiProblem && error.status === 404);
      if (!isNone) throw error;
    }
    throw await whyOver(client(), before, platform.now());
  };
  return {
    get: () => held.get().token,
    async renewInTime() {
      const { token } = held.get();
      const came = held.cameAt();
      if (came === undefined) return await held.note(token);
      if (platform.now() - came < lifeOf(token) / 2) return;
      await refresh();
    },
    async regain(refused) {
      // Another call of this program may have got one meanwhile.
      const { token, jti, renewal } = held.get();
      if (token !== refused) return token;
      return await refresh() ??
        await attempt(() => client().renewCapability(jti, renewal)) ??
        await fromPickup();
    },
  };
}

async function whyOver(
  client: Client,
  { jti, token, not_after }: Unstamped<Joined>,
  now: number,
): Promise<AlbumPaused> {
  if (Date.parse(not_after) < now) {
    return new AlbumPaused("over", "the invitation has run out");
  }
  const { revoked } = await client.revokedCapabilities();
  // Those that have expired are not among them, as the first one has soon.
  const present = jtiOf(token);
  return revoked.some((one) => one.jti === jti || one.jti === present)
    ? new AlbumPaused("revoked", "your access was taken back")
    : new AlbumPaused(
      "refused",
      "its server does not take your invitation any more",
    );
}

/** The calls with a token, each once more with another if that is refused. */
function callsWith(client: () => Client, kept: KeptToken): CapabilityCalls {
  const over = async <T>(
    call: (calls: CapabilityCalls) => Promise<T>,
  ): Promise<T> => {
    const token = kept.get();
    try {
      return await call(client().reader(token));
    } catch (error) {
      const isRefused = error instanceof ApiProblem &&
        error.code === "error.federation.capability_invalid";
      if (!isRefused) throw error;
    }
    return await call(client().reader(await kept.regain(token)));
  };
  return {
    feed: (query) => over((calls) => calls.feed(query)),
    asset: (assetId) => over((calls) => calls.asset(assetId)),
    queryAssets: (ids, include) =>
      over((calls) => calls.queryAssets(ids, include)),
    blob: (assetId, hash, range) =>
      over((calls) => calls.blob(assetId, hash, range)),
    blobs: (wanted) => over((calls) => calls.blobs(wanted)),
    roster: (albumId) => over((calls) => calls.roster(albumId)),
    lookUp: (sought) => over((calls) => calls.lookUp(sought)),
  };
}

/**
 * The identity keys of authors: the owner's, those that the owner names, and
 * others as they are seen first, for this album alone.
 */
function anchorsOf(
  { store, calls }: { readonly store: Store; readonly calls: CapabilityCalls },
  { owner, ownerKey, named }: {
    readonly owner: string;
    readonly ownerKey: Bytes;
    readonly named: () => Readonly<Record<string, string>>;
  },
): RowOpener["anchorOf"] {
  const place = (userId: string) =>
    ({ space: "pins", key: `user/${userId}` }) as const;
  return async (userId) => {
    if (userId === owner) return ownerKey;
    const { space, key } = place(userId);
    const pinned = await store.get(space, key);
    const names = named();
    const told = Object.hasOwn(names, userId) ? names[userId] : undefined;
    // What was seen first yields to what the owner says.
    const holds = pinned !== undefined &&
      (told === undefined || told === keyId(pinned));
    if (holds) return pinned;
    const anchor = await shownKey(calls, userId);
    if (told !== undefined && told !== keyId(anchor)) {
      throw new DocumentError(
        "its author has another identity than the owner says",
      );
    }
    await store.write([{ space, key, value: anchor }]);
    return anchor;
  };
}

async function shownKey(
  calls: CapabilityCalls,
  userId: string,
): Promise<Uint8Array> {
  try {
    const { identity_key } = await calls.lookUp({ user_id: userId });
    const anchor = fromBase64(identity_key ?? "");
    if (anchor !== undefined && anchor.length > 0) return anchor;
  } catch (error) {
    if (isOfEverything(error) || !(error instanceof ApiProblem)) throw error;
  }
  throw new DocumentError("its author's identity is not known");
}

interface Following {
  readonly albumId: string;
  readonly calls: CapabilityCalls;
  readonly index: AssetIndex;
  readonly opener: RowOpener;
  readonly store: Store;
  readonly vault: Reader;
}

/**
 * Follows the album's feed to its end. Once a day that is from its beginning: a
 * host may have led this device past some entries, or left photos out.
 */
async function followFeed(following: Following): Promise<void> {
  const { albumId, calls, index, store, vault: { session } } = following;
  const { now } = session.platform;
  const held = await readCursor(store);
  let isAgain = held !== undefined && held.whole !== true &&
    Math.abs(now() - (held.whole_at ?? 0)) > DAY_MS;
  let cursor: Cursor | undefined = isAgain ? undefined : held;
  const mentioned = new Set<string>();
  const isGoingOn = expectEnd();
  for (let restores = 0, pages = 1;; pages++) {
    if (pages > MOST_PAGES) {
      throw new DocumentError("its server shows a feed without an end");
    }
    const query = {
      after: cursor?.after ?? 0,
      limit: PAGE_ENTRIES,
      albumId,
      ...(cursor === undefined ? {} : { epoch: cursor.epoch }),
      ...(cursor === undefined || cursor.whole === true
        ? { latest: true }
        : {}),
    };
    let page;
    try {
      page = await persist(session.account, () => calls.feed(query), {});
    } catch (error) {
      const isRestored = error instanceof ApiProblem &&
        error.code === "error.sync.epoch_changed";
      if (!isRestored) throw error;
      if (++restores > RESTORES) {
        throw new UnexpectedAnswer(410, "a feed that begins anew endlessly");
      }
      // Nothing that was remembered is dropped.
      cursor = undefined;
      isAgain = false;
      continue;
    }
    isGoingOn(page, cursor?.after ?? 0);
    const ids = new Set<string>();
    for (const { asset_id: assetId, sync_seq: seq } of page.entries) {
      if (!assetId) continue;
      mentioned.add(assetId);
      const row = isAgain ? index.get(assetId) : undefined;
      if (row?.seq !== seq || isUnopened(row)) ids.add(assetId);
    }
    if (isAgain && !page.more) {
      const others = [...index.all()].filter(({ id, state }) =>
        state === "live" && !mentioned.has(id)
      );
      for (const { id } of others) ids.add(id);
    }
    await takeAssets(following, [...ids]);
    const isFromStart = cursor === undefined || cursor.whole === true;
    const wholeAt = isFromStart && !page.more ? now() : cursor?.whole_at;
    cursor = {
      epoch: page.feed_epoch,
      after: page.next_after,
      ...(isFromStart && page.more ? { whole: true } : {}),
      ...(wholeAt === undefined ? {} : { whole_at: wholeAt }),
    };
    await index.commit([cursorChange(cursor)]);
    if (!page.more) return;
  }
}

/** Fetches assets; those that are deleted or no longer shown go at once. */
async function takeAssets(
  { albumId, calls, index, opener, vault: { session } }: Following,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += ASSETS_AT_ONCE) {
    const asked = ids.slice(at, at + ASSETS_AT_ONCE);
    const assets = await persist(
      session.account,
      () => calls.queryAssets(asked, ["metadata", "provenance"]),
      {},
    );
    const found = new Set<string>();
    let unopened = index.closed().filter(isUnopened).length;
    for (const asset of assets) {
      const { asset_id: id, album_id: album, state } = asset;
      if (!asked.includes(id) || album !== albumId || state !== "live") {
        continue;
      }
      found.add(id);
      const isNew = index.get(id) === undefined;
      const isTooMuch = asset.blobs.length > MOST_BLOBS ||
        (isNew && (index.size >= MOST_ROWS || unopened >= MOST_UNOPENED));
      if (isTooMuch) {
        throw new DocumentError("its server shows more than an album can have");
      }
      await putFresh(opener, index, asset);
      const row = index.get(id);
      if (isNew && row !== undefined && isUnopened(row)) unopened += 1;
    }
    for (const id of asked) {
      const row = found.has(id) ? undefined : index.get(id);
      if (row === undefined || row.state === "deleted") continue;
      const { metadata, key: _, fault: __, shown: ___, ...known } = row;
      // Its versions stay known, so that none of before is believed later.
      if (metadata === undefined) index.remove(id);
      else index.put({ ...known, blobs: [], state: "deleted" });
    }
  }
}
