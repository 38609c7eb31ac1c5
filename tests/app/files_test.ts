/**
 * What browsers get at `/`, and what programs get there.
 *
 * @module
 */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  APP_PATH,
  carriedApp,
  firstLoad,
  firstPieces,
  makeApp,
} from "../../scripts/web.ts";
import { expectProblem } from "../support/expect.ts";
import { withTestApp } from "../support/app.ts";

const BROWSER = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

Deno.test("the carried web app is that of its sources", async () => {
  const made = await makeApp();
  const carried = carriedApp(await Deno.readTextFile(APP_PATH));
  assert.equal(
    carried.build,
    made.build,
    "it is not up to date: run deno task web",
  );
  assert.deepEqual(
    [...carried.files.keys()].sort(),
    [
      ...made.files.keys(),
    ].sort(),
  );
});

Deno.test("a browser gets the app at /, and a program what it always got", async () => {
  await withTestApp(async ({ send }) => {
    const page = await send("GET", "/", { headers: BROWSER });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("Content-Type"), "text/html; charset=utf-8");
    assert.equal(page.headers.get("Cache-Control"), "no-cache");
    assert.equal(page.headers.get("Vary"), "Accept, Accept-Encoding");
    const html = await page.text();
    const script = /src="(\/app\/[0-9a-f]{16}\/main\.js)"/.exec(html)?.[1];
    assert(script !== undefined, html);

    const file = await send("GET", script);
    assert.equal(file.status, 200);
    assert.match(file.headers.get("Content-Type") ?? "", /^text\/javascript/);
    assert.match(file.headers.get("Cache-Control") ?? "", /immutable/);
    await file.body?.cancel();

    const etag = page.headers.get("ETag") ?? "";
    const again = await send("GET", "/", {
      headers: { ...BROWSER, "If-None-Match": etag },
    });
    assert.equal(again.status, 304);

    for (const Accept of ["application/json", "*/*"]) {
      const refused = await send("GET", "/", { headers: { Accept } });
      await expectProblem(refused, "error.request.route_unknown");
    }
    const other = script.replace(/[0-9a-f]{16}/, "0123456789abcdef");
    await expectProblem(
      await send("GET", other),
      "error.request.route_unknown",
    );
  });
});

Deno.test("the app's policy lets nothing run but its own files", async () => {
  await withTestApp(async ({ send }) => {
    const page = await send("GET", "/", { headers: BROWSER });
    await page.body?.cancel();
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    const directives = policy.split("; ");
    for (
      const directive of [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types strongroom",
      ]
    ) assert(directives.includes(directive), `${directive} in ${policy}`);
    assert.equal(page.headers.get("Set-Cookie"), null);
  });
});

Deno.test("what a browser loads first has at most 160 KiB", async () => {
  const { files } = carriedApp(await Deno.readTextFile(APP_PATH));
  const byName = new Map(
    [...files].map(([path, bytes]) => [path.split("/").at(-1) ?? "", bytes]),
  );
  const loaded = firstLoad((name) =>
    new TextDecoder().decode(byName.get(name))
  );
  assert(loaded.size > 3, "the chunks were followed");
  let sum = 0;
  for (const name of loaded) {
    sum += gzipSync(byName.get(name) ?? "", { level: 9 }).length;
  }
  assert(sum <= 160 * 1024, `${sum} bytes of ${[...loaded].join(" ")}`);
});

Deno.test("what is loaded first shows no text that is fetched later", async () => {
  const names = (await firstPieces()).map(({ name }) => name);
  assert(names.includes("web/app/first_words.ts"), "the modules are named");
  assert(names.includes("web/app/views/frame.tsx"), "the modules are named");
  const later = ["web/app/words.ts", "web/app/words/en.ts"];
  assert.deepEqual(names.filter((name) => later.includes(name)), []);
});
