/**
 * What requests cost by the size of an account: milliseconds of the server's
 * processor and pages of the database that are touched, in libraries of 10,000,
 * 300,000 and 1,000,000 assets, and what a collection costs that ends a
 * thousand assets of each.
 *
 *     deno task bench:sizes [--sizes 10000,300000,1000000] [--by CHECKOUT]
 *
 * The servers take turns in one run. Pages are those that the statements of a
 * request read on a connection that has none yet: they grow with the rows that
 * are looked at, and are the same in every run. With `--by` the servers are
 * those of another checkout that knows the same tables.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DatabaseSync } from "node:sqlite";
import type { Account } from "../../src/client/api.ts";
import { sourceOf, uploadBlob } from "../../src/client/upload.ts";
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { freePort, type RunningServer, startServer } from "../demo/server.ts";
import { randomBytes } from "../demo/staging.ts";
import { COUNT_LIBRARIES } from "../schema.ts";
import { connect, type RawConnection } from "./connection.ts";
import { writeLibraryRows } from "./library_rows.ts";
import {
  bearer,
  cpuSeconds,
  expectStatus,
  originalOf,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const COLLECTING = fileURLToPath(new URL("collecting.ts", import.meta.url));
const COUNTING = fileURLToPath(new URL("counting.ts", import.meta.url));
/** Assets with receipts and files, by which requests are made. */
const REAL = 100;
const ROUNDS = 5;
const REQUESTS = 400;
/** Of what has a budget of 120 or 600 a minute, of which one round warms up. */
const FEW_REQUESTS = 18;
const SOME_REQUESTS = 90;
/** Assets that a collection ends. */
const TRASHED = 1_000;
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,300000,1000000" },
    by: { type: "string" },
  },
});
const SIZES = values.sizes.split(",").map(Number);

/** One kind of request, as it goes to one library. */
export interface Ask {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly json?: unknown;
  /** In a round. */
  readonly times: number;
}

interface Library {
  readonly assets: number;
  readonly data: string;
  readonly settings: Record<string, string>;
  readonly server: RunningServer;
  readonly connection: RawConnection;
  readonly account: Account;
  readonly asks: readonly Ask[];
}

await withScratch(async (scratch) => {
  const libraries: Library[] = [];
  try {
    for (const assets of SIZES) {
      libraries.push(await openLibrary(join(scratch, String(assets)), assets));
    }
    for (const { server, account, asks } of libraries) {
      await untilIdle(server.pid);
      // That may have taken longer than a token is good for.
      await account.refresh();
      for (const { headers } of asks) {
        if ("Authorization" in headers) Object.assign(headers, bearer(account));
      }
    }
    const rows = [["", ...SIZES.map((size) => size.toLocaleString("en"))]];
    for (const [at, { name }] of libraries[0]?.asks.entries() ?? []) {
      rows.push([name, ...await costsOf(libraries, at)]);
    }
    for (const { connection, server } of libraries) {
      connection.close();
      await server.stop();
    }
    const pages: number[][] = [];
    for (const library of libraries) pages.push(await pagesOf(library));
    for (const [at, row] of rows.entries()) {
      if (at === 0) continue;
      for (const [size, counted] of pages.entries()) {
        row[size + 1] += ` / ${counted[at - 1]}`;
      }
    }
    const collected = [`a collection that ends ${TRASHED} assets`];
    for (const library of libraries) {
      collected.push(`${(await collectionOf(library)).toFixed(1)} s`);
    }
    rows.push(collected);
    say("ms of the server's processor a request / pages of the database");
    printRows(rows);
  } finally {
    for (const { server } of libraries) await server.stop().catch(() => {});
  }
});

async function openLibrary(folder: string, assets: number): Promise<Library> {
  await Deno.mkdir(folder);
  const settings = {
    // One origin over the restart: it is what tokens are for.
    STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
    STRONGROOM_LIMIT_SHARE_BLOB: "1000000000",
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
  const server = await startServer({
    ...values.by === undefined ? {} : { checkout: values.by },
    dataDir: data,
    logFile: join(folder, "again.log"),
    settings: { STRONGROOM_LOG_LEVEL: "warning", ...settings },
  });
  const headers = bearer(account);
  const get = (
    name: string,
    path: string,
    own = headers,
    times = REQUESTS,
  ): Ask => ({ name, method: "GET", path, headers: own, times });
  const [one] = real;
  return {
    assets,
    data,
    settings,
    server,
    account,
    connection: await connect(server.origin),
    asks: [
      get("a page of the feed, 200", `/v1/sync?after=${assets / 2}&limit=200`),
      {
        name: "assets, 100 asked for",
        method: "POST",
        path: "/v1/assets/query",
        headers,
        json: { asset_ids: real.map(({ asset_id }) => asset_id) },
        times: FEW_REQUESTS,
      },
      get(
        "a blob of 4 KiB, signed in",
        `/v1/assets/${one?.asset_id}/blobs/${one?.blob_hashes[0]}`,
        headers,
        SOME_REQUESTS,
      ),
      get("a blob of 4 KiB, by a link", link, {
        "X-Service-Protocol": PROTOCOL_MAX,
      }),
      get("usage", "/v1/storage/usage"),
      {
        name: "verification of 100 blobs",
        method: "POST",
        path: "/v1/storage/verify",
        headers,
        json: { assets: real },
        times: REQUESTS,
      },
    ],
  };
}

/** What a start leaves to be done, the logs over new receipts, is over. */
async function untilIdle(pid: number): Promise<void> {
  for (let before = NaN;;) {
    const now = await cpuSeconds(pid) ?? NaN;
    if (now - before <= 0.02) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

/** Milliseconds of the processor for one kind in each library. */
async function costsOf(
  libraries: readonly Library[],
  at: number,
): Promise<string[]> {
  const costs = libraries.map(() => 0);
  const times = libraries[0]?.asks[at]?.times ?? 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (let turn = 0; turn < libraries.length; turn++) {
      const index = (turn + Math.max(round, 0)) % libraries.length;
      const library = libraries[index];
      const ask = library?.asks[at];
      if (library === undefined || ask === undefined) continue;
      const before = await cpuSeconds(library.server.pid) ?? NaN;
      for (let i = 0; i < times; i++) await send(library.connection, ask);
      const after = await cpuSeconds(library.server.pid) ?? NaN;
      // The first round warms up.
      if (round >= 0) costs[index] = (costs[index] ?? 0) + after - before;
    }
  }
  return costs.map((seconds) =>
    (1_000 * seconds / (ROUNDS * times)).toFixed(2)
  );
}

async function send(connection: RawConnection, ask: Ask): Promise<void> {
  const { method, path, headers, json } = ask;
  const body = json === undefined
    ? undefined
    : new TextEncoder().encode(JSON.stringify(json));
  expectStatus(
    await connection.exchange({
      method,
      path,
      headers: body === undefined
        ? headers
        : { ...headers, "Content-Type": "application/json" },
      ...body === undefined ? {} : { bodyBytes: body.length, body: [body] },
    }),
    200,
  );
}

/** Pages that each kind of request touches, of which another process tells. */
async function pagesOf({ data, settings, asks }: Library): Promise<number[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-prompt", COUNTING, data],
    env: settings,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(JSON.stringify(asks)));
  await input.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Seconds of the processor that a collection takes. */
async function collectionOf({ data, settings }: Library): Promise<number> {
  const at = Date.now() - 60 * DAY_MS;
  const database = new DatabaseSync(databasePath(data));
  database.exec(`begin immediate;
    update asset set state = 'deleted', deleted_at = ${at},
      deleted_by = owner_id
    where asset_id in (select asset_id from asset
      where asset_id like '0000%' order by asset_id limit ${TRASHED});
    update usage set trash_bytes = ${TRASHED * 3_000},
      used_bytes = used_bytes - ${TRASHED * 3_000} where used_bytes > 0;
    ${COUNT_LIBRARIES};
    commit`);
  database.close();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--allow-all", COLLECTING, data],
      settings["STRONGROOM_LISTEN"] ?? "",
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.getReader();
  const orders = child.stdin.getWriter();
  await lines.read();
  const before = await cpuSeconds(child.pid) ?? NaN;
  await orders.write(new Uint8Array(1));
  await lines.read();
  const seconds = (await cpuSeconds(child.pid) ?? NaN) - before;
  await orders.close();
  await child.status;
  await lines.cancel();
  return seconds;
}

function printRows(rows: readonly (readonly string[])[]): void {
  const widths =
    rows[0]?.map((_, at) =>
      Math.max(...rows.map((row) => row[at]?.length ?? 0))
    ) ?? [];
  for (const row of rows) {
    say(
      row.map((cell, at) =>
        at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)
      ).join("  "),
    );
  }
}
