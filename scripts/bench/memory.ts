/**
 * What 4 GiB cost in memory: an upload through PATCH in pieces of 8 MiB, then
 * a download. Peaks are those of our server's process. Exit status 1 when one
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
  repeated,
  requireFreeDisk,
  say,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const SIZE = 4_096 * MIB;
const LIMIT_MIB = 200;

/** Runs a phase; returns its peak, which the phase before does not raise. */
async function phase(
  { server }: Ours,
  what: string,
  work: () => Promise<void>,
): Promise<number> {
  await forgetPeak(server.pid);
  const rate = await rateOf(SIZE / MIB, work);
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

await withScratch(async (scratch) => {
  await requireFreeDisk(scratch, SIZE + 1_024 * MIB);
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
      () => patchThrough(ours, connection, request, blob),
    );
    const path = await shareOriginal(ours, request);
    const downloading = await phase(ours, "4 GiB download", async () => {
      const answer = await connection.exchange({ method: "GET", path });
      expectStatus(answer, 200);
      if (answer.bodyBytes !== SIZE) throw new Error("bytes are missing");
    });
    connection.close();
    if (Math.max(uploading, downloading) >= LIMIT_MIB) {
      say(`over the limit of ${LIMIT_MIB} MiB`);
      Deno.exitCode = 1;
    }
  } finally {
    await ours.server.stop();
  }
});
