/**
 * Holds the layers of the house: which folder may import which, that features
 * import each other only along a written list, that no file imports itself by
 * way of others, not even a type, and that
 * nothing but the platform reaches for time, randomness, the network or the
 * environment. Run by `deno task layers`; exits 1 with a line per breach.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";

/** A layer and the layers that it may import beside itself. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  crypto: ["core"],
  store: ["core", "crypto"],
  http: ["core"],
  features: ["core", "crypto", "store", "http"],
  client: ["core", "crypto"],
  web: ["core", "crypto", "client"],
  config: ["core", "http"],
  routes: ["core", "http", "features"],
  pages: ["core", "crypto", "http"],
  app_files: ["core", "crypto", "http"],
  app: [
    "core",
    "crypto",
    "store",
    "http",
    "features",
    "config",
    "routes",
    "pages",
    "app_files",
  ],
  server: ["core", "store", "http", "features", "config", "app"],
  cli: [
    "core",
    "crypto",
    "store",
    "http",
    "features",
    "config",
    "routes",
    "app",
    "server",
    "client",
  ],
};

/** Packages that a layer may import; the rest of them are not its business. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: ["zod"],
  crypto: [
    "zod",
    "jose",
    "hash-wasm",
    "otpauth",
    "@noble/ed25519",
    "@noble/hashes",
    "@noble/ciphers",
    "@noble/post-quantum",
  ],
  store: ["kysely", "zod", "node:sqlite", "node:crypto", "node:fs"],
  http: ["zod"],
  features: ["zod", "kysely", "jose", "oauth4webapi", "node:crypto"],
  client: [
    "zod",
    "hash-wasm",
    "@noble/hashes",
    "@noble/ciphers",
    "@noble/curves",
    "@noble/post-quantum",
    "@scure/bip39",
  ],
  web: ["zod", "preact", "@preact/signals", "lucide", "qr", "thumbhash"],
  config: [],
  routes: [],
  app: [],
  server: [
    "@logtape/logtape",
    "prom-client",
    "@opentelemetry/api",
    "node:crypto",
    "node:fs",
    "node:path",
    "node:process",
    "zod",
  ],
  cli: ["commander", "node:crypto", "node:path", "zod"],
};

/** Files that may import what the rest of their layer may not. */
const FILE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  // The native half of the client's primitives; browsers never load it.
  "src/client/native.ts": ["node:crypto"],
  // What a person's machine knows is no part of a server's store.
  "src/cli/people/local_store.ts": ["node:sqlite"],
  "src/cli/people/qr_code.ts": ["qr"],
};

/** Which feature imports which; `app`, `wire` and the like are everybody's. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  accounts: ["lockout", "sessions", "totp"],
  sessions: [],
  lockout: [],
  totp: ["lockout", "sessions"],
  oidc: ["accounts", "sessions", "totp"],
  pages: [],
  devices: ["sessions"],
  enrollment: ["sessions"],
  escrow: ["sessions"],
  albums: [],
  rosters: ["albums"],
  capabilities: ["albums"],
  upgrade: ["albums"],
  lifecycle: ["albums", "receipts"],
  receipts: [],
  // A blob is copied from an asset that its reader finds as any other does.
  uploads: ["albums", "assets", "lifecycle", "receipts"],
  // Who leaves an album takes back what they were uploading to it.
  membership: ["albums", "uploads"],
  assets: ["albums"],
  sync: ["albums", "capabilities", "sessions"],
  guests: ["albums", "lifecycle", "receipts", "uploads"],
  verification: [],
  // The operator names an account by its id or its address.
  moderation: ["accounts"],
  // An account goes with all that it has, whichever feature put it there.
  removal: ["accounts", "sessions", "uploads"],
  collection: ["lifecycle", "uploads"],
  // What the server did last tells whether its clock leapt since.
  clock: ["receipts", "sessions"],
  federation: [],
  // An address is looked up as it is signed in with.
  lookup: ["accounts"],
  state: [],
  metrics: [],
  shares: [],
  discovery: [],
  keys: ["receipts"],
  deprecations: [],
  // A backup is checked like a data directory, and its keys go along.
  backup: ["keys", "receipts", "verification"],
};

/** Shared files of `features/`: who may import a feature from there. */
const SHARED_FEATURE_FILES: Readonly<Record<string, readonly string[]>> = {
  // The composition's type names the services that features offer.
  "app.ts": [
    "accounts",
    "oidc",
    "receipts",
    "removal",
    "shares",
    "sync",
    "uploads",
  ],
  "trash.ts": [],
  "anchor.ts": [],
  "asset_end.ts": [],
  "blob_reply.ts": [],
  "budgets.ts": [],
  "call.ts": [],
  "charge.ts": [],
  "disk.ts": [],
  "feed.ts": [],
  // One list of what expires, in whatever feature.
  "purge.ts": [
    "accounts",
    "capabilities",
    "enrollment",
    "lockout",
    "sessions",
    "totp",
  ],
  // One list of what a clock that was ahead has dated in the future.
  "redate.ts": ["lockout", "sessions", "totp", "upgrade", "uploads"],
  // The periodic task of the server.
  "upkeep.ts": ["clock", "collection"],
  "held.ts": [],
  "links.ts": [],
  "lost_blobs.ts": [],
  "many_blobs.ts": [],
  "quota.ts": [],
  "usage.ts": [],
  "row_limits.ts": [],
  "turn.ts": [],
  "wire.ts": [],
  // What a data directory has that is at work.
  "workplace.ts": ["uploads"],
};

/** The tables that one file alone changes, with what changing them looks like. */
const ONE_ROOM: readonly [RegExp, table: string, file: string][] = [
  [
    /(?:updateTable|insertInto|deleteFrom)\("usage"\)|\b(?:update|into) usage\b/,
    "usage",
    "src/features/usage.ts",
  ],
];

/** What only the platform, and the command line that makes it, may touch. */
const GLOBALS: readonly [RegExp, string][] = [
  [/\bDate\.now\b/, "Date.now"],
  [/\bnew Date\(\s*\)/, "new Date()"],
  [/\bperformance\.now\b/, "performance.now"],
  [/\bMath\.random\b/, "Math.random"],
  [/\bgetRandomValues\b/, "getRandomValues"],
  [/\brandomUUID\b/, "randomUUID"],
  [/(?<![.\w])fetch\(/, "fetch()"],
  [/\bDeno\.env\b/, "Deno.env"],
  [/\bset(?:Timeout|Interval)\(/, "a timer"],
  [/(?<![.\w])console\./, "console"],
];

/** The layers around the platform: they make it, and serve with it. */
const AROUND_PLATFORM = ["server", "cli"];

/** A worker has nobody to hand it a timer. */
const TIMER_FILES = ["src/crypto/argon2_worker.ts"];

/** What is on a screen comes and goes by the browser's own timers. */
const TIMED = "src/web/app/";

function mayTime(path: string): boolean {
  return TIMER_FILES.includes(path) || path.startsWith(TIMED);
}

/** What `main.ts` is to the program these are to the pages: the platform. */
const BROWSER_PLATFORM = ["src/web/browser.ts", "src/web/sw.ts"];

/** The bundled pages: text for the server, not code of another layer. */
const BUNDLED_PAGES = "src/web/pages/";
const CARRIERS = ["src/pages.ts", "src/app_files.ts"];

/** Layers without any of the runtime's own API: they also run in browsers. */
const PORTABLE = ["core", "crypto", "client", "web", "http", "features"];

const MAX_LINES = 350;
/** Tables that are one list by design. */
const TABLES = [
  "src/config.ts",
  "src/core/catalogue.ts",
  "src/store/migrations.ts",
  "src/store/schema.ts",
];

/** The catalogues of texts are lists as well, one for each language. */
function isTable(path: string): boolean {
  return TABLES.includes(path) || path.startsWith("src/web/app/words/");
}

function layerOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.ts$/, "");
}

/** What a file of `src/` does that its place forbids, a line each. */
export function breachesOf(path: string, source: string): string[] {
  const breaches: string[] = [];
  const layer = layerOf(path);
  const code = withoutComments(source);
  const breach = (what: string) => {
    breaches.push(`${path}: ${what}`);
  };
  if (LAYERS[layer] === undefined) breach(`no layer "${layer}"`);
  if (source.split("\n").length > MAX_LINES && !isTable(path)) {
    breach(`over ${MAX_LINES} lines: split it by concept`);
  }
  for (const specifier of importsOf(code)) {
    if (specifier.startsWith(".")) {
      checkLocal(path, normalize(`${dirname(path)}/${specifier}`), breach);
    } else if (!mayUsePackage(path, layer, specifier)) {
      breach(`${layer} may not import ${specifier}`);
    }
  }
  if (!AROUND_PLATFORM.includes(layer) && !BROWSER_PLATFORM.includes(path)) {
    for (const [pattern, name] of GLOBALS) {
      if (name === "a timer" && mayTime(path)) continue;
      if (pattern.test(code)) breach(`${name} belongs to the platform`);
    }
  }
  for (const [pattern, table, file] of ONE_ROOM) {
    if (path === file || !pattern.test(code)) continue;
    breach(`only ${file} changes the table ${table}`);
  }
  if (PORTABLE.includes(layer) && /\bDeno\./.test(code)) {
    breach(`${layer} may not use the runtime's own API`);
  }
  if (layer === "features" && raisesFreely(code)) {
    breach("raise problems through the route's Raise, not the catalogue");
  }
  return breaches;
}

function mayUsePackage(
  path: string,
  layer: string,
  specifier: string,
): boolean {
  return [...PACKAGES[layer] ?? [], ...FILE_PACKAGES[path] ?? []]
    .some((one) => specifier === one || specifier.startsWith(`${one}/`));
}

function checkLocal(
  path: string,
  target: string,
  breach: (what: string) => void,
): void {
  // The version stands in deno.json.
  if (target === "deno.json" && path === "src/app.ts") return;
  if (target.startsWith(BUNDLED_PAGES) && CARRIERS.includes(path)) return;
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from !== to && !(LAYERS[from] ?? []).includes(to)) {
    breach(`${from} may not import ${to} (${target})`);
  }
  if (from === "features" && to === "features") {
    checkFeature(path, target, breach);
  }
}

function checkFeature(
  path: string,
  target: string,
  breach: (what: string) => void,
): void {
  const [from, to] = [path.split("/")[2] ?? "", target.split("/")[2] ?? ""];
  if (from === to || SHARED_FEATURE_FILES[to] !== undefined) return;
  const allowed = FEATURES[from] ?? SHARED_FEATURE_FILES[from];
  if (allowed === undefined) breach(`feature ${from} is not on the list`);
  else if (!allowed.includes(to)) breach(`${from} may not import ${to}`);
}

/** Whether a value, not only a type, is taken from the catalogue's module. */
function raisesFreely(code: string): boolean {
  const imports = code.matchAll(
    /import\s+(type\s+)?\{([^}]*)\}\s+from\s+"[^"]*core\/problem\.ts"/g,
  );
  return [...imports].some(([, onlyTypes, names = ""]) =>
    onlyTypes === undefined &&
    names.split(",").some((name) => /^\s*(problem|Problem)\b/.test(name))
  );
}

function importsOf(code: string): string[] {
  const pattern =
    /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|new URL\(\s*)"([^"]+)"/g;
  return [...code.matchAll(pattern)].flatMap(([, one]) => one ?? [])
    .filter((one) => one !== "" && !one.startsWith("http"));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(
    /(^|[^:"'`])\/\/.*$/gm,
    "$1",
  );
}

/** What each file imports of the others, types and workers included. */
export function importGraph(
  sources: ReadonlyMap<string, string>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    [...sources].map(([path, source]) => [
      path,
      importsOf(withoutComments(source))
        .filter((one) => one.startsWith("."))
        .map((one) => normalize(`${dirname(path)}/${one}`))
        .filter((one) => sources.has(one)),
    ]),
  );
}

/**
 * A line for each circle that a walk over a graph closes. Where there are
 * circles there is one line at least; not every one needs to be named.
 */
export function circlesOf(
  graph: Readonly<Record<string, readonly string[]>>,
): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start !== -1) {
      found.push(`circle: ${[...trail.slice(start), node].join(" → ")}`);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph[node] ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of Object.keys(graph)) visit(node, []);
  return found;
}

function* filesUnder(directory: string): Generator<string> {
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory) yield* filesUnder(path);
    else if (/\.tsx?$/.test(path) && !path.endsWith("_test.ts")) yield path;
  }
}

if (import.meta.main) {
  const files = new Map(
    filesUnder("src").map((path) => [path, Deno.readTextFileSync(path)]),
  );
  const breaches = [
    ...files.entries().flatMap(([path, source]) => breachesOf(path, source)),
    // A circle among features would make two of them one.
    ...circlesOf(FEATURES),
    // Whoever reads a file of a circle has to read all of them.
    ...circlesOf(importGraph(files)),
  ];
  const text = breaches.length === 0
    ? `layers hold in ${files.size} files\n`
    : breaches.map((line) => `${line}\n`).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(text));
  if (breaches.length > 0) Deno.exit(1);
}
