/**
 * The albums as this device last saw them. Their rosters are verified against
 * pinned identities and never replaced by older ones.
 *
 * @module
 */
import { type Bytes, equalBytes } from "../../core/bytes.ts";
import type { AlbumEntry } from "../account_answers.ts";
import { type AlbumInfo, openAlbum } from "../album_keys.ts";
import { ApiProblem } from "../api.ts";
import { DocumentError } from "../fields.ts";
import { type Roster, verifyRoster } from "../roster.ts";
import { decodeRecord, encodeRecord, unverifiedOwner } from "./album_record.ts";
import { CustodyError } from "./faults.ts";
import type { People } from "./people.ts";
import { primitivesOf } from "./platform.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

/** An album as last seen. */
export interface HeldAlbum {
  readonly entry: AlbumEntry;
  readonly read: boolean;
  /** The signed roster, verbatim. */
  readonly bytes: Bytes | undefined;
  readonly roster: Roster | undefined;
  readonly keys: ReadonlyMap<number, Bytes>;
  readonly info: AlbumInfo | undefined;
  readonly fault: string | undefined;
}

/** The albums that this device knows. */
export interface HeldAlbums {
  readonly held: ReadonlyMap<string, HeldAlbum>;
  /** Opens a signed roster of an album and stores the album. */
  take(
    entry: AlbumEntry,
    roster: Bytes | undefined,
    read: boolean,
  ): Promise<void>;
  keep(album: HeldAlbum): Promise<void>;
  drop(albumId: string): Promise<void>;
  /**
   * Fetches an album's roster if it may have changed; true if it has. Throws a
   * CustodyError if it is older than the one seen before.
   */
  renew(entry: AlbumEntry): Promise<boolean>;
}

/** Reads the albums that are recorded in a store. */
export async function openHeldAlbums(
  vault: Vault,
  people: People,
  store: Store,
): Promise<HeldAlbums> {
  const { session, identity } = vault;
  const { account, platform, userId } = session;
  const primitives = primitivesOf(platform);
  const held = new Map<string, HeldAlbum>();

  const opened = async (
    entry: AlbumEntry,
    bytes: Bytes | undefined,
    read: boolean,
  ): Promise<HeldAlbum> => {
    const bare = { entry, read, bytes, info: undefined };
    const none = { ...bare, roster: undefined, keys: new Map() };
    if (bytes === undefined) {
      return { ...none, fault: undefined };
    }
    try {
      const roster = await verified(entry, bytes);
      const album = openAlbum(
        roster,
        userId,
        identity.sealing.secretKey,
        primitives,
      );
      if (album === undefined) {
        return { ...bare, roster, keys: new Map(), fault: "it names no key" };
      }
      const { keys, info } = album;
      return { ...bare, roster, keys, info, fault: undefined };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return { ...none, fault: error.message };
    }
  };
  const verified = async (entry: AlbumEntry, bytes: Bytes): Promise<Roster> => {
    const anchor = entry.role === "owner"
      ? identity.signer.publicKey
      : await people.anchorOf(unverifiedOwner(bytes));
    const roster = await verifyRoster(bytes, anchor, platform.hybrid);
    if (roster.album_id !== entry.album_id) {
      throw new DocumentError("the roster is another album's");
    }
    return roster;
  };
  const keep = async (album: HeldAlbum): Promise<void> => {
    held.set(album.entry.album_id, album);
    const { entry, read, bytes } = album;
    const value = encodeRecord({ entry, read, roster: bytes });
    const key = entry.album_id;
    await store.write([{ space: "albums", key, value }]);
  };
  const drop = async (albumId: string): Promise<void> => {
    held.delete(albumId);
    await store.write([{ space: "albums", key: albumId, value: null }]);
  };
  for (const { value } of await store.list("albums")) {
    const { entry, roster, read } = decodeRecord(value);
    held.set(entry.album_id, await opened(entry, roster, read));
  }

  /**
   * Compares the server's present roster of an album with the one seen before.
   */
  const renew = async (entry: AlbumEntry): Promise<boolean> => {
    const before = held.get(entry.album_id);
    const known = before?.roster?.roster_version ?? 0;
    if (entry.roster_version < known) {
      throw new CustodyError(
        "roster_rolled_back",
        `album ${entry.album_id} shows roster ${entry.roster_version}, ` +
          `and showed ${known} before`,
      );
    }
    const same = before !== undefined && before.fault === undefined &&
      entry.roster_version === known;
    if (same) {
      await keep({ ...before, entry });
      return false;
    }
    const bytes = entry.roster_version === 0
      ? undefined
      : await rosterOf(entry.album_id);
    const album = await opened(entry, bytes, before?.read ?? false);
    const seen = album.roster?.roster_version;
    if (before?.roster !== undefined && seen === undefined) {
      // A roster that is not valid does not replace the one seen before.
      await keep({ ...before, entry, fault: album.fault ?? "no roster" });
      return false;
    }
    const other = seen === known && before?.bytes !== undefined &&
      bytes !== undefined && !equalBytes(bytes, before.bytes);
    const listed = Math.max(known, entry.roster_version);
    if (seen !== undefined && (seen < listed || other)) {
      throw new CustodyError(
        "roster_rolled_back",
        `album ${entry.album_id} shows another roster ${seen} than it should`,
      );
    }
    await keep(album);
    return true;
  };
  const rosterOf = async (albumId: string): Promise<Bytes | undefined> => {
    try {
      return await account.roster(albumId);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    }
  };

  return {
    held,
    keep,
    drop,
    renew,
    take: async (entry, roster, read) =>
      await keep(await opened(entry, roster, read)),
  };
}
