/**
 * When the web app is bundled again.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freshApp } from "../../scripts/web/fresh.ts";

/** Sources in a folder of their own, and how often something was made of them. */
async function withSources(
  test: (made: {
    readonly folder: string;
    readonly path: string;
    readonly times: () => number;
    readonly ask: () => Promise<boolean>;
  }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-fresh-" });
  try {
    await Deno.mkdir(`${folder}/src/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/src/one.ts`, "one");
    await Deno.writeTextFile(`${folder}/src/deep/two.ts`, "two");
    await Deno.writeTextFile(`${folder}/lock`, "1");
    const path = `${folder}/made/app.json`;
    let times = 0;
    await test({
      folder,
      path,
      times: () => times,
      ask: () =>
        freshApp({
          path,
          root: `${folder}/`,
          sources: ["lock", "src"],
          make: async (sources) => {
            times++;
            await new Promise((resolve) => setImmediate(resolve));
            return JSON.stringify({ sources, times }, null, 1);
          },
        }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the app is built once for its sources, and again when they change", async () => {
  await withSources(async ({ folder, path, times, ask }) => {
    assert.equal(await ask(), true);
    assert.equal(await ask(), false);
    const changes: (() => Promise<void>)[] = [
      () => Deno.writeTextFile(`${folder}/src/one.ts`, "1"),
      () => Deno.writeTextFile(`${folder}/src/deep/three.ts`, ""),
      () => Deno.rename(`${folder}/src/one.ts`, `${folder}/src/uno.ts`),
      () => Deno.remove(`${folder}/src/deep/two.ts`),
      () => Deno.writeTextFile(`${folder}/lock`, "2"),
      () => Deno.remove(path),
      () => Deno.writeTextFile(path, ""),
      () => Deno.writeTextFile(path, '{ "build": "of a program before" }'),
    ];
    for (const [at, change] of changes.entries()) {
      await change();
      assert.equal(await ask(), true, `change ${at}`);
      assert.equal(await ask(), false, `change ${at}`);
    }
    assert.equal(times(), changes.length + 1);
  });
});

Deno.test("one of many programs that find the app stale builds it, and leaves no other files", async () => {
  await withSources(async ({ folder, path, times, ask }) => {
    const asked = await Promise.all(Array.from({ length: 8 }, ask));
    assert.equal(asked.filter((made) => made).length, 1);
    assert.equal(times(), 1);
    assert.match(await Deno.readTextFile(path), /^\{\s*"sources": "/);
    const left = await Array.fromAsync(Deno.readDir(`${folder}/made`));
    const names = left.map(({ name }) => name);
    assert.deepEqual(names.sort(), ["app.json", "app.json.lock"]);
  });
});

Deno.test("what could not be made leaves the old one, and is tried again", async () => {
  await withSources(async ({ folder, path, times, ask }) => {
    await ask();
    const before = await Deno.readTextFile(path);
    await Deno.writeTextFile(`${folder}/src/one.ts`, "changed");
    await assert.rejects(
      freshApp({
        path,
        root: `${folder}/`,
        sources: ["lock", "src"],
        make: () => Promise.reject(new Error("no bundler")),
      }),
      /no bundler/,
    );
    assert.equal(await Deno.readTextFile(path), before);
    assert.equal(await ask(), true);
    assert.equal(times(), 2);
  });
});
