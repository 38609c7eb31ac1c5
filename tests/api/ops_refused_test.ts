/**
 * The check battery of a lifecycle write: what it refuses, and that a refusal
 * leaves nothing behind (protocol/manifests.md#lifecycle-write).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  opRequest,
  sendOp,
} from "../support/albums.ts";
import { PROTOCOL } from "../support/app.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  expectRefused,
  type Ready,
  replaceRequest,
  withEnvelope,
  withReady,
} from "../support/ops.ts";
import { ciphertext, type Person, uuidOf } from "../support/people.ts";

const MANIFEST = ciphertext("manifest", 700);

/** Every rule of an envelope: its field, and what breaks it. */
function brokenEnvelopes({ bob, live }: Ready): [string, unknown][] {
  return [
    ["album_id", uuidOf("another album")],
    ["album_id", null],
    ["album_id", undefined],
    ["action", "delete"],
    ["action", "Create"],
    ["action", ""],
    ["created_by_user", bob.userId],
    ["created_by_user", "nobody"],
    ["file_id", "not a UUID"],
    ["file_id", live.assetId.toUpperCase()],
    ["created_by_device", "not a UUID"],
    ["created_by_device", ""],
    ["key_mode", "none"],
    ["crypto_suite_id", 2],
    ["crypto_suite_id", 0],
    ["ciphertext_hash", "0".repeat(64)],
    ["metadata_blob_hash", "0".repeat(64)],
    ["metadata_blob_hash", null],
    ["metadata_blob_hash", undefined],
    ["retention_until", "2036-11-25T12:00:00Z"],
  ];
}

Deno.test("an envelope that contradicts its request is 422 at the field, and leaves nothing", async () => {
  await withReady(async (world) => {
    const { app, ada, albumId, create, replace } = world;
    for (const [field, value] of brokenEnvelopes(world)) {
      for (const request of [create, replace]) {
        const broken = withEnvelope(request, { [field]: value });
        const refusal = await expectRefused(
          app,
          () => sendOp(app, ada, albumId, broken),
          "error.manifest.mismatch",
        );
        const paths = refusal.errors.map(({ path }: Json) => path);
        assert.deepEqual(
          paths,
          [`/manifest_envelope/${field}`],
          `${field}: ${value}`,
        );
      }
    }
    // They were refused for nothing else.
    for (const request of [create, replace]) {
      await expectJson(await sendOp(app, ada, albumId, request), 200);
    }
  });
});

Deno.test("original_blob_hash is required on replace", async () => {
  await withReady(async ({ app, ada, albumId, replace }) => {
    for (const value of [null, undefined]) {
      const refusal = await expectRefused(
        app,
        () =>
          sendOp(
            app,
            ada,
            albumId,
            withEnvelope(replace, { original_blob_hash: value }),
          ),
        "error.manifest.mismatch",
      );
      assert.equal(
        refusal.errors[0].path,
        "/manifest_envelope/original_blob_hash",
      );
    }
  });
});

Deno.test("every contradiction of an envelope is named at once", async () => {
  await withReady(async ({ app, ada, albumId, create }) => {
    const broken = withEnvelope(create, { key_mode: "x", action: "x" });
    const refusal = await expectRefused(
      app,
      () => sendOp(app, ada, albumId, broken),
      "error.manifest.mismatch",
    );
    assert.deepEqual(
      refusal.errors.map(({ path }: Json) => path).toSorted(),
      ["/manifest_envelope/action", "/manifest_envelope/key_mode"],
    );
  });
});

Deno.test("another account's asset is not this caller's to write: 422 at file_id", async () => {
  await withReady(async ({ app, ada, bob, albumId, live }) => {
    const stolen = replaceRequest(bob, albumId, live, "bob's");
    const again = opRequest(bob, albumId, live.assetId, MANIFEST, {
      original: live.original,
    });
    for (const state of ["live", "deleted"] as const) {
      await app.app.db.updateTable("asset").set({ state }).execute();
      for (const request of [stolen, again]) {
        const refusal = await expectRefused(
          app,
          () => sendOp(app, bob, albumId, request),
          "error.manifest.mismatch",
        );
        assert.equal(refusal.errors[0].path, "/manifest_envelope/file_id");
      }
    }
    assert.notEqual(ada.userId, bob.userId);
  });
});

Deno.test("a date below the album's or outside the window is 426 with the range accepted", async () => {
  for (
    const [albumDate, outside] of [
      [PROTOCOL, ["2026-10-31", "2026-06-01", "2026-05-31", "2026-11-02"]],
      [OLD_PROTOCOL, ["2026-07-31", "2026-06-01", "1999-01-01", "2027-01-01"]],
    ] as const
  ) {
    await withReady(async ({ app, ada, albumId, create, replace }) => {
      for (const protocol_version of outside) {
        for (const request of [create, replace]) {
          const { protocol_min, protocol_max } = await expectRefused(
            app,
            () =>
              sendOp(
                app,
                ada,
                albumId,
                withEnvelope(request, { protocol_version }),
              ),
            "error.handshake.protocol_unsupported",
          );
          assert.deepEqual(
            { protocol_min, protocol_max },
            { protocol_min: albumDate, protocol_max: PROTOCOL },
          );
        }
      }
      const lowest = withEnvelope(create, { protocol_version: albumDate });
      await expectJson(await sendOp(app, ada, albumId, lowest), 200);
    }, albumDate);
  }
});

Deno.test("an unknown album, a stranger's and a viewer's are all 403 role_forbidden", async () => {
  await withReady(async (world) => {
    const { app, ada, vic, eve, albumId } = world;
    const unknown = uuidOf("no album");
    const cases: [Person, string][] = [
      [ada, unknown],
      [eve, unknown],
      [eve, albumId],
      [vic, albumId],
    ];
    const original = ciphertext("original one", 1_000);
    for (const [person, album] of cases) {
      const request = opRequest(person, album, uuidOf("new"), MANIFEST, {
        original,
      });
      await expectRefused(
        app,
        () => sendOp(app, person, album, request),
        "error.album.role_forbidden",
      );
    }
  });
});

Deno.test("a tombstoned album refuses writes: 403", async () => {
  await withReady(async ({ app, ada, albumId, create, replace }) => {
    await app.app.db.updateTable("album")
      .set({ tombstoned_at: app.clock.now }).execute();
    for (const request of [create, replace]) {
      await expectRefused(
        app,
        () => sendOp(app, ada, albumId, request),
        "error.album.tombstoned",
      );
    }
  });
});

Deno.test("in quiescence a new file's create and every replace are 409 upgrade_in_flight", async () => {
  await withReady(async (world) => {
    const { app, ada, bob, albumId, live, replace } = world;
    const intent = await intentBytes(ada, albumId, "upgrade");
    await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
    const created = [ada, bob].map((person) =>
      [
        person,
        opRequest(person, albumId, uuidOf("new"), MANIFEST, {
          original: live.original,
        }),
      ] as const
    );
    for (const [person, request] of [...created, [ada, replace] as const]) {
      await expectRefused(
        app,
        () => sendOp(app, person, albumId, request),
        "error.album.upgrade_in_flight",
      );
    }
  }, OLD_PROTOCOL);
});
