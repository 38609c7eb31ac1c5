import assert from "node:assert/strict";
import { breachesOf } from "../../scripts/layers/breaches.ts";
import { circlesOf, importGraph } from "../../scripts/layers/imports.ts";
import { unusedExports } from "../../scripts/layers/unused.ts";

const BREACHES: readonly [string, string, string][] = [
  [
    "http knows no feature",
    "src/http/x.ts",
    'import { App } from "../features/app.ts";',
  ],
  [
    "the configuration knows no feature",
    "src/config.ts",
    'import type { OidcSettings } from "./features/oidc/settings.ts";',
  ],
  [
    "core knows no store",
    "src/core/x.ts",
    'export * from "../store/files.ts";',
  ],
  [
    "the client never reaches the server",
    "src/client/x.ts",
    'import type { Route } from "../http/route.ts";',
  ],
  [
    "a room of the library uses none above it",
    "src/library/rows/x.ts",
    'import { search } from "../finding/search.ts";',
  ],
  [
    "a feature imports only the features on its list",
    "src/features/shares/x.ts",
    'import { createUpload } from "../uploads/uploads.ts";',
  ],
  [
    "a feature takes no code from the catalogue",
    "src/features/shares/x.ts",
    'import { problem } from "../../core/problem.ts";',
  ],
  [
    "a page imports no style",
    "src/web/app/x.tsx",
    'import "./x.css";',
  ],
  ["nothing reads the clock", "src/store/x.ts", "const at = Date.now();"],
  ["nothing draws randomness", "src/crypto/x.ts", "crypto.randomUUID();"],
  ["nothing calls the network", "src/features/app.ts", 'await fetch("x");'],
  ["nothing reads the environment", "src/app.ts", 'Deno.env.get("X");'],
  ["a feature uses no API of the runtime", "src/features/feed.ts", "Deno.pid;"],
  ["only the store knows SQLite", "src/app.ts", 'import "node:sqlite";'],
  [
    "one file moves the counters of usage",
    "src/features/shares/x.ts",
    'await tx.updateTable("usage").execute();',
  ],
  [
    "one file moves the counters of usage, in plain SQL too",
    "src/features/shares/x.ts",
    "await sql`update usage set used_bytes = 0`.execute(tx);",
  ],
];

for (const [sentence, path, source] of BREACHES) {
  Deno.test(`layers: ${sentence}`, () => {
    assert.equal(breachesOf(path, source).length, 1);
  });
}

Deno.test("layers: a comment may speak of what the code may not do", () => {
  assert.deepEqual(breachesOf("src/core/x.ts", "// Date.now() would do\n"), []);
});

Deno.test("layers: files import one another in no circle, not even for a type", () => {
  const sources = new Map([
    ["src/core/a.ts", 'import { b } from "./b.ts";'],
    ["src/core/b.ts", 'import type { C } from "../crypto/c.ts";'],
    ["src/core/other.ts", 'import { a } from "./a.ts";'],
  ]);
  const circles = (c: string) =>
    circlesOf(importGraph(new Map(sources).set("src/crypto/c.ts", c)));
  const circle =
    "circle: src/core/a.ts → src/core/b.ts → src/crypto/c.ts → src/core/a.ts";
  assert.deepEqual(circles('import type { A } from "../core/a.ts";'), [circle]);
  assert.deepEqual(circles('new Worker(new URL("../core/a.ts", x));'), [
    circle,
  ]);
  assert.deepEqual(circles('export * from "../core/a.ts";'), [circle]);
  assert.deepEqual(circles('// import type { A } from "../core/a.ts";\n'), []);
});

Deno.test("layers: a value that is exported is imported somewhere", () => {
  const sources = new Map([
    ["src/core/a.ts", "export const used = 1;\nexport function unused() {}\n"],
    ["tests/a_test.ts", 'import { used } from "../src/core/a.ts";\n// unused'],
  ]);
  assert.deepEqual(unusedExports(sources), [
    "src/core/a.ts: nothing imports unused",
  ]);
});
