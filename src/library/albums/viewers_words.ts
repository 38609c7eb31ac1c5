/**
 * What viewers of an album said: the owner's programs store it, and everyone
 * verifies that the viewer signed it
 * (protocol/client-cryptography.md#what-viewers-say).
 *
 * @module
 */
import { fromBase64 } from "../../core/bytes.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { openAlbumRemark } from "../../client/documents/album_remark.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import type { Row, SaidByViewer } from "../rows/rows.ts";

type Judging = Pick<Library, "index" | "people" | "vault">;

/** How long someone is not asked for whose identity is not known here (ms). */
const PAUSE_MS = 10 * MINUTE_MS;

interface Judge {
  /** One at a time. */
  going?: Promise<void> | undefined;
  /** By user ids, until when they are not asked for (ms). */
  readonly unknown: Map<string, number>;
}
const judges = new WeakMap<Library["index"], Judge>();

/**
 * Verifies what viewers said that this device has not verified yet, and notes
 * it in the rows (`said`). What its author did not sign is dropped. Of someone
 * whose identity is not known now it is tried again later.
 */
export async function verifyViewersWords(library: Judging): Promise<void> {
  const { index } = library;
  const judge: Judge = judges.get(index) ?? { unknown: new Map() };
  judges.set(index, judge);
  await judge.going;
  judge.going ??= verifyAll(library, judge.unknown)
    .finally(() => judge.going = undefined);
  await judge.going;
}

async function verifyAll(
  library: Judging,
  unknown: Map<string, number>,
): Promise<void> {
  const { index } = library;
  let isChanged = false;
  for (const row of index.apart()) {
    const { metadata, fault, state } = row;
    const isDue = metadata?.signed !== undefined && fault === undefined &&
      state === "live";
    if (!isDue) continue;
    let said: SaidByViewer | "later" | undefined;
    try {
      said = await wordsOf(library, row, unknown);
    } catch (error) {
      // Without a connection, what was verified before is shown.
      if (!isOfEverything(error)) throw error;
      break;
    }
    if (said === "later" || index.get(row.id) !== row) continue;
    const { signed: _, ...rest } = metadata;
    index.put({
      ...row,
      metadata: rest,
      ...(said === undefined ? {} : { said }),
    });
    isChanged = true;
  }
  if (isChanged) await index.commit();
}

/** What a viewer signed; undefined if it does not count. */
async function wordsOf(
  { people, vault: { session: { platform } } }: Judging,
  { metadata, album }: Row,
  unknown: Map<string, number>,
): Promise<SaidByViewer | "later" | undefined> {
  try {
    const bytes = fromBase64(metadata?.signed ?? "") ?? new Uint8Array();
    const opened = openAlbumRemark(bytes);
    if (platform.now() < (unknown.get(opened.author) ?? 0)) return "later";
    let anchor: Uint8Array;
    try {
      anchor = await people.anchorOf(opened.author);
    } catch (error) {
      if (isOfEverything(error)) throw error;
      unknown.set(opened.author, platform.now() + PAUSE_MS);
      return "later";
    }
    const { album_id, author, id, on, of, at, text } = await opened.verified(
      anchor,
      platform.hybrid,
    );
    if (album_id !== album || on === undefined || of === undefined) {
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
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
