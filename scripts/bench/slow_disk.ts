/**
 * A disk whose every sync takes 20 ms, as a memory card's does: blobs of 4 KiB
 * from one uploader and from sixteen, and what an unrelated read takes beside
 * them; the same without the delay. The folder of another checkout as argument
 * has that version do the same in the same run:
 *
 *     git worktree add ../before <commit>
 *     deno task bench:slow ../before
 *
 * @module
 */
import { join, resolve } from "node:path";
import { connect } from "./connection.ts";
import { slowSyncs } from "./slow_sync.ts";
import { keepSmallBlob } from "./small_blob.ts";
import {
  bearer,
  expectStatus,
  type Ours,
  quantile,
  say,
  startOurs,
  withScratch,
} from "./support.ts";

const RUN_MS = 10_000;
/** Between two reads beside the uploaders. */
const PAUSE_MS = 5;
const DELAYS_MS = [20, 0];
const UPLOADERS = [1, 16];

interface Measured {
  readonly blobs: number;
  readonly p50: number;
  readonly p99: number;
}

async function uploadUntil(ours: Ours, isOver: () => boolean): Promise<number> {
  const connection = await connect(ours.server.origin);
  let count = 0;
  for (; !isOver(); count++) await keepSmallBlob(ours, connection);
  connection.close();
  return count;
}

/** What each read took (ms). */
async function readUntil(
  ours: Ours,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const connection = await connect(ours.server.origin);
  const took: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    const answer = await connection.exchange({
      method: "GET",
      path: "/v1/auth/profile",
      headers: bearer(ours.account),
      bodyBytes: 0,
      body: [],
      keepText: true,
    });
    took.push(performance.now() - started);
    expectStatus(answer, 200);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  connection.close();
  return took.toSorted((a, b) => a - b);
}

async function measure(ours: Ours, uploaders: number): Promise<Measured> {
  const started = performance.now();
  const isOver = () => performance.now() - started > RUN_MS;
  const [reads, ...counts] = await Promise.all([
    readUntil(ours, isOver),
    ...Array.from({ length: uploaders }, () => uploadUntil(ours, isOver)),
  ]);
  const seconds = (performance.now() - started) / 1_000;
  return {
    blobs: counts.reduce((sum, one) => sum + one, 0) / seconds,
    p50: quantile(reads, 0.5),
    p99: quantile(reads, 0.99),
  };
}

const TARGETS: Readonly<Record<string, string>> = {
  "20 1": "target: at least 9 a second",
  "20 16": "target: at least 60 a second, p50 3 ms, p99 50 ms at most",
  "0 16": "target: no less than before, p99 15 ms at most",
};

await withScratch(async (scratch) => {
  const slowed = await slowSyncs(scratch);
  const [other] = Deno.args;
  const versions: [name: string, checkout: string | undefined][] = [
    ["this version", undefined],
    ...other === undefined
      ? []
      : [["the other", resolve(other)] satisfies [string, string]],
  ];
  for (const delayMs of DELAYS_MS) {
    for (const uploaders of UPLOADERS) {
      for (const [name, checkout] of versions) {
        const place = join(scratch, `${name} ${delayMs} ${uploaders}`);
        await Deno.mkdir(place);
        const ours = await startOurs(place, {
          STRONGROOM_LIMIT_OPEN_UPLOADS: "1000000",
          ...slowed(delayMs),
        }, checkout);
        try {
          const { blobs, p50, p99 } = await measure(ours, uploaders);
          const target = TARGETS[`${delayMs} ${uploaders}`];
          say(
            `+${delayMs} ms a sync, uploaders: ${uploaders}, ${name}: ` +
              `${blobs.toFixed(1)} blobs a second; a read beside them ` +
              `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms` +
              (target === undefined ? "" : ` (${target})`),
          );
        } finally {
          await ours.server.stop();
        }
      }
    }
  }
});
