/**
 * What benchmarks of small blobs send: a create and a PUT of 4 KiB.
 *
 * @module
 */
import { uuidV4 } from "../../src/core/ids.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { randomBytes } from "../demo/staging.ts";
import type { RawConnection } from "./connection.ts";
import { bearer, expectStatus, originalOf, type Ours } from "./support.ts";

const BYTES = 4 * 1024;

/** Opens a session for a blob of its own and sends it. */
export async function keepSmallBlob(
  ours: Ours,
  connection: RawConnection,
): Promise<void> {
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
