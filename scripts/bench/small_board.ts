/**
 * An evening on a small board: the server has one core, 512 MiB and a disk
 * whose every sync takes 20 ms more. Five phones of five people back up 200
 * photographs of 3 MB each, with a thumbnail, metadata and a signed manifest,
 * while two viewers scroll a share of 500; then the same without the delay.
 * `--photos 20` makes a short run of it, and the folder of another checkout
 * has that version do the same in the same run:
 *
 *     git worktree add ../before <commit>
 *     deno task bench board --photos 20 ../before
 *
 * @module
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "../../src/client/api/api.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { becomeOwner, type Owner } from "../demo/owner.ts";
import { type RunningServer, startServer } from "../demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import { randomBytes } from "../demo/staging.ts";
import { type Board, openBoard, turnsOf } from "./board.ts";
import { backUp, newPhotos, PHOTO_BYTES } from "./board_photos.ts";
import type { Scrolled } from "./board_viewers.ts";
import { slowSyncs } from "./slow_sync.ts";
import {
  MIB,
  peakMib,
  quantile,
  requireFreeDisk,
  say,
  withScratch,
} from "./support.ts";

const PHONES = 5;
const PHOTOS = 200;
const SHARED = 500;
/** Size of an original in the share, which is never read. */
const SHARED_BYTES = 1_000;
/** Photographs of the share that are sent at a time. */
const SHARING = 8;
const MEMORY_BYTES = 512 * MIB;
const PEAK_MIB = 200;
const DELAYS_MS = [20, 0];

/** Keeps small photographs and shares their thumbnails; returns the paths. */
async function share(owner: Owner): Promise<readonly string[]> {
  const photos = await newPhotos(owner, SHARED, SHARED_BYTES);
  const left = photos.values();
  await Promise.all(
    Array.from({ length: SHARING }, () => backUp(owner, left)),
  );
  const serves = photos.flat()
    .filter(({ request }) => request.role === "derivative")
    .map(({ request }) => request.hash);
  const opaqueId = sha256Hex(randomBytes(32)).slice(0, 32);
  await owner.account.issueShare({
    opaqueId,
    // The index is not opened here, so any blob will do.
    metadataHash: serves[0] ?? "",
    serves,
  });
  return serves.map((hash) => `/s/${opaqueId}/blob/${hash}`);
}

/** Lets viewers scroll while `work` is done; returns their reads (ms, sorted). */
async function viewDuring(
  scrolled: Scrolled,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const viewers = new Worker(new URL("board_viewers.ts", import.meta.url), {
    type: "module",
  });
  const seen = new Promise<readonly number[]>((resolve, reject) => {
    viewers.onmessage = ({ data }: MessageEvent<readonly number[]>) =>
      resolve(data.toSorted((a, b) => a - b));
    viewers.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });
  viewers.postMessage(scrolled);
  try {
    await Promise.race([work(), seen]);
    viewers.postMessage("end");
    return await seen;
  } finally {
    viewers.terminate();
  }
}

/** A household whose server is stopped and started under other conditions. */
interface Household {
  readonly owners: readonly Owner[];
  readonly paths: readonly string[];
  readonly start: (
    under: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Promise<RunningServer>;
}

async function openHousehold(
  place: string,
  checkout: string | undefined,
): Promise<Household> {
  await Deno.mkdir(place);
  // One origin over the restarts: it is what tokens are for.
  const listen = `127.0.0.1:${freePort()}`;
  let starts = 0;
  const start: Household["start"] = (under, env) =>
    startServer({
      ...checkout === undefined ? {} : { checkout },
      dataDir: join(place, "data"),
      logFile: join(place, `server-${starts++}.log`),
      settings: {
        STRONGROOM_LOG_LEVEL: "warning",
        STRONGROOM_LISTEN: listen,
        STRONGROOM_LIMIT_SHARE_BLOB: "1000000000",
        ...env,
      },
      under,
    });
  const server = await start([], {});
  try {
    const client = createClient({
      baseUrl: server.origin,
      fetch: (input, init) => fetch(input, init),
    });
    const owners: Owner[] = [];
    for (let i = 0; i < PHONES; i++) owners.push(await becomeOwner(client));
    const [first] = owners;
    return {
      owners,
      paths: first === undefined ? [] : await share(first),
      start,
    };
  } finally {
    await server.stop();
  }
}

async function measure(
  { owners, paths, start }: Household,
  board: Board,
  given: {
    readonly name: string;
    readonly photos: number;
    readonly env: Readonly<Record<string, string>>;
  },
) {
  const phones = await Promise.all(
    owners.map(async (owner) => ({
      owner,
      photos: await newPhotos(owner, given.photos),
    })),
  );
  const server = await start(board.under, given.env);
  try {
    const rest = await peakMib(server.pid) ?? Number.NaN;
    const before = await turnsOf(server.pid);
    const started = performance.now();
    let minutes = 0;
    const reads = await viewDuring(
      { origin: server.origin, paths },
      async () => {
        await Promise.all(
          phones.map(({ owner, photos }) => backUp(owner, photos)),
        );
        minutes = (performance.now() - started) / 60_000;
      },
    );
    const rate = PHONES * given.photos / minutes;
    const peak = await peakMib(server.pid) ?? Number.NaN;
    const { ran, waited } = await turnsOf(server.pid);
    const p99 = quantile(reads, 0.99);
    say(
      `${given.name}: ${rate.toFixed(0)} photographs a minute; ` +
        `${reads.length} thumbnails read at the same time, ` +
        `p50 ${quantile(reads, 0.5).toFixed(1)} ms, p99 ${
          p99.toFixed(1)
        } ms; ` +
        `memory ${rest.toFixed(0)} MiB at rest, peak ${peak.toFixed(0)} MiB ` +
        `(target: under ${PEAK_MIB}); its event loop had the core for ` +
        `${(ran - before.ran).toFixed(1)} s and waited for it for ` +
        `${(waited - before.waited).toFixed(1)} s`,
    );
    return { rate, p99, peak };
  } finally {
    await server.stop();
  }
}

const { values, positionals } = parseArgs({
  options: { photos: { type: "string" } },
  allowPositionals: true,
});
const photos = Number(values.photos ?? PHOTOS);
const versions: [name: string, checkout: string | undefined][] = [
  ["this version", undefined],
  ...positionals.map((
    other,
  ): [string, string] => ["the other", resolve(other)]),
];

/** Measures a version with slow syncs and without; false for too much memory. */
async function compare(
  household: Household,
  board: Board,
  name: string,
  slowed: (delayMs: number) => Record<string, string>,
): Promise<boolean> {
  const measured = [];
  for (const delayMs of DELAYS_MS) {
    measured.push(
      await measure(household, board, {
        name: `${name}, +${delayMs} ms a sync`,
        photos,
        env: slowed(delayMs),
      }),
    );
  }
  const [slow, quick] = measured;
  if (slow !== undefined && quick !== undefined) {
    say(
      `${name}, slow ÷ quick: ${(slow.rate / quick.rate).toFixed(2)} of the ` +
        `photographs, ${(slow.p99 / quick.p99).toFixed(2)} of the p99`,
    );
  }
  return measured.every(({ peak }) => peak < PEAK_MIB);
}

await withScratch(async (scratch) => {
  await requireFreeDisk(
    scratch,
    versions.length * DELAYS_MS.length * PHONES * photos * PHOTO_BYTES * 1.1 +
      1_024 * MIB,
  );
  const slowed = await slowSyncs(scratch);
  const board = await openBoard(MEMORY_BYTES);
  try {
    say(
      `${PHONES} phones, ${photos} photographs of 3 MB each; load of the ` +
        `machine before: ${Deno.loadavg()[0]?.toFixed(1)}`,
    );
    for (const [name, checkout] of versions) {
      const household = await openHousehold(join(scratch, name), checkout);
      const isSmall = await compare(household, board, name, slowed);
      if (!isSmall && checkout === undefined) Deno.exitCode = 1;
    }
  } finally {
    await board.close();
  }
});
