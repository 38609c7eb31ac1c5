/**
 * The files of the web app as this browser got them, for comparing them with
 * the public log.
 *
 * @module
 */
import type { ServedApp } from "../../../library/base/platform.ts";
import { ConnectionError } from "../../../client/api/transport.ts";
import { browserFetch } from "../../browser.ts";

export const servedApp: ServedApp = {
  async fetched(path) {
    const response = await browserFetch(addressOf(path), {
      cache: "no-cache",
      // The page is there for browsers alone.
      headers: { Accept: "text/html,*/*;q=0.8" },
    }).catch((cause: unknown) => {
      throw new ConnectionError(`${path} was not served`, { cause });
    });
    return response.ok
      ? new Uint8Array(await response.arrayBuffer())
      : undefined;
  },
  async held(path) {
    try {
      const response = await browserFetch(addressOf(path), {
        cache: "only-if-cached",
        mode: "same-origin",
      });
      return response.ok
        ? new Uint8Array(await response.arrayBuffer())
        : undefined;
    } catch {
      // The browser does not hold it, and so never ran it.
      return undefined;
    }
  },
};

function addressOf(path: string): string {
  return new URL(path, location.origin).href;
}
