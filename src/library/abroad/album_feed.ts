/**
 * Reading the feed of an album of another server
 * (protocol/albums-abroad.md#reading), within what a host can have this device
 * store.
 *
 * @module
 */
import { DAY_MS } from "../../core/time.ts";
import {
  ApiProblem,
  type CapabilityCalls,
  UnexpectedAnswer,
} from "../../client/api/api.ts";
import { persist } from "../../client/api/send.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { Store } from "../base/store.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import {
  type Cursor,
  cursorChange,
  expectEnd,
  PAGE_ENTRIES,
  readCursor,
} from "../rows/cursor.ts";
import { putFresh, type RowOpener } from "../rows/opening.ts";
import type { Reader } from "../rows/pull.ts";
import { isDue, isUnopened } from "../rows/rows.ts";

const ASSETS_AT_ONCE = 500;
const RESTORES = 2;
/** What a host can have this device store of an album. */
const MOST_ROWS = 100_000;
/** Rows that do not open: a host can make them up. */
const MOST_UNOPENED = 1_000;
const MOST_BLOBS = 1_000;
/** Pages of the feed that are read at once. */
const MOST_PAGES = 1_000;

/** What reading the feed works with. */
export interface Following {
  readonly albumId: string;
  readonly calls: CapabilityCalls;
  readonly index: AssetIndex;
  readonly opener: RowOpener;
  readonly store: Store;
  readonly vault: Reader;
}

/**
 * Opens photos again that could not be opened, when it is time to try again;
 * some of them at a time.
 */
export async function takeDue(following: Following): Promise<void> {
  const { index, vault: { session } } = following;
  const now = session.platform.now();
  const due = [...index.all()].filter((row) => isDue(row, now));
  await takeAssets(
    following,
    due.slice(0, ASSETS_AT_ONCE).map((row) => row.id),
  );
  await index.commit();
}

/**
 * Follows the album's feed to its end. Once a day that is from its beginning: a
 * host may have led this device past some entries, or left photos out.
 */
export async function followFeed(following: Following): Promise<void> {
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
        throw new UnexpectedAnswer(410, "a feed that starts over endlessly");
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
