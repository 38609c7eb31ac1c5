/**
 * An authenticated read, `GET /v1/auth/profile`, against a bare `Deno.serve`
 * that answers JSON of the same size; and how long `GET /v1/version` takes
 * while ten people sign in at once.
 *
 * @module
 */
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { connect } from "./connection.ts";
import { type Peer, startBare } from "./peers.ts";
import {
  alternate,
  bearer,
  type Contender,
  expectStatus,
  type Ours,
  printTable,
  say,
  sayPeak,
  startOurs,
  withScratch,
} from "./support.ts";

const CONNECTIONS = 16;
const RUN_MS = 1_500;
const LOGINS = 10;
const PROBE_MS = 3_000;

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks on one connection, one after the other, until the time is up. */
async function drive(target: Target, started: number): Promise<number> {
  const connection = await connect(target.origin);
  let done = 0;
  while (performance.now() - started < RUN_MS) {
    const { path, headers } = target;
    expectStatus(
      await connection.exchange({ method: "GET", path, headers }),
      200,
    );
    done++;
  }
  connection.close();
  return done;
}

function contender(name: string, target: Target, isOurs?: true): Contender {
  return {
    name,
    ...(isOurs === undefined ? {} : { isOurs }),
    run: async () => {
      const started = performance.now();
      const counts = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => drive(target, started)),
      );
      const seconds = (performance.now() - started) / 1_000;
      return counts.reduce((sum, one) => sum + one, 0) / seconds;
    },
  };
}

async function compareProfile(ours: Ours, bare: Peer): Promise<void> {
  const profile = {
    origin: ours.server.origin,
    path: "/v1/auth/profile",
    headers: {
      "X-Service-Protocol": PROTOCOL_MAX,
      ...bearer(ours.account),
    },
  };
  const connection = await connect(profile.origin);
  const answer = await connection.exchange({ method: "GET", ...profile });
  connection.close();
  expectStatus(answer, 200);
  const contenders = [
    contender("strongroom", profile, true),
    contender("bare Deno.serve", {
      origin: bare.origin,
      path: `/json/${answer.bodyBytes}`,
      headers: profile.headers,
    }),
  ];
  printTable(
    `GET /v1/auth/profile, ${CONNECTIONS} connections`,
    "answers/s",
    contenders,
    await alternate(contenders),
  );
  say("median of 5 alternating rounds; strongroom reads its ledger each time");
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
    `GET /v1/version beside ${LOGINS} parallel sign-ins ` +
      `(${hashed} passwords hashed in ${PROBE_MS / 1_000} s): ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`,
  );
}

await withScratch(async (scratch) => {
  const ours = await startOurs(scratch);
  const bare = await startBare(scratch);
  try {
    await compareProfile(ours, bare);
    say("");
    await probeUnderLogins(ours);
    await sayPeak(ours);
  } finally {
    await bare.stop();
    await ours.server.stop();
  }
});
