import assert from "node:assert/strict";
import { breachesOf } from "../../scripts/layers/breaches.ts";
import { circlesOf, importGraph } from "../../scripts/layers/imports.ts";
import { unnamedRooms } from "../../scripts/layers/rooms.ts";
import { tooDeep, tooWide } from "../../scripts/layers/sizes.ts";
import { tooSmall } from "../../scripts/layers/small.ts";
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

Deno.test("layers: no comment begins within a text", () => {
  const source = 'accept("image/*");\nDate.now();\naccept("*/*");';
  assert.equal(breachesOf("src/core/x.ts", source).length, 1);
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

/** What is said of a file's exports where other files import so. */
function unusedIn(a: string, others: Readonly<Record<string, string>>) {
  return unusedExports(
    new Map([["src/core/a.ts", a], ...Object.entries(others)]),
  )
    .map((line) => line.replace("src/core/a.ts: ", ""));
}

Deno.test("layers: an export is imported by path, not only named elsewhere", () => {
  const others = {
    "src/core/b.ts": "function two() {}\nconst one = two();",
    "src/core/c.ts": 'import { one } from "../crypto/a.ts";',
  };
  const a = "export const one = 1;\nexport function two() {}\ntwo();\n" +
    "export interface Three {}\nexport const { four, five: six } = x;\n";
  assert.deepEqual(unusedIn(a, others), [
    "nothing uses one",
    "no other file imports two",
    "nothing uses Three",
    "nothing uses four",
    "nothing uses six",
  ]);
  const all =
    'import { six, two, type Three, four as own, one } from "./a.ts";';
  assert.deepEqual(unusedIn(a, { "src/core/b.ts": all }), []);
});

Deno.test("layers: an export that a file passes on is in use if another file imports it there", () => {
  const a = "export const one = 1;\nexport const two = 2;\n";
  const passing = {
    "src/core/list.ts": 'export { one, two as zwei } from "./a.ts";',
    "src/core/all.ts": 'export * from "./list.ts";',
  };
  const unused = (user: string) =>
    unusedExports(
      new Map([
        ["src/core/a.ts", a],
        ...Object.entries(passing),
        ["main.ts", user],
      ]),
    );
  assert.deepEqual(unused('import { zwei } from "./src/core/all.ts";'), [
    "src/core/a.ts: nothing uses one",
    "src/core/list.ts: nothing uses one",
  ]);
  assert.equal(unused('import { zwei } from "./src/core/other.ts";').length, 4);
});

Deno.test("layers: a module as an object has in use what its importer names", () => {
  const a = "export const one = 1;\nexport const two = 2;\n";
  for (
    const user of [
      'import * as a from "./a.ts";\na.one;',
      'const { one } = await import("./a.ts");',
      'import("./a.ts").then((a) => a.one);',
    ]
  ) {
    assert.deepEqual(unusedIn(a, { "src/core/b.ts": user }), [
      "nothing uses two",
    ]);
  }
  const loading = 'export const later = () => loaded(import("./a.ts"));';
  const calling =
    'import { later } from "../src/core/b.ts";\n(await later()).one;';
  assert.deepEqual(
    unusedIn(a, { "src/core/b.ts": loading, "scripts/c.ts": calling }),
    ["nothing uses two"],
  );
});

Deno.test("layers: tests may look at what the file itself uses, and at nothing else", () => {
  const a = "export const one = 1;\nexport const two = one;\n";
  const test = 'import { one, two } from "../src/core/a.ts";';
  assert.deepEqual(unusedIn(a, { "tests/a_test.ts": test }), [
    "only tests use two",
  ]);
  assert.deepEqual(unusedIn(a, { "scripts/a.ts": test }), []);
  const support = { "tests/support/b.ts": "export const three = 3;\nthree;" };
  assert.deepEqual(unusedIn(a, { "scripts/a.ts": test, ...support }), [
    "tests/support/b.ts: no other file imports three",
  ]);
});

Deno.test("layers: a folder has 30 files at most", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, n) => `src/core/${n}.ts`);
  assert.deepEqual(tooWide([...files(30), "src/core/room/a.ts"]), []);
  assert.deepEqual(tooWide(files(31)), [
    "src/core: 31 files, and a folder has at most 30",
  ]);
});

Deno.test("layers: the library has 11 floors at most, of values that are imported at once", () => {
  const tower = (floors: number, statement = 'import { a } from "./') =>
    new Map(
      Array.from({ length: floors }, (_, n) => [
        `src/library/${n}.ts`,
        n === 0 ? "" : `${statement}${n - 1}.ts";\n`,
      ]),
    );
  assert.deepEqual(tooDeep(tower(11)), []);
  for (
    const statement of [
      'export * from "./',
      'import "./',
      'import {\n  type A,\n  b,\n} from "./',
    ]
  ) {
    const [line = "", ...others] = tooDeep(tower(12, statement));
    assert.deepEqual(others, []);
    assert.match(line, /^src\/library: 12 floors.*: 11\.ts → .* → 0\.ts$/);
  }
  for (
    const statement of [
      'import type { A } from "./',
      'import {\n  type A,\n  type B,\n} from "./',
      'export const later = () => import("./',
    ]
  ) assert.deepEqual(tooDeep(tower(12, statement)), []);
});

/** What is said of a small file `a` of core among other files. */
function smallAmong(
  others: Readonly<Record<string, string>>,
  { lines = 59, stay = {} }: {
    readonly lines?: number;
    readonly stay?: Readonly<Record<string, string>>;
  } = {},
) {
  return tooSmall(
    new Map([
      ["src/core/a.ts", "export const a = 1;\n".repeat(lines)],
      ...Object.entries(others),
    ]),
    stay,
  );
}

Deno.test("layers: a file under 60 lines belongs to the only file that imports it, in the same folder", () => {
  const line =
    "src/core/a.ts: fewer than 60 lines that only src/core/b.ts imports";
  for (
    const user of [
      'import { a } from "./a.ts";',
      'import type { A } from "./a.ts";\nimport {\n  a,\n  b,\n} from "./a.ts";',
      'import "./a.ts";',
    ]
  ) assert.deepEqual(smallAmong({ "src/core/b.ts": user }), [line]);

  const user = 'import { a } from "./a.ts";';
  const among = { "src/core/b.ts": user };
  assert.deepEqual(smallAmong(among, { lines: 60 }), []);
  assert.deepEqual(smallAmong({}), []);
  assert.deepEqual(
    smallAmong({ "src/crypto/b.ts": user.replace("./", "../core/") }),
    [],
  );
  for (
    const [path, other] of [
      ["src/core/c.ts", user],
      ["src/crypto/c.ts", 'import { a } from "../core/a.ts";'],
      ["src/core/mod.ts", 'export * from "./a.ts";'],
      ["src/core/a_test.ts", user],
      ["scripts/c.ts", 'import("../src/core/a.ts");'],
    ] as const
  ) assert.deepEqual(smallAmong({ ...among, [path]: other }), [], path);
});

Deno.test("layers: a small file may stay that is loaded later, in a worker, or by way of a front", () => {
  const type = 'import type { A } from "./a.ts";\n';
  for (
    const user of [
      'export const later = () => import("./a.ts");',
      `${type}export const later = () => import("./a.ts");`,
      `${type}new Worker(new URL("./a.ts", import.meta.url));`,
      'export { a } from "./a.ts";',
    ]
  ) assert.deepEqual(smallAmong({ "src/core/b.ts": user }), [], user);
});

Deno.test("layers: a small file stays that the list of exceptions names, and no other is on it", () => {
  const stay = { "src/core/a.ts": "A reason." };
  const user = 'import { a } from "./a.ts";';
  assert.deepEqual(smallAmong({ "src/core/b.ts": user }, { stay }), []);
  assert.deepEqual(smallAmong({ "src/crypto/b.ts": "" }, { stay }), [
    "src/core/a.ts: SMALL_FILES does not need it",
  ]);
});

Deno.test("layers: each folder says what it is, itself or in the table of rooms", () => {
  const says = "/**\n * What this is.\n *\n * @module\n */\n";
  const unnamed = (paths: Readonly<Record<string, string>>) =>
    unnamedRooms(new Map(Object.entries(paths)), {
      "src": "Everything.",
      "src/core": "The lowest layer.",
    }).map((line) => line.slice(0, line.indexOf(":")));
  const core = { "src/core/a.ts": "" };
  assert.deepEqual(unnamed(core), []);
  for (
    const path of ["src/web/mod.ts", "src/web/web.tsx", "src/web.ts"]
  ) {
    const web = { ...core, "src/web/page/page.ts": says };
    assert.deepEqual(unnamed({ ...web, [path]: says }), []);
    assert.deepEqual(unnamed({ ...web, [path]: "/** A value. */\n" }), [
      "src/web",
    ]);
  }
  assert.deepEqual(unnamed({ "src/other/a.ts": says }), [
    "src/other",
    "src/core",
  ]);
});
