/**
 * Counters of storage that are wrong: nothing is refused for them but more
 * bytes, and they are counted again (protocol/uploads.md#room).
 *
 * @module
 */
import assert from "node:assert/strict";
import { provisionAlbum } from "../support/albums.ts";
import { withFaultlessApp } from "../support/api.ts";
import { type TestApp } from "../support/app.ts";
import { check, expectCounted } from "../support/check.ts";
import { removePerson } from "../support/departure.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  contribute,
  createGuestUpload,
  issueLink,
  listLinks,
  onContribution,
  revokeLink,
  viewLink,
} from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  type Person,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { writeRows } from "../support/rows.ts";
import { deleteState, putState } from "../support/state.ts";
import { expectPut } from "../support/state_slots.ts";
import {
  collect,
  DAY,
  emptyTrash,
  sendDelete,
  sendPurge,
  sendRestore,
} from "../support/trash.ts";

const COUNTERS = [
  "used_bytes",
  "reserved_bytes",
  "trash_bytes",
  "open_uploads",
];

/** What a damaged row says: nothing, or more than JavaScript can count. */
const DAMAGES = ["0", "9223372036854775807"];

function damage(app: TestApp, value: string): void {
  const set = COUNTERS.map((name) => `${name} = ${value}`).join(", ");
  writeRows(app, `update usage set ${set}`);
}

async function usage(app: TestApp, { token }: Person): Promise<Json> {
  return await expectJson(
    await app.send("GET", "/v1/storage/usage", { token }),
    200,
  );
}

for (const value of DAMAGES) {
  Deno.test(`counters that say ${value} refuse no deletion, and nothing fails`, async () => {
    await withFaultlessApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const albumId = await provisionAlbum(app, ada, "album");
      const one = await createAsset(app, ada, "one", { albumId });
      const two = await createAsset(app, ada, "two");
      const three = await createAsset(app, ada, "three");
      const bytes = ciphertext("slot", 50);
      await expectPut(await putState(app, ada, "slot", bytes), bytes);
      const { upload_id } = await createUpload(app, ada, ciphertext("a", 70));
      await uploadBlob(app, ada, ciphertext("waiting", 60), {
        fileId: uuidOf("waiting"),
      });
      const link = await issueLink(app, ada, "link");
      await createGuestUpload(app, link, ciphertext("open", 80));
      const given = await contribute(app, link, ciphertext("given", 90));
      await expectJson(await sendDelete(app, ada, two.assetId), 200);

      const { token } = ada;
      const steps: Record<string, () => Promise<unknown>> = {
        usage: () => usage(app, ada),
        "an upload that is cancelled": async () =>
          await expectEmpty(
            await app.send("DELETE", `/v1/upload/${upload_id}`, { token }),
            204,
          ),
        "a state slot that is emptied": async () =>
          await expectEmpty(await deleteState(app, ada, "slot"), 204),
        "a restore": async () =>
          await expectJson(await sendRestore(app, ada, two.assetId), 200),
        "a deletion": async () =>
          await expectJson(await sendDelete(app, ada, one.assetId), 200),
        "a purge": async () =>
          await expectEmpty(await sendPurge(app, ada, one.assetId), 204),
        "another deletion": async () =>
          await expectJson(await sendDelete(app, ada, three.assetId), 200),
        "the deletion of what was restored": async () =>
          await expectJson(await sendDelete(app, ada, two.assetId), 200),
        "the whole trash": () => emptyTrash(app, ada),
        "the end of an album": async () =>
          await expectEmpty(
            await app.send("DELETE", `/v1/albums/${albumId}`, { token }),
            204,
          ),
        "a contribution": async () =>
          await expectEmpty(
            await onContribution(app, ada, "DELETE", link, given.upload_id),
            204,
          ),
        "a link with an open session": async () =>
          await expectEmpty(await revokeLink(app, ada, link), 204),
        "garbage collection": async () => {
          app.clock.advance(2 * DAY);
          assert.equal((await collect(app)).failed, 0);
        },
      };
      for (const [step, act] of Object.entries(steps)) {
        damage(app, value);
        await act().catch((cause) => {
          throw new Error(`${step} with counters of ${value}`, { cause });
        });
      }
      damage(app, value);
      await app.purge();
      // Nothing is left, and that is what they say.
      await expectCounted(app);
    });
  });
}

function sendUpload(app: TestApp, ada: Person, bytes: Uint8Array) {
  const json = uploadRequest(ada, bytes);
  return app.send("POST", "/v1/upload", { token: ada.token, json });
}

Deno.test("a counter that left its range is full for the quota until it is counted again, which asking for room does", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const gone = await createAsset(app, ada, "gone");
    await createAsset(app, ada, "photo", { length: 1_000 });
    const before = await usage(app, ada);
    await expectJson(await sendDelete(app, ada, gone.assetId), 200);
    await expectEmpty(await sendPurge(app, ada, gone.assetId), 204);
    const whole = await usage(app, ada);
    assert(whole.used_bytes < before.used_bytes);

    const lost = await createAsset(app, ada, "lost");
    writeRows(app, "update usage set used_bytes = 1");
    await expectJson(await sendDelete(app, ada, lost.assetId), 200);
    await expectEmpty(await sendPurge(app, ada, lost.assetId), 204);
    // It is found, and what the owner sees is what the tables say.
    const { findings: [finding, ...more] } = await check(app, {
      steps: ["usage"],
    });
    assert.deepEqual(more, []);
    assert.match(finding?.detail ?? "", /^used_bytes had left its range/);
    assert.match(finding?.mend ?? "", /by itself/);
    assert.deepEqual(await usage(app, ada), whole);

    // As many bytes as are left fit, and not one more.
    await app.app.db.updateTable("usage")
      .set({ quota_bytes: whole.used_bytes + 100 }).execute();
    await expectProblem(
      await sendUpload(app, ada, ciphertext("too large", 101)),
      "error.storage.quota_exceeded",
    );
    await createUpload(app, ada, ciphertext("fits", 100));
    await expectCounted(app);
    await expectProblem(
      await sendUpload(app, ada, ciphertext("one more", 1)),
      "error.storage.quota_exceeded",
    );
  });
});

Deno.test("the periodic task counts again, for an account that does nothing too", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await createAsset(app, ada, "other");
    writeRows(app, "update usage set used_bytes = 0");
    await expectJson(await sendDelete(app, ada, assetId), 200);
    await app.purge();
    await expectCounted(app);
    assert.deepEqual(
      app.logged.filter(({ message }) => message.startsWith("counted again"))
        .map(({ properties }) => properties["accounts"]),
      [1],
    );
  });
});

Deno.test("a slot that shrinks below a wrong counter is put, and counted once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const large = ciphertext("large", 500);
    await expectPut(await putState(app, ada, "slot", large), large);
    const small = ciphertext("small", 20);
    const anew = { "If-Match": "*" };
    writeRows(app, "update usage set used_bytes = 0");
    await expectPut(await putState(app, ada, "slot", small, anew), small);
    await app.app.db.updateTable("usage").set({ quota_bytes: 100 }).execute();
    const other = ciphertext("other", 30);
    await expectPut(await putState(app, ada, "other", other), other);
    await expectCounted(app);
    assert.equal((await usage(app, ada)).used_bytes, 50);
  });
});

Deno.test("a link of which the count is wrong gives back no more than it has", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const link = await issueLink(app, ada, "link", {
      max_bytes: 1_000,
      max_files: 5,
    });
    const first = await contribute(app, link, ciphertext("first", 300));
    await contribute(app, link, ciphertext("second", 200));
    writeRows(app, "update upload_link set bytes_used = 1, files_used = 0");
    await expectEmpty(
      await onContribution(app, ada, "DELETE", link, first.upload_id),
      204,
    );
    const [{ bytes_used, files_used }] = await listLinks(app, ada) as [Json];
    assert.deepEqual([bytes_used, files_used], [200, 1]);
    const left = await viewLink(app, link);
    assert.deepEqual([left.max_bytes_left, left.files_left], [800, 4]);
  });
});

Deno.test("an account goes whatever its counters say", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    await createAsset(app, ada, "other");
    await uploadBlob(app, ada, ciphertext("waiting", 60), {
      fileId: uuidOf("waiting"),
    });
    await expectJson(await sendDelete(app, ada, assetId), 200);
    damage(app, "0");
    await removePerson(app, ada);
    assert.deepEqual(
      await app.app.db.selectFrom("usage").select("user_id").execute(),
      [],
    );
  });
});
