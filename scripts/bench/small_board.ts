/**
 * An evening on a small board: the server has one core, 512 MiB and a disk
 * whose every sync takes 20 ms more. Five phones of five people back up 200
 * photographs of 3 MB each, with a thumbnail, metadata and a signed manifest,
 * while two viewers scroll a share of 500; then the same without the delay.
 * `--photos 20` makes a short run of it.
 *
 * Bytes stand for ciphertext, which is all that a server sees of it; manifests
 * are signed, and hashes computed, before the clock runs.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "../../src/client/api.ts";
import type { UploadRequest } from "../../src/client/api.ts";
import { signManifest } from "../../src/client/manifest.ts";
import {
  type BlobSource,
  sourceOf,
  uploadBlob,
} from "../../src/client/upload.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import type { BlobRole } from "../../src/crypto/receipt.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { openCustody } from "../demo/custody.ts";
import { becomeOwner, type Owner } from "../demo/owner.ts";
import { freePort, type RunningServer, startServer } from "../demo/server.ts";
import { randomBytes } from "../demo/spool.ts";
import { type Board, openBoard } from "./board.ts";
import type { Scrolled } from "./board_viewers.ts";
import { slowSyncs } from "./slow_sync.ts";
import {
  MIB,
  originalOf,
  peakMib,
  quantile,
  repeated,
  requireFreeDisk,
  say,
  withScratch,
} from "./support.ts";

const PHONES = 5;
const PHOTOS = 200;
const PHOTO_BYTES = 3_000_000;
const THUMBNAIL_BYTES = 15_000;
const METADATA_BYTES = 1_000;
const SHARED = 500;
/** Photographs of the share that are sent at a time. */
const SHARING = 8;
const MEMORY_BYTES = 512 * MIB;
const PEAK_MIB = 200;
const DELAYS_MS = [20, 0];
/** Begins every original; the rest of it is alike in all. */
const UNIQUE_BYTES = 16;

/** A blob that is ready to be sent. */
interface Part {
  readonly request: UploadRequest;
  readonly source: BlobSource;
}

/** The blobs of a photograph, in the order in which they are sent. */
type Photo = readonly Part[];

const { piece: photoBytes } = repeated(1, PHOTO_BYTES);

/** An original: its own beginning, and a rest that all have. */
function newOriginal(size: number) {
  const beginning = randomBytes(UNIQUE_BYTES);
  const hash = createHash("sha256").update(beginning)
    .update(photoBytes.subarray(UNIQUE_BYTES, size)).digest("hex");
  const source: BlobSource = {
    read(offset, length) {
      const bytes = photoBytes.slice(0, size);
      bytes.set(beginning);
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  };
  return { size, hash, source };
}

async function newPhoto(owner: Owner, size = PHOTO_BYTES): Promise<Photo> {
  const original = newOriginal(size);
  const metadata = randomBytes(METADATA_BYTES);
  const { envelope: begun } = originalOf(
    owner.account,
    original,
    uuidV4(randomBytes),
  );
  const envelope = {
    ...begun,
    album_id: owner.albumId,
    metadata_blob_hash: sha256Hex(metadata),
  };
  const partOf = (role: BlobRole, bytes: Uint8Array<ArrayBuffer>): Part => ({
    request: { role, hash: sha256Hex(bytes), size: bytes.length, envelope },
    source: sourceOf(bytes),
  });
  return [
    {
      request: { role: "original", hash: original.hash, size, envelope },
      source: original.source,
    },
    partOf("derivative", randomBytes(THUMBNAIL_BYTES)),
    partOf("metadata", metadata),
    partOf("provenance", await signManifest(owner.identity.signer, envelope)),
  ];
}

async function newPhotos(owner: Owner, count: number, size?: number) {
  const photos: Photo[] = [];
  for (let i = 0; i < count; i++) photos.push(await newPhoto(owner, size));
  return photos;
}

/** Sends photographs one after the other, and looks at every receipt. */
async function backUp(
  { account }: Owner,
  photos: Iterable<Photo>,
): Promise<void> {
  const custody = openCustody();
  for (const photo of photos) {
    for (const { request, source } of photo) {
      const finalized = await uploadBlob(account, request, source);
      custody.add(request.envelope.file_id, request, finalized);
    }
  }
}

/** Keeps small photographs and shares their thumbnails; returns the paths. */
async function share(owner: Owner): Promise<readonly string[]> {
  const photos = await newPhotos(owner, SHARED, METADATA_BYTES);
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
    // Nobody opens the index here: any blob stands for it.
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

async function openHousehold(scratch: string): Promise<Household> {
  // One origin over the restarts: it is what tokens are for.
  const listen = `127.0.0.1:${freePort()}`;
  let starts = 0;
  const start: Household["start"] = (under, env) =>
    startServer({
      dataDir: join(scratch, "data"),
      logFile: join(scratch, `server-${starts++}.log`),
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
    const p99 = quantile(reads, 0.99);
    say(
      `${given.name}: ${rate.toFixed(0)} photographs a minute; ` +
        `${reads.length} thumbnails read beside them, ` +
        `p50 ${quantile(reads, 0.5).toFixed(1)} ms, p99 ${
          p99.toFixed(1)
        } ms; ` +
        `memory ${rest.toFixed(0)} MiB at rest, peak ${peak.toFixed(0)} MiB ` +
        `(target: under ${PEAK_MIB})`,
    );
    return { rate, p99, peak };
  } finally {
    await server.stop();
  }
}

const { values } = parseArgs({ options: { photos: { type: "string" } } });
const photos = Number(values.photos ?? PHOTOS);

await withScratch(async (scratch) => {
  await requireFreeDisk(
    scratch,
    DELAYS_MS.length * PHONES * photos * PHOTO_BYTES * 1.1 + 1_024 * MIB,
  );
  const slowed = await slowSyncs(scratch);
  const household = await openHousehold(scratch);
  const board = await openBoard(MEMORY_BYTES);
  try {
    say(
      `${PHONES} phones, ${photos} photographs of 3 MB each; load of the ` +
        `machine before: ${Deno.loadavg()[0]?.toFixed(1)}`,
    );
    const measured = [];
    for (const delayMs of DELAYS_MS) {
      const name = `+${delayMs} ms a sync`;
      const env = slowed(delayMs);
      measured.push(await measure(household, board, { name, photos, env }));
    }
    const [slow, quick] = measured;
    if (slow === undefined || quick === undefined) return;
    say(
      `slow ÷ quick: ${(slow.rate / quick.rate).toFixed(2)} of the ` +
        `photographs, ${(slow.p99 / quick.p99).toFixed(2)} of the p99`,
    );
    if (measured.some(({ peak }) => peak >= PEAK_MIB)) Deno.exitCode = 1;
  } finally {
    await board.close();
  }
});
