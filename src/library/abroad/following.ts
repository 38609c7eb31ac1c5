/**
 * Following an album of another server (protocol/albums-abroad.md#reading): its
 * roster, its feed and its photos, by the rules that hold for albums of the own
 * server, with a capability that is kept alive.
 *
 * @module
 */
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
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
import {
  type AlbumInfo,
  openAlbum,
} from "../../client/documents/album_keys.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { type Roster, verifyRoster } from "../../client/documents/roster.ts";
import { rolesOf } from "../albums/album_shown.ts";
import { isOfEverything } from "../base/faults.ts";
import { primitivesOf } from "../base/platform.ts";
import type { Library } from "../library.ts";
import { type AssetIndex, openIndex } from "../rows/asset_index.ts";
import { cursorChange, readCursor } from "../rows/cursor.ts";
import type { RowOpener } from "../rows/opening.ts";
import type { Reader } from "../rows/pull.ts";
import { type LibraryReading, readingOf } from "../rows/reading.ts";
import { readSmallBlob } from "../rows/small_blob.ts";
import { isShown, newestFirst, type Row } from "../rows/rows.ts";
import {
  AbroadError,
  AlbumLeft,
  AlbumMoved,
  AlbumPaused,
  type PauseReason,
} from "./abroad_fault.ts";
import { clientOf, serverAbroad } from "./other_servers.ts";
import { anchorsOf } from "./album_authors.ts";
import { followFeed, type Following, takeDue } from "./album_feed.ts";
import { checkHostLog } from "./host_log.ts";
import { abroadOf, protocolWith, withAlbumAbroad } from "./joining.ts";
import { callsWith, KeptToken } from "./kept_token.ts";
import {
  type AlbumNote,
  type Membership,
  openMembership,
  openNote,
  orAsHeld,
  readJoined,
  splitId,
} from "./membership.ts";
import { asSmall, smallReading } from "./small_pictures.ts";

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
  const membership = await openMembership(library, id);
  const index = await openIndex(membership.store);
  const note = await openNote(library, membership);
  const album = new FollowedAlbum(library, membership, note, index);
  await album.openHeld();
  return album;
}

/** An album of another server: its roster, its keys and its photos here. */
class FollowedAlbum implements OpenAbroad {
  readonly #ownerKey: Bytes;
  readonly #token: KeptToken;
  readonly #following: Following;
  readonly #reading: LibraryReading;
  #client: Client;
  #roster: Roster | undefined;
  #keys: ReadonlyMap<number, Bytes> = new Map();
  #info: AlbumInfo | undefined;
  #doubt: string | undefined;
  /** Whether its feed was read to the end once. */
  #isRead = false;
  readonly #smallRows = new WeakMap<Row, Row>();

  constructor(
    private readonly library: Library,
    private readonly membership: Membership,
    private readonly note: AlbumNote,
    private readonly index: AssetIndex,
  ) {
    const { platform } = library.vault.session;
    const { albumId, serverId, store, entry } = membership;
    this.#ownerKey = note.ownerKey;
    this.#client = clientOf(platform, serverId, note.held.protocol);
    const client = () => this.#client;
    const pickup = () => readJoined(library, membership.id, membership.entry);
    this.#token = new KeptToken(library, membership, note, client, pickup);
    const calls = callsWith(client, this.#token);
    const vault: Reader = {
      libraryAlbumId: "",
      session: {
        platform,
        // By someone who cannot own a photo there.
        userId: entry.member,
        account: { ...calls, pause: platform.wait },
      },
    };
    const opener = this.#opener(vault, calls);
    this.#following = { albumId, calls, index, opener, store, vault };
    this.#reading = readingOf(
      { vault, keys: opener.keys },
      (assetId) => this.#rowOf(assetId),
    );
  }

  /** Opens the roster that counted last. */
  async openHeld(): Promise<void> {
    const { roster } = this.note.held;
    const bytes = roster === undefined ? undefined : fromBase64(roster);
    if (bytes !== undefined) await this.#openRoster(bytes);
    this.#isRead = await readCursor(this.membership.store) !== undefined;
  }

  async follow(): Promise<Pause | undefined> {
    try {
      await this.#followOn();
      return undefined;
    } catch (error) {
      const paused = pauseOf(error);
      if (paused === undefined) throw error;
      return paused;
    }
  }

  shown(): Omit<AbroadAlbum, "paused"> {
    const { id, serverId, entry } = this.membership;
    const reading = this.#reading;
    const rows = newestFirst([...this.index.rows()].filter(isShown));
    return {
      id,
      serverId,
      owner: `${entry.owner}@${serverId}`,
      title: this.#info?.title,
      members: this.#roster?.members.length ?? 0,
      doubt: this.#doubt,
      isSmall: this.#isSmall(),
      rows: rows.map((row) => this.#shownAs(row)),
      reading: this.#isSmall()
        ? smallReading(reading, (assetId) => this.#rowOf(assetId))
        : reading,
    };
  }

  /** Follows it in the order in which a host is believed. */
  async #followOn(): Promise<void> {
    await this.#agreeOnProtocol();
    await this.#token.renewInTime();
    await this.#takeRoster();
    await this.#takeScope();
    // Before the feed, which goes no further while there are too many that
    // could not be opened.
    await takeDue(this.#following);
    await followFeed(this.#following);
    this.#isRead = true;
    await orAsHeld(this.library.trust.settle());
  }

  /** Speaks the newest protocol that both know; either may be updated. */
  async #agreeOnProtocol(): Promise<void> {
    const { id, serverId } = this.membership;
    const info = await serverOf(this.library, id, this.#client);
    const protocol = protocolWith(info.protocol_version);
    if (protocol === this.note.held.protocol) return;
    const { platform } = this.library.vault.session;
    this.#client = clientOf(platform, serverId, protocol);
    await this.note.change({ protocol });
  }

  /**
   * Fetches the roster, which counts if it takes nothing back of what this
   * account's devices have seen. Throws DocumentError.
   */
  async #takeRoster(): Promise<void> {
    const { platform } = this.library.vault.session;
    const { albumId, store } = this.membership;
    const bytes = await this.#following.calls.roster(albumId);
    const seen = this.#remembered();
    const sha256 = sha256Hex(bytes);
    const checked = await verifyRoster(bytes, this.#ownerKey, platform.hybrid);
    const shown = { ...checked, sha256 };
    assertNotTakenBack(shown, seen);
    await this.#openRoster(bytes);
    await this.#remember(shown, seen);
    await this.note.change({ roster: toBase64(bytes) });
    this.#doubt = await checkHostLog(
      { client: this.#client, platform, store },
      {
        albumId,
        version: checked.roster_version,
        sha256,
        pinned: newestKey(this.#pinnedKeys()),
      },
    );
  }

  /** What devices have seen; throws where the owner has another identity. */
  #remembered(): SeenAlbum {
    const seen = this.membership.seen();
    if (seen?.anchor === keyId(this.#ownerKey)) return seen;
    throw new DocumentError("the album's owner has another identity by now");
  }

  /** Notes a roster that is newer, for all devices. */
  async #remember(shown: ShownRoster, seen: SeenAlbum): Promise<void> {
    if (shown.roster_version <= seen.roster_version) return;
    const { albumId, serverId } = this.membership;
    const of = { server_id: serverId, album_id: albumId };
    await this.library.trust.change((record) =>
      withAlbumAbroad(record, of, {
        ...abroadOf(record, serverId, albumId) ?? seen,
        roster_version: shown.roster_version,
        amk_epoch: shown.amk_epoch,
        roster: shown.sha256,
      })
    );
  }

  #pinnedKeys(): Readonly<Record<string, number>> {
    const { record } = this.library.trust;
    return record.abroad?.[this.membership.serverId]?.keys ?? {};
  }

  /** Verifies a roster and opens the keys in it. Throws DocumentError. */
  async #openRoster(bytes: Bytes): Promise<void> {
    const { identity, session: { platform } } = this.library.vault;
    const { albumId, entry } = this.membership;
    const next = await verifyRoster(bytes, this.#ownerKey, platform.hybrid);
    if (next.album_id !== albumId || next.owner !== entry.owner) {
      throw new DocumentError("the roster is another album's");
    }
    const given = await openAlbum(
      next,
      entry.member,
      identity.sealing,
      primitivesOf(platform),
    );
    if (given === undefined) {
      throw new DocumentError("the list of members no longer names you");
    }
    this.#roster = next;
    this.#keys = given.keys;
    this.#info = given.info;
  }

  /** With another scope the server lists other blobs of the same photos. */
  async #takeScope(): Promise<void> {
    const { scope } = this.membership.entry;
    if ((this.note.held.scope ?? "read") === scope) return;
    this.#isRead = false;
    await this.index.commit([cursorChange(undefined)]);
    await this.note.change({ scope });
  }

  /** What opens the album's photos, with the keys and authors of its roster. */
  #opener(vault: Reader, calls: CapabilityCalls): RowOpener {
    const { store, entry } = this.membership;
    return {
      vault,
      keys: {
        keysOf: () =>
          Promise.resolve(
            [...this.#keys].map(([epoch, amk]) => ({ epoch, amk }))
              .toSorted((a, b) => b.epoch - a.epoch),
          ),
        newestOf: () =>
          Promise.reject(new DocumentError("you can only see this album")),
      },
      blob: (assetId, blob) => readSmallBlob(calls, assetId, blob),
      anchorOf: anchorsOf({ store, calls }, {
        owner: entry.owner,
        ownerKey: this.#ownerKey,
        named: () => this.#info?.anchors ?? {},
      }),
      mayAdd: (album, author, epoch) => this.#mayAdd(album, author, epoch),
      isSmall: () => this.#isSmall(),
    };
  }

  #mayAdd(album: string, author: string, epoch: number): boolean {
    const roster = this.#roster;
    if (album !== this.membership.albumId || roster === undefined) return false;
    if (author === roster.owner) return true;
    const role = rolesOf(roster).get(author);
    if (role !== undefined) return role === "contributor";
    return !this.#isRead && epoch < roster.amk_epoch;
  }

  #isSmall(): boolean {
    return this.membership.entry.scope === "read-derivative-only";
  }

  #shownAs(row: Row): Row {
    if (!this.#isSmall()) return row;
    const small = this.#smallRows.get(row) ?? asSmall(row);
    this.#smallRows.set(row, small);
    return small;
  }

  #rowOf(assetId: string): Row {
    const row = this.index.get(assetId);
    if (row !== undefined) return row;
    throw new DocumentError(`${assetId} is not in the album`);
  }
}

/** What the account's devices have seen of an album. */
type SeenAlbum = NonNullable<ReturnType<Membership["seen"]>>;

/** A roster that a host shows. */
type ShownRoster =
  & Pick<Roster, "roster_version" | "amk_epoch">
  & { readonly sha256: string };

/** Throws for a roster that is older than before, or another of its number. */
function assertNotTakenBack(shown: ShownRoster, seen: SeenAlbum): void {
  const { roster_version: version, amk_epoch: epoch, sha256 } = shown;
  const { told_version = 0, told_epoch = 0, told_roster } = seen;
  const isOlder = version < Math.max(seen.roster_version, told_version) ||
    epoch < Math.max(seen.amk_epoch, told_epoch);
  if (isOlder) {
    throw new DocumentError(
      "the server shows an older list of members than before",
    );
  }
  const isOther = (version === seen.roster_version && sha256 !== seen.roster) ||
    (version === told_version && sha256 !== told_roster);
  if (isOther) {
    throw new DocumentError(
      "the server showed two lists of members of the same number",
    );
  }
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

/** The `key_id` of the key whose time began last. */
function newestKey(keys: Readonly<Record<string, number>>): string {
  const [newest] = Object.entries(keys).toSorted(([, a], [, b]) => b - a);
  return newest?.[0] ?? "";
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
