/**
 * A fault is injected into one request between the server and its bucket of an
 * upload, a deep verification, a collection and a move, each of them in turn:
 * nothing acknowledged is lost, no receipt stands for bytes that are not there,
 * nothing is removed that something still needs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { moveBlobs } from "../../src/features/blob_migration/migration.ts";
import { BlobsUnavailable } from "../../src/store/blobs/unavailable.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  firstMet,
  INJECTED_FAULTS,
  type InjectedFault,
  STRIDE,
  type TestBucket,
  withBucket,
} from "../support/bucket.ts";
import { check, namesOf } from "../support/check.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  type Person,
  putBytes,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { hashesOf, verifyOne } from "../support/storage.ts";
import { refreshed } from "../support/api.ts";
import { collect, filesIn, HOUR, trash } from "../support/trash.ts";

/** Longer than the bucket is left alone for after failures (ms). */
const FORGIVEN_MS = 60_000;
/** More requests than anything here takes. */
const REQUESTS_MAX = 60;

/** A few of the ways, or by night all of them. */
const WAYS: readonly InjectedFault[] = Deno.env.get("TEST_FAULTS") === "all"
  ? INJECTED_FAULTS
  : ["lost", "wrong 404"];
/** By day each way over one kind of store. */
const STRICT: Readonly<Partial<Record<InjectedFault, readonly boolean[]>>> =
  Deno.env.get("TEST_FAULTS") === "all"
    ? {}
    : { lost: [true], "wrong 404": [false] };

interface FaultAt {
  readonly app: TestApp;
  readonly bucket: TestBucket;
  readonly ada: Person;
  readonly kept: LiveAsset;
  readonly n: number;
  readonly how: InjectedFault;
}

/** The application, opened again perhaps, and whether there was an n-th request. */
interface Worked {
  readonly app: TestApp;
  readonly happened: boolean;
}

/**
 * Over both kinds of store, with every way of injecting, until there is no n-th
 * request: the work tells whether there was one.
 */
function withFaults(
  what: string,
  work: (at: FaultAt) => Promise<Worked>,
  { fresh = false } = {},
): void {
  for (const how of WAYS) {
    Deno.test(`${what} of which one request is answered wrongly (${how}) keeps every promise`, async () => {
      for (const strict of STRICT[how] ?? [false, true]) {
        await withBucket(async (bucket) => {
          await withTestApp(async (first) => {
            const person = await registerWriter(first, "ada");
            const kept = await createAsset(first, person, "kept");
            let app = first;
            let happened = true;
            for (let n = firstMet(how); happened; n += STRIDE) {
              assert(n < REQUESTS_MAX);
              // A server that has asked the store nothing yet.
              if (fresh) app = await app.reopen();
              const ada = await refreshed(app, person);
              const at = { app, bucket, ada, kept, n, how };
              ({ app, happened } = await work(at));
              await expectSound(app);
              const internal = app.logged.filter(({ properties }) =>
                properties.status === 500
              );
              assert.deepEqual(internal, []);
            }
          }, {
            settings: {
              ...bucket.settings,
              STRONGROOM_TRASH_DAYS: "0",
              // What comes too late need not be waited for.
              ...how === "late" ? { STRONGROOM_S3_TIMEOUT_SECONDS: "1" } : {},
            },
            fetch: bucket.fetch,
          });
        }, { strict });
      }
    });
  }
}

/**
 * Injects a fault into the n-th request of some work; whether there was one.
 */
async function injecting(
  { app, bucket, n, how }: FaultAt,
  work: () => Promise<void>,
): Promise<boolean> {
  bucket.injectFault(n, how);
  await work();
  const happened = bucket.faultHappened();
  bucket.injectFault(Infinity, how);
  app.clock.advance(FORGIVEN_MS);
  return happened;
}

/** Whatever was acknowledged is there; what was not is collection's. */
async function expectSound(app: TestApp): Promise<void> {
  const wrong = namesOf(await check(app, { deep: true }));
  assert.deepEqual(wrong.filter((one) => !one.includes("_unknown")), []);
}

withFaults("an upload", async (at) => {
  const { app, ada, n, how } = at;
  const bytes = ciphertext(`${how} ${n}`, 3_000);
  const { upload_id } = await createUpload(app, ada, bytes, {
    fileId: uuidOf(`${how} ${n}`),
  });
  let status = 0;
  const happened = await injecting(at, async () => {
    const answer = await putBytes(app, ada, upload_id, bytes);
    await answer.body?.cancel();
    status = answer.status;
  });
  if (status === 200) return { app, happened };
  assert.equal(status, 500);
  await expectSound(app);
  await expectJson(await putBytes(app, ada, upload_id, bytes), 200);
  return { app, happened };
}, { fresh: true });

withFaults("a deep verification", async (at) => {
  const { app, ada, kept } = at;
  const ask = () =>
    verifyOne(app, ada, kept.assetId, hashesOf(kept), { deep: true });
  const happened = await injecting(at, async () => {
    const { blobs } = await ask();
    // Nothing is called corrupt because a proxy changed an answer.
    assert(blobs.every(({ deep }: Json) => deep !== "corrupt"));
  });
  assert.equal((await ask()).durable, true);
  return { app, happened };
});

withFaults("a collection", async (at) => {
  const { app, bucket, ada, kept, n, how } = at;
  const { assetId } = await createAsset(app, ada, `gone ${how} ${n}`);
  await trash(app, ada, assetId);
  app.clock.advance(HOUR);
  const happened = await injecting(at, async () => {
    await collect(app).catch((cause) => {
      assert(cause instanceof BlobsUnavailable);
    });
  });
  await expectSound(app);
  await collect(app);
  const names = [kept.original, kept.metadata, kept.manifest].map(keyOf);
  assert.deepEqual(await objects(bucket), names.toSorted());
  // Nothing is placed there as long as a removal may be on its way.
  app.clock.advance(HOUR);
  await collect(app);
  return { app, happened };
});

withFaults("a move", async (at) => {
  const { app, bucket, kept, n, how } = at;
  const blobs = [kept.original, kept.metadata, kept.manifest];
  const names = blobs.map(keyOf);
  const here = await app.reopen({ STRONGROOM_BLOBS: "directory" });
  const back = await moving({ ...at, app: here });
  assert.deepEqual(await objects(bucket), [], `${how} ${n}`);
  assert.equal((await filesIn(here, "blobs")).size, 3);
  await expectSound(here);
  // As long as a removal may be on its way nothing goes there again.
  here.clock.advance(HOUR);
  await collect(here);
  const there = await here.reopen({ STRONGROOM_BLOBS: "s3" });
  const forth = await moving({ ...at, app: there });
  assert.deepEqual(await objects(bucket), names.toSorted());
  assert.equal((await filesIn(there, "blobs")).size, 0);
  await expectSound(there);
  return { app: there, happened: back || forth };
});

/**
 * Moves until all is moved; the n-th request of the first try is answered
 * wrongly.
 */
async function moving(at: FaultAt): Promise<boolean> {
  const { app } = at;
  const move = async () => {
    const { objectStore } = app.app;
    assert(objectStore !== undefined);
    return await moveBlobs(app.app, objectStore);
  };
  const happened = await injecting(at, async () => {
    try {
      await move();
    } catch (cause) {
      assert(cause instanceof BlobsUnavailable);
    }
  });
  await expectSound(app);
  const { missing, damaged, waiting } = await move();
  assert.deepEqual([missing, damaged, waiting.count], [[], [], 0]);
  app.clock.advance(FORGIVEN_MS);
  await app.app.blobs.settle();
  return happened;
}

function keyOf(bytes: Uint8Array): string {
  const hash = hashOf(bytes);
  return `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** The keys of the blobs in the bucket, without its other objects. */
async function objects(bucket: TestBucket): Promise<string[]> {
  return (await bucket.keys()).filter((key) => key.startsWith("blobs/"));
}
