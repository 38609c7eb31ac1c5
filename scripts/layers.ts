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
  "base",
  "vault",
  "trust",
  "account",
  "rows",
  "showing",
  "adding",
  "logs",
  "albums",
  "sharing",
  "abroad",
  "care",
  "finding",
];

/**
 * What a room is whose own file does not say it: its `mod.ts`, or the file of
 * its name within it or next to it.
 */
export const ROOMS: Readonly<Record<string, string>> = {
  "src": "The server's composition and routes, and a folder for each layer.",
  "src/assets": "The app's files, the pages and the map, served as they are.",
  "src/cli": "The command line: the tree of commands and what all share.",
  "src/cli/backup": "The operator's commands for backups.",
  "src/cli/backup/remote": "Backups to a place off the premises.",
  "src/cli/dav": "WebDAV answers, for receiving and for `webdav`.",
  "src/cli/operator": "The operator's commands: accounts, keys, checks, logs.",
  "src/cli/operator/doctor": "Each of the doctor's checks.",
  "src/cli/person": "The commands with which people use their photos.",
  "src/cli/person/account": "Signing in, devices, and secrets of this machine.",
  "src/cli/person/files": "Sending and fetching files and folders.",
  "src/cli/person/proofs": "Proofs, witnesses, and checks of the app.",
  "src/cli/person/sharing": "Albums, links, guests and other servers.",
  "src/cli/receive": "Receiving from telephones over WebDAV and SFTP.",
  "src/client/keys": "Keys and the ways to derive, seal and stretch them.",
  "src/client/stream": "Encrypting files in chunks, and reading them again.",
  "src/client/stream/threads": "Encrypting files in threads of their own.",
  "src/core": "What every layer needs: bytes, ids, problems, limits, time.",
  "src/crypto": "Signatures, receipts, tokens and passwords.",
  "src/crypto/logs": "The public logs: trees, notes, policies, evidence.",
  "src/features": "One folder a resource: its routes, rules and SQL.",
  "src/features/account_deletion": "Closing an account and removing all of it.",
  "src/features/album_upgrade":
    "The ceremony that moves an album to a newer protocol date.",
  "src/features/backup/directory":
    "Backups to a directory, and scrubbing them.",
  "src/features/backup/remote_backup":
    "Sealed generations of a backup off the premises.",
  "src/features/blob_migration": "Moving blobs between directory and bucket.",
  "src/features/devices": "The directory of an account's devices.",
  "src/features/federation": "Other servers that the operator pinned.",
  "src/features/garbage_collection": "Deleting blobs that nothing references.",
  "src/features/leaving_albums": "A member leaves an album.",
  "src/features/lifecycle": "Applying signed manifests: an asset's whole life.",
  "src/features/log": "The server's public logs and their witnesses.",
  "src/features/metrics": "Counting what metrics and overviews show.",
  "src/features/moderation": "Suspending, taking down and holding.",
  "src/features/pages": "Routes of the app, the pages and the map.",
  "src/features/state": "The sealed slots of an account.",
  "src/features/verification": "Checking that all that was stored is there.",
  "src/http": "Declaring operations: router, pipeline, rendering.",
  "src/library/account": "Signing in, a second device, signing out.",
  "src/library/adding":
    "Taking files in, changing them, giving them back to the server.",
  "src/library/base": "The platform, this device's store, faults, merging.",
  "src/library/care":
    "Whether all that was stored is still there, and what to do if not.",
  "src/library/finding": "Search, faces, memories, similar photos.",
  "src/library/rows": "Photos as rows: following the feed, opening, reading.",
  "src/library/sharing": "Share links, upload links, guests' files, frames.",
  "src/library/showing": "Favourites, hidden ones, stacks, copies of films.",
  "src/library/trust":
    "What is believed: pins, receipts, identities, deletions.",
  "src/library/vault": "The session, the keys, and the account's sealed state.",
  "src/media": "The formats of others, without any account.",
  "src/media/exports": "Exports of other programs, and sidecar files.",
  "src/media/pictures": "Pictures: raw files, HEIF, looks, edits, spheres.",
  "src/media/places": "Names of places, from the gazetteer.",
  "src/server": "The running server: listeners, delivery, stopping.",
  "src/server/log": "The server's own log and its traces.",
  "src/server/tls": "Certificates, and watching their files.",
  "src/server/tls/acme": "Certificates from an authority over ACME.",
  "src/store/remote": "Storage over a network.",
  "src/store/remote/backup": "Where backups go: a directory, S3 or SFTP.",
  "src/store/remote/s3": "Blobs in a bucket.",
  "src/store/sqlite": "The database: schema, migrations, one writing thread.",
  "src/web": "The web app, the pages of links, and the service worker.",
  "src/web/app": "The page: what a person sees, and no keys.",
  "src/web/app/abroad": "People and albums of other servers, on screen.",
  "src/web/app/history": "Where Back leads, and how far a page was scrolled.",
  "src/web/app/parts": "Controls that several screens have.",
  "src/web/app/screens": "One file or folder a screen.",
  "src/web/app/screens/editing": "Changing a photo and what is known of it.",
  "src/web/app/screens/films": "Making copies of films that browsers play.",
  "src/web/app/screens/findings": "Looking for faces, things and words.",
  "src/web/app/screens/memories": "Memories: the row of them, and one.",
  "src/web/app/showing": "Photos large: lightbox, slideshow, frame, links.",
  "src/web/app/showing/link": "The pages of share links and upload links.",
  "src/web/app/upload": "Adding files: the queue, its panel and folders.",
  "src/web/workers": "Threads of the app: one folder a thread, or its calls.",
  "src/web/workers/finding": "Faces, things, words, search and memories.",
  "src/web/workers/guests": "The thread of an upload link's page.",
  "src/web/workers/library": "The vault's calls about an open library.",
  "src/web/workers/library/albums":
    "Albums: all of them, one, its members, its changes.",
  "src/web/workers/library/exports": "Reading exports of other programs.",
  "src/web/workers/library/remarks": "Comments and likes in albums.",
  "src/web/workers/library/sharing":
    "Share links, upload links, and what guests sent.",
  "src/web/workers/media/pictures": "Decoding pictures and making small ones.",
  "src/web/workers/media/videos": "Reading videos and their stills.",
  "src/web/workers/shared": "The thread of a share link's page.",
  "src/wire": "The contract's bodies and answers, for both sides.",
  "src/wire/answers": "What operations answer, one file a resource.",
  "src/wire/bodies": "What operations are sent, one file a resource.",
};

/**
 * The most floors of a folder: a file stands above every file of it whose
 * values it imports (`layers/sizes.ts`).
 */
export const DEEPEST: Readonly<Record<string, number>> = { "src/library": 11 };

/** The most files of a folder, without tests. */
export const MOST_FILES = 30;

/**
 * A file with fewer lines belongs to the only file that imports it
 * (`layers/small.ts`).
 */
export const LEAST_LINES = 60;

/** Smaller files that stay, with the reason. */
export const SMALL_FILES: Readonly<Record<string, string>> = {
  "src/cli/person/files/into_album.ts":
    "push.ts has more than 400 lines and another idea: which files to send.",
  "src/store/sqlite/write_ahead_log.ts":
    "database.ts has more than 450 lines, and this writes a file past SQLite.",
  "src/web/app/showing/link/early.ts":
    "A script of its own, which the page runs while the large one loads.",
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
    // The periodic task of the server, with one list of what a clock that was
    // ahead has dated in the future.
    "upkeep.ts": [
      "accounts",
      "album_upgrade",
      "clock",
      "garbage_collection",
      "lockout",
      "sessions",
      "totp",
      "uploads",
      "verification",
    ],
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
