/**
 * The real program, killed again and again while clients upload, apply, delete
 * and restore, and while garbage is collected during and between its lives.
 * Whatever a client was told is true afterwards.
 *
 * There are 10 kills, or as many as `TEST_KILLS` says: `deno task test:nightly`
 * has 200. What the clients do follows a seed, which a failure prints and
 * `TEST_SEED` sets; when the kills fall among it, no seed can say.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { parseBlobHash, parseUuid, type UploadId } from "../../src/core/ids.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import type { ServiceContext } from "../../src/features/service_context.ts";
import { collectGarbage } from "../../src/features/garbage_collection/collection.ts";
import { checkStore } from "../../src/features/verification/check.ts";
import { provisionAlbum } from "../support/albums.ts";
import { ORIGIN, seededRandom } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import { MortalServer } from "../support/mortal_server.ts";
import { hashOf, registerWriter } from "../support/people.ts";
import { withDataDir } from "../support/program.ts";
import { type Lying, RestlessClient } from "../support/restless_client.ts";
import { expectBytes } from "../support/api.ts";
import { openServiceContext } from "../support/service_context.ts";

const KILLS = Number(Deno.env.get("TEST_KILLS") ?? 10);
const SEED = Deno.env.get("TEST_SEED") ?? crypto.randomUUID();
const NAMES = ["ada", "bob", "cyd", "dan"];
/** A life of the server, from its first line on, and a pause in collecting. */
const LIFE_MS = { least: 100, most: 900 };
const PAUSE_MS = { least: 10, most: 200 };
/** Kinds of findings that a crash may leave for collection to remove. */
const STRAYS = new Set(["upload_file_unknown", "blob_file_unknown"]);
const CHECK_EVERY = 5;

const draw = seededRandom(`kills ${SEED}`);
function between({ least, most }: { least: number; most: number }): number {
  const [a = 0, b = 0] = draw(2);
  return least + (a << 8 | b) % (most - least);
}

/** Findings of a check, those apart that only wait for their hour. */
async function findingsOf(
  { db, staging, blobs }: ServiceContext,
  { keys }: PublishedKeys,
  deep: boolean,
) {
  const { findings } = await checkStore(
    { db, staging, blobs, keys },
    { deep },
  );
  return deep ? findings : findings.filter(({ kind }) => !STRAYS.has(kind));
}

Deno.test(`a server that is killed ${KILLS} times keeps every promise`, async () => {
  await withDataDir(async (dataDir) => {
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      // Tokens and receipts name the server by it, whatever its port.
      STRONGROOM_BASE_URL: ORIGIN,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_RESERVED_DISK_BYTES: "0",
    });
    await server.start();
    const beside = await openServiceContext(dataDir, Date.now);
    try {
      const clients = await Promise.all(
        NAMES.map((name) => openClient(server, name)),
      );
      const keys = parsePublishedKeys(
        await expectJson(
          await server.send("GET", "/.well-known/service/attestation-keys"),
          200,
        ),
      );
      await killAgainAndAgain(server, clients, beside, keys);
      // One more death, and everybody looks what is left.
      await server.kill();
      await server.start();
      for (const client of clients) await client.refresh();
      for (const client of clients) await client.expectKept();
      assert.equal(await server.stop(), 0);
      await expectStored(clients, beside, keys);
    } catch (cause) {
      throw new Error(`with TEST_SEED=${SEED}`, { cause });
    } finally {
      await server.kill();
      await beside.db.destroy();
    }
  });
});

async function openClient(
  server: MortalServer,
  name: string,
): Promise<RestlessClient> {
  const person = await registerWriter(server, name);
  const albumId = await provisionAlbum(server, person, name);
  return new RestlessClient(server, person, albumId, `${name} ${SEED}`);
}

/** Kills and starts the server while clients work and garbage is collected. */
async function killAgainAndAgain(
  server: MortalServer,
  clients: readonly RestlessClient[],
  beside: ServiceContext,
  keys: PublishedKeys,
): Promise<void> {
  let over = false;
  let collected = 0;
  const collect = async () => {
    collected += (await collectGarbage(beside)).blobs.count;
  };
  const collecting = async () => {
    while (!over) {
      await collect();
      await delay(between(PAUSE_MS));
    }
  };
  const working = [
    ...clients.map((client) => client.run(() => over)),
    collecting(),
  ];
  try {
    // It goes on until what is to be survived has happened.
    const isEnough = () => collected > 0 && server.lost >= KILLS / 2;
    for (let kills = 0; kills < KILLS || !isEnough(); kills++) {
      await Promise.race([delay(between(LIFE_MS)), ...working]);
      await server.kill();
      await collect();
      if (kills % CHECK_EVERY === 0) {
        assert.deepEqual(await findingsOf(beside, keys, false), []);
      }
      await server.start();
    }
    over = true;
    await Promise.all(working);
  } catch (cause) {
    over = true;
    server.giveUp(cause);
    await Promise.allSettled(working);
    throw cause;
  }
}

/** Expects of the data directory alone what the clients were told. */
async function expectStored(
  clients: readonly RestlessClient[],
  beside: ServiceContext,
  keys: PublishedKeys,
): Promise<void> {
  for (const lying of clients.flatMap((client) => client.lying)) {
    await expectLying(beside, lying);
  }
  const rows = await beside.db.selectFrom("receipt")
    .select(["receipt_seq", "body"]).orderBy("receipt_seq").execute();
  const verdict = await verifyReceiptChain(rows.map(({ body }) => body), keys);
  assert(verdict.ok, JSON.stringify(verdict));
  const chain = new Map(
    rows.map(({ receipt_seq, body }) => [receipt_seq, toBase64(body)]),
  );
  for (const { receipts } of clients) {
    assert(receipts.size > 0);
    for (const [seq, body] of receipts) {
      assert.equal(chain.get(seq), body, `receipt ${seq}`);
    }
  }
  // Strays go once they are an hour old; then nothing at all is wrong.
  const now = () => Date.now() + 2 * HOUR_MS;
  await collectGarbage({ ...beside, platform: { ...beside.platform, now } });
  assert.deepEqual(await findingsOf(beside, keys, true), []);
}

/** The bytes that were acknowledged of an upload lie in its file. */
async function expectLying(
  { staging, blobs }: ServiceContext,
  { uploadId, bytes, acknowledged, finalized }: Lying,
): Promise<void> {
  if (acknowledged === 0) return;
  const hash = parseBlobHash(hashOf(bytes));
  const id = parseUuid<UploadId>(uploadId);
  assert(hash !== undefined && id !== undefined);
  const { length } = bytes;
  const whole = finalized
    ? await blobs.read(hash, length, 0, length - 1)
    : await Deno.readFile(staging.uploadPath(id));
  const lying = new Uint8Array(await new Response(whole).arrayBuffer());
  const held = lying.slice(0, acknowledged);
  expectBytes(held, bytes.slice(0, acknowledged), uploadId);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
