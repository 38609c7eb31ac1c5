/**
 * The folder with models that an operator names, and what of it is served.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readServed } from "../../src/core/meaning.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import { putTinyModels } from "../support/tiny_models.ts";

async function withModels(
  test: (app: TestApp, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-models-" });
  try {
    await withTestApp((app) => test(app, folder), {
      settings: { STRONGROOM_MODELS_DIR: folder },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function served({ send }: Pick<TestApp, "send">) {
  const response = await send("GET", "/app/models.json");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Content-Type"), "application/json");
  assert.equal(response.headers.get("Cache-Control"), "no-cache");
  return readServed(await response.json());
}

Deno.test("without a folder there are no models, and nothing is served", async () => {
  await withTestApp(async (app) => {
    assert.equal(await served(app), undefined);
    await expectProblem(
      await app.send("GET", `/app/models/${sha256Hex(new Uint8Array())}`),
      "error.request.route_unknown",
    );
  });
});

Deno.test("the files that the description names are served by their hashes, whole and in parts", async () => {
  await withModels(async (app, folder) => {
    await putTinyModels(folder);
    const models = await served(app);
    const file = models?.files["image.onnx"];
    assert(models !== undefined && file !== undefined);
    assert.deepEqual(Object.keys(models.files).sort(), [
      "image.onnx",
      "text.onnx",
      "tokenizer.json",
    ]);
    const bytes = await Deno.readFile(`${folder}/image.onnx`);
    assert.equal(file.size, bytes.length);
    assert.equal(file.sha256, sha256Hex(bytes));

    const path = `/app/models/${file.sha256}`;
    const whole = await app.send("GET", path);
    assert.equal(whole.status, 200);
    assert.match(whole.headers.get("Cache-Control") ?? "", /immutable/);
    assert.equal(
      whole.headers.get("Cross-Origin-Resource-Policy"),
      "same-origin",
    );
    assert.equal(
      whole.headers.get("Content-Type"),
      "application/octet-stream",
    );
    assert.deepEqual(await whole.bytes(), bytes);
    const part = await app.send("GET", path, {
      headers: { Range: "bytes=10-19" },
    });
    assert.equal(part.status, 206);
    assert.equal(
      part.headers.get("Content-Range"),
      `bytes 10-19/${bytes.length}`,
    );
    assert.deepEqual(await part.bytes(), bytes.subarray(10, 20));
    const etag = whole.headers.get("ETag") ?? "";
    const again = await app.send("GET", path, {
      headers: { "If-None-Match": etag },
    });
    assert.equal(again.status, 304);
    const head = await app.send("HEAD", path);
    assert.equal(head.headers.get("Content-Length"), String(bytes.length));
    await head.body?.cancel();
  });
});

Deno.test("nothing else of the folder or of the machine is served", async () => {
  await withModels(async (app, folder) => {
    await putTinyModels(folder);
    await Deno.writeTextFile(`${folder}/notes.txt`, "secret");
    await served(app);
    const secret = sha256Hex(await Deno.readFile(`${folder}/notes.txt`));
    for (
      const name of [
        "image.onnx",
        "meaning.json",
        secret,
        "..%2F..%2Fetc%2Fpasswd",
        "%2Fetc%2Fpasswd",
      ]
    ) {
      await expectProblem(
        await app.send("GET", `/app/models/${name}`),
        "error.request.route_unknown",
      );
    }
  });
});

Deno.test("a description that names a path is none, and the log says why once", async () => {
  await withModels(async (app, folder) => {
    assert.equal(await served(app), undefined);
    await putTinyModels(folder);
    const path = `${folder}/meaning.json`;
    const description = JSON.parse(await Deno.readTextFile(path));
    description.image.file = "../../etc/passwd";
    await Deno.writeTextFile(path, JSON.stringify(description));
    assert.equal(await served(app), undefined);
    assert.equal(await served(app), undefined);
    description.image.file = "nowhere.onnx";
    await Deno.writeTextFile(path, JSON.stringify(description));
    assert.equal(await served(app), undefined);
    const reasons = app.logged
      .filter(({ message }) => message.startsWith("models of"))
      .map(({ properties }) => properties["reason"]);
    assert.deepEqual(reasons, [
      "no meaning.json in it",
      "meaning.json: image.file has to be a file's name",
      "nowhere.onnx is not there",
    ]);
  });
});

Deno.test("a file that was changed has another address at the next look, and none until then", async () => {
  await withModels(async (app, folder) => {
    await putTinyModels(folder);
    const before = (await served(app))?.files["image.onnx"];
    await putTinyModels(folder, { red: 2 });
    // What the file system says of it, whatever the clock's steps are.
    await Deno.utime(`${folder}/image.onnx`, 1, 1);
    await expectProblem(
      await app.send("GET", `/app/models/${before?.sha256}`),
      "error.request.route_unknown",
    );
    const after = (await served(app))?.files["image.onnx"];
    assert(after !== undefined && after.sha256 !== before?.sha256);
    const whole = await app.send("GET", `/app/models/${after.sha256}`);
    assert.equal(sha256Hex(await whole.bytes()), after.sha256);
  });
});
