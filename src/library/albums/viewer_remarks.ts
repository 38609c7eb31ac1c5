/**
 * What viewers of an album said: the owner's programs store it, and everyone
 * verifies that the viewer signed it
 * (protocol/client-cryptography.md#what-viewers-say).
 *
 * @module
 */
import { fromBase64 } from "../../core/bytes.ts";
import { MINUTE_MS } from "../../core/time.ts";
import {
  openAlbumRemark,
  type OpenedRemark,
} from "../../client/documents/album_remark.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import type { Row, SaidByViewer } from "../rows/rows.ts";

type Judging = Pick<Library, "albums" | "index" | "people" | "vault">;

/** How long something is not tried again that could not be verified (ms). */
const PAUSE_MS = 10 * MINUTE_MS;
/** What is verified in one round, unless it is of one person. */
const MOST_AT_ONCE = 100;

interface Judge {
  /** One round after the other. */
  last: Promise<void>;
  /** By user ids, until when someone unknown is not asked for (ms). */
  readonly unknown: Map<string, number>;
  /** Until when a row is not tried again (ms). */
  readonly later: WeakMap<Row, number>;
}
const judges = new WeakMap<Library["index"], Judge>();

/** What is verified; without either, any of it. */
interface Which {
  /** What is of this photo. */
  readonly photoId?: string | undefined;
  /** All that this account said in this album, which it leaves. */
  readonly leavesAlbum?: string;
}

/**
 * Verifies some of what album owners stored as words of viewers and this device
 * has not verified yet, and notes it in the rows (`said`). What does not verify
 * is tried again later: this device may learn of another identity.
 */
export async function verifyViewerRemarks(
  library: Judging,
  which: Which = {},
): Promise<void> {
  const { index } = library;
  const judge: Judge = judges.get(index) ??
    { last: Promise.resolve(), unknown: new Map(), later: new WeakMap() };
  judges.set(index, judge);
  const round = judge.last.then(() => verifySome(library, judge, which));
  judge.last = round.catch(() => {});
  await round;
}

async function verifySome(
  library: Judging,
  judge: Judge,
  { photoId, leavesAlbum }: Which,
): Promise<void> {
  const { index, vault: { session: { platform, userId } } } = library;
  const due = dueIn(library, judge);
  const now = leavesAlbum === undefined
    ? due.filter(({ opened: { said } }) =>
      photoId === undefined || said.on === photoId
    ).slice(0, MOST_AT_ONCE)
    : due.filter(({ row, opened: { said } }) =>
      row.album === leavesAlbum && said.author === userId
    );
  let isChanged = false;
  for (const { row, metadata, opened } of now) {
    let said: SaidByViewer | "later" | undefined;
    try {
      said = await wordsOf(library, row, opened, judge.unknown);
    } catch (error) {
      // Without a connection, what was verified before is shown.
      if (!isOfEverything(error)) throw error;
      break;
    }
    if (index.get(row.id) !== row) continue;
    if (said === "later" || said === undefined) {
      const until = said === undefined ? Infinity : platform.now() + PAUSE_MS;
      judge.later.set(row, until);
      continue;
    }
    const { signed: _, ...rest } = metadata;
    index.put({ ...row, metadata: rest, said });
    isChanged = true;
  }
  if (isChanged) await index.commit();
}

interface Due {
  readonly row: Row;
  readonly metadata: Metadata;
  readonly opened: OpenedRemark;
}

/** What is to be verified. Only the owner of an album stores what counts. */
function dueIn(
  { albums, index, vault: { session: { platform } } }: Judging,
  { later }: Judge,
): readonly Due[] {
  return index.apart().flatMap((row) => {
    const { album = "", fault, metadata, owner, state } = row;
    const isDue = metadata?.signed !== undefined && fault === undefined &&
      state === "live" && owner === albums.get(album)?.owner &&
      (later.get(row) ?? 0) <= platform.now();
    if (!isDue) return [];
    try {
      const bytes = fromBase64(metadata.signed ?? "") ?? new Uint8Array();
      return [{ row, metadata, opened: openAlbumRemark(bytes) }];
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      later.set(row, Infinity);
      return [];
    }
  });
}

/**
 * What a viewer signed; undefined if they did not sign it for this album,
 * `later` if this device cannot tell now.
 */
async function wordsOf(
  { people, vault: { session: { platform } } }: Judging,
  row: Row,
  opened: OpenedRemark,
  unknown: Map<string, number>,
): Promise<SaidByViewer | "later" | undefined> {
  if (platform.now() < (unknown.get(opened.said.author) ?? 0)) return "later";
  let anchor: Uint8Array;
  try {
    anchor = await people.anchorOf(opened.said.author);
  } catch (error) {
    if (isOfEverything(error)) throw error;
    unknown.set(opened.said.author, platform.now() + PAUSE_MS);
    return "later";
  }
  try {
    const { album_id, author, id, on, of, at, text } = await opened.verified(
      anchor,
      platform.hybrid,
    );
    if (album_id !== row.album || on === undefined || of === undefined) {
      return undefined;
    }
    return {
      by: author,
      id,
      on,
      of,
      at,
      ...(text === undefined ? {} : { text }),
    };
  } catch (error) {
    if (error instanceof DocumentError) return "later";
    throw error;
  }
}
