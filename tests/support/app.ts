/**
 * The real application for a test: real SQLite and real files in a temporary
 * directory, a clock that the test sets, and randomness from a seed.
 *
 * @module
 */
import { openApp, type OpenedApp, type OpenOptions } from "../../src/app.ts";
import { sleep } from "../../src/server/sleep.ts";
import { readConfig } from "./config.ts";
import { migrate } from "../../src/store/sqlite/database.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import type { Files } from "../../src/store/files/files.ts";
import { MAKING } from "../../src/store/health.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { Argon2InThread, CHEAP_COST } from "./argon2.ts";
import { blobPlaceOf } from "./blob_place.ts";
import "./fresh_core.ts";
import type { HeldTime } from "./held_time.ts";
import { Discretion } from "./discretion.ts";
import { lendWriter } from "./writers.ts";

export const ORIGIN = "http://127.0.0.1:8470";
export const PROTOCOL = "2026-11-01";
/** When every test begins. */
export const START_MS = Date.parse("2026-11-21T12:00:00.000Z");

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly properties: Record<string, unknown>;
}

/** A server that requests can be sent to, in this process or in another. */
export interface Sender {
  /** Sends a request, from 192.0.2.1 if not said. */
  readonly send: (
    method: string,
    path: string,
    options?: SendOptions,
  ) => Promise<Response>;
}

export interface TestApp extends OpenedApp, Sender {
  readonly clock: {
    now: number;
    /** Milliseconds that have passed, whatever the clock says. */
    passed: number;
    /** Lets that many milliseconds pass. */
    advance(ms: number): void;
    /** Sets the clock by that many milliseconds, while no time passes. */
    jump(ms: number): void;
  };
  readonly logged: LogLine[];
  readonly dataDir: string;
  /** Where objects of its own lie; undefined where there is no bucket. */
  readonly objectsDir: string | undefined;
  /**
   * Closes the application and opens it again over the same directory, with
   * other settings where they are given; `meanwhile`, no program has it open.
   */
  readonly reopen: (
    settings?: Record<string, string>,
    meanwhile?: () => Promise<void>,
  ) => Promise<TestApp>;
}

export interface SendOptions {
  readonly token?: string;
  /** Null leaves the handshake header out. */
  readonly protocol?: string | null;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly from?: string;
  /** Aborted where the client hangs up. */
  readonly signal?: AbortSignal;
}

export interface TestSettings {
  readonly settings?: Record<string, string>;
  readonly files?: Files;
  /** The network; without it every request of the server's own fails. */
  readonly fetch?: typeof fetch;
  /** What has the writing connection; a thread that others had, if not said. */
  readonly startWriter?: OpenOptions["startWriter"];
  /**
   * Blobs are files in the directory, small ones too, wherever others place
   * theirs: for a test whose subject is the files there. That of one with
   * `files` is.
   */
  readonly blobs?: "directory";
  /** Has no time pass but what the test lets pass. */
  readonly time?: HeldTime;
  /** When the clock begins; {@link START_MS} if not said. */
  readonly startMs?: number;
  /**
   * Where the data directory is made. If not said, on a disk that is memory,
   * where there is one; {@link withRealApp} makes it among temporary files.
   */
  readonly place?: string;
}

/** Of a hash that no worker is worth (KiB). */
const CHEAP_KIB = String(CHEAP_COST.memoryKib);

/** Cheap hashing and no reserve: a test machine's disk is not the subject. */
const SETTINGS = {
  STRONGROOM_ARGON2_MEMORY_KIB: CHEAP_KIB,
  STRONGROOM_ARGON2_PASSES: "1",
  STRONGROOM_RESERVED_DISK_BYTES: "0",
};

/** Opens an application, hands it to a test, and cleans up after it. */
export async function withTestApp(
  test: (app: TestApp) => Promise<void>,
  options: TestSettings = {},
): Promise<void> {
  const place = options.place ?? MEMORY;
  const dataDir = await Deno.makeTempDir({
    prefix: "strongroom-test-",
    ...(place === undefined ? {} : { dir: place }),
  });
  const opened = new Set<OpenedApp>();
  try {
    const clock = makeClock(options.startMs ?? START_MS, options.time);
    // One source for all reopenings: what was drawn does not come again.
    const random = seededRandom(dataDir);
    if (options.files === undefined) await layDatabase(dataDir);
    const discretion = new Discretion();
    const given = { clock, random, discretion };
    await test(await open(dataDir, given, options, opened));
  } finally {
    for (const app of opened) await app.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

/**
 * Leaves a fresh data directory as a first start leaves it that is cut off
 * once the database has its schema, which takes longest: the start to come
 * makes the rest.
 */
export async function layDatabase(dataDir: string): Promise<void> {
  await Deno.mkdir(`${dataDir}/db`, { mode: 0o700, recursive: true });
  await Deno.writeFile(databasePath(dataDir), await emptyDatabase());
  await Deno.writeTextFile(`${dataDir}/${MAKING}`, "");
}

/** A database with the newest schema and nothing in it. */
function emptyDatabase(): Promise<Uint8Array> {
  return empty ??= (async () => {
    const folder = await Deno.makeTempDir({ prefix: "strongroom-schema-" });
    try {
      const path = `${folder}/empty.sqlite`;
      using sqlite = openSqlite(path);
      await migrate(sqlite, path, MIGRATIONS);
      sqlite.exec("pragma wal_checkpoint(truncate)");
      return await Deno.readFile(path);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  })();
}

let empty: Promise<Uint8Array> | undefined;

/** A disk that is memory; undefined where there is none. */
const MEMORY = isDirectory("/dev/shm") ? "/dev/shm" : undefined;

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/**
 * The same on a real disk, with the blobs on it: for a test that links to files
 * elsewhere, or starts a program on the data directory, whose permissions do
 * not reach below /dev.
 */
export function withRealApp(
  test: (app: TestApp) => Promise<void>,
  options: TestSettings = {},
): Promise<void> {
  return withTestApp(test, {
    ...options,
    place: TEMPORARY,
    blobs: "directory",
  });
}

const TEMPORARY = Deno.env.get("TMPDIR") ?? "/tmp";

function makeClock(startMs: number, time?: HeldTime) {
  return {
    now: startMs,
    passed: 0,
    advance(ms: number) {
      this.now += ms;
      this.passed += Math.max(0, ms);
      time?.advance(Math.max(0, ms));
    },
    jump(ms: number) {
      this.now += ms;
    },
  };
}

async function open(
  dataDir: string,
  given: {
    readonly clock: TestApp["clock"];
    readonly random: ReturnType<typeof seededRandom>;
    readonly discretion: Discretion;
  },
  options: TestSettings,
  opened: Set<OpenedApp>,
): Promise<TestApp> {
  const { clock, random, discretion } = given;
  const logged: LogLine[] = [];
  const log = (level: string) =>
  (
    message: string,
    properties: Record<string, unknown> = {},
  ) => {
    logged.push({ level, message, properties });
  };
  // A test that names a bucket has its own, and one about files wants files.
  const leavesItOpen = options.settings?.STRONGROOM_S3_ENDPOINT === undefined &&
    options.blobs === undefined && options.files === undefined;
  const place = leavesItOpen ? blobPlaceOf(dataDir) : undefined;
  const settings: Record<string, string> = {
    STRONGROOM_DATA_DIR: dataDir,
    ...SETTINGS,
    ...place?.settings,
    // The blobs of tests are small: none would be a file, or an object.
    ...(leavesItOpen && place === undefined
      ? {}
      : { STRONGROOM_SMALL_BLOB_BYTES: "0" }),
    ...options.settings,
  };
  const isCheap = settings.STRONGROOM_ARGON2_MEMORY_KIB === CHEAP_KIB;
  const config = readConfig(settings);
  const network = options.fetch ??
    (() => Promise.reject(new Error("a test has no network")));
  const app = await openApp(config, {
    now: () => clock.now,
    monotonic: () => options.time?.passed ?? performance.now() + clock.passed,
    random,
    sleep: options.time?.sleep ?? sleep,
    fetch: place?.fetchBeside(network) ?? network,
    log: {
      debug: log("debug"),
      info: log("info"),
      warn: log("warn"),
      error: log("error"),
    },
  }, {
    origin: ORIGIN,
    checkReplies: true,
    startWriter: options.startWriter ?? lendWriter,
    files: options.files ?? denoFiles,
    // Whoever has hashing cost something has the workers as well.
    ...(isCheap ? { startArgon2: () => new Argon2InThread() } : {}),
  });
  opened.add(app);
  return {
    ...app,
    clock,
    logged,
    dataDir,
    objectsDir: place?.root,
    send: async (method, path, sent = {}) => {
      discretion.note(path, sent);
      await yieldToEventLoop();
      const answer = await app.fetch(makeRequest(method, path, sent), {
        clientAddress: sent.from ?? "192.0.2.1",
      });
      discretion.expectKept(logged.slice(-1));
      return answer;
    },
    reopen: async (settings = {}, meanwhile) => {
      opened.delete(app);
      await app.close();
      await meanwhile?.();
      return await open(dataDir, given, {
        ...options,
        settings: { ...options.settings, ...settings },
      }, opened);
    },
  };
}

/**
 * Requests come in turns of the event loop of their own. Within one, what is
 * read is of its beginning, or of what this process has committed since.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Builds a request as a client would send it, Content-Length included. */
export function makeRequest(
  method: string,
  path: string,
  sent: SendOptions,
  origin = ORIGIN,
): Request {
  const headers = new Headers(sent.headers);
  if (sent.protocol !== null) {
    setDefault(headers, "X-Service-Protocol", sent.protocol ?? PROTOCOL);
  }
  if (sent.token !== undefined) {
    setDefault(headers, "Authorization", `Bearer ${sent.token}`);
  }
  let body = sent.body ?? null;
  if (sent.json !== undefined) {
    body = JSON.stringify(sent.json);
    setDefault(headers, "Content-Type", "application/json");
  }
  if (typeof body === "string") body = new TextEncoder().encode(body);
  if (body instanceof Uint8Array) {
    setDefault(headers, "Content-Length", String(body.length));
  }
  return new Request(new URL(path, origin), {
    method,
    headers,
    body,
    ...(sent.signal === undefined ? {} : { signal: sent.signal }),
  });
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

/** Bytes that look random and differ from call to call and seed to seed. */
export function seededRandom(
  seed: string,
): (length: number) => Uint8Array<ArrayBuffer> {
  let state = 0x811c9dc5;
  for (const character of seed) {
    state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  }
  // mulberry32: good enough to be different, and nothing here is secret.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) & 0xff;
  };
  return (length) => {
    // Uint8Array.from would take a hundred times as long.
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++) bytes[at] = next();
    return bytes;
  };
}
