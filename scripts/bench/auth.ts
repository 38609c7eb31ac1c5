/**
 * An authenticated read, `GET /v1/auth/profile`, and one that anybody may make,
 * `server-info`, against a bare `Deno.serve` that answers the same bytes, and
 * one that does so under the same headers; and how long `GET /v1/version` takes
 * while ten people sign in at once.
 *
 * @module
 */
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { connect, type RawAnswer } from "./connection.ts";
import { CONNECTIONS, manyAnswers } from "./many.ts";
import { type Peer, startBare } from "./peers.ts";
import {
  alternate,
  bearer,
  CPU_AN_ANSWER,
  expectStatus,
  type Ours,
  printTable,
  say,
  sayPeak,
  startOurs,
  withScratch,
} from "./support.ts";

const RUN_MS = 1_500;
const LOGINS = 10;
const PROBE_MS = 3_000;

async function compareRead(
  ours: Ours,
  bare: Peer,
  path: string,
  target: number,
): Promise<void> {
  const headers = {
    "X-Service-Protocol": PROTOCOL_MAX,
    ...bearer(ours.account),
  };
  const { origin } = ours.server;
  const check = (answer: RawAnswer) => expectStatus(answer, 200);
  const text = await haveSameAnswer(bare, `${origin}${path}`, headers);
  const asked = { headers, check };
  const alike = "bare, the same headers";
  const contenders = [
    manyAnswers({ name: "strongroom", isOurs: true, pid: ours.server.pid }, {
      ...asked,
      origin,
      path,
    }, RUN_MS),
    manyAnswers({ name: "bare Deno.serve", pid: bare.pid }, {
      ...asked,
      origin: bare.origin,
      path: `/json/${text.length}`,
    }, RUN_MS),
    manyAnswers({ name: alike, pid: bare.pid }, {
      ...asked,
      origin: bare.origin,
      path: "/like",
    }, RUN_MS),
  ];
  printTable(
    `GET ${path}, ${CONNECTIONS} connections`,
    "answers/s",
    contenders,
    await alternate(contenders),
    CPU_AN_ANSWER,
  );
  say(`target: at least ${target} of the one with the same headers`);
}

/** Tells the peer what to answer; returns the answer's text. */
async function haveSameAnswer(
  { origin }: Peer,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await fetch(url, {
    headers: { ...headers, "Accept-Encoding": "identity" },
  });
  const text = await answer.text();
  // The runtime adds these to any answer.
  const sent = [...answer.headers].filter(([name]) =>
    !["date", "vary", "server"].includes(name)
  );
  const body = JSON.stringify({ headers: sent, text });
  await (await fetch(`${origin}/like`, { method: "POST", body })).text();
  return text;
}

/** Sends wrong passwords, ten at a time, until told to stop. */
async function signIn(origin: string, until: () => boolean): Promise<number> {
  const connection = await connect(origin);
  const body = new TextEncoder().encode(
    JSON.stringify({ address: "nobody@example.org", password: "not this" }),
  );
  let hashed = 0;
  while (!until()) {
    const { status } = await connection.exchange({
      method: "POST",
      path: "/v1/auth/login",
      headers: {
        "X-Service-Protocol": PROTOCOL_MAX,
        "Content-Type": "application/json",
      },
      body: [body],
      bodyBytes: body.length,
    });
    if (status === 401) hashed++;
  }
  connection.close();
  return hashed;
}

async function probeUnderLogins({ server: { origin } }: Ours): Promise<void> {
  const started = performance.now();
  const isOver = () => performance.now() - started > PROBE_MS;
  const logins = Array.from({ length: LOGINS }, () => signIn(origin, isOver));
  const connection = await connect(origin);
  const times: number[] = [];
  while (!isOver()) {
    const asked = performance.now();
    expectStatus(
      await connection.exchange({ method: "GET", path: "/v1/version" }),
      200,
    );
    times.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  connection.close();
  const hashed = (await Promise.all(logins)).reduce((a, b) => a + b, 0);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  say(
    `GET /v1/version during ${LOGINS} parallel sign-ins ` +
      `(${hashed} passwords hashed in ${PROBE_MS / 1_000} s): ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`,
  );
}

await withScratch(async (scratch) => {
  const ours = await startOurs(scratch);
  const bare = await startBare(scratch);
  try {
    await compareRead(ours, bare, "/v1/auth/profile", 0.45);
    say("");
    await compareRead(ours, bare, "/.well-known/service/server-info", 0.7);
    say("");
    await probeUnderLogins(ours);
    await sayPeak(ours);
  } finally {
    await bare.stop();
    await ours.server.stop();
  }
});
