/**
 * The trash as a whole, and the end of what is in it
 * (protocol/manifests.md#trash): its owner lists it, ends one asset, or empties
 * it. Assets end as collection ends them, and their files go with it.
 *
 * @module
 */
import type { z } from "zod";
import { chunks } from "../../core/chunks.ts";
import { type AssetId, parseUuid } from "../../core/ids.ts";
import type { Amount } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { Parameter } from "../../http/route.ts";
import { transaction } from "../../store/sqlite/database.ts";
import {
  EmptyTrashResponse,
  type TrashedAsset,
  TrashResponse,
} from "../../wire/answers/assets.ts";
import { LIST_LIMITS, wholeParameter } from "../parameters.ts";
import type { TrashPlace } from "../trash.ts";
import { route } from "../app.ts";
import { endAsset, isFree } from "../asset_end.ts";
import type { CallBy } from "../call.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import { wireOf } from "./assets.ts";
import { heldBlobs } from "./held_blobs.ts";
import { hasLeftTrash } from "./retention.ts";
import { findReadableAsset } from "./store.ts";
import { listOwnTrash, pageOfOwnTrash, TRASH_AT_ONCE } from "./trash_store.ts";

/** Pieces of the trash that one answer looks through. */
const PIECES_MAX = 20;
/** Blobs that the assets of one answer list, all together. */
const LISTED_MAX = 100_000;
/** What one transaction ends, before others may write. */
const ASSETS_AT_ONCE = 20;

/** The caller's trash past a place: what can be restored, the oldest first. */
async function listTrash(
  { app, caller, now }: CallBy<"session", never>,
  { after, limit }: {
    readonly after: TrashPlace | undefined;
    readonly limit: number;
  },
): Promise<z.input<typeof TrashResponse>> {
  const { trashMs } = app.limits;
  const assets: z.input<typeof TrashedAsset>[] = [];
  let listed = 0;
  let last = after;
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    if (piece > 0) await yieldToEventLoop(app);
    const page = await pageOfOwnTrash(app.db, caller.userId, last);
    for (const asset of page) {
      const { deleted_at } = asset;
      const place = { deleted_at: deleted_at ?? 0, asset_id: asset.asset_id };
      const isThere = asset.withheld_at === null &&
        !hasLeftTrash(asset, now, trashMs);
      if (isThere) {
        if (assets.length === limit || listed > LISTED_MAX) {
          return { assets, ...placeToWire(last) };
        }
        const blobs = heldBlobs(asset);
        listed += blobs.length;
        const ends = place.deleted_at + trashMs;
        assets.push({
          ...wireOf(caller, asset, blobs),
          expires_at: toRfc3339(Math.max(ends, asset.retention_until ?? 0)),
        });
      }
      last = place;
    }
    if (page.length < TRASH_AT_ONCE) return { assets };
  }
  return { assets, ...placeToWire(last) };
}

function placeToWire(place: TrashPlace | undefined) {
  return place === undefined
    ? {}
    : { next_after: `${place.deleted_at}.${place.asset_id}` };
}

const PLACE = /^(\d{1,15})\.(.{36})$/;

const placeParameter: Parameter<TrashPlace | undefined> = {
  parse: (given) => {
    const [, time, id] = PLACE.exec(given) ?? [];
    const assetId = parseUuid<AssetId>(id ?? "");
    return assetId && { deleted_at: Number(time), asset_id: assetId };
  },
  schema: { type: "string" },
  description: "The next_after of the page before",
  absent: { value: undefined },
};

/**
 * Ends an asset of the caller's trash for good. Only its owner may, even if
 * another member deleted it: the owner of an album cannot end other people's
 * assets.
 */
export async function purgeAsset(
  { app, caller, now, raise }: CallBy<
    "session",
    | "error.asset.not_found"
    | "error.album.role_forbidden"
    | "error.asset.not_deleted"
    | "error.asset.retained"
    | "error.asset.held"
  >,
  assetId: AssetId,
): Promise<void> {
  const { userId } = caller;
  await transaction(app.db, async (tx) => {
    const asset = await findReadableAsset(tx, userId, assetId);
    if (asset === undefined || hasLeftTrash(asset, now, app.limits.trashMs)) {
      throw raise("error.asset.not_found");
    }
    if (asset.owner_id !== userId) throw raise("error.album.role_forbidden");
    if (asset.state !== "deleted") throw raise("error.asset.not_deleted");
    if (asset.held_at !== null) throw raise("error.asset.held");
    if ((asset.retention_until ?? 0) > now) throw raise("error.asset.retained");
    await endAsset(tx, asset, isFree(now), now);
  });
  app.signals.feedNotifier.notify();
}

/**
 * Ends all that was in an account's trash when this began, but for what is
 * kept. A few at a time: other writers have a turn between them, and nothing
 * more ends once the client is gone.
 */
async function emptyTrash(
  { app, caller, now }: CallBy<"session", never>,
  gone: AbortSignal,
): Promise<Amount> {
  const { userId } = caller;
  const free = isFree(now);
  let [ended, bytes] = [0, 0];
  let after: TrashPlace | undefined;
  while (!gone.aborted) {
    const page = await listOwnTrash(app.db, userId, { after, until: now });
    const last = page.at(-1);
    if (last === undefined) break;
    const due = page.filter((asset) =>
      !hasLeftTrash(asset, now, app.limits.trashMs) && asset.held_at === null &&
      asset.withheld_at === null && (asset.retention_until ?? 0) <= now
    );
    for (const some of chunks(due, ASSETS_AT_ONCE)) {
      if (gone.aborted) break;
      const amounts = await transaction(app.db, async (tx) => {
        const amounts = [];
        for (const asset of some) {
          amounts.push(await endAsset(tx, asset, free, now));
        }
        return amounts;
      });
      for (const amount of amounts) {
        ended += amount?.count ?? 0;
        bytes += amount?.bytes ?? 0;
      }
      app.signals.feedNotifier.notify();
    }
    after = { deleted_at: last.deleted_at ?? 0, asset_id: last.asset_id };
    await yieldToEventLoop(app);
  }
  return { count: ended, bytes };
}

export const purgingRoutes = [
  route({
    operation: "listTrash",
    method: "GET",
    path: "/v1/trash",
    summary: "The caller's trash, the oldest deletion first",
    credential: "session",
    query: {
      after: placeParameter,
      limit: wholeParameter("Assets at most", LIST_LIMITS),
    },
    success: { 200: { kind: "json", schema: TrashResponse } },
    problems: [],
  }).by(async ({ query, ...call }) => ({
    status: 200,
    json: await listTrash(call, query),
  })),

  route({
    operation: "emptyTrash",
    method: "DELETE",
    path: "/v1/trash",
    summary: "End all that is in the caller's trash and may end, for good",
    credential: "session",
    success: { 200: { kind: "json", schema: EmptyTrashResponse } },
    problems: [],
  }).by(async ({ request, ...call }) => {
    const ended = await emptyTrash(call, request.gone());
    return { status: 200, json: { assets: ended.count, bytes: ended.bytes } };
  }),
];
