/**
 * How far a device has followed the feed, and what a page must be for it to go
 * on (protocol/feed.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import {
  type Account,
  ApiProblem,
  UnexpectedAnswer,
} from "../../client/api/api.ts";
import { persist } from "../../client/api/send.ts";
import type { FeedPage } from "../../client/api/asset_calls.ts";
import { checked } from "../../client/documents/fields.ts";
import type { Store, StoreChange } from "../base/store.ts";

const CURSOR = "cursor";
/** Pages without entries in a row; a server looks through many for each. */
const MOST_BLANK = 200;
const cursorSchema = z.object({
  epoch: z.string(),
  after: z.int().check(z.gte(0)),
  /** Set while the feed is read from its beginning. */
  whole: z.optional(z.boolean()),
  /** Set while everything is checked again because the feed is new. */
  recheck: z.optional(z.boolean()),
  /** When the feed was last read from its beginning (ms). */
  whole_at: z.optional(z.number()),
});
/** A position in the feed of a server. */
export type Cursor = z.infer<typeof cursorSchema>;

/**
 * Makes a check of each page after `after`: only a server that lies goes on
 * without going forward, or without ever having an entry.
 */
export function expectEnd(): (page: FeedPage, after: number) => void {
  let blank = 0;
  return ({ entries, more, next_after }, after) => {
    blank = entries.length === 0 ? blank + 1 : 0;
    const isEndless = blank > MOST_BLANK || (more && next_after <= after);
    if (isEndless) throw new UnexpectedAnswer(200, "a feed without an end");
  };
}

/** Entries in one page. */
export const PAGE_ENTRIES = 1_000;

/** The page after a position; `restored` if the server's feed is a new one. */
export async function pageAfter(
  account: Account,
  cursor: Cursor | undefined,
  wait: number | undefined,
): Promise<FeedPage | "restored"> {
  const epoch = cursor === undefined || cursor.epoch === ""
    ? {}
    : { epoch: cursor.epoch };
  const query = {
    after: cursor?.after ?? 0,
    limit: PAGE_ENTRIES,
    ...epoch,
    ...(wait === undefined ? {} : { wait }),
    // A device that knows nothing yet needs only the newest entries.
    ...(cursor === undefined || cursor.whole === true ? { latest: true } : {}),
  };
  try {
    const page = await persist(account, () => account.feed(query), {});
    const changed = epoch.epoch !== undefined &&
      page.feed_epoch !== epoch.epoch;
    return changed ? "restored" : page;
  } catch (error) {
    const restored = error instanceof ApiProblem &&
      error.code === "error.sync.epoch_changed";
    if (!restored) throw error;
    return "restored";
  }
}

/** The change that stores a position, or forgets it. */
export function cursorChange(cursor: Cursor | undefined): StoreChange {
  const value = cursor === undefined ? null : utf8(JSON.stringify(cursor));
  return { space: "index", key: CURSOR, value };
}

/** How far the feed was followed. */
export async function followedTo(store: Store): Promise<number> {
  return (await readCursor(store))?.after ?? 0;
}

/** The stored position; undefined before the first pass. */
export async function readCursor(store: Store): Promise<Cursor | undefined> {
  const value = await store.get("index", CURSOR);
  if (value === undefined) return undefined;
  const json: unknown = JSON.parse(fromUtf8(value) ?? "null");
  return checked(cursorSchema, json, "sync cursor");
}
