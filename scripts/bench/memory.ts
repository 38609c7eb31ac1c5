/**
 * What gigabytes cost in memory: 4 GiB up through PATCH in pieces of 8 MiB and
 * down again, then eight uploads of 1 GiB at once. Peaks are those of our server's process. Exit status 1 when one
 * reaches the limit.
 *
 * @module
 */
import { connect } from "./connection.ts";
import {
  expectStatus,
  MIB,
  originalOf,
  type Ours,
  patchThrough,
  peakMib,
  PIECE_BYTES,
  rateOf,
  type Repeated,
  repeated,
  requireFreeDisk,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const SIZE = 4_096 * MIB;
const LIMIT_MIB = 200;
const PARALLEL = 8;
const PARALLEL_SIZE = 1_024 * MIB;

/** Runs a phase; returns its peak, which the phase before does not raise. */
async function phase(
  { server }: Ours,
  what: string,
  bytes: number,
  work: () => Promise<void>,
): Promise<number> {
  await forgetPeak(server.pid);
  const rate = await rateOf(bytes / MIB, work);
  const peak = await peakMib(server.pid) ?? Number.NaN;
  say(
    `${what.padEnd(34)} ${rate.toFixed(0).padStart(5)} MiB/s  ` +
      `peak ${peak.toFixed(0)} MiB`,
  );
  return peak;
}

/** Lets the kernel count the peak anew (proc(5), clear_refs). */
async function forgetPeak(pid: number): Promise<void> {
  try {
    await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Not permitted: the peak then includes what came before.
  }
}

/** Uploads several blobs at once, each in pieces over its own connection. */
async function uploadTogether(
  ours: Ours,
  blobs: readonly Repeated[],
): Promise<void> {
  await Promise.all(blobs.map(async (blob) => {
    const connection = await connect(ours.server.origin);
    const request = originalOf(ours.account, blob);
    await patchThrough(ours, connection, request, blob);
    connection.close();
  }));
}

await withScratch(async (scratch) => {
  await requireFreeDisk(scratch, SIZE + (PARALLEL + 1) * PARALLEL_SIZE);
  const blob = repeated(SIZE / PIECE_BYTES);
  const ours = await startOurs(scratch);
  try {
    say(
      `strongroom at rest: peak ${
        (await peakMib(ours.server.pid))?.toFixed(0)
      } MiB`,
    );
    const request = originalOf(ours.account, blob);
    const connection = await connect(ours.server.origin);
    const uploading = await phase(
      ours,
      "4 GiB upload, PATCH of 8 MiB",
      SIZE,
      () => patchThrough(ours, connection, request, blob),
    );
    const path = await shareOriginal(ours, request);
    const downloading = await phase(ours, "4 GiB download", SIZE, async () => {
      const answer = await connection.exchange({ method: "GET", path });
      expectStatus(answer, 200);
      if (answer.bodyBytes !== SIZE) throw new Error("bytes are missing");
    });
    connection.close();
    const blobs = Array.from(
      { length: PARALLEL },
      () => repeated(PARALLEL_SIZE / PIECE_BYTES),
    );
    const together = await phase(
      ours,
      `${PARALLEL} uploads of 1 GiB at once`,
      PARALLEL * PARALLEL_SIZE,
      () => uploadTogether(ours, blobs),
    );
    if (Math.max(uploading, downloading, together) >= LIMIT_MIB) {
      say(`over the limit of ${LIMIT_MIB} MiB`);
      Deno.exitCode = 1;
    }
  } finally {
    await ours.server.stop();
  }
});
