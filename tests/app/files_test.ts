/**
 * What browsers get at `/`, and what programs get there.
 *
 * @module
 */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  APP_ENTRIES,
  carriedApp,
  makeApp,
  split,
} from "../../scripts/web/app.ts";
import {
  APP_PATH,
  APP_SOURCES,
  sourcesOfApp,
} from "../../scripts/web/fresh.ts";
import { firstLoad, firstPieces } from "../../scripts/web/sizes.ts";
import { expectProblem } from "../support/expect.ts";
import { withTestApp } from "../support/app.ts";
import "../support/whole_app.ts";

const BROWSER = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

Deno.test("the app is built again for each of its sources", async () => {
  const modules = (await split(APP_ENTRIES, { maps: true }))
    .flatMap(({ map }): string[] => JSON.parse(map).sources)
    .filter((path) => !/\/npm\/|^deno:/.test(path))
    .map((path) => path.replace(/^(?:\.\.\/)+/, ""));
  assert(modules.includes("src/web/app/main.tsx"), "the modules are named");
  assert.deepEqual(
    modules.filter((path) =>
      !APP_SOURCES.some((source) => path.startsWith(`${source}/`))
    ),
    [],
  );
});

Deno.test("the same sources make the same app", async () => {
  const made = await makeApp(sourcesOfApp());
  const carried = carriedApp(await Deno.readFile(APP_PATH));
  assert.equal(carried.build, made.build);
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

Deno.test("at an unknown path a browser gets a page, and a program the problem", async () => {
  await withTestApp(async ({ send }) => {
    for (const method of ["GET", "HEAD"]) {
      const page = await send(method, "/photos/of/summer", {
        headers: BROWSER,
      });
      assert.equal(page.status, 404);
      const type = page.headers.get("Content-Type");
      assert.equal(type, "text/html; charset=utf-8");
      const policy = page.headers.get("Content-Security-Policy") ?? "";
      assert.match(policy, /^default-src 'none'/);
      const text = await page.text();
      assert.equal(text.includes('<a href="/">'), method === "GET");
    }
    for (const path of ["/v1/nothing", "/app/x", "/.well-known/nothing"]) {
      await expectProblem(
        await send("GET", path, { headers: BROWSER }),
        "error.request.route_unknown",
      );
    }
    for (const Accept of ["application/json", "*/*"]) {
      await expectProblem(
        await send("GET", "/photos", { headers: { Accept } }),
        "error.request.route_unknown",
      );
    }
    await expectProblem(
      await send("POST", "/photos", { headers: BROWSER }),
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
  const { files } = carriedApp(await Deno.readFile(APP_PATH));
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

Deno.test("a first visit asks for few files, and its page names those that come first", async () => {
  const { files } = carriedApp(await Deno.readFile(APP_PATH));
  const text = new TextDecoder();
  const byName = new Map(
    [...files].map(([path, bytes]) => [path.split("/").at(-1) ?? "", bytes]),
  );
  const textOf = (name: string) => text.decode(byName.get(name));
  for (
    const [path, first, most, others] of [
      ["/", ["main.js", "vault.js"], 12, []],
      // The thread asks for the index, so its script comes before the page's.
      ["/s/", ["early.js", "link.js"], 14, ["viewer.js"]],
      ["/u/", ["guest.js"], 9, []],
    ] as const
  ) {
    const loaded = firstLoad(textOf, first);
    const named = text.decode(files.get(path))
      .matchAll(/<link rel="modulepreload" href="[^"]*\/([\w.-]+)">/g)
      .map(([, name = ""]) => name).toArray();
    assert.deepEqual(named.toSorted(), [...loaded].toSorted());
    const { size } = firstLoad(textOf, [...first, ...others]);
    assert(size <= most, `${path}: ${size}`);
  }
});

Deno.test("the thread of a link's page has no library of an account", async () => {
  const { files } = carriedApp(await Deno.readFile(APP_PATH));
  const byName = new Map(
    [...files].map(([path, bytes]) => [path.split("/").at(-1) ?? "", bytes]),
  );
  const scripts = firstLoad(
    (name) => new TextDecoder().decode(byName.get(name)),
    ["link.js"],
  );
  let sum = 0;
  for (const name of scripts) {
    sum += gzipSync(byName.get(name) ?? "", { level: 9 }).length;
  }
  assert(sum <= 52 * 1024, `${sum} bytes of ${[...scripts].join(" ")}`);
});

Deno.test("what is loaded first shows no text that is fetched later", async () => {
  const names = (await firstPieces()).map(({ name }) => name);
  assert(names.includes("web/app/first_messages.ts"), "the modules are named");
  assert(names.includes("web/app/screens/shell.tsx"), "the modules are named");
  const later = [
    "web/app/messages.ts",
    "web/app/messages/en_later.ts",
    "web/app/messages/en/albums.json",
  ];
  assert.deepEqual(names.filter((name) => later.includes(name)), []);
});

Deno.test("what is loaded first shows no icon that is fetched later", async () => {
  const read = (name: string) =>
    Deno.readTextFile(new URL(`../../src/${name}`, import.meta.url));
  const icons = new Set<string>();
  for (const { name } of await firstPieces()) {
    if (!/^web\/app\/.*\.tsx?$/.test(name)) continue;
    const named = /(?:\bicon[=:]|<Icon\s+name=)\s*(\{[^}]*\}|"\w+")/g;
    for (const [, value = ""] of (await read(name)).matchAll(named)) {
      for (const [, icon = ""] of value.matchAll(/"(\w+)"/g)) icons.add(icon);
    }
  }
  const later = (await read("web/app/parts/later_icons.ts"))
    .matchAll(/^ {2}(\w+): \w+,$/gm).map(([, name]) => name).toArray();
  assert(icons.has("alarm") && icons.has("account"), "icons were found");
  assert(later.includes("zoomIn"), "icons were found");
  assert.deepEqual(later.filter((name) => icons.has(name ?? "")), []);
});

Deno.test("what is loaded first shows no style that is fetched later", async () => {
  const { files } = carriedApp(await Deno.readFile(APP_PATH));
  const classesIn = (style: string) => {
    const [, css] = [...files].find(([path]) => path.endsWith(style)) ?? [];
    return new Set(
      new TextDecoder().decode(css).matchAll(/\.([a-z][\w-]*)/g)
        .map(([, name]) => name),
    );
  };
  const [first, later] = [classesIn("/app.css"), classesIn("/later.css")];
  const used = new Set<string>();
  for (const { name } of await firstPieces()) {
    if (!/^web\/app\/.*\.tsx$/.test(name)) continue;
    const text = await Deno.readTextFile(
      new URL(`../../src/${name}`, import.meta.url),
    );
    const written = /\bclass(?:Name)?=(\{[^}]*\}|"[^"]*")/g;
    for (const [, value = ""] of text.matchAll(written)) {
      for (const [word] of value.matchAll(/[a-z][\w-]*/g)) used.add(word);
    }
  }
  assert(used.has("bar-middle") && used.has("tile"), "classes were found");
  assert(later.has("slideshow"), "styles were found");
  assert.deepEqual(
    [...used].filter((name) => later.has(name) && !first.has(name)),
    [],
  );
});
