/**
 * The files of models: fetched from the server once, kept by this browser, and
 * taken only if they have the hash that the description gives.
 *
 * @module
 */
import type { ServedModels } from "../../../core/meaning.ts";
import { toHex } from "../../../core/bytes.ts";
import { sha256 } from "../../../crypto/sha256.ts";
import { browserFetch } from "../../browser.ts";

/** Not of a build: the models are the same in the next one. */
const CACHE = "models";

/** A file of models by its name. Throws if it cannot be had as it should be. */
export async function modelFile(
  models: ServedModels,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = models.files[name];
  if (file === undefined) throw new Error(`no file ${name}`);
  const address = addressOf(file.sha256);
  const cache = await cacheOf();
  const kept = await cache?.match(address);
  if (kept !== undefined) {
    const bytes = await bytesOf(kept);
    if (await hashOf(bytes) === file.sha256) return bytes;
  }
  const response = await fetched(address);
  const bytes = await bytesOf(response.clone());
  if (await hashOf(bytes) !== file.sha256) {
    throw new Error(`${name} is not what the server said`);
  }
  const wanted = new Set(
    Object.values(models.files).map((one) => addressOf(one.sha256)),
  );
  try {
    for (const { url } of await cache?.keys() ?? []) {
      if (!wanted.has(url)) await cache?.delete(url);
    }
    await cache?.put(address, response);
  } catch {
    // Without room for it, it is fetched again the next time.
  }
  return bytes;
}

/** Deletes all files that are kept. */
export async function forgetModels(): Promise<void> {
  if (!hasCaches()) return;
  await caches.delete(CACHE);
}

/** On plain http browsers have none. */
function hasCaches(): boolean {
  return "caches" in globalThis;
}

async function cacheOf(): Promise<Cache | undefined> {
  try {
    return hasCaches() ? await caches.open(CACHE) : undefined;
  } catch {
    return undefined;
  }
}

function addressOf(sha256: string): string {
  return new URL(`/app/models/${sha256}`, import.meta.url).href;
}

async function fetched(address: string): Promise<Response> {
  const response = await browserFetch(address, {});
  if (!response.ok) throw new Error("a model cannot be fetched");
  return response;
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // On plain http browsers have no hash of their own.
  const hash = "subtle" in crypto
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
    : sha256(bytes);
  return toHex(hash);
}
