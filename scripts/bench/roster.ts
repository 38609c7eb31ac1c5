/**
 * Sharing: publishing a roster of 1,000 members, minting a capability, and an
 * asset read with a capability against the same read with a session.
 *
 * @module
 */
import { toBase64 } from "../../src/core/bytes.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { signRoster } from "../../src/client/roster.ts";
import { sourceOf, uploadBlob } from "../../src/client/upload.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { randomBytes } from "../demo/staging.ts";
import { connect, type RawConnection } from "./connection.ts";
import { CONNECTIONS, manyAnswers } from "./many.ts";
import {
  alternate,
  bearer,
  expectStatus,
  originalOf,
  type Ours,
  printTable,
  say,
  startOurs,
  withScratch,
} from "./support.ts";

const MEMBERS = 1_000;
const PUBLISHES = 20;
const MINTS = 200;
const RUN_MS = 1_500;
/** X-Wing ciphertext, then a sealed key of 32 bytes with its tag. */
const WRAPPED_AMK_BYTES = 1_120 + 32 + 16;
const PEER = "https://peer.example.org";

const members = Array.from({ length: MEMBERS }, () => ({
  member: `${uuidV4(randomBytes)}@${PEER}`,
  role: "viewer" as const,
  wrapped_amk: randomBytes(WRAPPED_AMK_BYTES),
}));

/** Sends JSON and returns how long the answer took (ms) and its text. */
async function send(
  connection: RawConnection,
  ours: Ours,
  request: { method: string; path: string; json: unknown; status: number },
): Promise<{ readonly ms: number; readonly text: string }> {
  const body = new TextEncoder().encode(JSON.stringify(request.json));
  const started = performance.now();
  const answer = await connection.exchange({
    method: request.method,
    path: request.path,
    headers: { ...bearer(ours.account), "Content-Type": "application/json" },
    bodyBytes: body.length,
    body: [body],
    keepText: true,
  });
  const ms = performance.now() - started;
  expectStatus(answer, request.status);
  return { ms, text: answer.text };
}

function sayTimes(what: string, times: readonly number[], target: number) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  say(
    `${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of ${times.length} ` +
      `(target: under ${target} ms)`,
  );
}

async function publishRosters(ours: Ours): Promise<void> {
  const { identity, albumId, account } = ours.owner;
  const connection = await connect(ours.server.origin);
  const times: number[] = [];
  for (let version = 1; version <= PUBLISHES; version++) {
    const bytes = await signRoster(identity.signer, {
      album_id: albumId,
      owner: account.userId,
      roster_version: version,
      amk_epoch: 0,
      members,
      signed_at: toRfc3339(Date.now()),
    });
    const { ms } = await send(connection, ours, {
      method: "PUT",
      path: `/v1/albums/${albumId}/roster`,
      json: { roster_cbor: toBase64(bytes) },
      status: 200,
    });
    times.push(ms);
  }
  connection.close();
  sayTimes(`publishing a roster of ${MEMBERS} members`, times, 60);
}

/** Mints again and again; returns the last token. */
async function mintCapabilities(ours: Ours): Promise<string> {
  const connection = await connect(ours.server.origin);
  const times: number[] = [];
  let token = "";
  for (let i = 0; i < MINTS; i++) {
    const { ms, text } = await send(connection, ours, {
      method: "POST",
      path: `/v1/albums/${ours.owner.albumId}/capabilities`,
      json: {
        peer: PEER,
        member: members[i % MEMBERS]?.member,
        scope: "read",
      },
      status: 201,
    });
    times.push(ms);
    token = JSON.parse(text).token;
  }
  connection.close();
  sayTimes("minting a capability", times, 5);
  return token;
}

/** An asset of the album; returns its id. */
async function keepAsset(ours: Ours): Promise<string> {
  const { account, albumId } = ours.owner;
  const bytes = randomBytes(1_000);
  const original = originalOf(account, {
    size: bytes.length,
    hash: sha256Hex(bytes),
  });
  const envelope = { ...original.envelope, album_id: albumId };
  await uploadBlob(account, { ...original, envelope }, sourceOf(bytes));
  const manifest = randomBytes(1_000);
  await uploadBlob(account, {
    envelope,
    role: "provenance",
    hash: sha256Hex(manifest),
    size: manifest.length,
  }, sourceOf(manifest));
  return envelope.file_id;
}

async function compareReads(ours: Ours, capability: string): Promise<void> {
  const target = (token: string) => ({
    origin: ours.server.origin,
    path: `/v1/assets/${assetId}`,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Service-Protocol": PROTOCOL_MAX,
    },
    check: (answer: { status: number; text: string }) =>
      expectStatus(answer, 200),
  });
  const assetId = await keepAsset(ours);
  const contenders = [
    manyAnswers(
      { name: "with a capability", isOurs: true },
      target(capability),
      RUN_MS,
    ),
    manyAnswers(
      { name: "with a session" },
      target(ours.account.tokens().access_token),
      RUN_MS,
    ),
  ];
  printTable(
    `GET /v1/assets/{id}, ${CONNECTIONS} connections`,
    "answers/s",
    contenders,
    await alternate(contenders),
  );
  say("median of 5 alternating rounds (target: at least 0.50)");
}

await withScratch(async (scratch) => {
  const ours = await startOurs(scratch, { STRONGROOM_FEDERATION: "on" });
  try {
    await publishRosters(ours);
    const capability = await mintCapabilities(ours);
    say("");
    await compareReads(ours, capability);
  } finally {
    await ours.server.stop();
  }
});
