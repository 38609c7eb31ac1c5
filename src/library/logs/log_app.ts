/**
 * The web app that a browser holds, against the one that the keys log names for
 * everybody (protocol/logs.md#the-web-app). An app that was swapped as a whole
 * can lie about itself; this finds parts that were swapped later, and a server
 * that hands this browser another app than it names.
 *
 * @module
 */
import * as z from "zod/mini";
import { fromHex, fromUtf8, toHex } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import {
  sha256,
  type Sha256Factory,
  sha256Hex,
  sha256Stream,
} from "../../crypto/sha256.ts";
import { hash } from "../../client/documents/fields.ts";
import type { LogCheck } from "./log_check.ts";
import { primitivesOf, type ServedApp } from "../base/platform.ts";
import { LOGGED_WITHIN_MS } from "./log_receipts.ts";

/** The app as it is served. */
interface AppCheck {
  /** SHA-256 of the app manifest, in hex; undefined for an invalid list. */
  readonly manifest: string | undefined;
  /** Files that were compared with the list. */
  readonly compared: number;
  /** Paths of those that are not in it as they are. */
  readonly wrong: readonly string[];
}

/** Names each of the other files of the app with its SHA-256. */
const LIST = "/app/files.json";
const MAX_LIST_BYTES = 256 * 1024;
/** Pages that browsers ask for each time. */
const ASKED_FOR = ["/", "/sw.js"];

const listSchema = z.record(z.string(), hash);

/**
 * Compares what this browser holds of the app with the app's list; if `inCache`
 * is false, the pages alone.
 */
async function lookAtApp(
  app: ServedApp,
  inCache: boolean,
  startHash: Sha256Factory,
): Promise<AppCheck> {
  for (let tries = 1;; tries++) {
    const found = await look(app, inCache, startHash);
    // The server may have taken another app between two requests.
    const isSure = found.wrong.length === 0 || tries > 1 ||
      (await readList(app))?.manifest === found.manifest;
    if (isSure) return found;
  }
}

async function look(
  app: ServedApp,
  inCache: boolean,
  startHash: Sha256Factory,
): Promise<AppCheck> {
  const list = await readList(app);
  if (list === undefined) {
    return { manifest: undefined, compared: 0, wrong: [LIST] };
  }
  let compared = 0;
  const wrong: string[] = [];
  for (const [path, sha256] of Object.entries(list.files)) {
    const bytes = ASKED_FOR.includes(path)
      ? await app.fetched(path) ?? new Uint8Array()
      : inCache && path.startsWith("/app/")
      ? await app.held(path)
      : undefined;
    if (bytes === undefined) continue;
    compared += 1;
    const digest = toHex(await sha256Stream([bytes], startHash));
    if (digest !== sha256) wrong.push(path);
  }
  return { manifest: list.manifest, compared, wrong };
}

async function readList(app: ServedApp) {
  const bytes = await app.fetched(LIST);
  if (bytes === undefined || bytes.length > MAX_LIST_BYTES) return undefined;
  try {
    const files = listSchema.parse(JSON.parse(fromUtf8(bytes) ?? ""));
    const digests = Object.entries(files).map(([path, hex]) => [
      path,
      fromHex(hex) ?? new Uint8Array(),
    ]);
    const manifest = Object.fromEntries([...digests, [LIST, sha256(bytes)]]);
    return { files, manifest: sha256Hex(encodeCanonical(manifest)) };
  } catch {
    return undefined;
  }
}

/** Files that a finding names. */
const MOST_NAMED = 5;

/**
 * Compares the web app that this browser runs, with its cache unless `inCache` is
 * false; how many files are right.
 */
export async function checkApp(
  check: LogCheck,
  inCache: boolean,
): Promise<number> {
  const { platform } = check.context.vault.session;
  const { servedApp } = platform;
  const named = check.state.keys?.app;
  if (servedApp === undefined || named === undefined) return 0;
  const { manifest, compared, wrong } = await lookAtApp(
    await servedApp(),
    inCache,
    primitivesOf(platform).sha256,
  );
  if (wrong.length > 0) {
    check.tell(
      "other_app",
      `${manifest} ${wrong.join(" ")}`,
      "the server gave this browser other files of the web app than it " +
        `lists: ${wrong.slice(0, MOST_NAMED).join(", ")}`,
    );
  }
  const { app_other_since: before, ...state } = check.state;
  if (manifest === named) {
    check.state = state;
    return compared - wrong.length;
  }
  // After an update the log follows the app within a minute or so.
  // A clock that was ahead delays no alarm.
  const since = before === undefined || before > check.now ? check.now : before;
  check.state = { ...state, app_other_since: since };
  if (Date.parse(check.now) - Date.parse(since) > LOGGED_WITHIN_MS) {
    check.tell(
      "other_app",
      `${named} ${manifest}`,
      "the server gives this browser another web app than the one that the " +
        "public log names for everyone",
    );
  }
  return 0;
}
