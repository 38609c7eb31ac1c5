/**
 * Answers about an asset that was taken down: one and the same as about one
 * that is pending, and one that never was (protocol/manifests.md#reading).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  mint,
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "../support/albums.ts";
import { type SendOptions, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import { operate } from "../support/moderation.ts";
import { FEDERATES } from "../support/peers.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectNoErrors,
  expectSameAnswers,
  issueShare,
  opaqueId,
  viewShare,
} from "../support/api.ts";
import { expectSameWork } from "../support/work.ts";
import { finalize } from "../support/uploads.ts";

/** Ada's album with an asset of hers that is withheld, and one pending. */
interface World {
  readonly ada: Person;
  readonly bob: Person;
  readonly eve: Person;
  readonly albumId: string;
  readonly withheld: LiveAsset;
  readonly ids: {
    readonly unknown: string;
    readonly pending: string;
    readonly withheld: string;
    readonly "withheld in the trash": string;
  };
}

async function withWorld(
  test: (app: TestApp, world: World) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const eve = await registerWriter(app, "eve");
    const albumId = await provisionAlbum(app, ada, "trip");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const withheld = await createAsset(app, ada, "withheld", { albumId });
    const pending = uuidOf("pending");
    for (const bytes of [withheld.original, withheld.metadata]) {
      await uploadBlob(app, ada, bytes, {
        fileId: pending,
        albumId,
        role: bytes === withheld.metadata ? "metadata" : "original",
      });
    }
    const trashed = await createAsset(app, ada, "trashed", { albumId });
    await app.app.db.updateTable("asset")
      .set({ state: "deleted", deleted_at: app.clock.now })
      .where("asset_id", "=", trashed.assetId as never)
      .execute();
    for (const { assetId } of [withheld, trashed]) {
      await operate(app, "takeDown", assetId);
    }
    await test(app, {
      ada,
      bob,
      eve,
      albumId,
      withheld,
      ids: {
        unknown: uuidOf("no asset"),
        pending,
        withheld: withheld.assetId,
        "withheld in the trash": trashed.assetId,
      },
    });
    expectNoErrors(app);
  }, {
    settings: { ...FEDERATES, STRONGROOM_LIMIT_SHARE_BLOB: "100000" },
  });
}

/** Asks the same about each of several things and expects one answer. */
async function expectOneAnswer(
  ids: Readonly<Record<string, string>>,
  ask: (id: string) => Promise<Response>,
): Promise<string> {
  const answers: Record<string, Response> = {};
  for (const [name, id] of Object.entries(ids)) answers[name] = await ask(id);
  return await expectSameAnswers(answers);
}

function codeOf(body: string): string {
  return JSON.parse(body).code;
}

Deno.test("a withheld, a pending and an unknown asset are one and the same to every reader", async () => {
  await withWorld(async (app, { ada, bob, eve, albumId, withheld, ids }) => {
    const { token } = await expectJson(
      await mint(app, ada, albumId, {
        peer: "https://peer.example",
        member: bob.userId,
      }),
      201,
    );
    const hashes = [withheld.original, withheld.metadata, withheld.manifest]
      .map(hashOf);
    const headers: Record<string, string>[] = [
      {},
      { Range: "bytes=0-1" },
      { "If-None-Match": "*" },
      { "If-None-Match": `"${hashes[0]}"` },
    ];
    for (const reader of [ada.token, bob.token, eve.token, token]) {
      for (const suffix of ["", ...hashes.map((hash) => `/blobs/${hash}`)]) {
        for (const one of headers) {
          const sent: SendOptions = { token: reader, headers: one };
          const path = (id: string) => `/v1/assets/${id}${suffix}`;
          const body = await expectOneAnswer(
            ids,
            (id) => app.send("GET", path(id), sent),
          );
          assert.equal(codeOf(body), "error.asset.not_found");
          const head = await expectOneAnswer(
            ids,
            (id) => app.send("HEAD", path(id), sent),
          );
          assert.equal(head, "");
        }
      }
    }
  });
});

Deno.test("a withheld asset's receipts are an unknown asset's to all but its owner", async () => {
  await withWorld(async (app, { bob, eve, ids }) => {
    for (const { token } of [bob, eve]) {
      const body = await expectOneAnswer(
        ids,
        (id) => app.send("GET", `/v1/assets/${id}/receipts`, { token }),
      );
      assert.equal(codeOf(body), "error.asset.not_found");
    }
  });
});

Deno.test("replacing a withheld, a pending and an unknown asset is one and the same", async () => {
  await withWorld(async (app, { ada, albumId, withheld, ids }) => {
    for (const prior of [withheld.manifest, ciphertext("none", 9)]) {
      const body = await expectOneAnswer(ids, (id) =>
        sendOp(
          app,
          ada,
          albumId,
          opRequest(ada, albumId, id, ciphertext("new", 70), {
            action: "replace",
            original: withheld.original,
            prior: hashOf(prior),
          }),
        ));
      assert.equal(codeOf(body), "error.asset.stale_revival");
      assert.equal(JSON.parse(body).chain_head, null);
    }
  });
});

Deno.test("replacing them by an upload that was open is one and the same", async () => {
  await withWorld(async (app, { ada, albumId, withheld, ids }) => {
    const bytes = ciphertext("second manifest", 70);
    await operate(app, "reinstate", ids.withheld);
    const open: Record<string, string> = {};
    for (const name of ["unknown", "pending", "withheld"] as const) {
      const { upload_id } = await createUpload(app, ada, bytes, {
        fileId: ids[name],
        albumId,
        role: "provenance",
        envelope: {
          action: "replace",
          original_blob_hash: hashOf(withheld.original),
          prior_provenance_hash: hashOf(withheld.manifest),
        },
      });
      const sent = await patchBytes(app, ada, upload_id, 0, bytes);
      await sent.body?.cancel();
      open[name] = upload_id;
    }
    await operate(app, "takeDown", ids.withheld);
    const body = await expectOneAnswer(open, (id) => finalize(app, ada, id));
    assert.equal(codeOf(body), "error.asset.stale_revival");
    assert.equal(JSON.parse(body).chain_head, null);
  });
});

Deno.test("a withheld asset's id is as taken to strangers as any live one's", async () => {
  await withWorld(async (app, { ada, eve, ids }) => {
    const live = await createAsset(app, ada, "live");
    const taken = { live: live.assetId, withheld: ids.withheld };
    const body = await expectOneAnswer(
      taken,
      (fileId) =>
        app.send("POST", "/v1/upload", {
          token: eve.token,
          json: {
            crypto_suite_id: 1,
            blob_role: "original",
            ciphertext_hash: hashOf("x"),
            size: 1,
            manifest_envelope: {
              crypto_suite_id: 1,
              protocol_version: "2026-11-01",
              file_id: fileId,
              amk_version: 0,
              ciphertext_hash: hashOf("x"),
              plaintext_size: 1,
              chunk_size: 65_536,
              key_mode: "derived",
              created_by_user: eve.userId,
              created_by_device: uuidOf("a device"),
              client_version: "test/1",
              timestamp: "2026-11-21T12:00:00Z",
              action: "create",
            },
          },
        }),
    );
    assert.equal(codeOf(body), "error.manifest.mismatch");
  });
});

Deno.test("a withheld blob of a link, one not served and an unknown link are one and the same", async () => {
  await withWorld(async (app, { ada, withheld }) => {
    const hash = hashOf(withheld.original);
    const link = await issueShare(app, ada, "link", [hash]);
    const paths = {
      withheld: `${link}/blob/${hash}`,
      "not served": `${link}/blob/${hashOf("nothing")}`,
      "of an unknown link": `${opaqueId("unknown")}/blob/${hash}`,
    };
    const body = await expectOneAnswer(paths, (path) => viewShare(app, path));
    assert.equal(codeOf(body), "error.share.not_found");
    await expectSameWork({
      withheld: () => viewShare(app, paths.withheld),
      "not served": () => viewShare(app, paths["not served"]),
    });
  });
});

Deno.test("a withheld and an unknown asset take the same time", async () => {
  await withWorld(async (app, { bob, withheld, ids }) => {
    const { token } = bob;
    for (const suffix of ["", `/blobs/${hashOf(withheld.original)}`]) {
      const ask = (id: string) => () =>
        app.send("GET", `/v1/assets/${id}${suffix}`, { token });
      await expectSameWork({
        unknown: ask(ids.unknown),
        withheld: ask(ids.withheld),
      });
    }
  });
});
