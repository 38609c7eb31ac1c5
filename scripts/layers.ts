/**
 * The architecture: which folder may import which, which packages, which
 * feature imports which, and who alone may touch what. `deno task layers`
 * (`layers/run.ts`) holds the source to it.
 *
 * @module
 */
/** A layer and the layers that it may import beside itself. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  crypto: ["core"],
  store: ["core", "crypto"],
  http: ["core"],
  // The contract's bodies and answers, for the server and for clients.
  wire: ["core", "crypto"],
  features: ["core", "crypto", "store", "http", "wire"],
  client: ["core", "crypto", "wire"],
  web: ["core", "crypto", "wire", "client"],
  config: ["core", "http"],
  routes: ["core", "http", "wire", "features"],
  pages: ["core", "crypto", "http"],
  app_files: ["core", "crypto", "http"],
  model_files: ["core", "http", "store"],
  map_file: ["core", "crypto", "http"],
  signals: ["core", "store", "features"],
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
    "model_files",
    "map_file",
    "signals",
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
    "app_files",
    "model_files",
    "map_file",
    "app",
    "server",
    "client",
  ],
};

/** Packages that a layer may import; the rest of them are not its business. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
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
  store: [
    "aws4fetch",
    "ssh2",
    "node:buffer",
    "kysely",
    "zod",
    "node:sqlite",
    "node:crypto",
    "node:fs",
  ],
  http: ["zod"],
  wire: ["zod"],
  features: [
    "zod",
    "kysely",
    "jose",
    "oauth4webapi",
    "@simplewebauthn/server",
    "node:crypto",
  ],
  client: [
    "zod",
    "@zip.js/zip.js",
    "geokdbush",
    "hash-wasm",
    "kdbush",
    "@noble/hashes",
    "@noble/ciphers",
    "@noble/curves",
    "@noble/post-quantum",
    "@scure/bip39",
  ],
  web: [
    "@simplewebauthn/browser",
    "@vladmandic/face-api",
    "onnxruntime-web",
    "tesseract.js-core",
    "zod",
    "preact",
    "@preact/signals",
    "client-zip",
    "libheif-js",
    "libsodium",
    "lucide",
    "mediabunny",
    "mp4box",
    "ol",
    "pmtiles",
    "qr",
    "supercluster",
    "thumbhash",
  ],
  config: [],
  routes: [],
  app: [],
  model_files: ["node:crypto"],
  signals: [],
  server: [
    "@logtape/logtape",
    "jose",
    "multicast-dns",
    "node:os",
    "prom-client",
    "nodemailer",
    "@opentelemetry/api",
    "node:crypto",
    "node:fs",
    "node:path",
    "node:process",
    "zod",
  ],
  cli: ["commander", "compare-versions", "node:crypto", "node:path", "zod"],
};

/** Files that may import what the rest of their layer may not. */
export const FILE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  // The native half of the client's primitives; browsers never load it.
  "src/client/native.ts": ["node:crypto"],
  // What a person's machine knows is no part of a server's store.
  "src/cli/people/local_store.ts": ["node:sqlite"],
  "src/cli/people/qr_code.ts": ["qr"],
  // What telephones sent waits beside whatever server there is.
  "src/cli/receive/spool.ts": ["node:sqlite"],
  "src/cli/receive/sftp.ts": ["node:buffer", "ssh2"],
  "src/cli/receive/own_certificate.ts": [
    "@peculiar/x509",
    "node:net",
    "reflect-metadata",
  ],
};

/** Which feature imports which; `app`, `parameters` and the like are everybody's. */
export const FEATURES: Readonly<Record<string, readonly string[]>> = {
  accounts: ["lockout", "sessions", "totp"],
  sessions: [],
  lockout: [],
  totp: ["lockout", "sessions"],
  oidc: ["accounts", "sessions", "totp"],
  // Tries with passkeys are counted as those with passwords are.
  passkeys: ["accounts", "lockout", "sessions"],
  pages: [],
  // What is published is named in the log of keys.
  devices: ["log", "sessions"],
  enrollment: ["sessions"],
  escrow: ["sessions"],
  albums: [],
  rosters: ["albums", "log"],
  capabilities: ["albums"],
  album_upgrade: ["albums"],
  lifecycle: ["albums", "receipts"],
  receipts: [],
  log: [],
  // A blob is copied from an asset that its reader finds as any other does.
  uploads: ["albums", "assets", "lifecycle", "receipts"],
  // Who leaves an album takes back what they were uploading to it.
  leaving_albums: ["albums", "uploads"],
  assets: ["albums"],
  sync: ["albums", "capabilities", "sessions"],
  guests: ["albums", "lifecycle", "receipts", "uploads"],
  // The tiles of the logs are checked like blobs.
  verification: ["log"],
  // The witness has its name and its key of the logs' life.
  witness: ["log"],
  // The operator names an account by its id or its address.
  moderation: ["accounts"],
  // An account goes with all that it has, whichever feature put it there.
  account_deletion: ["accounts", "sessions", "uploads"],
  garbage_collection: ["lifecycle", "uploads"],
  // What the server did last tells whether its clock leapt since.
  clock: ["receipts", "sessions"],
  federation: [],
  // An address is looked up as it is signed in with.
  lookup: ["accounts"],
  state: [],
  metrics: [],
  // What an operator does in a browser is what commands do.
  operators: ["accounts", "metrics", "moderation", "totp"],
  // What a server looks at to tell its operator of trouble.
  notices: ["backup", "log", "witness"],
  blob_migration: [],
  shares: [],
  discovery: [],
  keys: ["receipts"],
  deprecations: [],
  // A backup is checked like a data directory, and its keys go along.
  backup: ["keys", "receipts", "verification"],
};

/** Shared files of `features/`: who may import a feature from there. */
export const SHARED_FEATURE_FILES: Readonly<Record<string, readonly string[]>> =
  {
    // The composition's type names the services that features offer.
    "app.ts": [
      "accounts",
      "log",
      "notices",
      "oidc",
      "passkeys",
      "receipts",
      "account_deletion",
      "shares",
      "sync",
      "uploads",
      "witness",
    ],
    "trash.ts": [],
    "anchor.ts": [],
    "asset_end.ts": [],
    "blob_reply.ts": [],
    "budgets.ts": [],
    "call.ts": [],
    "charge.ts": [],
    "disk.ts": [],
    "storage_fault.ts": [],
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
    "clock_repair.ts": [
      "accounts",
      "lockout",
      "sessions",
      "totp",
      "album_upgrade",
      "uploads",
    ],
    // The periodic task of the server.
    "upkeep.ts": ["clock", "garbage_collection", "verification"],
    "references.ts": [],
    "links.ts": [],
    "lost_blobs.ts": [],
    "reachable.ts": [],
    "many_blobs.ts": [],
    "quota.ts": [],
    "usage.ts": [],
    "row_limits.ts": [],
    "yield_to_event_loop.ts": [],
    "parameters.ts": [],
    // What a data directory has that is at work.
    "service_context.ts": ["uploads"],
  };

/** Its triggers change tables, too. */
export const TABLES_FILE = "src/store/tables.ts";

/** The tables that one file alone changes, with what changing them looks like. */
export const EXCLUSIVE_WRITERS: readonly [
  RegExp,
  table: string,
  file: string,
][] = [
  [
    /(?:updateTable|insertInto|deleteFrom)\("usage"\)|\b(?:update|into) usage\b/,
    "usage",
    "src/features/usage.ts",
  ],
];

/** What only the platform, and the command line that makes it, may touch. */
export const GLOBALS: readonly [RegExp, string][] = [
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
export const AROUND_PLATFORM = ["server", "cli"];

/** A worker has nobody to hand it a timer. */
export const TIMER_FILES = ["src/crypto/argon2_worker.ts"];

/** What is on a screen comes and goes by the browser's own timers. */
export const TIMED = "src/web/app/";

/** What `main.ts` is to the program these are to the pages: the platform. */
export const BROWSER_PLATFORM = ["src/web/browser.ts", "src/web/sw.ts"];

/** Layers without any of the runtime's own API: they also run in browsers. */
export const PORTABLE = [
  "core",
  "crypto",
  "wire",
  "client",
  "web",
  "http",
  "features",
];
