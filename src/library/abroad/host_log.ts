/**
 * The public log of keys of another server
 * (protocol/albums-abroad.md#the-public-log): once a day a member looks whether
 * the roster that they were shown is the one that everybody can see there.
 *
 * @module
 */
import * as z from "zod/mini";
import { fromBase64, toBase64 } from "../../core/bytes.ts";
import { DAY_MS } from "../../core/time.ts";
import { followSuccession } from "../../crypto/succession.ts";
import type { Client } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import type { LibraryPlatform } from "../base/platform.ts";
import type { Store } from "../base/store.ts";
import { albumSubject, readEntry } from "../logs/log_entries.ts";
import {
  entriesFrom,
  fetchNote,
  LogTiles,
  openHead,
  type SignedHead,
  WrongTiles,
} from "../logs/log_reading.ts";

const PLACE = { space: "albums", key: "log" } as const;
/** So many entries are looked through at a time, the newest ones. */
const MOST_ENTRIES = 50_000;
/** A clock that was set looks like more time than this between two looks. */
const LONGEST_MS = 2 * DAY_MS;

const seenSchema = z.object({
  /** When the log was looked at (ms). */
  at: z.number(),
  /** The newest checkpoint that was seen. */
  head: z.optional(z.object({
    origin: z.string(),
    size: z.int().check(z.gte(0)),
    root: z.base64(),
  })),
  /** Where a roster of the album was found last. */
  from: z.int().check(z.gte(0)),
  /** The version that is not in the log yet, and since when (ms). */
  missing: z.optional(z.object({
    version: z.int(),
    since: z.number(),
    /** `since` was put off: more than {@link LONGEST_MS} had passed. */
    put_off: z.optional(z.literal(true)),
  })),
});
type Seen = z.infer<typeof seenSchema>;

/** A roster that was shown. */
interface ShownRoster {
  readonly albumId: string;
  readonly version: number;
  readonly sha256: string;
  /** The `key_id` of an attestation key that the server is known by. */
  readonly pinned: string;
}

/**
 * Looks into the log, unless that was done today. Throws a DocumentError if the
 * log has another roster of that version or none for a day, or contradicts what
 * was seen of it. Returns a doubt, as a text for people: a log that was seen is
 * gone, which an operator may also have turned off.
 */
export async function checkHostLog(
  { client, platform, store }: {
    readonly client: Client;
    readonly platform: LibraryPlatform;
    readonly store: Store;
  },
  shown: ShownRoster,
): Promise<string | undefined> {
  const now = platform.now();
  const value = await store.get(PLACE.space, PLACE.key);
  const before: Seen = value === undefined
    ? { at: 0, from: 0 }
    : decodeJson(seenSchema, value, "log of another server");
  // By this device's clock, which may have been ahead.
  if (Math.abs(now - before.at) < DAY_MS) return undefined;
  const asking = { account: { pause: platform.wait }, client };
  const note = await fetchNote(asking, "keys");
  if (note === undefined) {
    // A server may have none.
    return before.head === undefined
      ? undefined
      : "its server no longer shows its public log";
  }
  const published = await client.attestationKeys();
  const followed = await followSuccession(published, shown.pinned);
  const head = followed === undefined
    ? undefined
    : await openHead("keys", note, followed.published);
  if (head === undefined) {
    throw new DocumentError("its server's public log is not signed by it");
  }
  try {
    const after = await look(asking, head, before, shown, now);
    const bytes = encodeJson(seenSchema, after, "log of another server");
    await store.write([{ ...PLACE, value: bytes }]);
    return undefined;
  } catch (error) {
    if (!(error instanceof WrongTiles)) throw error;
    throw new DocumentError(
      `its server's public log contradicts itself: ${error.message}`,
      { cause: error },
    );
  }
}

async function look(
  asking: Parameters<typeof entriesFrom>[0],
  head: SignedHead,
  before: Seen,
  shown: ShownRoster,
  now: number,
): Promise<Seen> {
  const tiles = new LogTiles(asking, head);
  // After a restore a server starts a new log.
  const isSame = before.head?.origin === head.origin;
  if (isSame && before.head !== undefined) {
    const root = fromBase64(before.head.root) ?? new Uint8Array();
    const { size } = before.head;
    const follows = size <= head.size &&
      (size === 0 || (await tiles.follows({ size, root })).ok);
    if (!follows) {
      throw new DocumentError(
        "its server took back what was in its public log",
      );
    }
  }
  const start = Math.max(isSame ? before.from : 0, head.size - MOST_ENTRIES);
  const seen = {
    at: now,
    head: {
      origin: head.origin,
      size: head.size,
      root: toBase64(head.root),
    },
  };
  const subject = albumSubject(shown.albumId);
  for await (const { index, entry, hash } of entriesFrom(asking, head, start)) {
    const said = readEntry(entry);
    const isIt = said?.kind === "roster" && said.subject === subject &&
      said.version === shown.version;
    if (!isIt) continue;
    if (!await tiles.includes({ index, hash })) {
      throw new WrongTiles(`entry ${index} is not in it`);
    }
    if (said.sha256 !== shown.sha256) {
      throw new DocumentError(
        "the list of members is not the one in its server's public log",
      );
    }
    return { ...seen, from: index };
  }
  const from = isSame ? before.from : 0;
  const isWhole = start === from;
  const { version } = shown;
  const held = before.missing?.version === version ? before.missing : undefined;
  const isPutOff = held?.put_off === true;
  // This device's clock may have been behind: that brings no alarm, but puts it
  // off once, because someone may also look that rarely.
  const isLong = held !== undefined && now - before.at > LONGEST_MS;
  // Or it was ahead: that delays none.
  const since = held === undefined || isLong && !isPutOff
    ? now
    : Math.min(held.since, now);
  if (isWhole && now - since >= DAY_MS) {
    throw new DocumentError(
      "the list of members is not in its server's public log",
    );
  }
  const putOff = isPutOff || isLong ? { put_off: true } as const : {};
  return { ...seen, from, missing: { version, since, ...putOff } };
}
