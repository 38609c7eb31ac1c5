/**
 * Small blobs: create and PUT of 4 KiB, sixteen at a time, each with its own
 * receipt. There is no peer that does the same; the target is a rate.
 *
 * @module
 */
import { uuidV4 } from "../../src/core/ids.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { randomBytes } from "../demo/spool.ts";
import { connect, type RawConnection } from "./connection.ts";
import { CONNECTIONS } from "./many.ts";
import {
  bearer,
  expectStatus,
  originalOf,
  type Ours,
  say,
  sayPeak,
  startOurs,
  withScratch,
} from "./support.ts";

const BYTES = 4 * 1024;
const RUN_MS = 10_000;

/** Opens a session for a blob of its own and sends it. */
async function keep(ours: Ours, connection: RawConnection): Promise<void> {
  const blob = randomBytes(BYTES);
  const hash = sha256Hex(blob);
  const { role, size, envelope } = originalOf(
    ours.account,
    { size: blob.length, hash },
    uuidV4(randomBytes),
  );
  const body = new TextEncoder().encode(JSON.stringify({
    crypto_suite_id: envelope.crypto_suite_id,
    blob_role: role,
    ciphertext_hash: hash,
    size,
    manifest_envelope: envelope,
  }));
  const created = await connection.exchange({
    method: "POST",
    path: "/v1/upload",
    headers: { ...bearer(ours.account), "Content-Type": "application/json" },
    bodyBytes: body.length,
    body: [body],
    keepText: true,
  });
  expectStatus(created, 201);
  const sent = await connection.exchange({
    method: "PUT",
    path: `/v1/upload/${JSON.parse(created.text).upload_id}`,
    headers: {
      ...bearer(ours.account),
      "Content-Type": "application/octet-stream",
    },
    bodyBytes: blob.length,
    body: [blob],
  });
  expectStatus(sent, 200);
}

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
        for (; !isOver(); count++) await keep(ours, connection);
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
