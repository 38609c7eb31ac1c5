/**
 * A library of 1,000,000 assets against one of 10,000: a page of the feed, an
 * asset, verification of a hundred, a share link, and the start of the server.
 * A hundred assets of each are real; the rows of the others are written into
 * the database, with receipts that are stand-ins.
 *
 * @module
 */
import { join } from "node:path";
import { sourceOf, uploadBlob } from "../../src/client/upload.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { freePort, startServer } from "../demo/server.ts";
import { randomBytes } from "../demo/staging.ts";
import { connect, type RawConnection } from "./connection.ts";
import { writeLibraryRows } from "./library_rows.ts";
import {
  bearer,
  expectStatus,
  originalOf,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const REAL = 100;
const ROUNDS = 15;
const REQUESTS = 40;

interface Library {
  readonly assets: number;
  readonly connection: RawConnection;
  readonly asks: readonly Ask[];
  readonly stop: () => Promise<void>;
}

/** One kind of request, as it goes to one library. */
interface Ask {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array;
}

async function openLibrary(folder: string, assets: number): Promise<Library> {
  await Deno.mkdir(folder);
  const settings = {
    // One origin over the restart: it is what tokens are for.
    STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
    STRONGROOM_LIMIT_SHARE_METADATA: "1000000000",
  };
  const first = await startOurs(folder, settings);
  const { account } = first;
  const real: { asset_id: string; blob_hashes: string[] }[] = [];
  let link = "";
  for (let i = 0; i < REAL; i++) {
    const bytes = randomBytes(4_096);
    const hash = sha256Hex(bytes);
    const request = originalOf(account, { size: bytes.length, hash });
    await uploadBlob(account, request, sourceOf(bytes));
    link = await shareOriginal(first, request);
    real.push({ asset_id: request.envelope.file_id, blob_hashes: [hash] });
  }
  await first.server.stop();
  const data = join(folder, "data");
  writeLibraryRows(databasePath(data), account.userId, assets);
  const started = performance.now();
  const server = await startServer({
    dataDir: data,
    logFile: join(folder, "again.log"),
    settings: { STRONGROOM_LOG_LEVEL: "warning", ...settings },
  });
  const connection = await connect(server.origin);
  expectStatus(
    await connection.exchange({ method: "GET", path: "/v1/version" }),
    200,
  );
  const ms = performance.now() - started;
  say(
    `start with ${assets.toLocaleString("en")} assets: ${
      ms.toFixed(0)
    } ms to ` +
      "the first answer, the choice of permissions included",
  );
  const headers = bearer(account);
  const get = (name: string, path: string, own = headers): Ask => ({
    name,
    method: "GET",
    path,
    headers: own,
  });
  return {
    assets,
    connection,
    stop: async () => {
      connection.close();
      await server.stop();
    },
    asks: [
      get("a page of the feed", `/v1/sync?after=${assets / 2}&limit=200`),
      get("an asset", `/v1/assets/${real[7]?.asset_id}`),
      {
        name: "verification of 100",
        method: "POST",
        path: "/v1/storage/verify",
        headers: { ...headers, "Content-Type": "application/json" },
        body: new TextEncoder().encode(JSON.stringify({ assets: real })),
      },
      get("a share link", link.slice(0, link.indexOf("/blob/")), {}),
    ],
  };
}

/** How long one request of a kind takes (ms), on average over a few. */
async function timeOf({ connection }: Library, ask: Ask): Promise<number> {
  const { name: _name, body, ...rest } = ask;
  const request = body === undefined
    ? rest
    : { ...rest, bodyBytes: body.length, body: [body] };
  const started = performance.now();
  for (let i = 0; i < REQUESTS; i++) {
    expectStatus(await connection.exchange(request), 200);
  }
  return (performance.now() - started) / REQUESTS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function compare(small: Library, large: Library): Promise<void> {
  for (const [index, ask] of small.asks.entries()) {
    const other = large.asks[index];
    if (other === undefined) throw new Error("libraries of different asks");
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      times[0].push(await timeOf(small, ask));
      times[1].push(await timeOf(large, other));
    }
    const [few, many] = [median(times[0]), median(times[1])];
    say(
      `${ask.name}: ${few.toFixed(2)} ms in ${SMALL.toLocaleString("en")}, ` +
        `${many.toFixed(2)} ms in ${LARGE.toLocaleString("en")}: ` +
        `${(many / few).toFixed(2)} times (target: at most 1.3)`,
    );
  }
}

await withScratch(async (scratch) => {
  const small = await openLibrary(join(scratch, "small"), SMALL);
  const large = await openLibrary(join(scratch, "large"), LARGE);
  try {
    await compare(small, large);
  } finally {
    await small.stop();
    await large.stop();
  }
});
