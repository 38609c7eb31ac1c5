/**
 * Many assets, or many of their blobs, in one request
 * (protocol/manifests.md#many-at-once): what a client asks for that follows a
 * large feed.
 *
 * @module
 */
import type { z } from "zod";
import { toBase64 } from "../../core/bytes.ts";
import type { CapabilityCaller, SessionCaller } from "../../core/caller.ts";
import { chunks } from "../../core/chunks.ts";
import { type AssetId, parseBlobHash } from "../../core/ids.ts";
import {
  type AssetBlob,
  type QueriedAsset as Queried,
  QueryResponse,
} from "../../wire/answers/assets.ts";
import { BlobsRequest, QueryRequest } from "../../wire/bodies/assets.ts";
import { type App, route } from "../app.ts";
import type { CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import { manyBlobs, type SizedBlob } from "../many_blobs.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import { seesOriginals, wireOf } from "./assets.ts";
import { heldBlobs } from "./held_blobs.ts";
import {
  type AssetWithBlobs,
  type BlobName,
  listAlbumAssets,
  listAlbumBlobs,
  listReadableAssets,
  listReadableBlobs,
} from "./many_store.ts";
import { hasLeftTrash } from "./retention.ts";

type Caller = SessionCaller | CapabilityCaller;

type QueriedAsset = z.input<typeof Queried>;

/** The number of assets that are read before other requests get a turn. */
const ASSETS_AT_ONCE = 50;
/** Blobs that the assets of one answer may list, all together. */
const LISTED_MAX = 100_000;
/** A larger blob is read by itself. */
const INCLUDED_MAX_BYTES = 64 * 1024;
/** Bytes of blobs that one answer includes; the rest are read by themselves. */
const INCLUDED_IN_ALL_BYTES = 16 * 1024 * 1024;

/** Spends one request of a budget of the caller's. */
function spend(
  call: CallBy<"reader", "error.account.rate_limited">,
  budget: "asset_query" | "asset_blobs",
): void {
  const { caller, raise } = call;
  const whose = caller.kind === "session" ? caller.userId : caller.grantId;
  const spent = charge(call, budget, [whose]);
  if (spent !== undefined) throw raise("error.account.rate_limited", spent);
}

/** The assets that were asked for and that the caller reads, as asked for. */
async function queryAssets(
  call: CallBy<
    "reader",
    "error.account.rate_limited" | "error.request.invalid"
  >,
  { asset_ids: wanted, include }: QueryRequest,
): Promise<QueriedAsset[]> {
  const { app, caller, now, raise } = call;
  spend(call, "asset_query");
  const timesAsked = Map.groupBy(wanted, (id) => id);
  const found = new Map<AssetId, QueriedAsset>();
  const room = { listed: LISTED_MAX, bytes: INCLUDED_IN_ALL_BYTES };
  const parts = [...chunks([...timesAsked.keys()], ASSETS_AT_ONCE)];
  for (const [part, some] of parts.entries()) {
    if (part > 0) await yieldToEventLoop(app);
    const assets = await listAssets(app, caller, some);
    await app.blobs.warm(smallBlobs(assets, include ?? [], room.bytes));
    for (const asset of assets) {
      if (hasLeftTrash(asset, now, app.limits.trashMs)) continue;
      const blobs = heldBlobs(asset);
      const times = timesAsked.get(asset.asset_id)?.length ?? 1;
      room.listed -= times * blobs.length;
      if (room.listed < 0) throw raise("error.request.invalid", TOO_MUCH);
      found.set(asset.asset_id, {
        ...wireOf(caller, asset, blobs),
        ...await included(app, caller, asset, { blobs, include, times, room }),
      });
    }
  }
  return wanted.flatMap((id) => found.get(id) ?? []);
}

const TOO_MUCH = {
  extra: {
    errors: [{
      path: "/asset_ids",
      message: `these hold more than ${LISTED_MAX} blobs: ask for fewer`,
    }],
  },
};

function listAssets(app: App, caller: Caller, assetIds: readonly AssetId[]) {
  return caller.kind === "session"
    ? listReadableAssets(app.db, caller.userId, assetIds)
    : listAlbumAssets(app.db, caller.albumId, assetIds);
}

/** What the answer holds of an asset's blobs, and what there is room for. */
interface Inclusion {
  readonly blobs: readonly z.output<typeof AssetBlob>[];
  readonly include: QueryRequest["include"];
  /** So often the asset was asked for. */
  readonly times: number;
  readonly room: { bytes: number };
}

/** Which blobs are about to be read, as far as there may be room for them. */
function smallBlobs(
  assets: readonly AssetWithBlobs[],
  include: NonNullable<QueryRequest["include"]>,
  room: number,
): SizedBlob[] {
  let left = include.length === 0 ? 0 : room;
  return assets.flatMap((asset) =>
    heldBlobs(asset).flatMap(({ role, hash: text, size }) => {
      const hash = parseBlobHash(text);
      const isIncluded = include.some((one) => one === role) &&
        (role === "metadata" || text === asset.chain_head);
      if (hash === undefined || !isIncluded || size > INCLUDED_MAX_BYTES) {
        return [];
      }
      left -= size;
      return left < 0 ? [] : [{ hash, size }];
    })
  );
}

/** The blobs that were asked for along with an asset, where they are small. */
async function included(
  app: App,
  caller: Caller,
  asset: AssetWithBlobs,
  { blobs, include, times, room }: Inclusion,
): Promise<Pick<QueriedAsset, "metadata" | "provenance">> {
  if (!readsBlobs(caller, asset)) return {};
  const read: Pick<QueriedAsset, "metadata" | "provenance"> = {};
  for (const role of include ?? []) {
    const blob = blobs.find((one) =>
      one.role === role &&
      (role === "metadata" || one.hash === asset.chain_head)
    );
    const hash = parseBlobHash(blob?.hash ?? "");
    if (blob === undefined || hash === undefined) continue;
    const bytes = times * blob.size;
    if (blob.size > INCLUDED_MAX_BYTES || bytes > room.bytes) continue;
    const text = await readText(app, { hash, size: blob.size });
    if (text === undefined) continue;
    room.bytes -= bytes;
    read[role] = text;
  }
  return read;
}

/** Whether a caller reads an asset's blobs: in the trash its owner alone. */
function readsBlobs(
  caller: Caller,
  { state, owner_id }: Pick<AssetWithBlobs, "state" | "owner_id">,
): boolean {
  return state === "live" ||
    (caller.kind === "session" && caller.userId === owner_id);
}

/** A small blob in base64; undefined where its file is missing or damaged. */
async function readText(
  { blobs, signals: { lostBlobs } }: App,
  { hash, size }: SizedBlob,
): Promise<string | undefined> {
  const read = await blobs.read(hash, size, 0, size - 1);
  if (read === undefined) {
    await lostBlobs.note(hash);
    return undefined;
  }
  if (read instanceof Uint8Array) return toBase64(read);
  return toBase64(new Uint8Array(await new Response(read).arrayBuffer()));
}

/** The blobs that were asked for, each where the caller may read it. */
async function findBlobs(
  { app, caller, now }: CallBy<"reader", never>,
  names: readonly BlobName[],
): Promise<(SizedBlob | undefined)[]> {
  const held = caller.kind === "session"
    ? await listReadableBlobs(app.db, caller.userId, names)
    : await listAlbumBlobs(app.db, caller.albumId, names);
  const readable = new Map(
    held.filter((blob) =>
      !hasLeftTrash(blob, now, app.limits.trashMs) &&
      readsBlobs(caller, blob) &&
      (blob.role !== "original" || seesOriginals(caller))
    ).map(({ place, size }) => [place, size]),
  );
  return names.map(({ hash }, place) => {
    const size = readable.get(place);
    return size === undefined ? undefined : { hash, size };
  });
}

export const manyRoutes = [
  route({
    operation: "queryAssets",
    anyOrigin: "capabilities",
    method: "POST",
    path: "/v1/assets/query",
    summary: "Many assets at once, with their metadata and manifests",
    credential: "reader",
    // A read, whatever its method.
    suspended: "allowed",
    body: { kind: "json", schema: QueryRequest },
    success: { 200: { kind: "json", schema: QueryResponse } },
    problems: [
      "error.account.rate_limited",
      "error.request.invalid",
    ],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: {
      assets: await queryAssets(call, body),
    },
  })),

  route({
    operation: "readAssetBlobs",
    anyOrigin: "capabilities",
    method: "POST",
    path: "/v1/assets/blobs",
    summary: "Many small blobs of assets at once",
    credential: "reader",
    suspended: "allowed",
    cacheControl: "no-store",
    body: { kind: "json", schema: BlobsRequest },
    success: {
      200: { kind: "bytes", mediaType: "application/octet-stream" },
    },
    problems: ["error.account.rate_limited"],
  }).by(async ({ body, ...call }) => {
    spend(call, "asset_blobs");
    const wanted = await findBlobs(call, body.blobs);
    const many = () => manyBlobs(call.app, wanted);
    return { status: 200, ...await many() };
  }),
];
