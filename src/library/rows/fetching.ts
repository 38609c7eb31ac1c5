/**
 * Fetching assets that the feed told of, or that are asked for again. A fault
 * of one asset becomes the fault of its row and never holds up another.
 *
 * @module
 */
import type { FullAsset } from "../../wire/answers/assets.ts";
import { persist } from "../../client/api/send.ts";
import { chunks } from "../../core/chunks.ts";
import { isOfEverything } from "../base/faults.ts";
import { type Opener, putFresh } from "./opening.ts";
import { inParallel } from "../base/parallel.ts";
import {
  foundInTrash,
  goneAtServer,
  type LossContext,
  type LossReport,
} from "./losses.ts";
import { isDue } from "./rows.ts";

/**
 * Assets in one request: as many as the server takes, because it limits the
 * number of requests (120 a minute).
 */
const QUERY_ASSETS = 500;
/**
 * Assets in a new device's first request, which comes alone: they are shown
 * while the others come. They are the newest of the first page of the feed,
 * which begins with the oldest: of a library of more than one page, the newest
 * photos come with the last page.
 */
const FIRST_ASSETS = 48;
/** Requests at a time. */
const AT_ONCE = 4;
/** Assets that one pass asks for again. */
const MOST_RETRIED = 1_000;

/** Fetches assets and puts their rows. */
export async function fetchInto(
  context: LossContext,
  wanted: ReadonlyMap<string, string | undefined>,
  report: LossReport,
  onProgress?: (rows: number) => void,
): Promise<void> {
  const { index, opener } = context;
  const found = new Set<string>();
  const has = {
    some: index.size > 0,
    one: (id: string) => index.get(id) !== undefined,
  };
  await fetchAssets(opener, wanted, has, async (assets) => {
    for (const asset of assets) {
      if (!wanted.has(asset.asset_id)) continue;
      found.add(asset.asset_id);
      const id = asset.asset_id;
      const before = index.get(id);
      await putFresh(opener, index, asset);
      await foundInTrash(context, id, before, report);
    }
    onProgress?.(index.size);
  });
  const left = [...wanted.keys()].filter((id) => !found.has(id));
  await inParallel(left, AT_ONCE, (id) => leftOut(context, id, report));
}

/**
 * Handles an asset that an answer left out. Someone else's is gone or no
 * longer accessible. An own one is asked for by itself: it stays as a row
 * unless this account deleted it.
 */
async function leftOut(
  context: LossContext,
  id: string,
  report: LossReport,
): Promise<void> {
  const { index, opener } = context;
  const { account, userId } = opener.vault.session;
  const row = index.get(id);
  if (row === undefined) return;
  if (row.owner !== userId) return index.remove(id);
  try {
    const asset = await persist(account, () => account.asset(id), {});
    await putFresh(opener, index, asset);
    return await foundInTrash(context, id, row, report);
  } catch (error) {
    if (isOfEverything(error)) throw error;
  }
  const now = index.get(id);
  if (now?.seq !== row.seq || now.state !== row.state) return;
  await goneAtServer(context, row, report);
}

/**
 * Asks again for assets that did not open or were not there, when it is due;
 * with `allMissing`, for every missing one.
 */
export async function retryDue(
  context: LossContext,
  report: LossReport,
  allMissing = false,
): Promise<void> {
  const { index, opener } = context;
  const now = opener.vault.session.platform.now();
  const due = [...index.all()].filter((row) =>
    isDue(row, now) || (allMissing && row.state === "missing")
  );
  if (due.length === 0) return;
  const wanted = new Map(
    due.slice(0, MOST_RETRIED).map(({ id, album }) => [id, album]),
  );
  await fetchInto(context, wanted, report);
  await index.commit();
}

/**
 * Fetches assets with their metadata and passes on each answer as it comes, so
 * that a new device shows the first ones before it asks for the last. Assets
 * that cannot be read are left out.
 */
async function fetchAssets(
  { vault }: Opener,
  wanted: ReadonlyMap<string, string | undefined>,
  /** What the index has before. */
  has: {
    readonly some: boolean;
    readonly one: (assetId: string) => boolean;
  },
  came: (assets: readonly FullAsset[]) => Promise<void>,
): Promise<void> {
  const { account } = vault.session;
  const isOthers = (album: string | undefined) =>
    album !== undefined && album !== vault.libraryAlbumId;
  // In albums where others write, the manifest says who the author is; of a
  // photo that was seen before, that it is no older version.
  const proven: string[] = [];
  const plain: string[] = [];
  for (const [id, album] of wanted) {
    (isOthers(album) || has.one(id) ? proven : plain).push(id);
  }
  // The newest ones are last in a page of the feed.
  const first = has.some ? [] : plain.splice(-FIRST_ASSETS);
  // Where it saves a request, the last ones come with manifests that they need
  // not have.
  const spare = plain.length % QUERY_ASSETS;
  const proofs = proven.length % QUERY_ASSETS;
  if (proofs > 0 && spare + proofs <= QUERY_ASSETS) {
    proven.push(...plain.splice(plain.length - spare, spare));
  }
  const groups = [
    ...groupsOf(plain, ["metadata"]),
    ...groupsOf(proven, ["metadata", "provenance"]),
  ];
  /** An answer that cannot be read costs the others nothing. */
  const askFor = async (
    ids: readonly string[],
    include: readonly ("metadata" | "provenance")[],
  ): Promise<void> => {
    const ask = () => account.queryAssets(ids, include);
    let assets: readonly FullAsset[];
    try {
      assets = await persist(account, ask, {});
    } catch (error) {
      if (isOfEverything(error)) throw error;
      if (ids.length === 1) return;
      const half = Math.ceil(ids.length / 2);
      await askFor(ids.slice(0, half), include);
      return await askFor(ids.slice(half), include);
    }
    await came(assets);
  };
  if (first.length > 0) await askFor(first, ["metadata"]);
  await inParallel(
    groups,
    AT_ONCE,
    ({ ids, include }) => askFor(ids, include),
  );
}

function groupsOf(
  ids: readonly string[],
  include: readonly ("metadata" | "provenance")[],
) {
  return [...chunks(ids, QUERY_ASSETS)].map((ids) => ({ ids, include }));
}
