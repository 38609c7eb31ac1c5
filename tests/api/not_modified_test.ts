/**
 * What a client holds already is not sent again (RFC 9110 section 13.1.2).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { ciphertext, registerWriter, storeEscrow } from "../support/people.ts";
import { publishRoster, withAlbum } from "../support/albums.ts";

Deno.test("a directory and an escrow are 200 always: their reads take no conditions", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await expectJson(
      await storeEscrow(app, ada, ciphertext("wrapped", 90)),
      200,
    );
    for (
      const path of [`/v1/users/${ada.userId}/directory`, "/v1/auth/escrow"]
    ) {
      const read = (headers: Record<string, string> = {}) =>
        app.send("GET", path, { token: ada.token, headers });
      const first = await read();
      const etag = first.headers.get("etag") ?? "";
      const body = await first.bytes();
      assert.match(etag, /^"[0-9a-f]{64}"$/);
      for (const condition of [etag, `W/${etag}`, "*"]) {
        const again = await read({ "If-None-Match": condition });
        assert.equal(again.status, 200);
        assert.deepEqual(await again.bytes(), body);
      }
    }
  });
});

Deno.test("a roster that the client already has is 304, but only if it may read it", async () => {
  await withAlbum(async (app, ada, eve, albumId) => {
    await publishRoster(app, ada, albumId, 1, []);
    const read = (token: string, etag: string) =>
      app.send("GET", `/v1/albums/${albumId}/roster`, {
        token,
        headers: { "If-None-Match": etag },
      });
    const first = await read(ada.token, '"other"');
    assert.equal(first.status, 200);
    const etag = first.headers.get("etag") ?? "";
    await first.body?.cancel();
    const again = await read(ada.token, etag);
    assert.equal(again.headers.get("etag"), etag);
    await expectEmpty(again, 304);
    await expectProblem(await read(eve.token, etag), "error.album.not_found");
  });
});

Deno.test("the contract is compressed for clients that accept it, and not sent twice", async () => {
  await withTestApp(async (app) => {
    const read = (headers: Record<string, string>, method = "GET") =>
      app.send(method, "/openapi.json", { protocol: null, headers });
    const plain = await read({});
    const zipped = await read({ "Accept-Encoding": "gzip, br" });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(zipped.headers.get("content-encoding"), "gzip");
    assert.match(zipped.headers.get("vary") ?? "", /Accept-Encoding/);
    assert.notEqual(plain.headers.get("etag"), zipped.headers.get("etag"));
    const text = await plain.text();
    const packed = await zipped.bytes();
    assert(packed.length * 5 < text.length, String(packed.length));
    const unpacked = new Response(packed).body
      ?.pipeThrough(new DecompressionStream("gzip")) ?? null;
    assert.equal(await new Response(unpacked).text(), text);
    for (
      const [answer, headers] of [
        [plain, {}],
        [zipped, { "Accept-Encoding": "gzip" }],
      ] as const
    ) {
      const held = {
        ...headers,
        "If-None-Match": answer.headers.get("etag") ?? "",
      };
      await expectEmpty(await read(held), 304);
      await expectEmpty(await read(held, "HEAD"), 304);
    }
  });
});
