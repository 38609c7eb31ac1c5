/**
 * Opening upload sessions: what is checked; what is limited is in
 * `upload_limits_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ORIGIN, START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors } from "../support/api.ts";

const HOUR = 3_600_000;
const BYTES = ciphertext("upload", 100);
const UUID_V7 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Over = Parameters<typeof uploadRequest>[2];

function create(
  app: TestApp,
  person: Person,
  over: Over = {},
  bytes: Uint8Array = BYTES,
): Promise<Response> {
  return app.send("POST", "/v1/upload", {
    token: person.token,
    json: uploadRequest(person, bytes, over),
  });
}

function pathsOf(refusal: Json): string[] {
  return refusal.errors.map((one: Json) => one.path);
}

async function provision(
  app: TestApp,
  person: Person,
  albumId: string,
  protocol = "2026-11-01",
): Promise<void> {
  await expectJson(
    await app.send("POST", "/v1/albums", {
      token: person.token,
      protocol,
      json: { album_id: albumId },
    }),
    201,
  );
}

Deno.test("creating an upload answers 201 with its Location", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const response = await create(app, ada);
    const location = response.headers.get("location") ?? "";
    const upload = await expectJson(response, 201);
    assert.match(upload.upload_id, UUID_V7);
    assert.equal(
      new URL(location, ORIGIN).href,
      `${ORIGIN}/v1/upload/${upload.upload_id}`,
    );
    const { album_id, receipt, expires_at, ...rest } = upload;
    assert.equal(album_id ?? null, null);
    assert.equal(receipt ?? null, null);
    assert.equal(Date.parse(expires_at), START_MS + 24 * HOUR);
    assert.deepEqual(rest, {
      upload_id: upload.upload_id,
      state: "open",
      asset_id: uuidOf("a file"),
      blob_role: "original",
      ciphertext_hash: hashOf(BYTES),
      offset: 0,
      size: 100,
    });
    assert.deepEqual(
      await expectJson(
        await app.send("GET", `/v1/upload/${upload.upload_id}`, {
          token: ada.token,
        }),
        200,
      ),
      upload,
    );
  });
});

Deno.test("the same caller repeating file_id, role and hash gets the session it has", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const first = await createUpload(app, ada, BYTES);
    assert.deepEqual(await expectJson(await create(app, ada), 200), first);
    const others: Over[] = [
      { fileId: uuidOf("another file") },
      { role: "derivative" },
      { role: "metadata" },
    ];
    for (const over of others) {
      const other = await expectJson(await create(app, ada, over), 201);
      assert.notEqual(other.upload_id, first.upload_id);
    }
    // A finalized session is still the one that the caller has.
    await expectJson(await putBytes(app, ada, first.upload_id, BYTES), 200);
    const held = await expectJson(await create(app, ada), 200);
    assert.equal(held.upload_id, first.upload_id);
    assert.equal(held.state, "finalized");
    assert.equal(held.offset, 100);
    assert.equal(held.receipt.upload_id, first.upload_id);
  });
});

Deno.test("a repeated create names the same size and album", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = uuidOf("album");
    await provision(app, ada, albumId);
    await createUpload(app, ada, BYTES);
    await expectProblem(
      await create(app, ada, { request: { size: 101 } }),
      "error.manifest.mismatch",
    );
    await expectProblem(
      await create(app, ada, { albumId }),
      "error.manifest.mismatch",
    );
  });
});

Deno.test("of two creates at once both get the one session", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const answers = await Promise.all([1, 2, 3].map(() => create(app, ada)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 200, 201],
    );
    const ids = await Promise.all(
      answers.map(async (answer) => (await answer.json()).upload_id),
    );
    assert.equal(new Set(ids).size, 1);
  });
});

Deno.test("an envelope that contradicts the request is 422 and says where", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const albumId = uuidOf("album");
    await provision(app, ada, albumId);
    const other = hashOf("another blob");
    const cases: [string, Over][] = [
      ["crypto_suite_id", { envelope: { crypto_suite_id: 2 } }],
      ["ciphertext_hash", { envelope: { ciphertext_hash: other } }],
      ["album_id", { envelope: { album_id: albumId } }],
      ["album_id", { albumId, envelope: { album_id: null } }],
      ["album_id", { albumId, envelope: { album_id: uuidOf("other") } }],
      ["created_by_user", { envelope: { created_by_user: bob.userId } }],
      ["created_by_user", { envelope: { created_by_user: "ada" } }],
      ["file_id", { envelope: { file_id: "photo.jpg" } }],
      ["file_id", { envelope: { file_id: "" } }],
      ["file_id", { envelope: { file_id: uuidOf("a").toUpperCase() } }],
      ["created_by_device", { envelope: { created_by_device: "phone" } }],
      ["key_mode", { envelope: { key_mode: "none" } }],
      ["action", { envelope: { action: "delete" } }],
      ["action", { envelope: { action: "Create" } }],
      ["original_blob_hash", { envelope: { original_blob_hash: other } }],
      ["original_blob_hash", { envelope: { action: "replace" } }],
      [
        "original_blob_hash",
        { role: "metadata", envelope: { action: "replace" } },
      ],
      [
        "metadata_blob_hash",
        { role: "metadata", envelope: { metadata_blob_hash: null } },
      ],
      [
        "metadata_blob_hash",
        { role: "metadata", envelope: { metadata_blob_hash: other } },
      ],
    ];
    for (const [field, over] of cases) {
      const refusal = await expectProblem(
        await create(app, ada, over),
        "error.manifest.mismatch",
      );
      const expected = `/manifest_envelope/${field}`;
      assert(
        pathsOf(refusal).includes(expected),
        `${expected}: ${pathsOf(refusal)}`,
      );
    }
    // The suite that both name has to be one that the server implements.
    const refusal = await expectProblem(
      await create(app, ada, {
        request: { crypto_suite_id: 2 },
        envelope: { crypto_suite_id: 2 },
      }),
      "error.manifest.mismatch",
    );
    assert.match(pathsOf(refusal).join(), /crypto_suite_id/);
    expectNoErrors(app);
  });
});

Deno.test("an envelope that agrees is accepted, its optional parts too", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const hash = hashOf(BYTES);
    const cases: Over[] = [
      { envelope: { key_mode: "wrapped" } },
      { envelope: { album_id: null }, request: { album_id: null } },
      { envelope: { original_blob_hash: hash } },
      {
        envelope: {
          action: "replace",
          original_blob_hash: hash,
          prior_provenance_hash: hashOf("prior"),
        },
      },
      { envelope: { metadata_blob_hash: null, retention_until: null } },
      { envelope: { retention_until: "2027-01-01T00:00:00Z" } },
      { envelope: { amk_version: 7, plaintext_size: 0, chunk_size: 1 } },
    ];
    for (const [index, over] of cases.entries()) {
      const fileId = uuidOf(`file ${index}`);
      await expectJson(await create(app, ada, { ...over, fileId }), 201);
    }
  });
});

Deno.test("a request of the wrong shape is 422 and says where", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const request: [string, Json][] = [
      ["size", 0],
      ["size", -1],
      ["size", 1.5],
      ["size", "100"],
      ["size", null],
      ["blob_role", "photo"],
      ["blob_role", null],
      ["ciphertext_hash", hashOf(BYTES).toUpperCase()],
      ["ciphertext_hash", hashOf(BYTES).slice(1)],
      ["ciphertext_hash", `${hashOf(BYTES)}0`],
      ["ciphertext_hash", ""],
      ["crypto_suite_id", "1"],
      ["crypto_suite_id", 1.5],
      ["album_id", "album"],
      ["manifest_envelope", null],
      ["manifest_envelope", []],
      ["manifest_envelope", "{}"],
      ["adopts_all", true],
    ];
    const envelope: [string, Json][] = [
      ["protocol_version", "2026-02-30"],
      ["protocol_version", 20261101],
      ["amk_version", -1],
      ["amk_version", "0"],
      ["plaintext_size", -1],
      ["chunk_size", null],
      ["timestamp", "yesterday"],
      ["timestamp", "2026-13-01T00:00:00Z"],
      ["retention_until", "never"],
      ["metadata_blob_hash", "abc"],
      ["original_blob_hash", 1],
      ["prior_provenance_hash", ""],
      ["client_version", null],
      ["file_id", 1],
      ["created_by_user", null],
      ["exif", "unknown"],
    ];
    const cases: [string, Over][] = [
      ...request.map(([key, value]): [string, Over] => [
        `/${key}`,
        { request: { [key]: value } },
      ]),
      ...envelope.map(([key, value]): [string, Over] => [
        `/manifest_envelope/${key}`,
        { envelope: { [key]: value } },
      ]),
    ];
    for (const [pointer, over] of cases) {
      const refusal = await expectProblem(
        await create(app, ada, over),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), [pointer]);
    }
    expectNoErrors(app);
  });
});

Deno.test("a manifest's date outside the window or below its album's is 426 with the range", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = uuidOf("album");
    await provision(app, ada, albumId, "2026-08-01");
    const cases: [string, Over, string][] = [
      ["2026-05-31", {}, "2026-06-01"],
      ["2026-11-02", {}, "2026-06-01"],
      ["2026-07-31", { albumId }, "2026-08-01"],
      ["2026-11-02", { albumId }, "2026-08-01"],
    ];
    for (const [protocol_version, over, protocol_min] of cases) {
      const refusal = await expectProblem(
        await create(app, ada, { ...over, envelope: { protocol_version } }),
        "error.handshake.protocol_unsupported",
      );
      assert.equal(refusal.protocol_min, protocol_min);
      assert.equal(refusal.protocol_max, "2026-11-01");
    }
    for (const protocol_version of ["2026-08-01", "2026-11-01"]) {
      const fileId = uuidOf(protocol_version);
      const envelope = { protocol_version };
      const over = { albumId, fileId, envelope };
      const upload = await expectJson(await create(app, ada, over), 201);
      assert.equal(upload.album_id, albumId);
    }
  });
});

Deno.test("an album that is unknown or another's is 404", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await provision(app, bob, uuidOf("bob's album"));
    for (const albumId of [uuidOf("bob's album"), uuidOf("no album")]) {
      await expectProblem(
        await create(app, ada, { albumId }),
        "error.album.not_found",
      );
    }
  });
});

Deno.test("the file_id of another account's live asset is 422; a pending one is not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const pending = { fileId: uuidOf("pending") };
    await uploadBlob(app, ada, BYTES, pending);
    await expectJson(await create(app, bob, pending), 201);
    const { assetId } = await createAsset(app, ada, "photo");
    const refusal = await expectProblem(
      await create(app, bob, { fileId: assetId }),
      "error.manifest.mismatch",
    );
    assert.deepEqual(pathsOf(refusal), ["/manifest_envelope/file_id"]);
    // Its owner goes on with it.
    await expectJson(await create(app, ada, { fileId: assetId }), 201);
  });
});
