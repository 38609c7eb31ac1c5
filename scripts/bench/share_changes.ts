/**
 * What changing share links costs everybody else: 32 PATCHes of 50,000 hashes
 * at once, beside somebody who changes their display name. `deno run -A
 * scripts/bench/share_changes.ts [CHECKOUT]` measures another version's folder.
 *
 * @module
 */
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { connect, type RawConnection } from "./connection.ts";
import {
  bearer,
  expectStatus,
  quantile,
  say,
  startOurs,
  withScratch,
} from "./support.ts";

const HASHES = 50_000;
const PATCHES = 32;
const OPAQUE_ID = "5".repeat(32);
const PASSWORD = "four words from a hat";
const QUIET_WRITES = 200;

/** So many hashes, of which those from one number to another are others. */
function hashes(from: number): string[] {
  return Array.from(
    { length: HASHES },
    (_, n) => sha256Hex(new TextEncoder().encode(String(n + from))),
  );
}

async function send(
  connection: RawConnection,
  headers: Record<string, string>,
  method: string,
  path: string,
  json: unknown,
) {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const started = performance.now();
  const answer = await connection.exchange({
    method,
    path,
    headers: { ...headers, "Content-Type": "application/json" },
    bodyBytes: body.length,
    body: [body],
    keepText: true,
  });
  return { ms: performance.now() - started, answer };
}

function sayTimes(what: string, times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(sorted, share));
  const most = sorted.at(-1) ?? 0;
  say(
    `${what}: p50 ${p50?.toFixed(1)} ms, p95 ${p95?.toFixed(1)} ms, ` +
      `at most ${most.toFixed(0)} ms of ${times.length}`,
  );
  return most;
}

await withScratch(async (scratch) => {
  const ours = await startOurs(scratch, {}, Deno.args[0]);
  try {
    const { origin } = ours.server;
    const other = await ours.client.register("other@example.org", PASSWORD);
    const connection = await connect(origin);
    const writeOnce = async () => {
      const { ms, answer } = await send(
        connection,
        bearer(other),
        "PATCH",
        "/v1/auth/profile",
        { display_name: `name ${performance.now()}` },
      );
      expectStatus(answer, 200);
      return ms;
    };
    const lists = [hashes(0), hashes(0), hashes(HASHES)];
    const [first] = lists;
    const issuing = await connect(origin);
    const issued = await send(
      issuing,
      bearer(ours.account),
      "POST",
      "/v1/shares",
      { opaque_id: OPAQUE_ID, metadata_hash: first?.[0], serves: first },
    );
    expectStatus(issued.answer, 201);
    issuing.close();
    const quiet: number[] = [];
    for (let n = 0; n < QUIET_WRITES; n++) quiet.push(await writeOnce());
    const before = sayTimes("a small write, nobody beside", quiet);

    for (const [what, list] of [["the same", 1], ["others", 2]] as const) {
      const serves = lists[list] ?? [];
      const statuses = new Map<number, number>();
      let running = true;
      const storm = Promise.all(Array.from({ length: PATCHES }, async () => {
        const own = await connect(origin);
        const { answer } = await send(
          own,
          bearer(ours.account),
          "PATCH",
          `/v1/shares/${OPAQUE_ID}`,
          { serves, metadata_hash: serves[0] },
        );
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        own.close();
      })).finally(() => running = false);
      const beside: number[] = [];
      while (running) beside.push(await writeOnce());
      await storm;
      const during = sayTimes(
        `a small write beside ${PATCHES} PATCHes of ${HASHES} hashes, ${what}`,
        beside,
      );
      say(
        `  answers ${JSON.stringify([...statuses])}, slowest ` +
          `${(during / before).toFixed(1)} times the slowest of before`,
      );
    }
    connection.close();
  } finally {
    await ours.server.stop();
  }
});
