/**
 * Telling the app's pages from other documents of the origin, such as a Blob
 * that somebody opens in a tab. A page gives a random pass to the service
 * worker, which takes it only from the app's page. The page then gives the pass
 * to the vault, and the vault asks the service worker about it.
 *
 * @module
 */
import { statusOf } from "../browser.ts";
import { UNKNOWN_PASS, VOUCHED } from "./page_passes.ts";

/**
 * Whether a page of the app gave that pass. True too if there is no service
 * worker, as on plain http and at the first visit: the server then answers as
 * for any unknown address. False if nothing answers, so that nobody gets in by
 * making the request fail.
 */
export async function isVouchedFor(pass: string): Promise<boolean> {
  try {
    return await statusOf(`${VOUCHED}?${pass}`) !== UNKNOWN_PASS;
  } catch {
    return false;
  }
}
