/**
 * What opening an upload session reserves, and what limits it
 * (protocol/uploads.md#room).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  type Person,
  putBytes,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { refreshed } from "../support/api.ts";

const HOUR = 3_600_000;
const BYTES = ciphertext("upload", 100);

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

Deno.test("a blob above the maximum size is 413", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectJson(await create(app, ada), 201);
    const response = await create(app, ada, {}, ciphertext("big", 101));
    assert.equal(response.headers.get("content-type"), null);
    await expectEmpty(response, 413);
    const huge = { request: { size: Number.MAX_SAFE_INTEGER } };
    await expectEmpty(await create(app, ada, huge), 413);
  }, { settings: { STRONGROOM_MAX_BLOB_BYTES: "100" } });
});

Deno.test("metadata and manifests have at most 4 MiB, and originals more", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const most = 4 * 1024 * 1024;
    const sized = (role: string, size: number) =>
      create(app, ada, { role, request: { size } }, ciphertext(role, 10));
    for (const role of ["metadata", "provenance"]) {
      const refused = await sized(role, most + 1);
      const { detail } = await expectProblem(
        refused,
        "error.request.too_large",
      );
      assert.match(detail, new RegExp(`A ${role} blob has at most 4194304`));
      await expectJson(await sized(role, most), 201);
    }
    for (const role of ["original", "derivative"]) {
      await expectJson(await sized(role, most + 1), 201);
    }
  });
});

Deno.test("quota is reserved at the create, once a session", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const sized = (name: string, length: number, person = ada) =>
      create(
        app,
        person,
        { fileId: uuidOf(name) },
        ciphertext(name, length),
      );
    const first = await expectJson(await sized("a", 600), 201);
    await expectJson(await sized("a", 600), 200);
    await expectProblem(await sized("b", 401), "error.storage.quota_exceeded");
    await expectJson(await sized("c", 400), 201);
    await expectProblem(await sized("d", 1), "error.storage.quota_exceeded");
    // A quota is of one account.
    await expectJson(await sized("e", 1_000, bob), 201);
    await expectEmpty(
      await app.send("DELETE", `/v1/upload/${first.upload_id}`, {
        token: ada.token,
      }),
      204,
    );
    const kept = ciphertext("f", 600);
    await uploadBlob(app, ada, kept, { fileId: uuidOf("f") });
    // What was finalized is used and no longer reserved.
    await expectProblem(await sized("d", 1), "error.storage.quota_exceeded");
    // Session c expires, whether or not the purge has run.
    app.clock.advance(24 * HOUR);
    await expectJson(await sized("g", 400, await refreshed(app, ada)), 201);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "1000" } });
});

Deno.test("a full account does not write into another's room", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const sized = (person: Person, name: string, length: number) =>
      create(app, person, { fileId: uuidOf(name) }, ciphertext(name, length));
    await expectJson(await sized(ada, "a", 1_000), 201);
    await expectProblem(
      await sized(ada, "b", 600),
      "error.storage.quota_exceeded",
    );
    await expectJson(await sized(bob, "c", 1_000), 201);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: "1000" } });
});

Deno.test("too little disk is 500 error.storage.full with Retry-After", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectProblem(await create(app, ada), "error.storage.full");
  }, {
    settings: {
      STRONGROOM_RESERVED_DISK_BYTES: "4096TiB",
    },
  });
});

Deno.test("too many open sessions are 429; a finalized or expired one is not open", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const named = (name: string, person = ada) =>
      create(app, person, { fileId: uuidOf(name) });
    const first = await expectJson(await named("one"), 201);
    await expectJson(await named("two"), 201);
    const response = await named("three");
    assert.equal(response.headers.get("retry-after"), "60");
    await expectProblem(response, "error.upload.too_many_open");
    // A repeated create opens none.
    await expectJson(await named("two"), 200);
    await expectJson(await putBytes(app, ada, first.upload_id, BYTES), 200);
    await expectJson(await named("three"), 201);
    await expectProblem(await named("four"), "error.upload.too_many_open");
    const bob = await registerWriter(app, "bob");
    await expectJson(await named("five", bob), 201);
    app.clock.advance(24 * HOUR);
    await expectJson(await named("four", await refreshed(app, ada)), 201);
  }, { settings: { STRONGROOM_LIMIT_OPEN_UPLOADS: "2" } });
});
