/**
 * Fetches what the app loads later: the network may be away for a moment.
 *
 * @module
 */
import { sleep } from "../browser.ts";

/** Pauses between the tries (ms). */
const AGAIN_MS = [300, 1_000, 3_000];

/** A part of the app that could not be fetched. */
export class PartError extends Error {
  override readonly name = "PartError";
}

/** What `load` imports, tried again if it fails. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  for (const ms of AGAIN_MS) {
    try {
      return await load();
    } catch {
      await sleep(ms);
    }
  }
  return await load().catch((cause) => {
    throw new PartError("a part of the app cannot be fetched", { cause });
  });
}
