/**
 * The architecture: which folder may import which, which packages, which
 * feature imports which, and who alone may touch what. `deno task layers`
 * (`layers/run.ts`) holds the source to it.
 *
 * @module
 */
/** A layer and the other layers that it may import. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  crypto: ["core"],
  store: ["core", "crypto"],
  http: ["core"],
  // The contract's bodies and answers, for the server and for clients.
  wire: ["core", "crypto"],
  features: ["core", "crypto", "store", "http", "wire"],
  // The package for people's programs: documents, keys and calls.
  client: ["core", "crypto", "wire"],
  // The formats of others: pictures, films, exports.
  media: ["core", "client"],
  // An account's library on a device, over a client and a store.
  library: ["core", "crypto", "wire", "client", "media"],
  web: ["core", "crypto", "wire", "client", "media", "library"],
  config: ["core", "http"],
  routes: ["core", "http", "wire", "features"],
  // What is served as it is: the app's files, the pages, the map.
  assets: ["core", "crypto", "http"],
  app: [
    "core",
    "crypto",
    "store",
    "http",
    "features",
    "config",
    "routes",
    "assets",
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
    "assets",
    "app",
    "server",
    "client",
    "media",
    "library",
  ],
};

/**
 * The rooms of the library, the lowest first: code of a room uses itself and
 * what is before it. Types may be of any room, such as that of an open library,
 * which all of them are parts of.
 */
export const LIBRARY_ROOMS: readonly string[] = [
  // The platform, this device's store, faults, merging.
  "base",
  // The session, the keys, and the account's sealed state.
  "vault",
  // What is believed: pins, receipts, identities, deletions.
  "trust",
  // Signing in, a second device, signing out.
  "account",
  // Photos as rows: following the feed, opening, reading.
  "rows",
  // Favourites, hidden ones, stacks, copies of films.
  "showing",
  // Taking files in, changing them, giving them back to the server.
  "adding",
  // The server's public logs and the proofs that come of them.
  "logs",
  "albums",
  // Share links, upload links, guests' files, frames.
  "sharing",
  // People and albums of other servers.
  "abroad",
  // Whether all that was stored is still there, and what to do if not.
  "care",
  // Search, faces, memories, similar photos.
  "finding",
];

/**
 * The most floors of a folder: a file stands above every file of it whose
 * values it imports (`layers/sizes.ts`).
 */
export const DEEPEST: Readonly<Record<string, number>> = { "src/library": 11 };

/** The most files of a folder, without tests. */
export const MOST_FILES = 30;

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
    "node:crypto",
  ],
  client: [
    "zod",
    "hash-wasm",
    "@noble/hashes",
    "@noble/ciphers",
    "@noble/post-quantum",
    "@scure/bip39",
  ],
  media: ["zod", "@zip.js/zip.js", "geokdbush", "kdbush", "libheif-js"],
  library: ["zod", "@noble/hashes"],
  web: [
    "@vladmandic/face-api",
    "tesseract.js-core",
    "zod",
    "preact",
    "@preact/signals",
    "client-zip",
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
  "src/client/keys/native.ts": ["node:crypto"],
  "src/assets/app_files.ts": ["node:zlib"],
  // What a person's machine knows is no part of a server's store.
  "src/cli/person/local_store.ts": ["node:sqlite"],
  "src/cli/person/sharing/qr_code.ts": ["qr"],
  "src/cli/person/files/importing/parts.ts": ["node:fs", "node:zlib"],
  "src/cli/person/files/importing/tar.ts": ["node:buffer", "tar"],
  // Files from phones wait here for any server.
  "src/cli/receive/spool.ts": ["node:sqlite"],
  "src/cli/receive/sftp.ts": ["node:buffer", "ssh2"],
};

/** Which feature imports which; `app`, `parameters` and the like are everybody's. */
export const FEATURES: Readonly<Record<string, readonly string[]>> = {
  accounts: ["lockout", "sessions", "totp"],
  sessions: [],
  lockout: [],
  totp: ["lockout", "sessions"],
  oidc: ["accounts", "sessions", "totp"],
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

/** What people's programs import: all that these files export is in use. */
export const ENTRIES: readonly string[] = [
  "src/client/documents/documents.ts",
  "src/client/keys/native.ts",
  "src/client/mod.ts",
  "src/library/mod.ts",
  "src/library/web.ts",
  "src/library/abroad/abroad.ts",
];

/** Their triggers change tables, too. */
export const TABLES_FILES: readonly string[] = [
  "src/store/sqlite/tables.ts",
  "src/store/sqlite/counting_once.ts",
];

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

/** Nothing can pass a timer to a worker. */
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
  "media",
  "library",
  "web",
  "http",
  "features",
];
