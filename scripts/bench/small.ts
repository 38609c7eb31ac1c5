/**
 * Small blobs: create and PUT of 4 KiB, sixteen at a time, each with its own
 * receipt. There is no peer that does the same; the target is a rate.
 *
 * @module
 */
import { connect } from "./connection.ts";
import { CONNECTIONS } from "./many.ts";
import { keepSmallBlob } from "./small_blob.ts";
import { say, sayPeak, startOurs, withScratch } from "./support.ts";

const RUN_MS = 10_000;

await withScratch(async (scratch) => {
  const ours = await startOurs(scratch, {
    STRONGROOM_LIMIT_OPEN_UPLOADS: "1000000",
  });
  try {
    const started = performance.now();
    const isOver = () => performance.now() - started > RUN_MS;
    const kept = await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const connection = await connect(ours.server.origin);
        let count = 0;
        for (; !isOver(); count++) await keepSmallBlob(ours, connection);
        connection.close();
        return count;
      }),
    );
    const seconds = (performance.now() - started) / 1_000;
    const rate = kept.reduce((sum, one) => sum + one, 0) / seconds;
    say(
      `4 KiB blobs, create and PUT, ${CONNECTIONS} at a time: ` +
        `${rate.toFixed(0)} a second, each with its receipt ` +
        "(target: at least 250)",
    );
    await sayPeak(ours);
  } finally {
    await ours.server.stop();
  }
});
