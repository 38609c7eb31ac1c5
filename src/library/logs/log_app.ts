/**
 * The web app that a browser holds, against the one that the keys log names for
 * everybody (protocol/logs.md#the-web-app). An app that was swapped as a whole
 * can lie about itself; this finds parts that were swapped later, and a server
 * that hands this browser another app than it names.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromHex, fromUtf8 } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { sha256, sha256Hex } from "../../crypto/sha256.ts";
import { hash } from "../../client/documents/fields.ts";

/** How a program in a browser reads its own files. */
export interface ServedApp {
  /**
   * A file as the server sends it now; undefined where it has none. Throws
   * ConnectionError.
   */
  fetched(path: string): Promise<Bytes | undefined>;
  /** A file as the browser holds it, if it does; asks no server. */
  held(path: string): Promise<Bytes | undefined>;
}

/** The app as it is served. */
export interface AppCheck {
  /** SHA-256 of the app manifest, in hex; undefined for a list that is none. */
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

/** Compares what this browser holds of the app with the app's list. */
export async function lookAtApp(app: ServedApp): Promise<AppCheck> {
  for (let tries = 1;; tries++) {
    const found = await look(app);
    // The server may have taken another app between two requests.
    const isSure = found.wrong.length === 0 || tries > 1 ||
      (await readList(app))?.manifest === found.manifest;
    if (isSure) return found;
  }
}

async function look(app: ServedApp): Promise<AppCheck> {
  const list = await readList(app);
  if (list === undefined) {
    return { manifest: undefined, compared: 0, wrong: [LIST] };
  }
  let compared = 0;
  const wrong: string[] = [];
  for (const [path, sha256] of Object.entries(list.files)) {
    const bytes = ASKED_FOR.includes(path)
      ? await app.fetched(path) ?? new Uint8Array()
      : path.startsWith("/app/")
      ? await app.held(path)
      : undefined;
    if (bytes === undefined) continue;
    compared += 1;
    if (sha256Hex(bytes) !== sha256) wrong.push(path);
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
