/**
 * Retention floors and legal hold (protocol/manifests.md#trash).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectNoErrors,
  readAsset,
  sendManifest,
  withFaultlessApp,
} from "../support/api.ts";
import {
  countersOf,
  DAY,
  expectConsistent,
  expectStored,
  later,
  mark,
  sendDelete,
  statusOfBlob,
  trash,
} from "../support/trash.ts";

const ORIGINAL = ciphertext("original", 700);

/** Brings an asset to life whose manifest carries a floor, so many ms ahead. */
async function createRetained(
  app: TestApp,
  person: Person,
  assetId: string,
  floorMs: number | undefined,
): Promise<void> {
  await uploadBlob(app, person, ORIGINAL, { fileId: assetId });
  const manifest = ciphertext(`manifest of ${assetId}`, 90);
  await expectJson(
    await sendManifest(app, person, assetId, manifest, {
      original: ORIGINAL,
      envelope: floor(app, floorMs),
    }),
    200,
  );
}

function floor(app: TestApp, floorMs: number | undefined): Json {
  if (floorMs === undefined) return {};
  const at = new Date(app.clock.now + floorMs).toISOString();
  return { retention_until: at };
}

async function replaceWith(
  app: TestApp,
  person: Person,
  assetId: string,
  floorMs: number | undefined,
): Promise<void> {
  const { chain_head } = await readAsset(app, person, assetId);
  const name = `after ${chain_head}`;
  await expectJson(
    await sendManifest(app, person, assetId, ciphertext(name, 60), {
      action: "replace",
      original: ORIGINAL,
      prior: chain_head,
      envelope: floor(app, floorMs),
    }),
    200,
  );
}

Deno.test("an asset is not deleted before its retention floor", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const assetId = uuidOf("retained");
    await createRetained(app, ada, assetId, 10 * DAY);
    const refused = async () =>
      await expectProblem(
        await sendDelete(app, ada, assetId),
        "error.asset.retained",
      );
    await refused();
    ada = await later(app, ada, 10 * DAY - 1);
    await refused();
    assert.equal((await readAsset(app, ada, assetId)).state, "live");
    app.clock.advance(1);
    assert.equal((await trash(app, ada, assetId)).state, "deleted");
  });
});

Deno.test("of the floors that manifests carried the latest counts, never lowered", async () => {
  await withFaultlessApp(async (app) => {
    const floors: [number | undefined, number | undefined, number][] = [
      [undefined, undefined, 0],
      [undefined, 2 * DAY, 2],
      [2 * DAY, undefined, 2],
      [2 * DAY, DAY, 2],
      [DAY, 2 * DAY, 2],
      [-DAY, undefined, 0],
    ];
    for (const [index, [first, second, days]] of floors.entries()) {
      const ada = await registerWriter(app, `ada ${index}`.replace(" ", ""));
      const assetId = uuidOf(`floors ${index}`);
      await createRetained(app, ada, assetId, first);
      await replaceWith(app, ada, assetId, second);
      // What an upload session declared and no manifest applied is no floor.
      await createUpload(app, ada, ciphertext("unapplied", 30), {
        fileId: assetId,
        role: "derivative",
        envelope: floor(app, 100 * DAY),
      });
      if (days > 0) {
        const early = await later(app, ada, days * DAY - 1);
        await expectProblem(
          await sendDelete(app, early, assetId),
          "error.asset.retained",
        );
      }
      const due = await later(app, ada, 1);
      assert.equal((await trash(app, due, assetId)).state, "deleted");
    }
  });
});

Deno.test("the floor of an op counts like that of an uploaded manifest", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "mine");
    const assetId = uuidOf("by op");
    await uploadBlob(app, ada, ORIGINAL, { fileId: assetId, albumId });
    const op = opRequest(ada, albumId, assetId, ciphertext("op", 50), {
      original: ORIGINAL,
      envelope: floor(app, DAY),
    });
    await expectJson(await sendOp(app, ada, albumId, op), 200);
    await expectProblem(
      await sendDelete(app, ada, assetId),
      "error.asset.retained",
    );
  });
});

Deno.test("a floor more than ten years ahead is 422", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const [years, status] of [[10, 201], [11, 422]] as const) {
      const json = uploadRequest(ada, ciphertext(`${years}`, 10), {
        envelope: floor(app, years * 365 * DAY),
      });
      const answer = await app.send("POST", "/v1/upload", {
        token: ada.token,
        json,
      });
      await answer.body?.cancel();
      assert.equal(answer.status, status);
    }
  });
});

Deno.test("an asset under legal hold is not deleted, and is once the hold is lifted", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await mark(app, assetId, { held_at: app.clock.now });
    await expectProblem(
      await sendDelete(app, ada, assetId),
      "error.asset.held",
    );
    await mark(app, assetId, { held_at: null });
    assert.equal((await trash(app, ada, assetId)).state, "deleted");
  });
});

Deno.test("a replace of a held asset keeps what it supersedes until the hold is lifted", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    const { assetId, original, metadata, manifest } = asset;
    const thumbnail = ciphertext("thumbnail", 80);
    await uploadBlob(app, ada, thumbnail, {
      fileId: assetId,
      role: "derivative",
    });
    const second = ciphertext("second", 60);
    await expectJson(
      await sendManifest(app, ada, assetId, second, {
        action: "replace",
        original,
        metadata,
        prior: hashOf(manifest),
      }),
      200,
    );
    await mark(app, assetId, { held_at: app.clock.now });
    const edited = ciphertext("edited", 900);
    const third = ciphertext("third", 50);
    await uploadBlob(app, ada, edited, { fileId: assetId });
    await expectJson(
      await sendManifest(app, ada, assetId, third, {
        action: "replace",
        original: edited,
        prior: hashOf(second),
      }),
      200,
    );
    const all = [original, metadata, manifest, thumbnail, second, edited];
    const left = [manifest, second, edited, third];
    const bytes = (blobs: readonly Uint8Array[]) =>
      blobs.reduce((sum, { length }) => sum + length, 0);
    // The asset is what its new manifest says; the bytes stay.
    const held = (await readAsset(app, ada, assetId)).blobs;
    assert.deepEqual(
      held.map(({ hash }: Json) => hash).toSorted(),
      left.map(hashOf).toSorted(),
    );
    ada = await later(app, ada, 40 * DAY);
    await app.purge();
    await expectStored(app, ...all, third);
    assert.equal((await countersOf(app, ada)).used, bytes([...all, third]));
    // A further manifest does not bring a superseded derivative back.
    const fourth = ciphertext("fourth", 40);
    await expectJson(
      await sendManifest(app, ada, assetId, fourth, {
        action: "replace",
        original: edited,
        prior: hashOf(third),
      }),
      200,
    );
    assert.equal(await statusOfBlob(app, ada, assetId, thumbnail), 404);
    // Uploaded again, it attaches again.
    ada = await later(app, ada, 2 * DAY);
    await uploadBlob(app, ada, thumbnail, {
      fileId: assetId,
      role: "derivative",
    });
    assert.equal(await statusOfBlob(app, ada, assetId, thumbnail), 200);
    const { used } = await countersOf(app, ada);
    assert.equal(used, bytes([...all, third, fourth]));
    await mark(app, assetId, { held_at: null });
    app.clock.advance(2 * DAY);
    await app.purge();
    await expectStored(app, ...left, fourth, thumbnail);
    await expectConsistent(app);
    expectNoErrors(app);
  });
});
