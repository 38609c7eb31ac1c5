/**
 * A place in a bucket belongs to one data directory
 * (object-store/ownership.md#ownership): of two on one each would clear away
 * what the other stores.
 *
 * @module
 */
import assert from "node:assert/strict";
import { collectGarbage } from "../../src/features/garbage_collection/collection.ts";
import { BucketClaim } from "../../src/store/remote/s3/claim.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  firstMet,
  INJECTED_FAULTS,
  type InjectedFault,
  STRIDE,
  type TestBucket,
  withBucket,
} from "../support/bucket.ts";
import { expectProblem } from "../support/expect.ts";
import { check, namesOf } from "../support/check.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  putBytes,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { readBlob, refreshed } from "../support/api.ts";
import { collect, DAY, filesIn, HOUR, trash } from "../support/trash.ts";

const MINUTE = 60_000;

interface Given {
  readonly bucket: TestBucket;
  /** Starts a server over a fresh data directory, and ends it. */
  readonly withServer: (
    test: (app: TestApp) => Promise<void>,
    settings?: Record<string, string>,
  ) => Promise<void>;
}

/** A story over each kind of store. */
function story(name: string, tell: (given: Given) => Promise<void>): void {
  for (const strict of [false, true]) {
    const kind = strict ? "that keeps conditions" : "that knows no conditions";
    Deno.test(`${name}, in a store ${kind}`, async () => {
      await withBucket(async (bucket) => {
        await tell({
          bucket,
          withServer: (test, settings = {}) =>
            withTestApp(test, {
              settings: { ...bucket.settings, ...settings },
              fetch: bucket.fetch,
            }),
        });
      }, { strict });
    });
  }
}

story(
  "a second data directory is not served on a bucket that one has claimed",
  async ({ withServer }) => {
    await withServer(async (first) => {
      const ada = await registerWriter(first, "ada");
      const asset = await createAsset(first, ada, "photo");
      await assert.rejects(
        withServer(() => Promise.reject(new Error("served"))),
        /^StoreFault: another data directory has .*\/photos\/ since 2026-.*blobs claim --take$/,
      );
      // Another place in the bucket is as good as another bucket.
      await withServer(async (second) => {
        await createAsset(second, await registerWriter(second, "bob"), "photo");
      }, { STRONGROOM_S3_PREFIX: "second/" });
      const { original, assetId } = asset;
      const read = await readBlob(first, ada, assetId, hashOf(original));
      assert.equal(read.status, 200);
      await read.body?.cancel();
      assert.deepEqual(namesOf(await check(first, { deep: true })), []);
    });
  },
);

Deno.test("a server starts again and again on a store that compares tags without their quotes", async () => {
  await withBucket(async (bucket) => {
    const { settings, fetch } = bucket;
    await withTestApp(async (first) => {
      const ada = await registerWriter(first, "ada");
      const { assetId } = await createAsset(first, ada, "photo");
      const again = await first.reopen();
      await createAsset(again, ada, "second");
      await trash(again, await refreshed(again, ada), assetId);
      again.clock.advance(31 * DAY);
      assert.equal((await collect(again)).failed, 0);
      const keys = await bucket.keys();
      assert.equal(keys.filter((key) => key.includes("blobs/")).length, 3);
      await assert.rejects(
        withTestApp(() => Promise.reject(new Error("served")), {
          settings,
          fetch,
        }),
        /another data directory/,
      );
    }, { settings, fetch });
  }, { strict: true, bareTags: true });
});

story(
  "a server that ended in any way starts again on its own bucket",
  async ({ withServer, bucket }) => {
    await withServer(async (first) => {
      let app = await first.reopen();
      // Killed between noting a term and hearing that it was written.
      const [row] = await app.app.db.selectFrom("bucket_claim").selectAll()
        .execute();
      assert(row);
      const claim = JSON.parse(await bucket.owner.read());
      assert.equal(claim.term, row.term);
      const next = "0123456789abcdef".repeat(2);
      await app.app.db.updateTable("bucket_claim").set({ next_term: next })
        .execute();
      app = await app.reopen();
      await app.app.db.updateTable("bucket_claim").set({
        next_term: claim.term,
        term: next,
      }).execute();
      app = await app.reopen();
      // A request of the start before was delayed until now.
      await bucket.owner.write(
        JSON.stringify({ ...claim, term: await lastTerm(app) }),
      );
      app = await app.reopen();
      // And its claim was swept away.
      await createAsset(app, await registerWriter(app, "eve"), "hers");
      await bucket.owner.remove();
      assert.deepEqual(namesOf(await check(app)), []);
      app = await app.reopen();
      await createAsset(app, await registerWriter(app, "ada"), "photo");
      assert.deepEqual(namesOf(await check(app)), []);
      // It placed blobs there before there were claims.
      await bucket.owner.remove();
      await app.app.db.updateTable("bucket_claim")
        .set({ term: null, next_term: null, last_term: null }).execute();
      app = await app.reopen();
      assert.equal((await app.app.objectStore?.claim.holder())?.kind, "this");
    });
  },
);

async function lastTerm({ app }: TestApp): Promise<string | null> {
  const row = await app.db.selectFrom("bucket_claim").select("last_term")
    .executeTakeFirstOrThrow();
  return row.last_term;
}

story(
  "of a data directory and its copy only the one that started last places and removes",
  async ({ withServer, bucket }) => {
    await withServer(async (app) => {
      const ada = await registerWriter(app, "ada");
      const kept = await createAsset(app, ada, "kept");
      const gone = await createAsset(app, ada, "gone");
      await trash(app, ada, gone.assetId);
      app.clock.advance(31 * DAY);
      const bytes = ciphertext("more", 900);
      const person = await refreshed(app, ada);
      const upload = await createUpload(app, person, bytes, {
        fileId: uuidOf("more"),
      });
      // A copy of the directory was started elsewhere.
      await asACopyWould(bucket);
      assert.deepEqual(namesOf(await check(app)), [
        `bucket_not_held ${bucket.settings.STRONGROOM_S3_ENDPOINT}/photos/`,
      ]);
      const { blobs, failed } = await collect(app);
      assert.deepEqual([blobs.count, failed], [3, 3]);
      assert.equal((await bucket.keys()).length, 6);
      const refused = await putBytes(app, person, upload.upload_id, bytes);
      await expectProblem(refused, "error.storage.unavailable");
      // What was promised is still read.
      const { original, assetId } = kept;
      const read = await readBlob(app, person, assetId, hashOf(original));
      assert.equal(read.status, 200);
      await read.body?.cancel();
      assert(
        app.logged.some(({ level, message }) =>
          level === "error" && /^a copy of this data directory/.test(message)
        ),
      );
      await assert.rejects(app.reopen(), /^StoreFault: a copy of this data/);
    });
  },
);

story(
  "blobs that stay in a bucket are counted once, however many transactions give them up",
  async ({ withServer, bucket }) => {
    await withServer(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { assetId } = await createAsset(app, ada, "gone");
      await trash(app, ada, assetId);
      app.clock.advance(31 * DAY);
      await asACopyWould(bucket);
      const { platform } = app.app;
      // So slow that each blob has a transaction of its own.
      let passed = platform.monotonic();
      const slow = { ...platform, monotonic: () => passed += 60 };
      const { blobs, failed } = await collectGarbage(
        { ...app.app, platform: slow },
      );
      assert.deepEqual([blobs.count, failed], [3, 3]);
    });
  },
);

/** Writes another term into the claim. */
async function asACopyWould(bucket: TestBucket): Promise<void> {
  const claim = JSON.parse(await bucket.owner.read());
  claim.term = "f".repeat(32);
  await bucket.owner.write(JSON.stringify(claim));
}

story(
  "a server that says so takes a place over, and the one that had it notices",
  async ({ withServer }) => {
    await withServer(async (old) => {
      const ada = await registerWriter(old, "ada");
      const { original, assetId } = await createAsset(old, ada, "photo");
      // Its own place was another until now.
      await withServer(async (elsewhere) => {
        const { objectStore, db } = elsewhere.app;
        assert(objectStore);
        await db.deleteFrom("bucket_claim").execute();
        await objectStore.claim.release();
        await db.updateTable("server").set({ blob_bucket: null }).execute();
        await assert.rejects(
          elsewhere.reopen({ STRONGROOM_S3_PREFIX: "" }),
          /another data directory has/,
        );
      }, { STRONGROOM_S3_PREFIX: "second/" });
      await withServer(async (away) => {
        const store = away.app.objectStore;
        const taking = old.app.objectStore;
        assert(store && taking);
        // The same place, seen from another database.
        const { db } = away.app;
        const theirs = new BucketClaim({
          db,
          objects: taking.objects,
          name: taking.name,
          platform: away.app.platform,
        });
        assert.equal((await theirs.holder()).kind, "other");
        await assert.rejects(theirs.hold(), /another data directory has/);
        await theirs.take("https://new.example.org");
        assert.equal((await theirs.holder()).kind, "this");
        old.clock.advance(2 * MINUTE);
        await assert.rejects(
          taking.claim.hold(),
          /another data directory has .*, as https:\/\/new\.example\.org/,
        );
        await taking.claim.take("https://old.example.org");
        old.clock.advance(2 * MINUTE);
        await taking.claim.hold();
        assert.equal((await theirs.holder()).kind, "other");
      }, { STRONGROOM_S3_PREFIX: "third/" });
      const app = await old.reopen();
      assert.deepEqual(namesOf(await check(app)), []);
      const read = await readBlob(app, ada, assetId, hashOf(original));
      assert.equal(read.status, 200);
      await read.body?.cancel();
    });
  },
);

story(
  "a server does not take over a bucket that has blobs and no claim",
  async ({ withServer, bucket }) => {
    await withServer(async (first) => {
      await createAsset(first, await registerWriter(first, "ada"), "photo");
    });
    await bucket.owner.remove();
    await assert.rejects(
      withServer(() => Promise.reject(new Error("served"))),
      /^StoreFault: \S+ contains files, and no server claims it/,
    );
    await bucket.owner.write("<html>Welcome</html>");
    await assert.rejects(
      withServer(() => Promise.reject(new Error("served"))),
      /^StoreFault: what lies in .* as owner\.json is no claim/,
    );
  },
);

story(
  "a server that starts while its bucket is away claims it before it places or removes",
  async ({ withServer, bucket }) => {
    await withServer(async (first) => {
      const person = await registerWriter(first, "ada");
      const gone = await createAsset(first, person, "gone");
      await trash(first, person, gone.assetId);
      bucket.goAway(true);
      const app = await first.reopen();
      assert(
        app.logged.some(({ level, message }) =>
          level === "warn" && /nothing is placed there/.test(message)
        ),
      );
      await asACopyWould(bucket);
      bucket.goAway(false);
      app.clock.advance(31 * DAY);
      const ada = await refreshed(app, person);
      const bytes = ciphertext("early", 900);
      const { upload_id } = await createUpload(app, ada, bytes, {
        fileId: uuidOf("early"),
      });
      const refused = await putBytes(app, ada, upload_id, bytes);
      await expectProblem(refused, "error.storage.unavailable");
      assert.equal((await collect(app)).failed, 3);
      await app.app.objectStore?.claim.take("https://photos.example.org");
      app.clock.advance(HOUR);
      const later = await refreshed(app, ada);
      assert.equal((await putBytes(app, later, upload_id, bytes)).status, 200);
      assert.equal((await filesIn(app, "blobs")).size, 0);
    });
  },
);

/** Every way in the nightly run, or those that have bitten. */
const WAYS: readonly InjectedFault[] = Deno.env.get("TEST_FAULTS") === "all"
  ? INJECTED_FAULTS
  : ["lost", "spoilt", "repeated", "wrong 404"];
const REQUESTS_MAX = 30;

for (const how of WAYS) {
  story(
    `where a request of a start is ${how}, the bucket stays whose it is`,
    async ({ withServer, bucket }) => {
      const settings: Record<string, string> = how === "late"
        ? { STRONGROOM_S3_TIMEOUT_SECONDS: "1" }
        : {};
      await withServer(async (first) => {
        let app = first;
        const hold = () => app.app.objectStore?.claim.hold();
        for (let n = firstMet(how);; n += STRIDE) {
          assert(n < REQUESTS_MAX);
          bucket.injectFault(n, how);
          app = await app.reopen();
          const own = bucket.faultHappened();
          // Another server may start while the bucket is silent: it places
          // nothing.
          bucket.injectFault(n, how);
          await withServer(async (other) => {
            await assert.rejects(
              async () => await other.app.objectStore?.claim.hold(),
            );
          }, settings).catch((cause) => {
            assert.match(String(cause), /^StoreFault: another data directory/);
          });
          const others = bucket.faultHappened();
          bucket.injectFault(Infinity, how);
          app.clock.advance(5 * MINUTE);
          await hold();
          if (!own && !others) break;
        }
        const person = await registerWriter(app, "ada");
        await uploadBlob(app, person, ciphertext("after", 300), {
          fileId: uuidOf("after"),
        });
        assert.deepEqual(namesOf(await check(app, { deep: true })), []);
      }, settings);
    },
  );
}

for (const how of WAYS) {
  story(
    `where a request of a first start is ${how}, the bucket is claimed all the same`,
    async ({ withServer, bucket }) => {
      const settings: Record<string, string> = how === "late"
        ? { STRONGROOM_S3_TIMEOUT_SECONDS: "1" }
        : {};
      let happened = true;
      for (let n = firstMet(how); happened; n += STRIDE) {
        assert(n < REQUESTS_MAX);
        bucket.injectFault(n, how);
        await withServer(async (app) => {
          happened = bucket.faultHappened();
          bucket.injectFault(Infinity, how);
          app.clock.advance(5 * MINUTE);
          await app.app.objectStore?.claim.hold();
          const again = await app.reopen();
          const holder = await again.app.objectStore?.claim.holder();
          assert.equal(holder?.kind, "this");
        }, { ...settings, STRONGROOM_S3_PREFIX: `${n}/` });
      }
    },
  );
}
