/**
 * What small reads cost: processor time of the server for each request, of a
 * 4 KiB blob down a share link and of `GET /v1/auth/profile`, next to a bare
 * `Deno.serve` that answers the same bytes under the same headers, caddy, and
 * the program of another checkout.
 *
 *     deno task bench reads [--beside CHECKOUT]
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { connect } from "./connection.ts";
import { type Peer, startBare, startCaddy } from "./peers.ts";
import {
  bearer,
  cpuSeconds,
  expectStatus,
  noteRatio,
  originalOf,
  type Ours,
  patchThrough,
  repeated,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const SMALL = 4 * 1024;
const CONNECTIONS = 16;
const REQUESTS = 24_000;
const WARM_UP = 6_000;
const ROUNDS = 5;

/** A server, and the processor time of each round. */
interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Microseconds of the processor a request. */
  readonly rounds: number[];
}

const { values } = parseArgs({
  options: { beside: { type: "string" } },
});

await withScratch(async (scratch) => {
  const folder = join(scratch, "peer");
  await Deno.mkdir(folder);
  const blob = repeated(1, SMALL);
  await Deno.writeFile(join(folder, "small.bin"), blob.piece);
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const profile: Contender[] = [];
    const share: Contender[] = [];
    const start = async (name: string, checkout?: string) => {
      const place = join(scratch, String(stops.length));
      await Deno.mkdir(place);
      const ours = await startOurs(place, {}, checkout);
      stops.push(ours.server.stop);
      const [asked, viewed] = await contendersOf(name, ours, blob);
      profile.push(asked);
      share.push(viewed);
      return ours;
    };
    await start("strongroom");
    if (values.beside !== undefined) await start("beside", values.beside);
    for (const alike of [profile, share]) {
      const bare = await startBare(folder);
      stops.push(bare.stop);
      await haveSameAnswer(bare, alike[0]);
      alike.push(contender("bare, the same headers", bare, "/like"));
    }
    const caddy = await startCaddy(folder, scratch);
    if (caddy !== undefined) {
      stops.push(caddy.stop);
      share.push(contender(caddy.name, caddy, "/small.bin"));
    }
    await compare("GET /v1/auth/profile", profile);
    say("");
    await compare("GET /s/{opaque_id}/blob/{hash}, 4 KiB", share);
  } finally {
    for (const stop of stops) await stop();
  }
});

function contender(
  name: string,
  { pid, origin }: Pick<Peer, "pid" | "origin">,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Contender {
  return { name, pid, origin, path, headers, rounds: [] };
}

/** Ours for both reads. */
async function contendersOf(
  name: string,
  ours: Ours,
  blob: ReturnType<typeof repeated>,
): Promise<[Contender, Contender]> {
  const connection = await connect(ours.server.origin);
  const request = originalOf(ours.account, blob);
  await patchThrough(ours, connection, request, blob);
  connection.close();
  const path = await shareOriginal(ours, request);
  const headers = {
    "X-Service-Protocol": PROTOCOL_MAX,
    ...bearer(ours.account),
  };
  return [
    contender(name, ours.server, "/v1/auth/profile", headers),
    contender(name, ours.server, path),
  ];
}

/** Tells the peer to answer as the first contender does. */
async function haveSameAnswer(
  { origin }: Peer,
  like: Contender | undefined,
): Promise<void> {
  if (like === undefined) return;
  const answer = await fetch(`${like.origin}${like.path}`, {
    headers: { ...like.headers, "Accept-Encoding": "identity" },
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  // The runtime adds these to any answer.
  const headers = [...answer.headers].filter(([name]) =>
    !["date", "vary", "server"].includes(name)
  );
  const isText = answer.headers.get("content-type") === "application/json";
  const body = JSON.stringify({
    headers,
    ...isText
      ? { text: new TextDecoder().decode(bytes) }
      : { bytes: [...bytes] },
  });
  await (await fetch(`${origin}/like`, { method: "POST", body })).text();
}

async function compare(
  title: string,
  contenders: readonly Contender[],
): Promise<void> {
  for (const one of contenders) await ask(one, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const one = contenders[(round + turn) % contenders.length];
      if (one === undefined) continue;
      const before = await cpuSeconds(one.pid) ?? NaN;
      await ask(one, REQUESTS);
      const after = await cpuSeconds(one.pid) ?? NaN;
      one.rounds.push(1e6 * (after - before) / REQUESTS);
    }
  }
  const ours = middle(contenders[0]);
  const width = Math.max(title.length, ...contenders.map((c) => c.name.length));
  say(`${title.padEnd(width)}  µs of processor  strongroom ÷ it`);
  for (const one of contenders) {
    const each = middle(one);
    if (one !== contenders[0]) {
      noteRatio({ what: title, peer: one.name, ratio: ours / each });
    }
    say(
      `${one.name.padEnd(width)}  ${each.toFixed(1).padStart(15)}` +
        (one === contenders[0] ? "" : (ours / each).toFixed(2).padStart(17)),
    );
  }
}

function middle(one: Contender | undefined): number {
  const sorted = (one?.rounds ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

async function ask(
  { origin, path, headers }: Contender,
  requests: number,
): Promise<void> {
  let left = requests;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const connection = await connect(origin);
    while (left-- > 0) {
      expectStatus(
        await connection.exchange({ method: "GET", path, headers }),
        200,
      );
    }
    connection.close();
  }));
}
